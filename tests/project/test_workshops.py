"""What WORKSHOPS.md says of katas and mistakes is what the folders hold; its plans follow the routes."""
import re
import runpy

import pytest

from grader.course.katas import KATAS, ROOT, all_katas

GUIDE = ROOT / ".github" / "WORKSHOPS.md"
TEXT = GUIDE.read_text(encoding="utf-8")
SCRIPT = runpy.run_path(str(ROOT / ".github" / "expected_mistakes.py"))
SECTIONS = {folder: part for folder, part in SCRIPT["sections"](TEXT) if folder}
ROW = re.compile(r"^\| \d+:\d\d \| \d* ?\| (\d\d[\d ]*)", re.MULTILINE)    # the katas of a row; of a choice, the first
COMMAND = re.compile(r"^pytest .*--cohort=collected --board.*?((?: \d\d)+)$", re.MULTILINE)
ROUTE = re.compile(r"^\| ([\w ]+) \| (\d\d[\d ,or]+) \| \d+ \|$", re.MULTILINE)


@pytest.mark.parametrize("title", [
    "90 minutes", "Half a day", "A running model", "Read the model you use", "Three days"])
def test_a_plan_and_its_commands_have_the_katas_of_its_route(title):
    part = TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    routes = {name.lower(): re.findall(r"\d\d", re.sub(r"(\d\d) or \d\d", r"\1", katas))
              for name, katas in ROUTE.findall((KATAS / "README.md").read_text(encoding="utf-8"))}
    route = sorted(routes.get(title.lower(), [kata.number for kata in all_katas()]))        # three days are for all
    assert sorted(" ".join(ROW.findall(part)).split()) == route
    assert sorted(" ".join(COMMAND.findall(part)).split()) == route


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
