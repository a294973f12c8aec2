"""The gradebook: what a spreadsheet reads from it, and what hostile names cannot do there."""
import csv
import io
import unicodedata
from fractions import Fraction

import pytest

from grader.output.escaping import visible, visible_lines, visible_names
from grader.output.gradebook import gradebook, rounded, write
from tests.helpers.results import HOSTILE, check, checks, classroom_of, hostile_run, kata, run_of, submission


def rows(text):
    """The rows of a CSV text as dicts."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_one_row_per_submission_with_a_column_per_kata_and_totals():
    book = rows(gradebook(run_of(
        submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", checks(1, 2))]),
        submission("bob", [kata("order_blindness", checks(0, 0, 4)),
                           kata("alibi_bias", checks(0, 3), broken=True)]),
    )))
    assert book == [
        {"submission": "ada", "order_blindness": "4", "alibi_bias": "1", "solved": "1", "passed": "5",
         "total": "7", "percent": "66.6", "points": "66.66", "order_blindness status": "solved",
         "alibi_bias status": "started", "not used": "", "same files as": ""},
        {"submission": "bob", "order_blindness": "0", "alibi_bias": "0", "solved": "0", "passed": "0",
         "total": "7", "percent": "0.0", "points": "0.0", "order_blindness status": "todo",
         "alibi_bias status": "broken", "not used": "", "same files as": ""},
    ]


def test_a_kata_that_a_submission_lacks_is_an_empty_cell():
    book = rows(gradebook(run_of(
        submission("ada", [kata("alibi_bias", checks(1))]),
        submission("bob", [kata("order_blindness", checks(2))]),
    )))
    assert [(row["alibi_bias"], row["order_blindness"]) for row in book] == [("1", ""), ("", "2")]


def test_100_percent_is_all_of_it():
    assert [rounded(Fraction(part, 2000) * 100, 1) for part in (0, 1999, 2000)] == [0.0, 99.9, 100.0]


def test_what_was_not_graded_is_an_empty_cell_and_has_no_sum():
    rest = [*checks(1), check("test_a", "not_run")]
    (row,) = rows(gradebook(run_of(submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", rest)]))))
    assert (row["order_blindness"], row["alibi_bias"], row["alibi_bias status"]) == ("4", "", "not graded")
    assert {row[title] for title in ("solved", "passed", "total", "percent", "points")} == {""}


def test_points_are_scaled_and_every_kata_counts_the_same():
    run = run_of(submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", checks(1, 9))]))
    run.points = Fraction(8)
    (row,) = rows(gradebook(run))
    assert (row["percent"], row["points"]) == ("55.0", "4.4")


def test_a_thousand_submissions_keep_their_order():
    cohort = classroom_of(1000, 7)
    book = rows(gradebook(cohort))
    assert [int(row["passed"]) for row in book] == [one.passed for one in cohort.submissions]


def test_hostile_names_stay_in_one_cell_that_is_no_formula():
    text = gradebook(hostile_run())
    for row in csv.reader(io.StringIO(text, newline="")):
        assert len(row) == 14
        for value in row:
            assert not unicodedata.normalize("NFKC", value.lstrip())[:1].startswith(("=", "+", "-", "@"))
            assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in value)
    assert len(rows(text)) == len(HOSTILE)


def test_texts_are_quoted_so_that_a_semicolon_splits_none_of_them():
    assert '"a;=1+1",' in gradebook(hostile_run())


def test_no_two_submissions_have_the_same_name_and_a_plain_name_stays():
    names = visible_names(hostile_run())
    assert len(set(names)) == len(HOSTILE)
    assert names[HOSTILE.index("ZO\u00cb")] == "ZO\u00cb"
    assert names[HOSTILE.index("x-2")] == "x-2"


@pytest.mark.parametrize(("text", "seen"), [
    ("plain \u00e9 \u674e", "plain \u00e9 \u674e"), ("a\tb\nc", "a\\tb\\nc"), ("\x1b[0m", "\\x1b[0m"),
    ("\u202eabc", "\\u202eabc"), ("\ud800", "\\ud800"), ("no\u00a0break", "no break"), ("abcdef", "abcde..."),
    ("e\u0301", "e\u0301"), ("\u0301", "\\u0301"),
])
def test_visible_texts_hide_nothing(text, seen):
    assert visible(text, 5 if text == "abcdef" else 200) == seen


def test_of_many_lines_the_last_says_how_many_more_there_are():
    assert visible_lines("a\nb\nc\nd", 3) == ["a", "b", "(2 more lines)"]
    assert visible_lines("a\nb\nc", 3) == ["a", "b", "c"]
    assert visible_lines(None, 3) == [""]


def test_the_file_is_utf8_and_replaces_an_earlier_one_as_a_whole(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("earlier", encoding="utf-8")
    write(path, hostile_run())
    assert path.read_bytes().decode("utf-8") == gradebook(hostile_run())
    assert [p.name for p in tmp_path.iterdir()] == ["marks.csv"]


def test_a_failed_write_leaves_the_earlier_file(tmp_path, monkeypatch):
    path = tmp_path / "marks.csv"
    path.write_text("earlier", encoding="utf-8")

    def full(*args):
        raise OSError("disk full")

    monkeypatch.setattr("grader.output.writing.os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        write(path, run_of(submission("ada", [kata("alibi_bias", [check("test_a", "passed")])])))
    assert path.read_text(encoding="utf-8") == "earlier"
    assert [p.name for p in tmp_path.iterdir()] == ["marks.csv"]
