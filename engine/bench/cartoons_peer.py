#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cartoon run in plain PyTorch around open_clip's model: the peer of `disco-engine train --preset cartoons`.

  disco-engine data make-cartoons TRAIN --count 40000 --seed 1 --size 96
  disco-engine data make-cartoons HELD --count 1000 --seed 2 --size 96 --held-out
  disco-engine config show --preset cartoons --json > cartoons.json
  cartoons_peer.py --train TRAIN --held-out HELD --config cartoons.json [--best] [--minutes 8]

Same sizes, batch, near-miss captions (shared), optimizer settings, schedule and threads as the preset. As it comes:
padded texts and AdamW as torch.optim gives it. With --best: texts cut to the longest of the batch, fused AdamW.
Scenes that run out are used again. Prints one JSON object a line: wall seconds, pictures, five-way accuracy.
"""
import argparse
import json
import math
import pathlib
import time

import numpy as np
import open_clip
import torch
import torch.nn.functional as F
from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg
from PIL import Image

MEAN = torch.tensor([0.48145466, 0.4578275, 0.40821073]).view(1, 3, 1, 1)
STD = torch.tensor([0.26862954, 0.26130258, 0.27577711]).view(1, 3, 1, 1)


class Scenes:
    """Pictures as uint8 [N, S, S, 3] and their texts as ids, all in memory: reading costs the peer nothing."""

    def __init__(self, folder, size, tokenizer, texts_of):
        lines = [json.loads(line) for line in (folder / "scenes.jsonl").read_text().splitlines()]
        self.lines = lines
        self.pictures = np.stack([np.asarray(Image.open(folder / line["image"]).convert("RGB")) for line in lines])
        if self.pictures.shape[1:3] != (size, size):
            raise SystemExit(f"{folder} holds pictures of {self.pictures.shape[1:3]}, the model wants {size}")
        self.texts = np.stack([tokenizer(texts_of(line)).numpy() for line in lines]).astype(np.int32)

    def pixels(self, rows):
        return (torch.from_numpy(self.pictures[rows]).permute(0, 3, 1, 2).float() / 255 - MEAN) / STD


def sine_positions(grid, width):
    """MAE's table at the engine's amplitude; see sine_positions in models/clip/clip_weights.cpp."""
    frequencies = 10000.0 ** -(torch.arange(width // 4) / (width // 4))
    place = torch.arange(grid).float()
    column, row = place.repeat(grid)[:, None] * frequencies, place.repeat_interleave(grid)[:, None] * frequencies
    return 0.5 * torch.cat([column.sin(), column.cos(), row.sin(), row.cos()], 1)


def build(config):
    clip = config["model"]["clip"]
    vision, text = clip["vision"], clip["text"]
    model = CLIP(
        clip["embed_dim"],
        CLIPVisionCfg(layers=vision["layers"], width=vision["width"], head_width=vision["width"] // vision["heads"],
                      mlp_ratio=vision["mlp_width"] / vision["width"], patch_size=vision["patch_size"],
                      image_size=vision["image_size"]),
        CLIPTextCfg(context_length=text["context_length"], vocab_size=text["vocabulary_size"], width=text["width"],
                    heads=text["heads"], layers=text["layers"], mlp_ratio=text["mlp_width"] / text["width"]))
    if config["model"]["positions"] == "sine":
        with torch.no_grad():
            table = model.visual.positional_embedding
            table.zero_()
            table[1:] = sine_positions(vision["image_size"] // vision["patch_size"], vision["width"])
    return model


def encode_texts(model, ids, trim):
    ids = torch.from_numpy(ids.astype(np.int64))
    if not trim:
        return model.encode_text(ids, normalize=True)
    length = int((ids != 0).sum(1).max())
    ids = ids[:, :length]
    x = model.token_embedding(ids) + model.positional_embedding[:length]
    x = model.ln_final(model.transformer(x, attn_mask=model.attn_mask[:length, :length]))
    return F.normalize(x[torch.arange(len(x)), ids.argmax(-1)] @ model.text_projection, dim=-1)


@torch.no_grad()
def accuracy(model, held, trim):
    model.eval()
    right = 0
    for begin in range(0, len(held.lines), 100):
        rows = slice(begin, begin + 100)
        texts = held.texts[rows]
        image = model.encode_image(held.pixels(rows), normalize=True)
        text = encode_texts(model, texts.reshape(-1, texts.shape[-1]), trim).view(len(texts), 5, -1)
        chosen = torch.einsum("nd,nkd->nk", image, text).argmax(1).numpy()
        right += sum(int(c == line["correct"]) for c, line in zip(chosen, held.lines[rows]))
    model.train()
    return right / len(held.lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=pathlib.Path, required=True)
    parser.add_argument("--held-out", type=pathlib.Path, required=True)
    parser.add_argument("--config", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--evaluate-every", type=float, default=60, help="seconds of training")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--best", action="store_true")
    arguments = parser.parse_args()

    config = json.loads(arguments.config.read_text())
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(config["seed"])
    clip = config["model"]["clip"]
    tokenizer = open_clip.SimpleTokenizer(context_length=clip["text"]["context_length"])
    size = clip["vision"]["image_size"]
    train = Scenes(arguments.train, size, tokenizer, lambda line: [line["captions"][0]] + line["negatives"])
    held = Scenes(arguments.held_out, size, tokenizer, lambda line: line["candidates"])
    model = build(config)

    settings = config["optimizer"]
    groups = {}
    for name, parameter in model.named_parameters():
        decays = parameter.ndim >= 2 and "embedding" not in name
        text = not name.startswith("visual.") and name != "logit_scale"
        groups.setdefault((decays, text), []).append(parameter)
    optimizer = torch.optim.AdamW(
        [{"params": parameters, "weight_decay": settings["weight_decay"] if decays else 0.0,
          "rate": settings["learning_rate"] * (settings["text_learning_rate_factor"] if text else 1.0)}
         for (decays, text), parameters in groups.items()],
        lr=settings["learning_rate"], betas=(settings["beta1"], settings["beta2"]), eps=settings["epsilon"],
        **({"fused": True} if arguments.best else {}))
    batch, warmup = config["batch"]["size"], max(1, config["schedule"]["warmup_steps"])
    labels = torch.arange(batch)
    order = np.random.default_rng(config["seed"]).permutation(len(train.lines))
    budget, trained, step, next_evaluation, total = arguments.minutes * 60, 0.0, 0, 0.0, None

    while trained < budget:
        if trained >= next_evaluation:
            print(json.dumps({"seconds": round(trained, 1), "pictures": step * batch,
                              "accuracy": accuracy(model, held, arguments.best)}), flush=True)
            next_evaluation += arguments.evaluate_every
        began = time.perf_counter()
        if total is None and step == 20:  # the budget becomes steps, as in the engine
            total = int(20 * budget / trained)
        share = min(1.0, (step + 1) / warmup)
        if total and step >= warmup:
            share = 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warmup) / max(1, total - warmup))))
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * share
        begin = step * batch % (len(order) - batch + 1)
        rows = order[begin:begin + batch]
        image = model.encode_image(train.pixels(rows), normalize=True)
        texts = train.texts[rows]
        text = encode_texts(model, np.concatenate([texts[:, 0], texts[:, 1:].reshape(-1, texts.shape[-1])]),
                            arguments.best)
        logits = model.logit_scale.exp() * image @ text.T
        loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits[:, :batch].T, labels)) / 2
        optimizer.zero_grad()
        loss.backward()
        if settings["clip_norm"] > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), settings["clip_norm"])
        optimizer.step()
        with torch.no_grad():
            model.logit_scale.clamp_(max=math.log(100))
        step += 1
        trained += time.perf_counter() - began
    print(json.dumps({"seconds": round(trained, 1), "pictures": step * batch,
                      "accuracy": accuracy(model, held, arguments.best),
                      "pictures_per_second": round(step * batch / trained, 1)}), flush=True)


if __name__ == "__main__":
    main()
