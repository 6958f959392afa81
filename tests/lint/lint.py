#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of the source tree that no compiler checks. Each rule is a function from a Tree to a list of problems.

    lint.py ROOT [RULE…]    checks the rules (all of them without a name); prints problems, ends with 1 if there are any
"""
import os
import re
import sys

SKIPPED_FOLDERS = {".git", "build", ".cache", "__pycache__"}
CODE = (".h", ".cpp")

# Who may include whom, by folder; the more specific folder wins. A folder may always include itself.
ARROWS = {
    "app": ["ui", "engine", "models"],
    "ui": ["engine/run", "engine/base"],
    "engine": ["engine", "models"],
    "engine/run": ["engine/base", "models"],
    "engine/base": [],
    "models": ["engine/base"],
}
# What must compile without LibTorch, also through other headers: the window, and what it and the loader link.
TORCH_FREE = [
    "ui/", "engine/base/", "engine/run/", "engine/data/", "models/image/", "models/text/",
    "models/checkpoint/safetensors", "models/clip/clip_config", "models/clip/describe_clip_config", "app/studio_main",
]
QT_FREE = ["engine/", "models/", "app/engine_main", "app/cli/"]
TORCH_HEADER = re.compile(r"^(torch|ATen|c10|caffe2)/")
QT_HEADER = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*|qcustomplot\.h)$")

LINE_LIMIT = 600
# Files that are longer than LINE_LIMIT, with their length; a number here may only fall.
LINE_EXCEPTIONS = {}


class Tree:
    """The files below a folder, read once; paths are relative, with forward slashes."""

    def __init__(self, root):
        self.root = root
        self.paths = []
        self._texts = {}
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            self.paths += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in sorted(names)]

    def text(self, path):
        """The file's text; empty for what is not UTF-8."""
        if path not in self._texts:
            try:
                with open(os.path.join(self.root, path), encoding="utf-8") as file:
                    self._texts[path] = file.read()
            except (UnicodeDecodeError, OSError):
                self._texts[path] = ""
        return self._texts[path]

    def lines(self, path):
        return self.text(path).splitlines()

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def code(self, *folders):
        return [path for path in self.paths if path.endswith(CODE) and path.startswith(folders)]

    def includes(self, path):
        """(line number, included name, True if it was written in quotes)"""
        for number, line in enumerate(self.lines(path), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if match:
                yield number, match[2], match[1] == '"'


def folder_of(path):
    """The most specific folder of ARROWS that holds the path, or None."""
    holding = [folder for folder in ARROWS if path.startswith(folder + "/")]
    return max(holding, key=len, default=None)


def arrows(tree):
    """Includes follow the arrows of ARCHITECTURE.md, and are written from the root of the tree."""
    problems = []
    for path in tree.code("app/", "ui/", "engine/", "models/"):
        own = folder_of(path)
        for number, name, quoted in tree.includes(path):
            where = f"{path}:{number}"
            if folder_of(name) is None:
                if quoted and not name.endswith(".moc"):
                    problems.append(f'{where}: "{name}" is not written from the root of the tree')
                continue
            allowed = [own] + ARROWS[own]
            if not any(name.startswith(folder + "/") for folder in allowed):
                problems.append(f"{where}: {own} may include only {', '.join(allowed)}, not {name}")
            elif not tree.exists(name) and not tree.exists(name + ".in"):
                problems.append(f"{where}: there is no {name}")
    return problems


def reaches(tree, path, header, seen):
    """The chain of includes from path to a system header that matches, or None. `seen` caches the answer by path."""
    if path not in seen:
        seen[path] = None
        for _, name, _ in tree.includes(path):
            if header.match(name):
                seen[path] = [path, f"<{name}>"]
                break
            chain = reaches(tree, name, header, seen) if tree.exists(name) and name.endswith(CODE) else None
            if chain:
                seen[path] = [path] + chain
                break
    return seen[path]


def _free_of(tree, prefixes, header, what):
    problems = []
    seen = {}
    for path in tree.code(*prefixes):
        chain = reaches(tree, path, header, seen)
        if chain:
            problems.append(f"{path}: must do without {what}, but {' -> '.join(chain)}")
    return problems


def torch_free(tree):
    """The window, and what it and the loader link, never sees LibTorch."""
    return _free_of(tree, TORCH_FREE, TORCH_HEADER, "LibTorch")


def qt_free(tree):
    """The engine and the models never see Qt."""
    return _free_of(tree, QT_FREE, QT_HEADER, "Qt")


def style_sheets(tree):
    """One theme: style sheets are set in ui/theme and nowhere else."""
    return [f"{path}:{number}: setStyleSheet belongs in ui/theme"
            for path in tree.code("app/", "ui/") if not path.startswith("ui/theme/")
            for number, line in enumerate(tree.lines(path), 1) if re.search(r"\bsetStyleSheet\s*\(", line)]


def licence(tree):
    """Every source names its licence in the first line, scripts in the first three."""
    problems = []
    for path in tree.paths:
        script = path.endswith((".py", ".sh")) or path == ".ci/run"
        if not script and not path.endswith(CODE):
            continue
        wanted = ("# " if script else "// ") + "SPDX-License-Identifier: GPL-3.0-or-later"
        if wanted not in tree.lines(path)[:3 if script else 1]:
            problems.append(f"{path}:1: missing '{wanted}'")
    return problems


def machine_paths(tree):
    """Nothing depends on how one machine is laid out."""
    personal = re.compile(r"(?<![\w.$}~*])/(root|work|home/\w+|Users/\w+)/")
    return [f"{path}:{number}: a path of one machine: {line.strip()[:100]}"
            for path in tree.paths for number, line in enumerate(tree.lines(path), 1) if personal.search(line)]


def length(tree):
    """A file holds one idea."""
    problems = []
    for path in tree.paths:
        if not path.endswith(CODE + (".py", ".sh")):
            continue
        count = len(tree.lines(path))
        limit = LINE_EXCEPTIONS.get(path, LINE_LIMIT)
        if count > limit:
            problems.append(f"{path}: {count} lines, more than {limit}: split it by idea")
    for path, limit in LINE_EXCEPTIONS.items():
        count = len(tree.lines(path)) if tree.exists(path) else 0
        if count < limit:
            problems.append(f"{path}: now {count} lines; lower its exception of {limit} in lint.py")
    return problems


def unfinished(tree):
    """What is unfinished is not committed."""
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    return [f"{path}:{number}: {line.strip()[:100]}"
            for path in tree.paths if path.endswith(CODE + (".py", ".sh", "CMakeLists.txt", ".cmake"))
            for number, line in enumerate(tree.lines(path), 1) if mark.search(line)]


def built(tree):
    """Every source file is listed in the CMakeLists.txt of its folder or of one above: no file is dead."""
    problems = []
    for path in tree.paths:
        if not path.endswith(".cpp"):
            continue
        folder, found = os.path.dirname(path), False
        while True:
            listing = (folder + "/" if folder else "") + "CMakeLists.txt"
            name = os.path.relpath(path, folder or ".").replace(os.sep, "/")
            found = found or re.search(r"(?<![\w/.-])" + re.escape(name) + r"(?![\w.-])", tree.text(listing)) is not None
            if found or not folder:
                break
            folder = os.path.dirname(folder)
        if not found:
            problems.append(f"{path}: listed in no CMakeLists.txt")
    return problems


def documents(tree):
    """What the documents name is there: files of the tree in backticks, and targets of links."""
    problems = []
    top_folders = {path.split("/")[0] for path in tree.paths if "/" in path}
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        folder = os.path.dirname(path)
        for number, line in enumerate(tree.lines(path), 1):
            named = [name for name in re.findall(r"`([\w.-]+/[\w./-]*)`", line) if name.split("/")[0] in top_folders]
            linked = [os.path.join(folder, name) for name in re.findall(r"(?<!!)\[[^\]]*\]\(([^)#:]+)\)", line)]
            problems += [f"{path}:{number}: there is no {name}" for name in named + linked if not tree.exists(name)]
    return problems


RULES = {rule.__name__: rule for rule in
         (arrows, torch_free, qt_free, style_sheets, licence, machine_paths, length, unfinished, built, documents)}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(RULES):
        sys.exit(f"{__doc__}\nRules: {', '.join(RULES)}")
    tree = Tree(sys.argv[1])
    problems = [f"{name}: {problem}" for name in sys.argv[2:] or RULES for problem in RULES[name](tree)]
    print("\n".join(problems) or f"{len(tree.paths)} files, no problem.")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
