#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures resized by Pillow, and prepared by torchvision's transforms as open_clip does.

    resize_golden.py OUT_DIR    writes OUT_DIR/resize.safetensors

"CASE.in" [H, W, 3] and "CASE.out.FILTER.W.H" are bytes; "CASE.view.S" is what Resize(S) and CenterCrop(S) leave.
"""
import os
import sys

import numpy as np
from PIL import Image
from safetensors.numpy import save_file
from torchvision.transforms import CenterCrop, Compose, InterpolationMode, Resize

SIZES = [(9, 9), (16, 1), (1, 16), (1, 1), (64, 48), (48, 64), (333, 500), (645, 73), (73, 645), (231, 323), (480, 641), (2, 300), (227, 225)]
TARGETS = [(3, 3), (4, 1), (224, 224), (17, 90), (100, 31), (64, 48)]


def main(out):
    draw = np.random.default_rng(3)
    tensors = {}
    for index, (width, height) in enumerate(SIZES):
        noise = draw.integers(0, 256, (height, width, 3), dtype=np.uint8)
        if index % 2:
            noise = np.where(noise > 127, 255, 0).astype(np.uint8)  # the hardest for overshoot
        picture = Image.fromarray(noise)
        tensors[f"{index}.in"] = noise
        for name, kind in (("bicubic", Image.BICUBIC), ("bilinear", Image.BILINEAR)):
            for w, h in TARGETS:
                tensors[f"{index}.out.{name}.{w}.{h}"] = np.asarray(picture.resize((w, h), kind))
        for size in (24, 97, 224):
            view = Compose([Resize(size, InterpolationMode.BICUBIC), CenterCrop(size)])(picture)
            tensors[f"{index}.view.{size}"] = np.asarray(view)
    save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, os.path.join(out, "resize.safetensors"))


if __name__ == "__main__":
    main(sys.argv[1])
