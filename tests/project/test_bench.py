"""The benchmark runs, every row has its numbers, unfit variants do not count, and errors are one line."""
import math
import re
import subprocess
import sys

import numpy as np
import pytest

from grader.course.katas import ROOT
from tests.benchmarks import contest
from tests.benchmarks.bench_references import QUICK, main
from tests.benchmarks.cases import CASES, Case, Sizes
from tests.benchmarks.rows import measure, without_gradients


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_row_has_its_numbers_and_says_why_others_are_missing(case):
    with np.errstate(all="ignore"), without_gradients():
        row = measure(case, QUICK, 0.0)
    sides = [side for side in (row["reference"], row["variant"]) if side]
    others = [other for other in (*row["public"].values(), row["textbook"]) if other]
    measured = [other for other in others if "missing" not in other]
    for ratio in (*measured, *(side[part] for side in sides for part in ("over_copy", "growth"))):
        assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] < math.inf
    assert all(side["memory"] > 0 for side in sides)
    assert {other["missing"] for other in others if other not in measured} <= {"absent", "too large"}
    assert set(row["left_out"].values()) <= {"a view", "too slow", "too large"}


def test_what_is_unfit_does_not_count():
    def reference(n):
        return np.repeat(np.arange(float(n))[:, None], n, axis=1)

    def refusing(n):
        raise ValueError(n)

    functions = {
        "reference": reference,
        "right": lambda n: np.tile(np.arange(float(n)), (n, 1)).T,
        "wrong": lambda n: reference(n) + 1,
        "a_view": lambda n: np.broadcast_to(np.arange(float(n))[:, None], (n, n)),
        "refusing": refusing,
        "slow": lambda n: sum(range(3 * 10**6)) and reference(n),
        "large": lambda n: np.empty(3 * 10**9, np.int8) is not None and reference(n),
    }
    found, left_out = contest.first_pass(
        Case("", "", lambda s: (s.n,)), functions, Sizes(64, heads=4, width=8), (64,))
    assert set(found) == {"reference", "right"}
    assert left_out == {"wrong": "another result", "a_view": "a view", "refusing": "raises ValueError",
                        "slow": "too slow", "large": "too large"}


def test_the_command_prints_a_line_per_function_and_writes_the_page(tmp_path):
    options = ["--quick", f"--page={tmp_path / 'page.md'}", "skew", "rope_layouts"]
    result = subprocess.run([sys.executable, "tests/benchmarks/bench_references.py", *options], cwd=ROOT,
                            capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    names = [case.name for case in CASES if case.function == "skew" or case.kata == "rope_layouts"]
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert [line.split()[0] for line in result.stdout.splitlines()] == names
    assert re.findall(r"^\| (\w+) \| [\d.]+ \(", page, re.MULTILINE) == names
    assert f"bench_references.py {' '.join(options)}\n" in page
    written = (ROOT / "tests" / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert re.findall("^#.*$", page, re.MULTILINE) == [
        heading.replace("2048, 32 heads", "64, 4 heads") for heading in re.findall("^#.*$", written, re.MULTILINE)]


@pytest.mark.parametrize("option", [
    "no_such_kata", "--lengths=100", "--lengths=a", "--seconds=a", "--page=no/such/folder/x.md", "--page=/", "--fast"])
def test_what_it_cannot_do_is_one_line(option, capsys):
    with pytest.raises(SystemExit) as stop:
        main([option])
    message = capsys.readouterr().err
    assert stop.value.code == 2
    assert message.count("\n") == 1
    assert option.split("=")[-1].strip("-") in message
