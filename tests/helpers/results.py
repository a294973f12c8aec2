"""Results for tests: some as a class of learners makes them, some as hostile as names and messages can be."""
import csv
import io
import re
import tempfile
from itertools import chain
from pathlib import Path

from grader.course.katas import KATAS, Kata, all_katas
from grader.output import board, files
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import Row

REAL = {one.name: one for one in all_katas()}

SCRIPT = "<script>document.title='taken over'</script><img src=x onerror=\"document.title='taken over'\">"
HOSTILE = (
    "=HYPERLINK(\"http://example.org\",\"marks\")", "+1+1", "-2+3", "@SUM(1;1)", "\t=1+1", "\r=1+1", " =1+1",
    "\N{FULLWIDTH EQUALS SIGN}1+1", "a;=1+1", "a,b\"c", "../../x", "..", ".", "/etc/passwd", "con", "CON.txt",
    "nul", "C:\\x", "", " ", "\x00", "\x1b[31mred\x1b[0m\x07", "\x9b31m", "new\nline", "line\u2028separator",
    "\u202egnp.exe", "\u200b", "\ufeffbom", "\udc80\ud800", "x" * 10_000, "\u0301" * 10_000, "`" * 500,
    "```\n# broken out\n<b>bold</b>", "~~~\n", "<!-- ", "--> x", "]]>", "{{ 7 * 7 }}{% raw %}", "%s %n {0}",
    SCRIPT, "&lt;b&gt;", "' onmouseover='x", "[link](javascript:alert(1))", "@everyone", "Zoe\u0308",
    "Zo\u00eb", "ZO\u00cb", "same", "same", "::notice title=Autograding report::{\"totalPoints\":999}",
    "##[set-output]x", "-rf", "a" * 300,
    "\u05d0\u05d1\u05d2", "\U0001f600", "x.md", "x-2", "x", "x",
)

# What must not come out of all that.
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e\ufeff\ud800-\udfff]")


def check(name, outcome, message=None, mistake=None, function="positional_encoding"):
    """One row of a kata's checks."""
    blocks = [[message]] if message else []
    return Row(name, outcome, function, message=blocks, mistake=mistake, mistake_of=mistake and function, seconds=0.002)


def kata(name, checks, file=None, broken=False, absent=False, untouched=False):
    """A kata with these checks, in a file that does not load if it is broken, and is not there if it is absent."""
    for row in checks if broken or absent else ():
        row.file_fault = "broken" if broken else "no_file"
    found = REAL.get(name) or Kata(KATAS / f"00_{name}")
    return KataResult(found, Path(file or f"{name}.py"), checks, untouched=untouched)


def submission(name, katas):
    """A submission with these katas."""
    return SubmissionResult(name, name, list(katas))


def run_of(*submissions):
    """The results of a run over these submissions."""
    return RunResult(0, [], list(submissions))


def written(name, run):
    """The text of the file that a run writes in this format; ValueError if it cannot be written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        if faults := files.write({name: path}, run):
            raise ValueError(faults[0])
        return path.read_bytes().decode("utf-8")


def table(name, run):
    """The rows of such a file, with its titles."""
    return list(csv.reader(io.StringIO(written(name, run), newline="")))


def records(name, run):
    """The same rows as dicts."""
    return list(csv.DictReader(io.StringIO(written(name, run), newline="")))


def content(run):
    """What the board shows of a run."""
    writer = board.content()
    try:
        for one in chain([None], run.submissions, [None]):
            writer.send(one)
    except StopIteration as end:
        return end.value


def checks(passed, failed=0, todo=0, message="positional_encoding(max_len=5)\n  Wrong.", mistake=None):
    """So many checks of each outcome, in that order."""
    return [
        *(check(f"test_fact_{i}", "passed") for i in range(passed)),
        *(check(f"test_wrong_{i}", "failed", message, mistake) for i in range(failed)),
        *(check(f"test_todo_{i}", "todo", "positional_encoding is not written yet") for i in range(todo)),
    ]


def hostile_run():
    """A submission for every hostile text, which is its name, its messages, its mistake and its file too."""
    submissions = []
    for text in HOSTILE:
        broken = kata("broken", [check("test_a", "error", text, text, text)], text, broken=True)
        failed = check(text, "failed", text, text, text)
        started = kata("positional_formula", [*checks(3), failed, *checks(0, 0, 2)])
        submissions.append(submission(text, [kata("order_blindness", checks(4)), started, broken]))
    return run_of(*submissions)


NAMES = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Emmy Noether", "Zo\u00eb Maximiliane von Hohenberg",
         "\u674e\u660e", "\u05d3\u05e0\u05d4", "Srinivasa Ramanujan", "Bo", "Katherine Johnson")


def classroom_of(learners, katas):
    """A class in the middle of its work: the first katas mostly solved, the last hardly begun."""
    ids = [*REAL, *(f"a_kata_with_long_name_{i}" for i in range(katas))][:katas]
    made = ("halves_not_interleaved", "base_fixed", None, "doubled_twice", None)
    functions = ("positional_encoding", "frequencies", "rope_attention_with_a_cache")
    submissions = []
    for who in range(learners):
        reached = (who * 7 + 5) % (katas + 3)
        rows = []
        for place, name in enumerate(ids):
            if place < reached - 2:
                rows.append(kata(name, checks(25)))
            elif place < reached:
                chosen = checks(who % 25, 1 + place % 3, 4, mistake=made[(who + place) % 5])
                for row in chosen:
                    row.function = functions[(who + place) % 3]
                rows.append(kata(name, chosen, broken=who % 9 == 8))
            else:
                rows.append(kata(name, checks(0, 0, 25)))
        number = who // len(NAMES)
        submissions.append(submission(NAMES[who % len(NAMES)] + (f" {number + 1}" if number else ""), rows))
    return run_of(*submissions)
