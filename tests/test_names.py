"""A mistake is named only where it was made, and another message says what would give the same numbers."""
import numpy as np
import pytest

from grader.course.alternatives import alternatives
from grader.course.katas import all_katas
from grader.verdict.other_formulas import changed_names, changed_parts
from tests.harness import grade, source_of

KATAS = {kata.name: kata for kata in all_katas()}


def failures(name, code, folder):
    """The rows of the checks that fail when this code follows the solution's."""
    kata = KATAS[name]
    result = grade(kata, kata.solution.read_text(encoding="utf-8") + "\n" + code + "\n", folder, isolated=False)
    return [check for check in result["checks"] if check["outcome"] != "passed"]


def text_of(row):
    """A message in one line."""
    return " ".join(row["message"].split())


def mistake(kata, replaces, name):
    """A known mistake."""
    return next(m for m in alternatives(kata.mistakes, kata.solution) if (m.replaces, m.name) == (replaces, name))


RIGHT = "right = {0}\ndef {0}(*args, **kwargs):\n    "
GUESSES = [
    ("position_interpolation", "def ntk_base(scale, d_head, base=10000.0):\n    return base + scale ** (d_head / (d_head - 2))",
     "other_formula", "Your numbers come out with `base + scale ** (d_head / (d_head - 2))`."),
    ("position_interpolation", "def ntk_base(scale, d_head, base=10000.0):\n    return base * scale ** (d_head / d_head - 2)",
     "other_formula", "`base * scale ** (d_head / d_head - 2)`"),
    ("step_sizes", "", "", ""),
]
GUESSES = [
    ("position_interpolation", "ntk_base", "base, scale, d = {2}, {0}, {1}", "", "", ""),
]
