"""The gradebook: what a spreadsheet reads from it, and what hostile names cannot do there."""
import copy
import unicodedata
from fractions import Fraction

import pytest

from grader.output import files
from grader.output.tables import rounded_down
from tests.helpers.results import (
    HOSTILE,
    check,
    checks,
    classroom_of,
    hostile_run,
    kata,
    records,
    run_of,
    submission,
    table,
    written,
)

TITLES = ["submission", "order_blindness", "alibi_bias", "solved", "passed", "total", "percent", "points",
          "order_blindness status", "alibi_bias status", "not used", "same files as"]


def test_one_row_per_submission_with_a_column_per_kata_and_totals_in_which_every_kata_counts_the_same():
    lacking = submission("cyd", [kata("order_blindness", checks(4))])
    lacking.unused = ["a.py: no kata", "b.py: no kata"]
    ungraded = [*checks(1), check("test_a", "not_run")]
    broken = kata("alibi_bias", checks(0, 3), broken=True)
    run = run_of(submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", checks(1, 2))]),
                 submission("bob", [kata("order_blindness", checks(0, 0, 4)), broken]), lacking,
                 submission("dan", [kata("order_blindness", checks(4)), kata("alibi_bias", ungraded)]))
    run.points = Fraction(8)
    run.equal_files = [("order_blindness", ["ada", "dan"]), ("alibi_bias", ["dan", "bob", "ada"])]
    assert table("gradebook", run) == [
        TITLES,
        ["ada", "4", "1", "1", "5", "7", "66.6", "5.33", "solved", "started", "", "dan; bob"],
        ["bob", "0", "0", "0", "0", "7", "0.0", "0.0", "todo", "broken", "", "dan; ada"],
        ["cyd", "4", "", "1", "4", "4", "100.0", "8.0", "solved", "", "a.py: no kata; b.py: no kata", ""],
        ["dan", "4", "", "", "", "", "", "", "solved", "not graded", "", "ada; bob"],
    ]


def test_100_percent_is_all_of_it():
    assert [rounded_down(Fraction(part, 2000) * 100, 1) for part in (0, 1999, 2000)] == [0.0, 99.9, 100.0]


def test_many_submissions_keep_their_order():
    cohort = classroom_of(100, 7)
    assert [int(row["passed"]) for row in records("gradebook", cohort)] == [one.passed for one in cohort.submissions]


def test_hostile_names_stay_in_one_cell_that_is_no_formula():
    rows = table("gradebook", hostile_run())
    assert len(rows) == 1 + len(HOSTILE)
    for row in rows:
        assert len(row) == 14
        for value in row:
            assert not unicodedata.normalize("NFKC", value.lstrip())[:1].startswith(("=", "+", "-", "@"))
            assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in value)


def test_no_two_submissions_have_the_same_name_and_a_plain_name_stays():
    names = [row["submission"] for row in records("gradebook", hostile_run())]
    assert len(set(names)) == len(HOSTILE)
    assert names[HOSTILE.index("ZO\u00cb")] == "ZO\u00cb"
    assert names[HOSTILE.index("x-2")] == "x-2"


def test_texts_are_quoted_so_that_a_semicolon_splits_none_of_them():
    assert '"a;=1+1",' in written("gradebook", hostile_run())


@pytest.mark.parametrize("full", [False, True])
def test_a_file_replaces_an_earlier_one_as_a_whole_or_not_at_all(tmp_path, monkeypatch, full):
    path, run = tmp_path / "marks.csv", hostile_run()
    path.write_text("earlier", encoding="utf-8")

    def no_room(*args):
        raise OSError("disk full")

    if full:
        monkeypatch.setattr("grader.output.writing.os.replace", no_room)
    assert files.write({"gradebook": path}, run) == ([f"--gradebook={path}: disk full"] if full else [])
    assert [p.name for p in tmp_path.iterdir()] == ["marks.csv"]
    assert (path.read_text(encoding="utf-8") == "earlier") == full


def test_the_results_are_gone_through_once_for_all_formats_and_stay_as_they_are(tmp_path):
    run = classroom_of(3, 7)
    results, before = run.submissions, copy.deepcopy(run.submissions)
    run.submissions = iter(results)
    names = [name for name in files.OUTPUTS if name not in ("moodle", "gradescope")]
    pytest.importorskip("jinja2")
    faults = files.write({name: tmp_path / name for name in names}, run)
    assert [fault.partition("=")[0] for fault in faults] == ["--moodle-feedback"]          # it lacks their numbers
    assert "3 learners: " in (tmp_path / "board").read_text(encoding="utf-8")
    assert len((tmp_path / "gradebook").read_text(encoding="utf-8").splitlines()) == 4
    assert results == before


@pytest.mark.parametrize("name", [name for name, one in files.OUTPUTS.items() if one.begins])
def test_a_file_of_an_earlier_run_is_overwritten_and_no_other_one(tmp_path, name):
    path = tmp_path / "file"
    option = {name: "file"}.get
    if name == "board":
        pytest.importorskip("jinja2")
    one = submission("ada", [kata("order_blindness", checks(1, 1))])
    one.id = "1"
    run = run_of(one)
    files.write({name: path}, run)
    assert files.chosen(option, tmp_path) == {name: path}
    path.write_bytes(b"PK my archive" if name == "moodle_feedback" else b'{"version": 1, "tests": 3}')
    with pytest.raises(pytest.UsageError, match=r"=file: this file is not a [\w ]+, so it was not overwritten$"):
        files.chosen(option, tmp_path)
