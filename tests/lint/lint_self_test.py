#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows of each rule of lint.py that it accepts a sound tree and finds what it is there to find."""
import os
import tempfile
import unittest

import lint

SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
SOUND = {
    "app/studio_main.cpp": SPDX + '#include <QApplication>\n#include "engine/run/run_folder.h"\n#include "ui/theme/theme.h"\n',
    "app/CMakeLists.txt": "disco_program(disco-studio QT SOURCES studio_main.cpp LIBS ui)\n",
    "ui/theme/theme.h": SPDX + "#pragma once\n#include <QtWidgets>\n",
    "ui/theme/theme.cpp": SPDX + '#include "ui/theme/theme.h"\nvoid apply(QApplication& a) { a.setStyleSheet({}); }\n#include "theme.moc"\n',
    "ui/CMakeLists.txt": "disco_library(ui SOURCES theme/theme.cpp)\n",
    "engine/run/run_folder.h": SPDX + '#pragma once\n#include "engine/base/error.h"\n',
    "engine/base/error.h": SPDX + "#pragma once\n#include <string>\n",
    "engine/train/trainer.h": SPDX + '#pragma once\n#include <torch/torch.h>\n#include "models/model.h"\n',
    "models/model.h": SPDX + '#pragma once\n#include <ATen/core/Tensor.h>\n#include "engine/base/error.h"\n',
    "packaging/setup.sh": "#!/bin/bash\n# SPDX-License-Identifier: GPL-3.0-or-later\necho ${HOME}/work/x\n",
}


class LintTest(unittest.TestCase):
    def problems(self, rule, **changes):
        """What the rule says of the sound tree with the given files put in (path as key, `__` for `/`, `_dot_` for `.`)."""
        files = SOUND | {name.replace("__", "/").replace("_dot_", "."): text for name, text in changes.items()}
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return lint.RULES[rule](lint.Tree(root))

    def assert_one(self, rule, words, **changes):
        problems = self.problems(rule, **changes)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_sound_tree_has_no_problem(self):
        for rule in lint.RULES:
            self.assertEqual(self.problems(rule), [], rule)

    def test_arrows(self):
        inner = {"engine__train__trainer_dot_h": SOUND["engine/train/trainer.h"]}
        for path, include in {
            "ui__live__page_dot_h": "engine/train/trainer.h", "ui__live__other_dot_h": "models/model.h",
            "models__clip_dot_h": "engine/run/run_folder.h", "engine__base__x_dot_h": "engine/run/run_folder.h",
            "engine__run__x_dot_h": "engine/train/trainer.h", "engine__data__x_dot_h": "ui/theme/theme.h",
            "models__app_dot_h": "app/main.h", "ui__app_dot_h": "app/main.h",
        }.items():
            with self.subTest(path):
                self.assert_one("arrows", ["may include only", include], **inner, **{path: f'{SPDX}#include "{include}"\n'})

    def test_arrows_wants_paths_from_the_root_that_exist(self):
        self.assert_one("arrows", ["from the root"], ui__a_dot_h=SPDX + '#include "theme.h"\n')
        self.assert_one("arrows", ["there is no"], ui__a_dot_h=SPDX + '#include "ui/no.h"\n')

    def test_torch_reached_through_another_header(self):
        self.assert_one("torch_free", ["engine/data/a.h -> models/model.h -> <ATen/core/Tensor.h>"],
                        engine__data__a_dot_h=SPDX + '#include "models/model.h"\n')
        self.assert_one("torch_free", ["ui/a.h", "<torch/torch.h>"], ui__a_dot_h=SPDX + "#include <torch/torch.h>\n")

    def test_qt_in_the_engine(self):
        for header in ("QString", "QtCore/QString", "qcustomplot.h"):
            self.assert_one("qt_free", ["engine/base/a.h", header], engine__base__a_dot_h=f"{SPDX}#include <{header}>\n")

    def test_style_sheet_outside_the_theme(self):
        self.assert_one("style_sheets", ["ui/live/a.cpp:2"], ui__live__a_dot_cpp=SPDX + "x->setStyleSheet(y);\n")

    def test_licence(self):
        self.assert_one("licence", ["ui/a.h"], ui__a_dot_h="#pragma once\n" + SPDX)
        self.assert_one("licence", ["a.py"], tests__a_dot_py="import os\n")

    def test_machine_paths(self):
        for folder in ("root", "work", "home/ada"):
            self.assert_one("machine_paths", ["ui/a.h:1"], ui__a_dot_h=f'"/{folder}/pictures"\n')

    def test_length(self):
        self.assert_one("length", ["601 lines"], ui__a_dot_h="\n" * (lint.LINE_LIMIT + 1))
        self.assertEqual(self.problems("length", ui__a_dot_h="\n" * lint.LINE_LIMIT), [])

    def test_length_exceptions_only_fall(self):
        lint.LINE_EXCEPTIONS["ui/a.h"] = 700
        self.addCleanup(lint.LINE_EXCEPTIONS.clear)
        self.assertEqual(self.problems("length", ui__a_dot_h="\n" * 700), [])
        self.assert_one("length", ["701 lines"], ui__a_dot_h="\n" * 701)
        self.assert_one("length", ["lower its exception"], ui__a_dot_h="\n" * 650)

    def test_unfinished(self):
        self.assert_one("unfinished", ["ui/a.h:1"], ui__a_dot_h="// TO" "DO: finish\n")

    def test_source_that_nothing_builds(self):
        self.assert_one("built", ["ui/theme/other.cpp"], ui__theme__other_dot_cpp=SPDX)
        self.assert_one("built", ["ui/theme/eme.cpp"], ui__theme__eme_dot_cpp=SPDX)

    def test_documents(self):
        self.assert_one("documents", ["README.md:2", "ui/no/"],
                        README_dot_md="Run `sh packaging/x`; `ui/theme/` is there;\n`ui/no/` is not.\n")
        self.assert_one("documents", ["README.md:1", "GONE.md"],
                        README_dot_md="[gone](GONE.md), [there](ui/theme/theme.h), `a/b`\n")


if __name__ == "__main__":
    unittest.main()
