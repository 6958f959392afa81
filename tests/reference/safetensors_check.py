#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails unless the official library reads from FILE what tests/models/safetensors_test.cpp wrote."""
import sys

import numpy as np
from safetensors import safe_open

with safe_open(sys.argv[1], framework="numpy") as file:
    assert file.metadata() == {"format": "pt"}, file.metadata()
    assert sorted(file.keys()) == ["a", "b"]
    assert np.array_equal(file.get_tensor("a"), np.arange(1, 7, dtype=np.float32).reshape(2, 3))
    b = file.get_tensor("b")
    assert b.shape == () and b == 7 and b.dtype == np.uint8
