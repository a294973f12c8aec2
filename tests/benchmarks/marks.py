"""Whether the line that a message marks is where the mistake is.

    python tests/benchmarks/marks.py [--mutants=20] [--list] [kata ...]

Grades every mistake of a kata and of the families with itself removed from the catalogue, and some mutants. Each is the
solution with an edit, so the lines that differ are known. Reports how often the first message marks a line at all, a
line of the edited function, and a line that differs. `--list` prints each that misses.
"""
import ast
import difflib
import random
import re
import sys
import tempfile
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from grader.course.katas import all_katas  # noqa: E402
from grader.verdict import known_mistakes  # noqa: E402
from grader.verdict.mistakes import mistakes  # noqa: E402
from tests.benchmarks.wrong_answers import wrong_answers  # noqa: E402
from tests.helpers.harness import grade  # noqa: E402

UNNATURAL = re.compile("line dropped|nothing returned")        # nothing is left that could be marked


def different_lines(kata, source):
    """The numbers of the lines of a text that the solution does not have, or that follow a line that is missing."""
    right = ast.unparse(ast.parse(kata.solution.read_text(encoding="utf-8"))).splitlines()
    wrong = ast.unparse(ast.parse(source)).splitlines()
    changes = difflib.SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes()
    return {line + 1 for kind, _, _, a, b in changes if kind != "equal" for line in range(a, max(b, a + 1))}


def mark(kata, source, folder):
    """How the mark of the first message fares, or None where no check fails."""
    plain = ast.unparse(ast.parse(source))
    known_mistakes.mistakes = lambda kata: [m for m in mistakes(kata) if m.source != source]
    rows = [row for row in grade(kata, plain, folder, time_limit=3.0, isolated=False)["checks"]
            if row["outcome"] not in ("passed", "timeout")]
    if not rows:
        return None
    if rows[0]["line"] is None:
        return "none"
    different = different_lines(kata, source)
    for node in ast.parse(plain).body:
        inside = range(node.lineno, node.end_lineno + 1)
        if rows[0]["line"] in inside:
            return "right" if rows[0]["line"] in different else "inside" if different & {*inside} else "outside"
    return "outside"


def measured(kata, count):
    """[(kind, what it is, how the mark fares)] of a kata's wrong answers."""
    warnings.simplefilter("ignore")
    answers = [one for one in wrong_answers(kata) if not UNNATURAL.match(one[1])]
    mutants = [one for one in answers if one[0] == "mutant"]
    chosen = random.Random(0).sample(mutants, min(count, len(mutants)))
    with tempfile.TemporaryDirectory() as folder:
        found = [(kind, what, mark(kata, source, Path(folder))) for kind, what, source, _ in answers
                 if kind != "mutant"] + [("mutant", what, mark(kata, source, Path(folder)))
                                         for _, what, source, _ in chosen]
    return [one for one in found if one[2]]


def main(arguments):
    names = [a for a in arguments if not a.startswith("--")]
    count = next((int(a.removeprefix("--mutants=")) for a in arguments if a.startswith("--mutants=")), 20)
    katas = [kata for kata in all_katas() if not kata.to_mend and (not names or kata.name in names)]
    counts = {"own": Counter(), "family": Counter(), "mutant": Counter()}
    with ProcessPoolExecutor(2) as processes:
        for kata, found in zip(katas, processes.map(measured, katas, [count] * len(katas)), strict=True):
            for kind, what, fares in found:
                counts[kind][fares] += 1
                if "--list" in arguments and fares != "right":
                    print(f"{kata.name}: {fares}: {kind}, {what}", flush=True)
    for kind, one in counts.items():
        shares = ", ".join(f"{fares} {number / max(one.total(), 1):.0%}" for fares, number in one.most_common())
        print(f"{one.total()} of kind {kind}: {shares}")


if __name__ == "__main__":
    main(sys.argv[1:])
