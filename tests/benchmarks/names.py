"""What the first message says to a wrong answer that the grader does not know.

    python tests/benchmarks/names.py [--list] [kata ...]

Grades every known mistake with itself removed from the catalogue, and reports how many of the first messages name a
mistake, give a pattern, describe how the call ended or give only numbers. A message that names a mistake names another
one here: the same error in a related function, or a mistake that was not made. These are listed, so that somebody can
judge them, and so is every variant that fails a check. `--list` also lists the other messages.
"""
import sys
import tempfile
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from grader.course.variants import variants  # noqa: E402
from grader.verdict import known_mistakes  # noqa: E402
from grader.verdict.mistakes import mistakes, own_mistakes  # noqa: E402
from tests.benchmarks.wrong_answers import asked_for  # noqa: E402
from tests.helpers.harness import grade, source_of  # noqa: E402


def first_failure(kata, source, folder):
    """The row of the first check that fails for a file with this source, or None; the grader does not know it."""
    known_mistakes.mistakes = lambda kata: [m for m in mistakes(kata) if m.source != source]
    result = grade(kata, source, folder, isolated=False)
    return next((check for check in result["checks"] if check["outcome"] != "passed"), None)


def kind_of(row):
    """Whether a row names a mistake, gives a pattern, says where, describes how the call ended or gives numbers."""
    if row["mistake"]:
        return "named"
    if row["pattern"]:
        return "place" if row["pattern"] == "place" else "pattern"
    return "numbers" if " wrong." in row["message"] else "other"


def lines_of(row):
    """What a message says between the call and the numbers, in one line."""
    lines = row["message"].partition("\n  [")[0].split("\n")
    return " ".join(line.strip() for line in lines if line.startswith("  ") and not line.startswith("    "))


def measured(kata):
    """(name, row) of every known mistake of a kata, and of every variant that fails a check."""
    with tempfile.TemporaryDirectory() as folder:
        wrong = [(m, m.source) for m in own_mistakes(kata)]
        right = [(v, source_of(kata, v)) for v in variants(kata.variants)]
        rows = [(f"{one.replaces}.{one.name}", first_failure(kata, source, Path(folder)))
                for one, source in wrong + right]
    return rows[:len(wrong)] + [(name, row) for name, row in rows[len(wrong):] if row]


def main(arguments):
    katas, counts = asked_for(arguments), Counter()
    warnings.simplefilter("ignore")
    with ProcessPoolExecutor(2) as processes:
        for kata, found in zip(katas, processes.map(measured, katas), strict=True):
            for name, row in found:
                kind = kind_of(row) if row else "passes"
                counts[kind] += 1
                if kind in ("named", "passes") or "--list" in arguments:
                    print(f"{kata.name}: {name}: {(row and row['mistake']) or kind}: {row and lines_of(row)}")
    for kind, count in counts.most_common():
        print(f"{kind:8} {count:5} {count / counts.total():6.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
