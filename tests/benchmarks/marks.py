"""Whether the expression that a message marks is where the mistake is.

    python tests/benchmarks/marks.py [--mutants=20] [--list] [kata ...]

Grades every known mistake with itself removed from the catalogue, and reports how often the first message about the
changed function marks a line at all, and a line inside the changed code. A mistake is a whole function, so the line
that differs is not known. For that, it grades some mutants of each solution (mutants.py), which differ in one line, and
reports how often the mark is on it. A mutant that raises has the line that raised. `--list` prints each that misses.
"""
import ast
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

from grader.course.alternatives import alternatives  # noqa: E402
from grader.course.katas import all_katas  # noqa: E402
from grader.verdict import known_mistakes  # noqa: E402
from tests.benchmarks.mutants import mutants  # noqa: E402
from tests.helpers.harness import grade  # noqa: E402

UNNATURAL = re.compile("line dropped|nothing returned")        # nothing is left that could be marked


def with_mistake(kata, mistake):
    """(a file with this mistake, the number of its lines that belong to mistakes.py)."""
    text, solution = (path.read_text(encoding="utf-8") for path in (kata.mistakes, kata.solution))
    for name in set(re.findall(r"^def (\w+)", text, re.MULTILINE)) & set(re.findall(r"^def (\w+)", solution, re.M)):
        solution = re.sub(rf"\b{name}\b", f"{name}_of_the_solution", solution)
    text += f"\n\n_wrong = vars({mistake.replaces})['{mistake.name}']\n"
    return f"{text}\n\n{solution}\n\n{mistake.replaces} = _wrong\n", text.count("\n")


def first_row(kata, source, function, folder):
    """The first row of a failed check that is about a function, or about any."""
    rows = [row for row in grade(kata, source, folder, time_limit=3.0, isolated=False)["checks"]
            if row["outcome"] not in ("passed", "timeout")]
    return next((row for row in rows if row["function"] == function), rows[0] if rows else None)


def of_mistakes(kata, folder):
    """(what it is, how the mark fares) of every mistake."""
    for mistake in alternatives(kata.mistakes, kata.solution):
        known_mistakes.alternatives = lambda *paths, own=mistake: [m for m in alternatives(*paths) if m is not own]
        source, end = with_mistake(kata, mistake)
        row = first_row(kata, source, mistake.replaces, folder)
        if row and row["outcome"] == "failed":
            yield (f"{mistake.replaces}, {mistake.name}: line {row['line']}",
                   "none" if row["line"] is None else "inside" if row["line"] <= end else "outside")


def of_mutants(kata, folder, count):
    """(what it is, how the mark fares) of some mutants."""
    text = kata.solution.read_text(encoding="utf-8")
    lines, found = ast.unparse(ast.parse(text)).split("\n"), 0
    known_mistakes.alternatives = alternatives
    for what, source in random.Random(0).sample(made := list(mutants(text)), len(made)):
        different = [i for i, (a, b) in enumerate(zip(lines, source.split("\n"), strict=False), 1) if a != b]
        if UNNATURAL.match(what) or not different or lines[different[0] - 1].startswith("def") or found == count:
            continue
        row = first_row(kata, source, None, folder)
        if row:
            found += 1
            yield (f"mutant, {what}: line {row['line']}, not {different[0]}",
                   "none" if row["line"] is None else "right" if row["line"] == different[0] else "wrong")


def measured(kata, count):
    """All of a kata."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        return [*of_mistakes(kata, Path(folder)), *of_mutants(kata, Path(folder), count)]


def main(arguments):
    names = [a for a in arguments if not a.startswith("--")]
    count = next((int(a.removeprefix("--mutants=")) for a in arguments if a.startswith("--mutants=")), 20)
    katas = [kata for kata in all_katas() if not kata.to_mend and (not names or kata.name in names)]
    counts = {True: Counter(), False: Counter()}
    with ProcessPoolExecutor(2) as processes:
        for kata, found in zip(katas, processes.map(measured, katas, [count] * len(katas)), strict=True):
            for what, kind in found:
                counts[what.startswith("mutant")][kind] += 1
                if "--list" in arguments and kind not in ("inside", "right"):
                    print(f"{kata.name}: {kind}: {what}", flush=True)
    for of_a_mutant, one in counts.items():
        shares = ", ".join(f"{kind} {number / one.total():.0%}" for kind, number in one.most_common())
        print(f"{one.total()} {'mutants' if of_a_mutant else 'mistakes'}: {shares}")


if __name__ == "__main__":
    main(sys.argv[1:])
