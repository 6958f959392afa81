#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The derived vocabulary files are what transformers' CLIP tokenizer reads, and give open_clip's ids."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop() if len(sys.argv) > 1 else "."
# The ids of the first are public knowledge; those of the others are what open_clip says.
TEXTS = ["hello world", "a photo of a fox", "You should've done this", "naïve café 🎉 12345 it's", "  TWO   apples\n"]


class VocabularyTest(unittest.TestCase):
    def test_both_libraries_agree_on_the_files(self):
        import open_clip
        import transformers
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(ROOT, "packaging", "clip_vocabulary.py")
            subprocess.run([sys.executable, script, folder], check=True)
            ours = transformers.CLIPTokenizer.from_pretrained(folder)
            theirs = open_clip.SimpleTokenizer()
            self.assertEqual(ours.vocab_size, 49408)
            for text in TEXTS:
                ids = [49406, *theirs.encode(text), 49407]
                self.assertEqual(ours(text)["input_ids"], ids, text)
            self.assertEqual(ours(TEXTS[0])["input_ids"], [49406, 3306, 1002, 49407])


if __name__ == "__main__":
    unittest.main()
