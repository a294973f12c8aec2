"""Marks set by hand: what the file says, which files follow it, and that the board does not."""
import csv
from decimal import Decimal

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.cohort.tables import marks_in
from grader.output import files
from grader.verdict.results import ByHand, Person
from tests.helpers.handed_in import laid_out, run_here
from tests.helpers.results import check, checks, content, kata, records, run_of, submission, table


def read(tmp_path, content):
    """The marks in a file with this content."""
    (tmp_path / "marks.csv").write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return marks_in(tmp_path / "marks.csv", "marks.csv")


def test_a_kata_has_its_number_or_name_and_points_are_checks_or_percent(tmp_path):
    marks = read(tmp_path, 'Why;points;who;kata\nlate;12.5;ada;21\n"sick; a note";80 %;ben;rope_rotation\n;0;ben;21\n')
    assert marks == {
        ("ada", "positional_formula"): ByHand(Decimal("12.5"), False, "late"),
        ("ben", "rope_rotation"): ByHand(Decimal(80), True, "sick; a note"),
        ("ben", "positional_formula"): ByHand(Decimal(0), False, ""),
    }
    assert [mark.of(40) for mark in marks.values()] == [Decimal("12.5"), 32, 0]


@pytest.mark.parametrize(("content", "why"), [
    ("who,kata,points\nada,21,3\n", "its first line must name the columns who, kata, points, why"),
    ("", "its first line must name the columns who, kata, points, why"),
    ("who,kata,points,why\nada,99,3,late\n", "99 is no kata; write its number or name"),
    ("who,kata,points,why\nada,,3,late\n", "an empty cell is no kata"),
    ("who,kata,points,why\nada,21,all,late\n", "all are no points; write a number of checks, such as 12, or 75%"),
    ("who,kata,points,why\nada,21,-1,late\n", "-1 are no points"),
    ("who,kata,points,why\nada,21,101%,late\n", "101% are no points"),
    ("who,kata,points,why\nada,21,3,late\nada,positional_formula,4,late\n", "ada has two rows for positional_formula"),
    ("who,kata,points,why\nZo\u00eb,21,3,late\n".encode("latin-1"), "save this file as UTF-8"),
])
def test_a_faulty_file_is_refused_in_one_line(tmp_path, content, why):
    with pytest.raises(pytest.UsageError) as refused:
        read(tmp_path, content)
    assert str(refused.value).startswith(f"--overrides=marks.csv: {why}")
    assert len(str(refused.value).splitlines()) == 1


def class_with(**marks):
    """A run of two people at two katas, with marks for alibi_bias that are set by hand."""
    missing = kata("alibi_bias", checks(0, 0, 4), absent=True)
    missing.file = None
    run = run_of(submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", checks(1, 3))]),
                 submission("ben", [kata("order_blindness", [check("test_a", "not_run")]), missing]))
    run.people = [Person("Ada", {"idnumber": "1"}, "ada"), Person("Ben", {"idnumber": "2"}, "ben")]
    run.by_hand = {(who, "alibi_bias"): mark for who, mark in marks.items()}
    return run


LATE = ByHand(Decimal("50"), True, "=late")


def test_the_gradebook_follows_and_says_so_with_the_reason():
    ada, ben = records("gradebook", class_with(ada=LATE))
    assert (ada["alibi_bias"], ada["alibi_bias status"]) == ("2", "set by hand: =late")
    assert (ada["passed"], ada["percent"], ada["points"]) == ("6", "75.0", "75.0")
    assert (ben["alibi_bias"], ben["alibi_bias status"], ben["points"]) == ("0", "no file", "")


def test_a_part_of_a_check_is_written_as_a_number_and_all_of_them_solve_the_kata():
    marks = {"ada": ByHand(Decimal("2.5"), False, ""), "ben": ByHand(Decimal(4), False, "on paper")}
    ada, ben = records("gradebook", class_with(**marks))
    assert (ada["alibi_bias"], ada["percent"], ada["solved"]) == ("2.5", "81.2", "1")
    assert (ada["alibi_bias status"], ben["alibi_bias status"]) == ("set by hand", "set by hand: on paper")
    run = class_with(**marks)
    run.by_hand["ben", "order_blindness"] = ByHand(Decimal(0), False, "not graded")
    assert [(row["points"], row["solved"]) for row in records("gradebook", run)] == [("81.25", "1"), ("50.0", "1")]


def test_canvas_and_moodle_follow_and_moodle_gets_the_reasons():
    run = class_with(ada=LATE)
    assert [row["Positional encodings"] for row in records("canvas", run)] == ["100.0", "75.0", ""]
    assert [row[2:] for row in table("moodle", run)] == [
        ["Positional encodings", "Set by hand"], ["75.0", "alibi_bias: set by hand: =late"], ["-", ""]]
    assert "Set by hand" not in table("moodle", class_with())[0]


def test_who_has_only_marks_set_by_hand_has_a_grade():
    run = class_with(ben=ByHand(Decimal(100), True, "on paper"))
    run.by_hand["ben", "order_blindness"] = ByHand(Decimal(0), False, "")
    assert records("moodle", run)[1]["Positional encodings"] == "50.0"


def test_feedback_follows_and_gives_the_reason_as_code(tmp_path):
    files.write({"feedback": tmp_path}, class_with(ada=ByHand(Decimal(3), False, "`late`")))
    text = (tmp_path / "ada.md").read_text(encoding="utf-8")
    assert "- `alibi_bias`: started, 3 of 4 checks; `` set by hand: `late` ``\n" in text
    assert "7 of 8 checks pass." in text


def test_the_board_does_not_follow():
    run = class_with(ada=ByHand(Decimal(4), False, "late"))
    assert content(run) == content(class_with())


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_run_follows_the_file(project, tmp_path):
    laid_out(tmp_path / "collected", {"ada/positional_formula.py": "def frequencies():\n    pass\n"})
    marks, book, board = (tmp_path / name for name in ("hand.csv", "book.csv", "board.html"))
    command = ("21", f"--cohort={tmp_path / 'collected'}", f"--overrides={marks}", f"--gradebook={book}",
               f"--board={board}")
    marks.write_text("who,kata,points,why\nada,21,15,a slip\n")
    result = project.run(*command)
    assert "1 mark is set by hand. The numbers above are as graded.\n" in result.stdout
    (row,) = csv.DictReader(book.read_text().splitlines())
    assert (row["positional_formula"], row["percent"]) == ("15", "75.0")
    assert row["positional_formula status"] == "set by hand: a slip"
    assert "1 learner: 0 of 1 katas solved" in board.read_text()
    book.unlink()
    marks.write_text("who,kata,points,why\nada,21,21,a slip\n")
    result = project.run(*command, "-n", "1")            # in the process that controls
    assert ("--overrides: ada has 21 points for positional_formula, which has 20 checks. No file was written.\n"
            in result.stdout)
    assert (result.returncode, book.exists()) == (3, False)


@pytest.mark.parametrize(("option", "line"), [
    ("--overrides=hand.csv",
     "ERROR: --overrides=hand.csv: no submission has the name bob. --gradebook lists all names"),
    ("--overrides=nowhere.csv", "ERROR: --overrides=nowhere.csv: No such file or directory"),
    ("--regrade=bob", "ERROR: --regrade=bob: no submission has the name bob. --gradebook lists all names"),
])
def test_a_name_that_no_submission_has_is_one_line_before_the_grading(tmp_path, monkeypatch, option, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "collected" / "ada").mkdir(parents=True)
    (tmp_path / "hand.csv").write_text("who,kata,points,why\nbob,21,15,a slip\n")
    status, printed = run_here("21", "--cohort=collected", option)
    assert (status, printed.strip()) == (4, line)
