"""The board: what it says about a class, that no text of a learner acts on it, how it looks in a browser."""
import re
import sys
import threading
from dataclasses import replace
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from grader.course.visible import shown_names
from grader.output import board, files
from grader.verdict.mistakes import own_mistakes
from tests.helpers.browser import CHROMIUM, DARK, LIGHT, chromium, measured
from tests.helpers.results import (
    HIDDEN,
    HOSTILE,
    REAL,
    SCRIPT,
    check,
    checks,
    classroom_of,
    content,
    hostile_run,
    kata,
    run_of,
    submission,
    written,
)

POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
)
VOID = {"meta", "br", "img", "link", "input", "wbr"}


def rendered(run):
    """The page of a run; a test that asks for it is skipped without Jinja2, which is an extra."""
    pytest.importorskip("jinja2")
    return written("board", run)


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
    fixed = check("test_b", "failed", "message", "base_fixed", "frequencies")
    return run_of(
        submission("ada", [kata("positional_formula", [*checks(1), swapped, swapped, fixed]),
                           kata("order_blindness", checks(4)), kata("alibi_bias", checks(0, 0, 2))]),
        submission("bob", [kata("positional_formula", [*checks(2), swapped]),
                           kata("order_blindness", checks(4)),
                           kata("alibi_bias", [check("t", "error", "SyntaxError")], broken=True)]),
        submission("eve", [kata("positional_formula", [*checks(3), *checks(0, 0, 1)]),
                           kata("order_blindness", checks(4)), kata("alibi_bias", checks(0, 0, 2))]),
    )


def absent_and_interrupted():
    """Two learners: one has no file for one kata, and the other has not been graded in full."""
    return run_of(
        submission("ada", [kata("order_blindness", checks(4)), kata("alibi_bias", checks(0, 0, 2), absent=True)]),
        submission("bob", [kata("order_blindness", [*checks(1), check("test_a", "not_run")]),
                           kata("alibi_bias", checks(2))]))


def alone(*rows, name="alibi_bias", **how):
    """A run of one learner with these checks of one kata."""
    return run_of(submission("ada", [kata(name, list(rows), **how)]))


def test_the_page_says_how_many_learners_and_katas_when_it_was_written_and_who_is_not_graded_yet():
    page, other = Page(rendered(small())), Page(rendered(absent_and_interrupted()))
    assert page.texts("h1") == ["3 learners: 3 of 9 katas solved"]
    assert page.texts("title") == ["3 of 9 katas solved by 3 learners"]
    assert page.texts("h2") == [
        "The most frequent mistakes", "Where people are stuck", "People and katas", "Kata by kata"]
    assert re.fullmatch(r"Written on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d\.", page.texts("p")[0])
    assert other.texts("p")[0].endswith(". 1 submission is not graded in full yet.")


@pytest.mark.parametrize(("count", "widths"), [(26, [13, 13]), (15, [8, 7]), (1, [1]), (0, [])])
def test_a_grid_of_many_katas_is_in_parts_of_nearly_the_same_width(count, widths):
    assert [len(part) for part in board.parts(range(count))] == widths


def test_the_grid_and_the_counts_of_a_kata_show_states_and_mistakes_by_learner():
    shown = content(small())
    assert [(row["name"], row["solved"], [cell.text for cell in row["cells"].values()]) for row in shown["rows"]] == [
        ("ada", 1, ["25", "\N{CHECK MARK}", "\N{EN DASH}"]), ("bob", 1, ["66", "\N{CHECK MARK}", "!"]),
        ("eve", 1, ["75", "\N{CHECK MARK}", "\N{EN DASH}"])]
    assert [[count for *_, count in one["states"]] for one in shown["katas"]] == [
        [0, 3, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0], [0, 0, 2, 1, 0, 0]]
    mistakes = shown["katas"][0]["mistakes"]
    assert [(one["name"], one["count"]) for one in mistakes] == [("halves_not_interleaved", 2), ("base_fixed", 1)]
    assert mistakes[0]["sentence"].startswith("You put all sines first, then all cosines.")


def test_no_file_and_not_graded_look_different_and_are_counted():
    shown, text = content(absent_and_interrupted()), rendered(absent_and_interrupted())
    assert [(row["solved"], [(cell.state, cell.text) for cell in row["cells"].values()]) for row in shown["rows"]] == [
        (1, [("solved", "\N{CHECK MARK}"), ("no file", "\N{EMPTY SET}")]),
        ("", [("not graded", ""), ("solved", "\N{CHECK MARK}")])]
    assert [(state, count) for state, _, _, count in shown["legend"] if count] == [
        ("solved", 2), ("no file", 1), ("not graded", 1)]
    assert '<td class="not-graded"></td>' in text
    assert '<td class="no-file">\N{EMPTY SET}</td>' in text


# Which katas are shown

def begun_and_not(*names):
    """Two learners: the first kata is begun, and of the others, one has no file and the other has the stub."""
    return run_of(submission("ada", [kata("order_blindness", checks(1, 1)),
                                     *(kata(name, checks(0, 0, 2), absent=True) for name in names)]),
                  submission("bob", [kata("order_blindness", checks(2)),
                                     *(kata(name, checks(1, 0, 1), untouched=True) for name in names)]))


@pytest.mark.parametrize(("names", "said"), [
    (["alibi_bias", "positional_formula"], "2 katas are not shown, because nobody has changed a file for them."),
    (["alibi_bias"], "1 kata is not shown, because nobody has changed a file for it."),
])
def test_katas_for_which_nobody_has_an_edited_file_are_left_out_and_counted(names, said):
    run = begun_and_not(*names)
    shown = content(run)
    assert shown["parts"] == [[("order_blindness", "11 order blindness")]]
    assert [one["title"] for one in shown["katas"]] == ["11 order blindness"]
    assert (shown["solved"], shown["possible"], shown["left_out"]) == (1, 2, len(names))
    assert [list(row["cells"]) for row in shown["rows"]] == [["order_blindness"]] * 2
    assert said in Page(rendered(run)).texts("p")


def test_an_edited_file_without_a_function_and_one_that_is_not_graded_are_shown():
    shown = content(run_of(submission("ada", [kata("order_blindness", checks(0, 0, 2)),
                                              kata("alibi_bias", [check("test_a", "not_run")])])))
    assert (len(shown["katas"]), shown["left_out"]) == (2, 0)


def test_before_anybody_has_begun_all_katas_are_shown():
    run = begun_and_not("alibi_bias")
    for one in run.submissions:
        del one.katas[0]
    assert [one["title"] for one in content(run)["katas"]] == ["51 alibi bias"]


def test_a_kata_that_a_submission_lacks_is_an_empty_cell():
    lacking = run_of(submission("a", [kata("k", checks(1))]), submission("b", []))
    assert content(lacking)["rows"][1]["cells"] == {}
    assert "<td></td>" in rendered(lacking)


# Mistakes

def test_the_mistakes_of_most_people_come_before_the_others():
    run = small()
    run.submissions[2].katas[2] = kata("alibi_bias", [check("t", "failed", "m", "slopes_halved", "alibi_slopes")] * 2)
    assert [(m["count"], m["kata"], m["function"], m["name"]) for m in content(run)["mistakes"]] == [
        (2, "21 positional formula", "positional_encoding", "halves_not_interleaved"),
        (1, "21 positional formula", "frequencies", "base_fixed"),
        (1, "51 alibi bias", "alibi_slopes", "slopes_halved")]


def test_a_mistake_has_the_sentence_of_the_function_that_has_it():
    """Two functions of this kata share the name of a mistake."""
    named = [one for one in own_mistakes(REAL["rope_rotation"]) if one.name == "rows_counted_instead"]
    assert len({one.sentence for one in named}) == 2
    for one in named:
        (shown,) = content(alone(check("t", "failed", "m", one.name, one.replaces), name="rope_rotation"))["mistakes"]
        assert (shown["function"], shown["sentence"], shown["count"]) == (one.replaces, one.sentence, 1)


@pytest.mark.parametrize("name", ["positional_formula", "no_such_kata"])
def test_a_mistake_or_a_kata_that_is_not_here_has_no_sentence(name):
    run = alone(check("test_a", "failed", "message", "no_such_mistake"), name=name)
    assert [(m["name"], m["sentence"]) for m in content(run)["mistakes"]] == [("no_such_mistake", "")]
    assert "no_<wbr>such_<wbr>mistake</code></td>" in rendered(run)


def test_code_in_a_sentence_stands_as_code():
    row = check("test_a", "failed", "message", "columns_compared", "dot_similarity")
    assert "<code>encoding @ encoding.T</code>" in rendered(alone(row, name="similarity_matrix"))


def test_an_untouched_stub_makes_no_mistakes_and_without_any_sentences_say_so():
    untouched = alone(*checks(1), check("test_a", "failed", "message", "base_fixed"), untouched=True)
    assert content(untouched)["mistakes"] == []
    text = rendered(alone(*checks(1)))
    assert "No known mistake was found." in text
    assert "Nobody is stuck." in text


# Where people are stuck

def test_those_stuck_at_one_place_stand_together_and_the_largest_group_first():
    cohort = small()
    for one in cohort.submissions:
        one.katas.reverse()
    assert [(g["kata"], g["function"], g["trouble"], g["names"]) for g in content(cohort)["stuck"]] == [
        ("21 positional formula", "positional_encoding", "halves_not_interleaved", ["ada", "bob"]),
        ("51 alibi bias", "", "the file does not load", ["bob"]),
        ("21 positional formula", "positional_encoding", "not written yet", ["eve"])]
    text = rendered(cohort)                                  # the checks that fewest pass follow
    assert text.index("Where people are stuck") < text.index('<table class="lowest">') < text.index("People and katas")
    assert '<tr><td class="count">0 of 3</td><th scope="row">21 positional formula</th><td><code>test_<wbr>a' in text


def test_of_many_people_and_places_the_first_are_named_and_the_others_counted():
    stuck = [submission(f"learner {i}", [kata("alibi_bias", checks(1, 1))]) for i in range(30)]
    (told,) = [text for text in Page(rendered(run_of(*stuck))).texts("td") if text.startswith("30:")]
    assert told == f"30: {', '.join(f'learner {i}' for i in range(12))} and 18 more"
    rows = [check("test_a", "failed", "message", function=f"function_{i}") for i in range(15)]
    run = run_of(*(submission(f"learner {i}", [kata("alibi_bias", [row])]) for i, row in enumerate(rows)))
    assert "There are 3 more places with one person each." in Page(rendered(run)).texts("p")


# Made-up names, and a page that reloads itself

def test_made_up_names_replace_the_others_and_stand_in_their_own_order():
    run = small()
    for one, alias in zip(run.submissions, ("wise owl", "able cat", "merry fox"), strict=True):
        one.alias = alias
    shown = content(run)
    assert [row["name"] for row in shown["rows"]] == ["able cat", "merry fox", "wise owl"]
    assert shown["stuck"][0]["names"] == ["able cat", "wise owl"]
    assert not re.search(r"\b(ada|bob|eve)\b", rendered(run))


def test_a_page_reloads_itself_if_that_is_wanted():
    run = small()
    assert "refresh" not in rendered(run)
    run.refresh = 10
    assert '<meta http-equiv="refresh" content="10">' in rendered(run)
    assert "This page reloads itself every 10 seconds." in Page(rendered(run)).texts("p")[0]


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_reloads_the_page(tmp_path):
    """The page's own policy, which forbids nearly everything, allows that."""
    pages = [replace(small(), refresh=1), small()]           # the second one stays
    pages, asked = [rendered(run).encode("utf-8") for run in pages], []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[len(asked) > 1])

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium(tmp_path, f"http://127.0.0.1:{server.server_port}/board", "--virtual-time-budget=3000", "--dump-dom")
        server.shutdown()
    assert asked[:2] == ["/board", "/board"]


# The page as a whole

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
    text = rendered(hostile)
    page, other = Page(text), Page(rendered(tame))
    assert [element[:2] for element in page.elements] == [element[:2] for element in other.elements]
    assert not HIDDEN.search(text)
    assert page.texts("bdi")[-len(HOSTILE):] == [" ".join(name.split()) for name in shown_names(HOSTILE, board.NAME)]


def test_without_jinja2_one_line_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(pytest.UsageError, match=r"^--board needs Jinja2: python -m pip install jinja2$"):
        files.chosen({"board": "board.html"}.get, tmp_path)


# In a browser

def of_all_states():
    """Learners with katas of every state."""
    return run_of(*small().submissions, *absent_and_interrupted().submissions)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """{name: what was measured} for pages of several sizes, and for some that would run a script."""
    script = run_of(*(
        submission(text, [kata("alibi_bias", [*checks(1), check("t", "failed", text, text, text)])])
        for text in ("<svg onload=document.title=1>", "<script>document.title='x'</script>", SCRIPT)))
    forty, states = rendered(classroom_of(40, 26)), rendered(of_all_states())
    pages = {
        "class": (forty, 1280, 720), "projector": (forty, 1920, 1080), "old projector": (forty, 800, 600),
        "states": (states, 1280, 720),
        # Without the policy, so that the escaping has to hold alone.
        "hostile": (rendered(hostile_run()).replace(POLICY, ""), 1280, 720),
        "script": (rendered(script).replace(POLICY, ""), 1280, 720),
        "unescaped": (rendered(small()).replace(POLICY, "").replace("ada", SCRIPT), 1280, 720),
    }
    found = dict(zip(pages, measured(tmp_path_factory.mktemp("light"), pages.values(), LIGHT), strict=True))
    (found["dark"],) = measured(tmp_path_factory.mktemp("dark"), [(states, 1280, 720)], DARK)
    return found


@pytest.mark.parametrize(("page", "width"), [("class", 1280), ("states", 1280), ("hostile", 1280), ("script", 1280),
                                             ("projector", 1920), ("old projector", 800)])
def test_nothing_scrolls_sideways_or_leaves_its_cell(seen, page, width):
    assert seen[page]["wide"] == width
    assert seen[page]["clipped"] == []


@pytest.mark.parametrize(("page", "type_size", "beside"), [("projector", 20, True), ("old projector", 14, False)])
def test_forty_people_and_all_katas_fit_a_projector(seen, page, type_size, beside):
    assert seen[page]["smallest"] >= type_size
    first, second = seen[page]["parts"]                      # the two halves of the grid
    assert (first["top"] == second["top"]) == beside
    assert first["rows"] == second["rows"]


def test_scripts_in_names_and_messages_show_as_text(seen):
    assert seen["script"]["title"] == "0 of 3 katas solved by 3 learners"
    assert seen["script"]["scripts"] == seen["hostile"]["scripts"] == 0
    assert seen["script"]["names"][0] == "<svg onload=document.title=1>"
    assert seen["unescaped"]["title"] == "taken over"           # the measurement sees a script that does run


def test_names_arrive_as_they_were_made_visible(seen):
    assert seen["hostile"]["names"] == shown_names(HOSTILE, board.NAME)
    assert len(seen["class"]["names"]) == 40


def test_the_header_row_stays_in_view_and_the_type_is_large_enough(seen):
    assert seen["class"]["head"] == 0
    assert seen["class"]["smallest"] >= 17


def contrast(colours):
    """The contrast of text and ground as WCAG 2 defines it; a ground that is clear counts as the page's."""
    def light(colour):
        channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted(map(light, colours), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_and_light_have_grounds_of_their_own_and_contrast_enough(seen):
    grounds = {}
    for name, colours in (("light", seen["states"]["colours"]), ("dark", seen["dark"]["colours"])):
        assert all(contrast(pair) >= 7 for pair in colours)
        grounds[name] = [ground for _, ground in colours]
    assert not set(grounds["light"]) & set(grounds["dark"])
    assert contrast([grounds["light"][0], "rgb(0, 0, 0)"]) > 15
    assert contrast([grounds["dark"][0], "rgb(255, 255, 255)"]) > 15
