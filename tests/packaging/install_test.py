#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed copy runs from anywhere, without the build tree, the cache of set-up, or anything of NVIDIA's."""
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop() if len(sys.argv) > 1 else "build/release"
CACHED_ENVIRONMENT = sys.prefix


def run(*command, **environment):
    return subprocess.run(command, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environment}, timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first = os.path.join(cls.folder.name, "first")
        installed = run("cmake", "--install", BUILD, "--prefix", first)
        if installed.returncode != 0:
            raise AssertionError(installed.stderr)
        cls.prefix = os.path.join(cls.folder.name, "moved")
        os.rename(first, cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, *parts):
        return os.path.join(self.prefix, *parts)

    def files(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.prefix) for name in names]

    def test_engine_answers(self):
        # With LD_BIND_NOW a function that LibTorch misses would end the start, not a later call.
        result = run(self.path("bin", "disco-engine"), "--help", LD_BIND_NOW="1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("train", result.stdout)

    def test_engine_finds_its_presets_and_the_vocabulary(self):
        result = run(self.path("bin", "disco-engine"), "config", "presets")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cartoons", result.stdout)
        self.assertTrue(os.path.exists(self.path("share", "disco-studio", "vocabularies", "clip", "vocab.json")))

    def test_studio_answers(self):
        result = run(self.path("bin", "disco-studio"), "--help", QT_QPA_PLATFORM="offscreen", HOME=self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--workspace", result.stdout)

    def linked(self, program):
        """Names of all libraries that the program loads at its start, those of libraries included."""
        listing = run("ldd", self.path("bin", program))
        self.assertEqual(listing.returncode, 0, listing.stderr)
        self.assertNotIn("not found", listing.stdout)
        return [line.split()[0] for line in listing.stdout.splitlines()]

    def test_each_program_links_only_what_it_needs(self):
        self.assertEqual([name for name in self.linked("disco-studio") if "torch" in name or "opencv" in name], [])
        self.assertEqual([name for name in self.linked("disco-engine") if "Qt" in name or "imgcodecs" in name], [])

    def test_desktop_entry_and_icon(self):
        with open(self.path("share", "applications", "disco-studio.desktop"), encoding="utf-8") as file:
            entry = file.read()
        self.assertIn("Exec=disco-studio\n", entry)
        self.assertTrue(os.path.exists(self.path("share", "icons", "hicolor", "scalable", "apps", "disco-studio.svg")))

    def test_nothing_points_into_the_cache(self):
        for path in self.files():
            with open(path, "rb") as file:
                content = file.read()
            self.assertNotIn(CACHED_ENVIRONMENT.encode(), content, path)

    def test_nothing_of_nvidia_comes_along(self):
        for path in self.files():
            name = os.path.basename(path)
            if name in ("libcudart.so.13", "libcupti.so.13"):
                self.assertLess(os.path.getsize(path), 50_000, f"{name} must be our stand-in")
            else:
                self.assertNotRegex(name, r"^lib(cu|nv|nccl)", path)


if __name__ == "__main__":
    unittest.main()
