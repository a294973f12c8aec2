"""Reports for tests: some as a class of learners makes them, some as hostile as names and messages can be."""
import re

from grader.course.katas import all_katas

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
    return {"check": name, "function": function, "outcome": outcome, "message": message, "mistake": mistake,
            "pattern": None, "seconds": 0.002}


def kata(name, checks, status=None, directory=None):
    """A kata with these checks; its status follows from them where it is not given."""
    outcomes = {one["outcome"] for one in checks}
    status = status or ("solved" if outcomes == {"passed"} else "todo" if outcomes == {"todo"} else "started")
    return {"kata": name, "directory": directory or f"21_{name}", "file": f"katas/21_{name}/{name}.py",
            "status": status, "passed": sum(one["outcome"] == "passed" for one in checks),
            "total": len(checks), "checks": checks}


def submission(name, katas):
    """A submission with these katas."""
    return {"submission": name, "source": name, "katas": katas, "passed": sum(one["passed"] for one in katas),
            "total": sum(one["total"] for one in katas)}


def report(*submissions):
    """A report of these submissions."""
    return {"version": 1, "seed": 0, "protections": [], "submissions": list(submissions)}


def checks(passed, failed=0, todo=0, message="positional_encoding(max_len=5)\n  Wrong.", mistake=None):
    """So many checks of each outcome, in that order."""
    return [
        *(check(f"test_fact_{i}", "passed") for i in range(passed)),
        *(check(f"test_wrong_{i}", "failed", message, mistake) for i in range(failed)),
        *(check(f"test_todo_{i}", "todo", "positional_encoding is not written yet") for i in range(todo)),
    ]


def hostile_report():
    """A submission for every hostile text, which is its name, its messages, its mistake and its file too."""
    submissions = []
    for text in HOSTILE:
        broken = kata("broken", [check("test_a", "error", text, text, text)], "broken")
        broken["file"] = text
        failed = check(text, "failed", text, text, text)
        started = kata("positional_formula", [*checks(3), failed, *checks(0, 0, 2)])
        submissions.append(submission(text, [kata("order_blindness", checks(4)), started, broken]))
    return report(*submissions)


NAMES = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Emmy Noether", "Zo\u00eb Maximiliane von Hohenberg",
         "\u674e\u660e", "\u05d3\u05e0\u05d4", "Srinivasa Ramanujan", "Bo", "Katherine Johnson")


def classroom_of(learners, katas):
    """A class in the middle of its work: the first katas mostly solved, the last hardly begun."""
    real = [one.name for one in all_katas()]
    ids = [real[i] if i < len(real) else f"a_kata_with_long_name_{i}" for i in range(katas)]
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
                    row["function"] = functions[(who + place) % 3]
                rows.append(kata(name, chosen, "broken" if who % 9 == 8 else None))
            else:
                rows.append(kata(name, checks(0, 0, 25)))
        number = who // len(NAMES)
        submissions.append(submission(NAMES[who % len(NAMES)] + (f" {number + 1}" if number else ""), rows))
    return report(*submissions)
