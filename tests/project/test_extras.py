"""Tests that need an extra are skipped without it, but not where the tests decide whether a change is good."""
import importlib
import os
import re
import sys

import pytest

from grader.course.katas import ROOT
from tests.helpers.browser import CHROMIUM
from tests.helpers.project import EXTRAS


@pytest.mark.skipif("KATAS_ALL_EXTRAS" not in os.environ, reason="the variable KATAS_ALL_EXTRAS is not set")
def test_nothing_is_missing_for_which_a_test_is_skipped():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    for module in {*EXTRAS.values(), *re.findall(r'importorskip\("([\w.]+)"', "".join(texts))}:
        importlib.import_module(module)
    assert CHROMIUM or sys.platform != "linux"
