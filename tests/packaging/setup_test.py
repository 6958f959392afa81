#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What packaging/setup.sh says when it cannot go on. The tools that it asks are replaced; nothing is installed."""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop() if len(sys.argv) > 1 else "."
NOBODY = 65534


class SetupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        shutil.copytree(os.path.join(ROOT, "packaging"), os.path.join(self.folder, "packaging"))
        self.tools = os.path.join(self.folder, "tools")
        os.mkdir(self.tools)
        # Everything the script uses, but no sudo: a test adds what it wants to replace.
        for tool in ("bash env dirname cat grep sed sort comm xargs sha256sum cut awk df mkdir rm touch tail tee flock sh"
                     " echo").split():
            os.symlink(shutil.which(tool), os.path.join(self.tools, tool))
        os.chmod(self.folder, 0o755)

    def tool(self, name, script):
        path = os.path.join(self.tools, name)
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)

    def run_setup(self, *arguments, user=None):
        environment = {"PATH": self.tools, "HOME": self.folder, "DISCO_CACHE": os.path.join(self.folder, "cache"),
                       "TMPDIR": self.folder, "LC_ALL": "C.UTF-8"}
        return subprocess.run([os.path.join(self.folder, "packaging", "setup.sh"), *arguments], env=environment, user=user,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def all_packages_installed(self):
        listing = os.path.join(self.folder, "packaging", "apt-packages.txt")
        self.tool("dpkg-query", f"grep -v -E '^(#|$)' {listing} | sed 's/^/installed /'")

    def test_help(self):
        result = self.run_setup("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--print-python", result.stdout)

    def test_unknown_option(self):
        result = self.run_setup("--frobnicate")
        self.assertEqual(result.returncode, 1)
        self.assertIn("unknown option --frobnicate", result.stderr)

    def test_print_python_is_silent_without_an_environment(self):
        result = self.run_setup("--print-python")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", ""))

    def test_check_names_what_is_missing(self):
        self.tool("dpkg-query", "echo 'installed cmake'; echo 'config-files g++'")
        result = self.run_setup("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn(" g++ ", result.stdout)
        self.assertNotIn(" cmake ", result.stdout)
        self.assertIn("is not set up", result.stdout)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_neither_root_nor_sudo(self):
        self.tool("dpkg-query", "true")
        self.tool("apt-get", "exit 1")
        os.chmod(self.folder, 0o777)
        result = self.run_setup(user=NOBODY)
        self.assertEqual(result.returncode, 1)
        self.assertIn("neither root nor have sudo", result.stderr)
        self.assertIn("apt-get install --no-install-recommends ca-certificates", result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to get as far as apt-get")
    def test_no_network_for_debian_packages(self):
        self.tool("dpkg-query", "true")
        self.tool("apt-get", "echo 'E: could not resolve the name'; exit 100")
        result = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not resolve the name", result.stderr)
        self.assertIn("Is the network up", result.stderr)

    def test_not_debian(self):
        self.tool("dpkg-query", "exit 1")
        result = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("not a Debian system", result.stderr)

    def test_too_little_disk(self):
        self.all_packages_installed()
        self.tool("df", "echo header; echo device 9999 9999 1200 1% /")
        result = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("1200 MiB are free", result.stderr)
        self.assertIn("DISCO_CACHE", result.stderr)

    def test_too_little_memory(self):
        self.all_packages_installed()
        self.tool("awk", "echo 2048")
        result = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("2048 MiB of memory", result.stderr)

    def test_cache_that_cannot_be_written(self):
        self.all_packages_installed()
        with open(os.path.join(self.folder, "cache"), "w", encoding="utf-8"):
            pass  # a file where the folder should be
        result = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write to", result.stderr)


if __name__ == "__main__":
    unittest.main()
