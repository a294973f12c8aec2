"""What a verdict costs in CPU time: a solved kata against the imports, a wrong answer against a right one.

    python tests/benchmarks/bench_verdict.py [kata ...]

The two commands run in turn, so that a slow moment of the machine meets both; the median of the ratios counts.
"""
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from grader.course.alternatives import alternatives  # noqa: E402
from grader.course.katas import all_katas  # noqa: E402
from tests.helpers.harness import source_of  # noqa: E402

RUNS = 15


def cpu_seconds(*command):
    """User and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def grading(kata, source, work):
    """The command that grades a source text."""
    folder = Path(tempfile.mkdtemp(dir=work))
    (folder / f"{kata.name}.py").write_text(source, encoding="utf-8")
    return sys.executable, "-m", "pytest", f"katas/{kata.folder.name}", f"--submission={folder}"


def ratios(one, other, runs):
    """The ratios of the CPU times of two commands, run in turn."""
    cpu_seconds(*one)                                            # the first run compiles the suites
    return sorted(cpu_seconds(*one) / cpu_seconds(*other) for _ in range(runs))


def main(names):
    imports = (sys.executable, "-c", "import numpy, pytest")
    with tempfile.TemporaryDirectory() as work:
        for kata in all_katas():
            if names and kata.name not in names:
                continue
            right = grading(kata, kata.solution.read_text(encoding="utf-8") + "\n# mine\n", work)
            found = ratios(right, imports, RUNS)
            print(f"{kata.name:24} right: {statistics.median(found):.2f} times the imports"
                  f" ({found[0]:.2f} to {found[-1]:.2f} in {RUNS} runs)", end=";  ", flush=True)
            mistakes = alternatives(kata.mistakes, kata.solution)[::7]
            wrong = [statistics.median(ratios(grading(kata, source_of(kata, kata.mistakes, m), work), right, 3))
                     for m in mistakes]
            print(f"wrong: {statistics.median(wrong):.2f} times the right one"
                  f" ({min(wrong):.2f} to {max(wrong):.2f} over {len(wrong)} mistakes)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
