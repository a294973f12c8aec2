"""A roster: which files are read, who is found, and what is never guessed."""
import json

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.cohort.collecting import Submission
from grader.cohort.finding import Found
from grader.cohort.roster import Roster
from grader.cohort.tables import people_in
from tests.helpers.handed_in import laid_out, run_here

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,"Sines, part 1 (77)",Positional encodings (78)
,,,,,Manual Posting,
    Points Possible,,,,,10,100
"Lovelace, Ada",1001,s77,ada@example.org,CS 1,9,
"Turing, Alan",1002,s78,alan@example.org,CS 1,,
"""
MOODLE = """\ufeff"First name";"Last name";"ID number";"Email address";"Last downloaded from this course"
Ada;Lovelace;s77;ada@example.org;1795000000
Alan;Turing;s78;alan@example.org;1795000000
"""
WORKSHEET = """Identifier,"Full name","Email address",Status,Grade
"Participant 12345","Ada Lovelace",ada@example.org,"Submitted for grading - ",
"Participant 12346","Alan Turing",alan@example.org,"No submission - ",
"""


def read(tmp_path, content):
    """The people in a file with this content."""
    path = tmp_path / "people.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return people_in(path, "people.csv")


def matched(tmp_path, roster, *submissions):
    """({person: submission}, the Roster); a submission is its name, or its name and number on the platform."""
    people = read(tmp_path, roster)
    pairs = [(one, "") if isinstance(one, str) else one for one in submissions]
    result = Roster(people, [Submission(name, number, Found(tmp_path)) for name, number in pairs])
    return {person.name: person.submission for person in people}, result


# Reading

@pytest.mark.parametrize("content", [
    "id,name,email\ns77,Ada Lovelace,ada@example.org\n",
    "\ufeffE-Mail;NAME;Id\r\nada@example.org;Ada Lovelace;s77\r\n",
    "\n\nsection\tName\temail_address\tstudent id\nx\tAda Lovelace\tada@example.org\ts77\n\n",
    'name,"id","email"\n"Ada Lovelace",s77," ada@example.org "\n,,\n',
])
def test_columns_come_in_any_order_case_and_separation(tmp_path, content):
    (person,) = read(tmp_path, content)
    assert person.name == "Ada Lovelace"
    assert {"s77", "ada@example.org"} <= set(person.columns.values())


@pytest.mark.parametrize(("content", "names"), [
    (CANVAS, ["Lovelace, Ada", "Turing, Alan"]), (MOODLE, ["Ada Lovelace", "Alan Turing"]),
    (WORKSHEET, ["Ada Lovelace", "Alan Turing"]),
    ("LastName,FirstName,ID,SIS Login ID,Section\nPoints Possible,,,,\nLovelace,Ada,1001,ada,CS 1\n", ["Ada Lovelace"]),
])
def test_what_platforms_export_is_a_roster(tmp_path, content, names):
    assert [person.name for person in read(tmp_path, content)] == names


@pytest.mark.parametrize(("content", "why"), [
    ("", "its first line names no column with an id, a name or an email address; write id,name,email"),
    ("number,remark\n1,x\n", "its first line names no column with an id, a name or an email address"),
    ("id,name\n", "there is nobody in this file"),
    ("id,name\n7,Ada\n8,Alan\n7,Grace\n", "2 people have the id 7"),
    ("id,name\n7,Lovelace, Ada\n", "there are more cells than columns in the row of 7, Lovelace,  Ada"),
    ("id,name\n7,Zo\u00eb\n".encode("latin-1"), "save this file as UTF-8"),
    ("id,name\n7,Ada\n".encode("utf-16"), "save this file as UTF-8"),
    (b'id,name\n7,"' + b"x" * 200_000, "this is not a CSV file: field larger than field limit (131072)"),
])
def test_a_faulty_roster_is_refused_in_one_line(tmp_path, content, why):
    with pytest.raises(pytest.UsageError) as refused:
        read(tmp_path, content)
    assert str(refused.value).startswith(f"--roster=people.csv: {why}")
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(("arguments", "line"), [
    (["--roster=people.csv", "--cohort=."], "--roster=people.csv: No such file or directory"),
    (["--roster=known.csv"], "--roster works only with --cohort"),
    (["--canvas=marks.csv", "--cohort=."], "--canvas works only with --roster"),
    (["--moodle=marks.csv", "--cohort=."], "--moodle works only with --roster"),
])
def test_options_that_cannot_be_used_end_the_run_and_leave_no_file(tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.csv").write_text("name\nAda\n", encoding="utf-8")
    status, printed = run_here(*arguments)
    assert (status, printed.strip()) == (4, f"ERROR: {line}")
    assert not (tmp_path / "marks.csv").exists()


# Matching

TWO = "id,name,email,username\ns77,Ada Lovelace,ada@example.org,ada2001\ns78,Alan Turing,alan@example.org,\n"


@pytest.mark.parametrize("submission", [
    "Ada Lovelace", "Lovelace, Ada", "lovelaceada", "AdaLovelace", "ada_lovelace", "LOVELACE-ADA",
    "\u00c4da Lov\u00e9lace", "Ada Lovelace (2)", "ada@example.org", "ada", "s77", "S77", "hw1_ada2001_late",
])
def test_a_person_is_found_by_id_email_or_name(tmp_path, submission):
    found, result = matched(tmp_path, TWO, submission)
    assert found == {"Ada Lovelace": submission, "Alan Turing": None}
    assert (result.missing, result.unclear, result.unknown) == (["Alan Turing (s78)"], [], [])


@pytest.mark.parametrize(("name", "submission"), [
    ("M\u00fcller, J\u00f6rg", "muellerjoerg"), ("M\u00fcller, J\u00f6rg", "Jorg Mu\u0308ller"),
    ("Mu\u0308ller, Jo\u0308rg", "joerg_mueller"), ("\u0141ukasz \u017b\u00f3\u0142ty", "Lukasz Zolty"),
    ("S\u00f8ren Kierkegaard", "kierkegaardsoren"), ("Conan O'Brien", "OBrien_Conan"),
    ("Augusta Ada King Lovelace", "kinglovelaceaugustaada"), ("Maria del Carmen", "Carmen Maria del"),
    ("\u674e\u660e", "\u674e\u660e"),
])
def test_a_name_is_found_in_every_spelling(tmp_path, name, submission):
    found, _ = matched(tmp_path, f'name\n"{name}"\nSomebody Else\n', submission)
    assert found == {name: submission, "Somebody Else": None}


@pytest.mark.parametrize("submission", [
    "Ada", "Ada Byron", "Ada Lovelace and Alan Turing", "homework 77", "s770", "daa lovelace", "12", "===",
])
def test_what_resembles_a_person_is_nobodys(tmp_path, submission):
    found, result = matched(tmp_path, TWO.replace(",ada@", ",al@").replace("s78", "2"), submission)
    assert found == {"Ada Lovelace": None, "Alan Turing": None}
    assert (result.missing, result.unknown) == (["Ada Lovelace (s77)", "Alan Turing (2)"], [submission])


JAN = "id,name,username\n1,Jan Novak,jan novak\n2,Jan Novak,group 3 (late)\n"
JANS = "Student,ID,SIS Login ID,Section\nJan Novak,1001,,\nJan Novak,1002,,\n"
NUMBERED = "id,name\n1001,Ada Lovelace\n1002,Alan Turing\n"


@pytest.mark.parametrize(("roster", "submissions", "found", "unknown"), [
    (JAN, ["Group 3 (late)", "Jan Novak"], ["Jan Novak", "Group 3 (late)"], []),
    (JANS, [("novakjan 1002", "1002"), ("novakjan 1001", "1001")], ["novakjan 1001", "novakjan 1002"], []),
    ("id,name\n77,Ada\n0078,Alan\n", ["0077", "78"], ["0077", "78"], []),
    (WORKSHEET, [("Participant 12346", "12346"), ("Participant 12345", "12345")],
     ["Participant 12345", "Participant 12346"], []),
    (NUMBERED, [("Alan Turing", "1001"), ("Grace Hopper", "1001")], [None, "Alan Turing"], ["Grace Hopper"]),
], ids=["a username settles what is not clear", "a platform's numbers tell apart people of one name",
        "zeros that a spreadsheet has removed", "participants without names",
        "a number that is another person's in the roster is not believed"])
def test_numbers_and_usernames_say_whose_a_submission_is(tmp_path, roster, submissions, found, unknown):
    result = matched(tmp_path, roster, *submissions)[1]
    assert [person.submission for person in result.people] == found
    assert result.unknown == unknown


@pytest.mark.parametrize(("roster", "submissions", "unclear"), [
    ("id,name\n1,Jan Novak\n2,Jan Novak\n", ["Jan Novak"], ["Jan Novak may be of Jan Novak (1) or Jan Novak (2)"]),
    ("name,email\nAda Lovelace,ada@example.org\n", ["Ada Lovelace", "ada@example.org"],
     ["Ada Lovelace may be of Ada Lovelace (ada@example.org)",
      "ada@example.org may be of Ada Lovelace (ada@example.org)"]),
    ("name,email\nAda Lovelace,turing@example.org\nTuring,\n", ["turing"],
     ["turing may be of Ada Lovelace (turing@example.org) or Turing"]),
    ("id,name\n1001,Alan Smith\n1002,Alan Turing\n", [("Alan Turing", "1001")],
     ["Alan Turing may be of Alan Smith (1001) or Alan Turing (1002)"]),
])
def test_what_is_ambiguous_is_listed_and_nobody_gets_it(tmp_path, roster, submissions, unclear):
    found, result = matched(tmp_path, roster, *submissions)
    assert set(found.values()) == {None}
    assert (result.unclear, result.unknown, result.missing) == (unclear, [], [])


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_run_lists_who_is_missing_and_writes_grades(project, tmp_path):
    right = project.solution("similarity_matrix") + "\nown = 1\n"
    laid_out(tmp_path / "collected", {f"{name}/similarity_matrix.py": text for name, text in (
        ("lovelaceada", right), ("alan@example.org", right), ("Grace Hopper", "# hers\n" + right))})
    (tmp_path / "collected" / "Jan Novak").mkdir()
    (tmp_path / "people.csv").write_text(
        "email,name,id\nada@example.org,Ada Lovelace,s77\nalan@example.org,Alan Turing,s78\n"
        "emmy@example.org,Emmy Noether,s79\njan@example.org,Jan Novak,s80\n", encoding="utf-8")
    files = {name: tmp_path / f"{name}.csv" for name in ("canvas", "moodle", "gradebook")} | {
        "report": tmp_path / "report.json"}
    result = project.run(f"--cohort={tmp_path / 'collected'}", f"--roster={tmp_path / 'people.csv'}", "--points=8",
                         "22", *(f"--{name}={path}" for name, path in files.items()))
    assert ("Roster: 3 of 4 people have a submission.\n  No submission: Emmy Noether (s79)\n"
            "  No file for a kata: Jan Novak (s80)\n  Not in the roster: Grace Hopper\n") in result.stdout
    written = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    assert written["canvas"].splitlines()[2:] == [
        '"Ada Lovelace","s77","","","",8.0', '"Alan Turing","s78","","","",8.0', '"Emmy Noether","s79","","","",""',
        '"Jan Novak","s80","","","",""']
    assert written["moodle"].splitlines()[1:] == [
        '"s77","ada@example.org",8.0', '"s78","alan@example.org",8.0', '"s79","emmy@example.org","-"',
        '"s80","jan@example.org","-"']
    names = ["Grace Hopper", "alan@example.org", "lovelaceada"]
    assert json.loads(written["report"])["equal_files"] == [{"kata": "similarity_matrix", "submissions": names}]
    assert [line.rpartition(",")[2] for line in written["gradebook"].splitlines()[1:]] == [
        '"alan@example.org; lovelaceada"', '""', '"Grace Hopper; lovelaceada"', '"Grace Hopper; alan@example.org"']


def test_without_a_roster_nobody_is_unknown(tmp_path):
    result = Roster([], [Submission("Ada Lovelace", "", Found(tmp_path))])
    assert (result.missing, result.unclear, result.unknown) == ([], [], [])
