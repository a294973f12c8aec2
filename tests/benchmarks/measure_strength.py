"""How strong the suites are: wrong versions of every reference, and how many of them the suite rejects and explains.

    python tests/benchmarks/measure_strength.py [--families] [kata ...]

The wrong versions are the mistakes of the kata and the mutants of wrong_answers.py. With --families, those of the
families are asked too: many that pass are the solution in another form, and the others are holes. Prints per kata how
many there are, how many are rejected, how many of those are named as a known mistake or characterised by a pattern, and
every survivor. Survivors that answer every contract input as the reference does are listed, with the reason, in
equivalent_mutants.txt; what remains is a hole in the suite.
"""
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.wrong_answers import asked_for, equivalent, wrong_answers  # noqa: E402
from tests.helpers.harness import grade  # noqa: E402


def measure(kata, work, kinds):
    """Grade every wrong version of a kata's solution; return counts and the survivors' descriptions."""
    count, rejected, explained, survivors = 0, 0, 0, []
    for _, description, source, _ in wrong_answers(kata, kinds):
        result = grade(kata, source, work, time_limit=3.0)
        failed = [c for c in result["checks"] if c["outcome"] != "passed"]
        count += 1
        rejected += bool(failed)
        explained += any(c["mistake"] or c["pattern"] for c in failed)
        if not failed:
            survivors.append(description)
    return count, rejected, explained, survivors


def main(arguments):
    known, kinds = equivalent(), ("own", "family", "mutant") if "--families" in arguments else ("own", "mutant")
    for kata in asked_for(arguments):
        with tempfile.TemporaryDirectory() as work:
            count, rejected, explained, survivors = measure(kata, Path(work), kinds)
        holes = [s for s in survivors if (kata.name, s) not in known]
        same = len(survivors) - len(holes)
        share = 100 * rejected / max(count - same, 1)
        print(f"{kata.name:24} {count:4} wrong versions, {same:3} equivalent, {rejected:4} rejected ({share:.1f} %), "
              f"{explained:4} named or characterised", flush=True)
        for survivor in holes:
            print(f"    survives: {survivor}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
