#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a folder that we saved with transformers, and writes what transformers makes of it.

    transformers_clip.py MODEL_DIR OUT_DIR

OUT_DIR/answers.safetensors: features of random inputs; of a picture and captions through CLIPProcessor.
OUT_DIR/saved: the model, tokenizer and image processor as save_pretrained writes them.
"""
import os
import sys

import numpy as np
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoTokenizer, CLIPModel, CLIPProcessor

CAPTIONS = ["a photo of a cat", "You should've done this", "two bicycles beside a red house, on the left"]


def unit(features):
    features = getattr(features, "pooler_output", features)
    return torch.nn.functional.normalize(features, dim=1)


@torch.no_grad()
def main(folder, out):
    model, info = CLIPModel.from_pretrained(folder, output_loading_info=True)
    problems = {kind: list(names) for kind, names in info.items() if names}
    assert not problems, problems
    model.eval()
    processor = CLIPProcessor.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    draw = torch.Generator().manual_seed(5)
    size = model.config.vision_config.image_size
    images = torch.randn(4, 3, size, size, generator=draw)
    batch = tokenizer(CAPTIONS, padding=True, return_tensors="pt")
    picture = torch.randint(0, 256, (77, 131, 3), generator=draw, dtype=torch.uint8)
    both = processor(text=CAPTIONS, images=Image.fromarray(np.asarray(picture)), return_tensors="pt", padding=True)
    assert torch.equal(both["input_ids"], batch["input_ids"])
    save_file({
        "images": images, "image": unit(model.get_image_features(pixel_values=images)),
        "input_ids": batch["input_ids"].contiguous(),
        "text": unit(model.get_text_features(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])),
        "picture": picture, "pixel_values": both["pixel_values"].contiguous(),
        "logit_scale": model.logit_scale.reshape(1),
    }, os.path.join(out, "answers.safetensors"))
    saved = os.path.join(out, "saved")
    model.save_pretrained(saved)
    tokenizer.save_pretrained(saved)
    processor.image_processor.save_pretrained(saved)


if __name__ == "__main__":
    main(*sys.argv[1:])
