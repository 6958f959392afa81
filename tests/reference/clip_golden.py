#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs and gradients of open_clip's CLIP in float64, for weights that are all jittered.

    clip_golden.py OUT_DIR    writes CASE.safetensors and CASE.json for each case

A file holds the weights and gradients under transformers' names ("weight.NAME", "gradient.NAME"), the inputs and the unit
features. The loss is CLIP's with extra texts as further columns of image-to-text.
"""
import json
import os
import sys

import torch
import torch.nn.functional as F
from open_clip.model import CLIP
from safetensors.torch import save_file

SHAPES = {
    "gelu": dict(embed_dim=24, quick_gelu=False, vision=dict(image_size=48, patch_size=16, width=64, layers=3, head_width=32, mlp_ratio=3.0),
                 text=dict(context_length=20, vocab_size=600, width=48, heads=3, layers=2, mlp_ratio=2.0)),
    "quick_gelu": dict(embed_dim=40, quick_gelu=True, vision=dict(image_size=50, patch_size=12, width=96, layers=2, head_width=24),
                       text=dict(context_length=33, vocab_size=600, width=64, heads=2, layers=3)),
    "one_layer": dict(embed_dim=16, quick_gelu=False, vision=dict(image_size=32, patch_size=32, width=32, layers=1, head_width=16),
                      text=dict(context_length=9, vocab_size=600, width=32, heads=1, layers=1)),
}


def transformers_names(name, tensor):
    """Names and parts that a tensor of open_clip has in transformers."""
    tower, prefix = ("vision_model", "visual.") if name.startswith("visual.") else ("text_model", "")
    rest = name[len(prefix):]
    simple = {
        "logit_scale": "logit_scale",
        "visual.class_embedding": "vision_model.embeddings.class_embedding",
        "visual.conv1.weight": "vision_model.embeddings.patch_embedding.weight",
        "visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
        "token_embedding.weight": "text_model.embeddings.token_embedding.weight",
        "positional_embedding": "text_model.embeddings.position_embedding.weight",
    }
    if name in simple:
        return {simple[name]: tensor}
    if name == "visual.proj":
        return {"visual_projection.weight": tensor.T}
    if name == "text_projection":
        return {"text_projection.weight": tensor.T}
    for ours, theirs in (("ln_pre", "pre_layrnorm"), ("ln_post", "post_layernorm"), ("ln_final", "final_layer_norm")):
        if rest.startswith(ours):
            return {f"{tower}.{theirs}{rest[len(ours):]}": tensor}
    _, _, index, *parts = rest.split(".")
    block = f"{tower}.encoder.layers.{index}."
    inner = ".".join(parts)
    if inner.startswith("attn.in_proj_"):
        kind = inner.removeprefix("attn.in_proj_")
        return {f"{block}self_attn.{p}_proj.{kind}": t for p, t in zip("qkv", tensor.chunk(3))}
    for ours, theirs in (("attn.out_proj", "self_attn.out_proj"), ("ln_1", "layer_norm1"), ("ln_2", "layer_norm2"),
                         ("mlp.c_fc", "mlp.fc1"), ("mlp.c_proj", "mlp.fc2")):
        if inner.startswith(ours):
            return {block + theirs + inner[len(ours):]: tensor}
    raise KeyError(name)


def captions(count, length, longest, draw):
    """Rows of ids with ends at different places, filled with zeros as open_clip does."""
    rows = torch.zeros(count, length, dtype=torch.long)
    for row in rows:
        words = int(torch.randint(0, longest - 1, (), generator=draw))
        row[0] = 598
        row[1:1 + words] = torch.randint(1, 598, (words,), generator=draw)
        row[1 + words] = 599
    return rows


def run(name, shape, out):
    draw = torch.Generator().manual_seed(len(name))
    torch.manual_seed(7)
    model = CLIP(embed_dim=shape["embed_dim"], vision_cfg=shape["vision"], text_cfg=shape["text"], quick_gelu=shape["quick_gelu"])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=draw) * 0.05)
    model = model.double()
    size, length = shape["vision"]["image_size"], shape["text"]["context_length"]
    images = torch.randn(6, 3, size, size, generator=draw)
    tokens = captions(6, length, length - 2, draw)
    extra = captions(9, length, length, draw)
    image = model.encode_image(images.double(), normalize=True)
    text = model.encode_text(tokens, normalize=True)
    more = model.encode_text(extra, normalize=True)
    scale = model.logit_scale.exp()
    target = torch.arange(len(images))
    loss = (F.cross_entropy(scale * image @ torch.cat([text, more]).T, target) + F.cross_entropy(scale * text @ image.T, target)) / 2
    loss.backward()

    tensors = {"images": images, "tokens": tokens, "extra_tokens": extra, "image": image, "text": text, "extra": more, "loss": loss}
    for key, parameter in model.named_parameters():
        for kind, value in (("weight", parameter.detach().float()), ("gradient", parameter.grad)):
            for theirs, part in transformers_names(key, value).items():
                tensors[f"{kind}.{theirs}"] = part
    save_file({k: v.detach().contiguous().clone() for k, v in tensors.items()}, os.path.join(out, name + ".safetensors"))
    with open(os.path.join(out, name + ".json"), "w") as file:
        vision, words = shape["vision"], shape["text"]
        json.dump({
            "embed_dim": shape["embed_dim"], "quick_gelu": shape["quick_gelu"],
            "vision": {"image_size": size, "patch_size": vision["patch_size"], "width": vision["width"], "layers": vision["layers"],
                       "heads": vision["width"] // vision["head_width"], "mlp_width": int(vision["width"] * vision.get("mlp_ratio", 4.0))},
            "text": {"context_length": length, "vocabulary_size": words["vocab_size"], "width": words["width"], "layers": words["layers"],
                     "heads": words["heads"], "mlp_width": int(words["width"] * words.get("mlp_ratio", 4.0)), "end_id": 599},
        }, file)


def run_zero_rows(out):
    """Unit features of rows that are zero, tiny or ordinary, as open_clip makes them, and the gradients of a weighted sum."""
    draw = torch.Generator().manual_seed(5)
    rows = torch.randn(4, 8, generator=draw)
    rows[1] = 0
    rows[2] *= 1e-14
    rows.requires_grad_(True)
    weights = torch.randn(4, 8, generator=draw)

    class Tower(torch.nn.Module):
        def forward(self, features):
            return features

    model = CLIP.__new__(CLIP)  # encode_image alone decides how features become unit rows
    torch.nn.Module.__init__(model)
    model.visual = Tower()
    unit = model.encode_image(rows, normalize=True)
    (unit * weights).sum().backward()
    save_file({"rows": rows.detach(), "weights": weights, "unit": unit.detach(), "gradient": rows.grad}, os.path.join(out, "zero_rows.safetensors"))


if __name__ == "__main__":
    run_zero_rows(sys.argv[1])
    for case, description in SHAPES.items():
        run(case, description, sys.argv[1])
