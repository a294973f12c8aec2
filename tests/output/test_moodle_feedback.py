"""The feedback for Moodle: its importer finds out whose each file is, and nothing else is overwritten.

What the importer does was read in its public code: mod/assign/feedback/file/importziplib.php of moodle/moodle.
"""
import zipfile

import pytest

from grader.cohort.file_names import parsed
from grader.output import files
from grader.output.moodle_feedback import write
from grader.verdict.results import Person
from tests.helpers.results import HOSTILE, checks, kata, run_of, submission


def person(name, number=""):
    one = submission(name, [kata("order_blindness", checks(1, 1))])
    one.id = number
    return one


def imported(path):
    """{(number, plugin): text}, read as Moodle's importer reads it; a part of a path that says nothing is skipped."""
    found = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            parts = name.split("/")
            assert not parts[-1].startswith((".", "~"))
            info = next(info for part in parts[:-1] if len(info := part.split("_", 4)) >= 4 and info[1].isdigit())
            found[int(info[1]), "_".join(info[2:4])] = file.read(name).decode("utf-8")
    return found


def test_everybody_has_a_file_in_a_folder_with_the_number(tmp_path):
    write(tmp_path / "feedback.zip", run_of(person("Ada Lovelace", "1234567"), person("Zo\u00eb", "8")))
    with zipfile.ZipFile(tmp_path / "feedback.zip") as file:
        assert file.namelist() == ["Ada Lovelace_1234567_assignsubmission_file_/feedback.txt",
                                   "Zo\u00eb_8_assignsubmission_file_/feedback.txt"]
    found = imported(tmp_path / "feedback.zip")
    assert set(found) == {(1234567, "assignsubmission_file"), (8, "assignsubmission_file")}
    assert found[8, "assignsubmission_file"].startswith("# Feedback for `Zo\u00eb`\n")


def test_a_folder_has_the_name_that_a_download_from_moodle_has(tmp_path):
    write(tmp_path / "feedback.zip", run_of(person("Ada Lovelace", "1234567")))
    with zipfile.ZipFile(tmp_path / "feedback.zip") as file:
        folder = parsed(file.namelist()[0].partition("/")[0])
    assert (folder.who, folder.id) == ("Ada Lovelace", "1234567")


def test_no_name_changes_whose_file_it_is(tmp_path):
    names = [*HOSTILE, "a_2_assignsubmission_file_", "x_y_z"]
    write(tmp_path / "feedback.zip", run_of(*(person(name, str(100 + at)) for at, name in enumerate(names))))
    assert set(imported(tmp_path / "feedback.zip")) == {
        (100 + at, "assignsubmission_file") for at in range(len(names))}


def test_the_grading_worksheet_tells_the_number_and_who_has_none_is_named(tmp_path):
    run = run_of(person("ada"), person("ben"), person("cyd", "3"))
    run.people = [Person("Ada", {"identifier": "Participant 77"}, "ada"), Person("Ben", {}, "ben")]
    with pytest.raises(ValueError, match=r"not in this file, because Moodle's number is not known: ben$"):
        write(tmp_path / "feedback.zip", run)
    assert {number for number, _ in imported(tmp_path / "feedback.zip")} == {77, 3}


def test_an_earlier_file_is_overwritten_and_no_other_archive(tmp_path):
    path = tmp_path / "feedback.zip"

    def chosen():
        options = {"moodle_feedback": "feedback.zip"}
        return files.chosen(options.get, tmp_path)

    for people in ([], [person("ada", "1")]):
        write(path, run_of(*people))
        assert chosen() == {"moodle_feedback": path}
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("Ada Lovelace_1234567_assignsubmission_file_/rope.py", "x = 1")
    with pytest.raises(pytest.UsageError, match=r"--moodle-feedback=feedback.zip: this file is not a file of results"):
        chosen()
