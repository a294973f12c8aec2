"""The benchmark of the references runs, every row has its numbers, and what it cannot do it says in one line."""
import json
import math
import subprocess
import sys

import pytest

from grader.katas import ROOT
from tests.benchmarks.cases import CASES


def bench(*options):
    command = [sys.executable, "tests/bench_references.py", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def ratios(row):
    """Every ratio that a row holds."""
    yield from (row["reference_over_copy"], row["growth_from_half_the_length"])
    yield from (value for value in row["public_over_reference"].values() if "missing" not in value)
    if row["textbook_over_reference"]:
        yield row["textbook_over_reference"]


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
        assert row["seconds"] > 0
        assert row["peak_memory_over_copied"] > 0
        for ratio in ratios(row):
            assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] < math.inf


def test_what_is_missing_says_why(quick):
    _, report, _ = quick
    missing = [value["missing"] for row in report["rows"] for value in row["public_over_reference"].values()
               if "missing" in value]
    assert set(missing) <= {"absent", "too large"}


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
    ["--page=tests"], ["--fast"]])
def test_what_it_cannot_do_is_one_line(options):
    result = bench(*options)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert options[0].split("=")[-1].strip("-") in result.stderr
