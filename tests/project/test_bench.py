"""The benchmark runs, every row has its numbers, unfit variants do not count, and errors are one line."""
import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest

from grader.course.katas import ROOT
from tests.benchmarks.cases import CASES, Case, Sizes
from tests.benchmarks.contest import first_pass, functions_of


def bench(*options):
    command = [sys.executable, "tests/benchmarks/bench_references.py", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def sides(row):
    """The reference, and the fastest variant if there is one."""
    return [side for side in (row["reference"], row["variant"]) if side]


def ratios(row):
    """Every ratio that a row holds."""
    for side in sides(row):
        yield from (side["over_copy"], side["growth_from_half_the_length"])
    yield from (value for value in row["public_over_faster"].values() if "missing" not in value)
    if row["textbook_over_faster"]:
        yield row["textbook_over_faster"]


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    result = bench("--quick", f"--json={folder / 'bench.json'}", f"--page={folder / 'BENCHMARKS.md'}")
    assert result.returncode == 0, result.stderr
    report = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    return result.stdout, report, (folder / "BENCHMARKS.md").read_text(encoding="utf-8")


def test_every_case_has_a_row_with_its_numbers(quick):
    output, report, _ = quick
    assert [(row["kata"], row["function"], row["note"]) for row in report["rows"]] == [
        (case.kata, case.function, case.note) for case in CASES]
    assert len(output.splitlines()) == len(CASES)
    for row in report["rows"]:
        assert row["copied_bytes"] > 0
        assert row["reference"]["name"] == "reference"
        for side in sides(row):
            assert side["seconds"] > 0
            assert side["peak_memory_over_copied"] > 0
        for ratio in ratios(row):
            assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] < math.inf


def test_what_is_missing_says_why(quick):
    _, report, _ = quick
    missing = [value["missing"] for row in report["rows"] for value in row["public_over_faster"].values()
               if "missing" in value]
    assert set(missing) <= {"absent", "too large"}


def test_every_variant_has_the_result_of_its_reference(quick):
    _, report, _ = quick
    for row in report["rows"]:
        assert set(row["left_out"].values()) <= {"a view", "too slow", "too large"}, row["function"]


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
    found, left_out = first_pass(Case("", "", lambda s: (s.n,)), functions, Sizes(64, heads=4, width=8), (64,))
    assert set(found) == {"reference", "right"}
    assert left_out == {"wrong": "another result", "a_view": "a view", "refusing": "raises ValueError",
                        "slow": "too slow", "large": "too large"}


def test_a_checkout_without_the_function_has_nothing_to_time(tmp_path):
    assert functions_of(tmp_path, CASES[0]) == {}


def test_another_checkout_is_compared_in_a_line_per_case():
    result = bench(f"--against={ROOT}", "--quick", "skew", "rope_layouts")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    names = [case.name for case in CASES if case.function == "skew" or case.kata == "rope_layouts"]
    for name, line in zip(names, lines, strict=False):
        assert re.fullmatch(rf"{name} +n=64 +here/there [\d.]+ \([\d.]+ to [\d.]+\)  \w+ / \w+", line)
    assert lines[len(names)] in ("No median is above 1.10.", "Median above 1.10:")


def test_the_report_says_where_and_how(quick):
    _, report, _ = quick
    assert {"processor", "cores", "python", "versions", "command"} <= set(report)
    assert report["versions"]["numpy"][0].isdigit()


def test_the_page_has_every_function_and_the_command(quick):
    _, report, page = quick
    assert report["command"] in page
    for row in report["rows"]:
        assert f"| {row['function']}" in page


@pytest.mark.parametrize("options", [
    ["no_such_kata"], ["--lengths=100"], ["--lengths=a"], ["--seconds=0"], ["--json=no/such/folder/x.json"],
    ["--page=tests"], ["--fast"], ["--against=tests"]])
def test_what_it_cannot_do_is_one_line(options):
    result = bench(*options)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert options[0].split("=")[-1].strip("-") in result.stderr


def test_a_comparison_writes_no_file(tmp_path):
    result = bench(f"--against={ROOT}", f"--page={tmp_path / 'page.md'}")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())
