"""The feedback for Moodle: its importer finds out whose each file is.

What the importer does was read in its public code: mod/assign/feedback/file/importziplib.php of moodle/moodle.
"""
import zipfile

from grader.cohort.file_names import file_name
from grader.output import files
from grader.verdict.results import Person
from tests.helpers.results import HOSTILE, checks, kata, run_of, submission


def imported(tmp_path, people, roster=()):
    """({number: text} as Moodle's importer reads it, the names in the archive, lines about faults)."""
    run = run_of(*(submission(name, [kata("order_blindness", checks(1, 1))]) for name, _ in people))
    for one, (_, number) in zip(run.submissions, people, strict=True):
        one.id = number
    run.people, found = roster, {}
    faults = files.write({"moodle_feedback": tmp_path / "feedback.zip"}, run)
    with zipfile.ZipFile(tmp_path / "feedback.zip") as file:
        for name in file.namelist():
            parts = name.split("/")
            assert not parts[-1].startswith((".", "~"))
            # a part of a path that says nothing is skipped
            info = next(info for part in parts[:-1] if len(info := part.split("_", 4)) >= 4 and info[1].isdigit())
            assert info[2:4] == ["assignsubmission", "file"]
            found[int(info[1])] = file.read(name).decode("utf-8")
        return found, file.namelist(), faults


def test_everybody_has_a_file_in_a_folder_with_the_number_as_a_download_from_moodle_has(tmp_path):
    found, names, faults = imported(tmp_path, [("Ada Lovelace", "1234567"), ("Zo\u00eb", "8")])
    assert names == ["Ada Lovelace_1234567_assignsubmission_file_/feedback.txt",
                     "Zo\u00eb_8_assignsubmission_file_/feedback.txt"]
    assert (set(found), faults) == ({1234567, 8}, [])
    assert found[8].startswith("# Feedback for `Zo\u00eb`\n")
    folder = file_name(names[0].partition("/")[0])
    assert (folder.who, folder.id) == ("Ada Lovelace", "1234567")


def test_no_name_changes_whose_file_it_is(tmp_path):
    names = [*HOSTILE, "a_2_assignsubmission_file_", "x_y_z"]
    found, _, _ = imported(tmp_path, [(name, str(100 + at)) for at, name in enumerate(names)])
    assert set(found) == {100 + at for at in range(len(names))}


def test_the_grading_worksheet_tells_the_number_and_who_has_none_is_named(tmp_path):
    roster = [Person("Ada", {"identifier": "Participant 77"}, "ada"), Person("Ben", {}, "ben")]
    found, _, (fault,) = imported(tmp_path, [("ada", ""), ("ben", ""), ("cyd", "3")], roster)
    assert fault.endswith(": not in this file, because Moodle's number is not known: ben")
    assert set(found) == {77, 3}
