#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes models/text/html_entities.cpp: the character names of HTML 5, from Python's copy of the standard's list."""

import html.entities
import sys

names = {}
for name, text in html.entities.html5.items():
    bare = name.rstrip(";")
    legacy = not name.endswith(";")
    known = names.get(bare, (text, False))
    names[bare] = (text, known[1] or legacy)

words = [
    ("*" if legacy else "") + name + "=" + "+".join(f"{ord(c):x}" for c in text)
    for name, (text, legacy) in sorted(names.items())
]
lines, line = [], ""
for word in words:
    if len(line) + len(word) > 108:
        lines.append(line)
        line = ""
    line += word + " "
lines.append(line)

out = sys.stdout
out.write("// SPDX-License-Identifier: GPL-3.0-or-later\n")
out.write("// Made by tests/reference/make_html_entities.py; do not edit.\n")
out.write('#include "models/text/html_entities.h"\n\nnamespace disco::models {\n\n// clang-format off\n')
out.write("const std::string_view kHtmlEntities =\n")
out.write("\n".join(f'    "{line}"' for line in lines))
out.write(";\n// clang-format on\n\n}  // namespace disco::models\n")
