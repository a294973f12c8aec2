"""The board: what it says about a class, that no text of a learner acts on it, how it looks in a browser."""
import copy
import re
import sys
from html.parser import HTMLParser

import pytest

from grader.output import board
from grader.output.escaping import visible_names
from tests.helpers.browser import DARK, LIGHT, measured
from tests.helpers.results import (
    HIDDEN,
    HOSTILE,
    SCRIPT,
    check,
    checks,
    classroom_of,
    hostile_run,
    kata,
    run_of,
    submission,
)

POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
)
VOID = {"meta", "br", "img", "link", "input"}


def rendered(run):
    """The page of a run; a test that asks for it is skipped without Jinja2, which is an extra."""
    pytest.importorskip("jinja2")
    return board.page(run)


class Page(HTMLParser):
    """The elements of a page with their attributes and texts; unclosed and crossed elements are an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append([tag, dict(attrs), ""])
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def texts(self, tag):
        """The texts of all elements of a kind."""
        return [" ".join(text.split()) for name, _, text in self.elements if name == tag]


def small():
    """Three learners at three katas."""
    swapped = check("test_a", "failed", "message", "halves_not_interleaved")
    fixed = check("test_b", "failed", "message", "base_fixed")
    return run_of(
        submission("ada", [kata("positional_formula", [*checks(1), swapped, swapped, fixed]),
                           kata("order_blindness", checks(4)), kata("alibi_bias", checks(0, 0, 2))]),
        submission("bob", [kata("positional_formula", [*checks(2), swapped]),
                           kata("order_blindness", checks(4)),
                           kata("alibi_bias", [check("t", "error", "SyntaxError")], broken=True)]),
        submission("eve", [kata("positional_formula", [*checks(3), *checks(0, 0, 1)]),
                           kata("order_blindness", checks(4)), kata("alibi_bias", checks(0, 0, 2))]),
    )


def test_the_header_says_how_many_learners_and_katas():
    page = Page(rendered(small()))
    assert page.texts("h1") == ["3 learners: 3 of 9 katas solved"]
    assert page.texts("title") == ["3 of 9 katas solved by 3 learners"]


def test_the_grid_has_a_text_for_every_learner_and_kata():
    assert [(row["name"], row["solved"], [text for _, text in row["cells"]])
            for row in board.content(small())["rows"]] == [
        ("ada", 1, ["25%", "\N{CHECK MARK}", "\N{EN DASH}"]), ("bob", 1, ["66%", "\N{CHECK MARK}", "!"]),
        ("eve", 1, ["75%", "\N{CHECK MARK}", "\N{EN DASH}"])]


def test_a_kata_is_counted_by_state_with_its_mistakes_by_learner_and_their_sentences():
    formula, blindness, bias = board.content(small())["katas"]
    assert [formula[state] for state in board.STATES] == [0, 3, 0, 0]
    assert [blindness[state] for state in board.STATES] == [3, 0, 0, 0]
    assert [bias[state] for state in board.STATES] == [0, 0, 2, 1]
    counts = [(mistake["name"], mistake["count"]) for mistake in formula["mistakes"]]
    assert counts == [("halves_not_interleaved", 2), ("base_fixed", 1)]
    assert formula["mistakes"][0]["sentence"].startswith("The values are right, the columns are not:")


def test_a_mistake_or_a_kata_that_is_not_here_has_no_sentence():
    row = check("test_a", "failed", "message", "no_such_mistake")
    for name in ("positional_formula", "no_such_kata"):
        (one,) = board.content(run_of(submission("ada", [kata(name, [row])])))["katas"]
        assert one["mistakes"] == [{"name": "no_such_mistake", "count": 1, "sentence": ""}]


def test_those_stuck_at_one_place_stand_together_and_the_largest_group_first():
    cohort = small()
    for one in cohort.submissions:
        one.katas.reverse()
    groups = board.content(cohort)["stuck"]
    assert [(g["kata"], g["function"], g["trouble"], g["names"]) for g in groups] == [
        ("positional_formula", "positional_encoding", "halves_not_interleaved", ["ada", "bob"]),
        ("alibi_bias", "", "the file does not load", ["bob"]),
        ("positional_formula", "positional_encoding", "not written yet", ["eve"])]


def test_of_many_who_are_stuck_the_first_are_named_and_the_others_counted():
    stuck = [submission(f"learner {i}", [kata("alibi_bias", checks(1, 1))]) for i in range(30)]
    (told,) = [text for text in Page(rendered(run_of(*stuck))).texts("td") if text.startswith("30:")]
    assert told == f"30: {', '.join(f'learner {i}' for i in range(12))} and 18 more"


def test_nobody_stuck_is_said():
    assert "Nobody is stuck." in rendered(run_of(submission("a", [kata("k", checks(1))])))


def test_a_kata_that_a_submission_lacks_is_an_empty_cell():
    lacking = run_of(submission("a", [kata("k", checks(1))]), submission("b", []))
    assert board.content(lacking)["rows"][1]["cells"] == [("none", "")]


def test_the_page_stands_alone_and_every_header_has_a_scope():
    page = Page(rendered(classroom_of(3, 7)))
    tags = {tag for tag, _, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "a", "base"}
    assert all(attrs.get("scope") in ("row", "col") for tag, attrs, _ in page.elements if tag == "th")
    assert page.elements[0][:2] == ["html", {"lang": "en"}]
    assert {"charset": "utf-8"} in [attrs for tag, attrs, _ in page.elements if tag == "meta"]
    assert not [name for _, attrs, _ in page.elements for name in attrs if name in ("src", "href", "style")]
    assert not re.search(r"url\(|@import|https?:", board.TEMPLATE.read_text(encoding="utf-8"))
    assert POLICY in rendered(small())


def test_hostile_texts_make_no_element_and_hide_nothing():
    hostile, tame = hostile_run(), hostile_run()
    for one in tame.submissions:
        one.name = "tame"
    page, other = Page(rendered(hostile)), Page(rendered(tame))
    assert [element[:2] for element in page.elements] == [element[:2] for element in other.elements]
    assert not HIDDEN.search(rendered(hostile))
    names = [" ".join(name.split()) for name in visible_names(hostile, board.NAME)]
    assert page.texts("bdi")[:len(HOSTILE)] == names


def test_without_jinja2_one_line_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(pytest.UsageError, match=r"^--board needs Jinja2: python -m pip install jinja2$"):
        board.write(tmp_path / "board.html", small())
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_the_page_in_utf8(tmp_path):
    text = rendered(hostile_run())
    board.write(tmp_path / "board.html", hostile_run())
    assert (tmp_path / "board.html").read_bytes().decode("utf-8") == text


def test_the_results_stay_as_they_are():
    cohort = classroom_of(3, 7)
    before = copy.deepcopy(cohort)
    rendered(cohort)
    assert cohort == before


# In a browser

@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """{name: what was measured} for pages of several sizes, and for some that would run a script."""
    script = run_of(*(
        submission(text, [kata("alibi_bias", [*checks(1), check("t", "failed", text, text, text)])])
        for text in ("<svg onload=document.title=1>", "<script>document.title='x'</script>", SCRIPT)))
    pages = {
        "class": rendered(classroom_of(30, 26)), "small": rendered(small()),
        "many": rendered(classroom_of(1000, 26)),
        # Without the policy, so that the escaping has to hold alone.
        "hostile": rendered(hostile_run()).replace(POLICY, ""),
        "script": rendered(script).replace(POLICY, ""),
        "unescaped": rendered(small()).replace(POLICY, "").replace("ada", SCRIPT),
    }
    found = measured(tmp_path_factory.mktemp("light"), pages.values(), LIGHT)
    return dict(zip(pages, found, strict=True))


@pytest.fixture(scope="module")
def dark(tmp_path_factory):
    """What is measured in the dark."""
    return measured(tmp_path_factory.mktemp("dark"), [rendered(small())], DARK)[0]


@pytest.mark.parametrize("page", ["class", "small", "many", "hostile", "script"])
def test_nothing_scrolls_sideways_or_leaves_its_cell_at_1280_pixels(seen, page):
    assert seen[page]["wide"] == 1280
    assert seen[page]["clipped"] == []


def test_scripts_in_names_and_messages_show_as_text(seen):
    assert seen["script"]["title"] == "0 of 3 katas solved by 3 learners"
    assert seen["script"]["scripts"] == seen["hostile"]["scripts"] == 0
    assert seen["script"]["names"][0] == "<svg onload=document.title=1>"
    assert seen["unescaped"]["title"] == "taken over"           # the measurement sees a script that does run


def test_names_arrive_as_they_were_made_visible(seen):
    assert seen["hostile"]["names"] == visible_names(hostile_run(), board.NAME)
    assert len(seen["many"]["names"]) == 1000


def test_the_header_row_stays_in_view_and_the_type_is_large_enough(seen):
    assert seen["many"]["head"] == 0
    assert seen["class"]["smallest"] >= 17
    assert seen["small"]["smallest"] >= 20


def contrast(colours):
    """The contrast of text and ground as WCAG 2 defines it; a ground that is clear counts as the page's."""
    def light(colour):
        channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted(map(light, colours), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_and_light_have_grounds_of_their_own_and_contrast_enough(seen, dark):
    grounds = {}
    for name, colours in (("light", seen["small"]["colours"]), ("dark", dark["colours"])):
        assert all(contrast(pair) >= 7 for pair in colours)
        grounds[name] = [ground for _, ground in colours]
    assert not set(grounds["light"]) & set(grounds["dark"])
    assert contrast([grounds["light"][0], "rgb(0, 0, 0)"]) > 15
    assert contrast([grounds["dark"][0], "rgb(255, 255, 255)"]) > 15
