#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of varied captions by open_clip's and transformers' CLIP tokenizers.

    tokens_golden.py OUT_DIR VOCABULARY_DIR    writes OUT_DIR/tokens.jsonl

Each line: {"kind", "text", "open_clip": ids, "transformers": ids}, without start and end tokens. transformers neither
repairs text nor replaces HTML references, so its ids are to be compared only for kinds that need neither.
"""
import json
import os
import random
import sys

from open_clip.tokenizer import SimpleTokenizer
from transformers import CLIPTokenizer

WORDS = """a the cat dog red blue photo of on in under beside bicycle astronaut unbelievably photosynthesis kitchen
mountain-bike New York Zürich naïve café Straße cliché jalapeño São Paulo piñata über façade Ångström œuvre three 3 42
2024 1,000 3.14 it's I'll you've we're she'd can't o'clock rock'n'roll don't 'tis dogs' USA JPEG e-mail #hashtag @name
50% $9.99 (left) [right] half/half well... really?! wow!!! "quoted" A_B x=y C++ 10:30 & ~ ^ * | \\ { } ;""".split()
FOREIGN = ["日本の猫", "東京タワー", "고양이가 있다", "собака и кошка", "γάτα Σίσυφος", "قطة سوداء", "חתול שחור", "बिल्ली",
           "แมวดำ", "mèo đen", "kočka", "İstanbul IŞIK", "Ǆ ǆ Ǳ", "ﬁsh ﬂoor oﬃce", "ＦＵＬＬ　ｗｉｄｔｈ", "ﾊﾛｰ", "x²+y³", "½ cup",
           "№5", "Ⅷ", "①②", "e\u0301 cafe\u0301", "A\u030angstro\u0308m", "ſtreet 'ſ", "ﷺ"]
EMOJI = ["😀", "😀😃", "👩‍🚀 rocket 🚀", "🇫🇷", "❤️", "👍🏽", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "☕", "™", "©", "→", "•", "…", "–", "—"]
HTML = ["&lt;b&gt; &amp;amp; x", "fish &amp; chips", "&quot;hi&quot;", "&#39;s", "&#x1F600;", "caf&eacute;", "&nbsp;&nbsp;x",
        "AT&T", "a&notit b", "&copy 2020", "&amp;lt;i&amp;gt;", "<br/>line", "1 < 2 & 3 > 2", "&unknown;", "&#0;", "&#128;", "&#xD800;"]
REPAIR = ["“curly” and ‘single’", "it’s", "don´t", "naÃ¯ve cafÃ©", "â€œquotedâ€\x9d", "it\x92s", "tab\tand\r\nline\x0bend",
          "zero\u200bwidth", "\ufeffbom", "bell\x07", "\x1b[31mred\x1b[0m", "soft\u00adhyphen", "a\u00a0b", "line\u2028sep", "\x85"]


def make(count):
    draw = random.Random(11)
    for piece in FOREIGN:
        yield "plain", piece
    for kind, pieces in (("emoji", EMOJI), ("html", HTML), ("repair", REPAIR)):
        for piece in pieces:
            yield kind, piece
    for _ in range(count):
        kind = draw.choice(["plain"] * 6 + ["emoji", "html", "repair"])
        pieces = {"plain": FOREIGN, "emoji": EMOJI, "html": HTML, "repair": REPAIR}[kind]
        parts = [draw.choice(WORDS) for _ in range(draw.randint(0, 14))]
        if kind != "plain" or draw.random() < 0.3:
            parts.insert(draw.randint(0, len(parts)), draw.choice(pieces))
        text = draw.choice([" ", " ", " ", "  ", " - "]).join(parts)
        yield kind, draw.choice([text, text, text.upper(), text.capitalize(), " " + text + " "])
    for _ in range(count // 10):
        yield "letters", "".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(draw.randint(1, 400)))


def main(out, vocabulary):
    slow = SimpleTokenizer()
    fast = CLIPTokenizer.from_pretrained(vocabulary)
    with open(os.path.join(out, "tokens.jsonl"), "w", encoding="utf-8") as file:
        for kind, text in make(6000):
            file.write(json.dumps({"kind": kind, "text": text, "open_clip": slow.encode(text),
                                   "transformers": fast(text, add_special_tokens=False)["input_ids"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
