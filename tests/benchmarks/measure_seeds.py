"""Which wrong answers pass on some seeds: every known mistake of a kata under several seeds.

    python tests/benchmarks/measure_seeds.py [--seeds=20] [--mutants] [kata ...]

A suite draws some of its inputs by chance, so a wrong answer can be rejected on one seed and pass on another. A mistake
that a check without `rng` rejects is rejected on every seed; only the others run under all of them. Prints per kata how
many there are, how many only checks with `rng` reject, and each that passes, with the seeds. With --mutants it asks the
mutants of measure_strength.py too. Wrong versions that are equivalent are left out.
"""
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.wrong_answers import asked_for, equivalent, wrong_answers  # noqa: E402
from tests.helpers.harness import seeds_that_pass  # noqa: E402


def main(arguments):
    count = next((int(a.removeprefix("--seeds=")) for a in arguments if a.startswith("--seeds=")), 20)
    kinds, known = ("own", "mutant") if "--mutants" in arguments else ("own",), equivalent()
    for kata in asked_for(arguments):
        with tempfile.TemporaryDirectory() as folder:
            graded = [(what, seeds_that_pass(kata, source, Path(folder), range(count), isolated=kind == "mutant"))
                      for kind, what, source, _ in wrong_answers(kata, kinds) if (kata.name, what) not in known]
        drawn = [seeds for _, seeds in graded if seeds is not None]
        print(f"{kata.name:24} {len(graded):4} wrong answers, {len(drawn):4} left to checks with rng, "
              f"{sum(map(bool, drawn)):3} pass on a seed", flush=True)
        for what, seeds in graded:
            if seeds:
                print(f"    passes on seeds {seeds}: {what}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
