#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes CLIP's vocabulary as the two files that tokenizers read, from the list of merges in the open_clip wheel.

    clip_vocabulary.py OUT_DIR    writes OUT_DIR/vocab.json and OUT_DIR/merges.txt

The ids follow from the order of the merges: 256 bytes, the same 256 at the end of a word, one token for each of the
first 48,894 merges, and the two marks of start and end: 49,408 in all. Run it with the interpreter of the environment
that packaging/setup.sh fills.
"""
import gzip
import importlib.util
import json
import os
import sys

MERGE_COUNT = 48894
KNOWN_IDS = {"hello</w>": 3306, "world</w>": 1002, "fox</w>": 3240, "<|startoftext|>": 49406, "<|endoftext|>": 49407}


def byte_symbols():
    """One printable character for each byte, in the order of the vocabulary: those that print first, then the rest."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in printable]
    return [chr(byte) for byte in printable] + [chr(256 + place) for place in range(len(rest))]


def read_merges():
    package = importlib.util.find_spec("open_clip")
    if package is None:
        sys.exit(f"There is no open_clip in {sys.prefix}. Run packaging/setup.sh.")
    path = os.path.join(package.submodule_search_locations[0], "bpe_simple_vocab_16e6.txt.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)  # the first line is a version
        merges = [line.rstrip("\n") for _, line in zip(range(MERGE_COUNT), lines)]
    if len(merges) != MERGE_COUNT or any(len(merge.split(" ")) != 2 for merge in merges):
        sys.exit(f"{path} is not the list of merges that CLIP's vocabulary is made of.")
    return merges


def vocabulary(merges):
    symbols = byte_symbols()
    tokens = symbols + [symbol + "</w>" for symbol in symbols] + [merge.replace(" ", "") for merge in merges]
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    ids = {token: place for place, token in enumerate(tokens)}
    wrong = [token for token, known in KNOWN_IDS.items() if ids.get(token) != known]
    if len(ids) != 49408 or wrong:
        sys.exit(f"The derived vocabulary has {len(ids)} tokens, and wrong ids for {wrong}.")
    return ids


def write(path, text):
    with open(path + ".part", "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(path + ".part", path)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    merges = read_merges()
    ids = vocabulary(merges)
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "vocab.json"), json.dumps(ids, ensure_ascii=False, separators=(",", ":")))
    write(os.path.join(folder, "merges.txt"), "#version: 0.2\n" + "\n".join(merges) + "\n")


if __name__ == "__main__":
    main()
