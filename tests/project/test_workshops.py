"""The plans of WORKSHOPS.md add up, and what it says of katas and mistakes is what the folders hold."""
import re
import runpy
from itertools import pairwise

import pytest

from grader.course.katas import KATAS, ROOT, all_katas

GUIDE = ROOT / ".github" / "WORKSHOPS.md"
TEXT = GUIDE.read_text(encoding="utf-8")
SCRIPT = runpy.run_path(str(ROOT / ".github" / "expected_mistakes.py"))
SECTIONS = {folder: part for folder, part in SCRIPT["sections"](TEXT) if folder}
PLANS = ["90 minutes", "Half a day", "Read the model you use", "Three days"]
ROW = re.compile(r"^\| (\d+):(\d\d) \| (\d*) ?\| ([\d ]*?|\d\d or \d\d) ?\| (.+) \|$", re.MULTILINE)


def plan(title):
    """The rows of one plan: (minutes from midnight, minutes, numbers of katas, what happens).

    Of a choice between two katas, this is the first.
    """
    part = TEXT[TEXT.index(f"\n## {title}\n") + 1:]
    rows = ROW.findall(part[: part.index("\n## ")])
    return [(60 * int(hour) + int(minute), int(length or 0), katas.split(" or ")[0].split(), what)
            for hour, minute, length, katas, what in rows]


def planned():
    """{number: minutes} from the table of katas, and {route: numbers}."""
    text = (KATAS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d) .* \| (\d+) \|$", text, re.MULTILINE)
    route = r"^\| ([\w ]+) \| ([\d ]+|all, in order)(?:, then (\d\d) or \d\d)? \| \d+ \|$"
    routes = re.findall(route, text, re.MULTILINE)
    return {number: int(minutes) for number, minutes in rows}, {
        name: [number for number, _ in rows] if stops.startswith("all") else [*stops.split(), *choice.split()]
        for name, stops, choice in routes}


@pytest.mark.parametrize("title", PLANS)
def test_every_row_of_a_plan_begins_where_the_one_before_ends(title):
    rows = plan(title)
    assert len(rows) > 5
    for (start, length, _, what), (following, *_) in pairwise(rows):
        if what != "end":                                     # behind it the next day begins
            assert start + length == following
    assert rows[-1][3] == "end"


@pytest.mark.parametrize("title", PLANS)
def test_katas_of_a_plan_get_the_minutes_of_the_table(title):
    minutes, _ = planned()
    for _, length, numbers, what in plan(title):
        if numbers and "begun" not in what:
            assert length == sum(minutes[number] for number in numbers)


@pytest.mark.parametrize(("title", "route"), [
    ("90 minutes", "90 minutes"), ("Half a day", "half a day"), ("Read the model you use", "read the model you use"),
    ("Three days", "the whole course")])
def test_a_plan_follows_its_route(title, route):
    _, routes = planned()
    assert sorted(number for _, _, numbers, _ in plan(title) for number in numbers) == sorted(routes[route])


@pytest.mark.parametrize("title", PLANS)
def test_the_commands_of_a_plan_grade_its_katas(title):
    part = TEXT[TEXT.index(f"\n## {title}\n") + 1:]
    part = part[: part.index("\n## ")]
    boards, marks = (re.findall(rf"^pytest .*--cohort=collected --{option}.*?((?: \d\d)*)$", part, re.MULTILINE)
                     for option in ("board", "gradebook"))
    days = [[number for _, _, numbers, _ in rows for number in numbers] for rows in days_of(plan(title))]
    assert [one.split() for one in boards] == days
    assert [one.split() for one in marks] == (days if len(days) == 1 else [[]])


def days_of(rows):
    """The rows of a plan, day by day."""
    ends = [i + 1 for i, (*_, what) in enumerate(rows) if what == "end"]
    return [rows[start:end] for start, end in pairwise([0, *ends])]


def test_the_first_plan_takes_90_minutes():
    rows = plan("90 minutes")
    assert rows[-1][0] - rows[0][0] == 90


def test_every_kata_has_its_section_in_order_and_under_its_title():
    assert list(SECTIONS) == [kata.folder.name for kata in all_katas()]
    for kata in all_katas():
        title = kata.readme.read_text(encoding="utf-8").splitlines()[0][2:]
        assert SECTIONS[kata.folder.name].startswith(f"### [{title}](")


@pytest.mark.parametrize("folder", SECTIONS)
def test_a_section_asks_one_thing_and_names_three_mistakes(folder):
    part = SECTIONS[folder]
    question, answer = re.fullmatch(r"### .*\n\nAsk: (.*?)\n\nListen for: (.*?)\n\n- .*", part, re.DOTALL).groups()
    assert question.endswith("?")
    assert answer.endswith(".")
    assert len(set(SCRIPT["MISTAKE"].findall(part))) == 3


def test_what_is_said_of_a_mistake_is_what_the_learner_is_told():
    assert SCRIPT["with_sentences"](TEXT) == TEXT


def test_a_mistake_that_is_not_there_is_refused():
    with pytest.raises(SystemExit, match="21_positional_formula has no mistake gone_by_now of frequencies"):
        SCRIPT["with_sentences"](TEXT.replace("doubled_twice", "gone_by_now"))


def test_both_katas_of_a_choice_take_the_same_time():
    minutes, _ = planned()
    choices = re.findall(r"\b(\d\d) or (\d\d)\b", TEXT + (KATAS / "README.md").read_text(encoding="utf-8"))
    assert len(set(choices)) == 1
    assert all(minutes[one] == minutes[other] for one, other in choices)
