"""What the references and their variants cost: against a copy, public code, and the textbook form.

    python tests/benchmarks/bench_references.py [--quick] [--lengths=2048,4096] [--seconds=2]
        [--json=FILE] [--page=FILE] [name]
    python tests/benchmarks/bench_references.py --against=DIR [--quick] [--lengths=2048,4096] [--seconds=2] [name]

A name is a kata or a function; without one, all are measured. A first pass finds the fastest variant of
every function; then the reference, this variant and the others are timed. With --against, the fastest of reference and
variants here is timed against the fastest of another checkout of this project, in DIR.

Everything runs on one thread and is timed by the CPU time of this process. The candidates of a row run in turn, again
and again, so that a slow moment of the machine meets all of them; a ratio is the median of the rounds' ratios, its
spread is from the first to the third quartile. torch, transformers, rotary-embedding-torch, x-transformers, diffusers
and timm are optional: what needs one that is not installed is "absent".
"""
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import argparse
import contextlib
import importlib.metadata
import json
import platform
import sys
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks import against  # noqa: E402
from tests.benchmarks.cases import CASES, Sizes  # noqa: E402
from tests.benchmarks.contest import functions_of  # noqa: E402
from tests.benchmarks.page import page, row_line  # noqa: E402
from tests.benchmarks.rows import LONG, measure, without_gradients  # noqa: E402

QUICK = Sizes(n=64, heads=4, width=8, vocab=50)
FEWER_HEADS = 8                   # where all pairs of a long sequence would take too much memory
LIBRARIES = ("numpy", "torch", "transformers", "rotary-embedding-torch", "x-transformers", "diffusers", "timm")


def sizes_of(case, n):
    """The sizes of a 7-billion-parameter model, with fewer heads where they would not fit into memory."""
    return Sizes(n, heads=FEWER_HEADS) if case.per_pair and n > LONG else Sizes(n)


def processor():
    """The name of the processor, as far as the system tells."""
    with contextlib.suppress(OSError):
        for text in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if text.startswith("model name"):
                return text.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def version_of(library):
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def surroundings(arguments):
    """What the numbers depend on."""
    return {
        "processor": processor(), "cores": os.cpu_count(), "system": platform.system(),
        "python": platform.python_version(), "versions": {name: version_of(name) for name in LIBRARIES},
        "command": " ".join(["python", "tests/benchmarks/bench_references.py", *arguments]),
    }


class OneLine(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def lengths(text):
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 64 or any(n & (n - 1) for n in numbers):
        raise ValueError
    return numbers


def positive(text):
    if not float(text) > 0:
        raise ValueError
    return float(text)


def output(text):
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError
    return path


def checkout(text):
    path = Path(text).resolve()
    if not (path / "solutions").is_dir():
        raise ValueError
    return path


def parsed(arguments):
    parser = OneLine(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="name", help="of a kata or of a function; all by default")
    parser.add_argument("--quick", action="store_true", help="small sizes and three rounds: does it run?")
    parser.add_argument("--lengths", type=lengths, default=[2048, 4096], help="powers of two from 64 on, with commas")
    parser.add_argument("--seconds", type=positive, default=2.0, help="CPU seconds to spend on a row, about")
    parser.add_argument("--json", type=output, metavar="FILE", help="write all numbers")
    parser.add_argument("--page", type=output, metavar="FILE", help="write a page in Markdown")
    parser.add_argument("--against", type=checkout, metavar="DIR", help="compare with another checkout instead")
    options = parser.parse_args(arguments)
    if options.against and (options.json or options.page):
        parser.error("--against writes no file: leave out --json and --page")
    known = {case.kata for case in CASES} | {case.function for case in CASES}
    for name in options.names:
        if name not in known:
            parser.error(f"no kata or function that is measured is called {name!r}")
    return options


def chosen(options):
    """Every case that was asked for, with its sizes."""
    for case in CASES:
        if not options.names or {case.kata, case.function} & set(options.names):
            for sizes in [QUICK] if options.quick else [sizes_of(case, n) for n in options.lengths]:
                yield case, sizes


def compare(options, seconds):
    """Measure this checkout against the other one and print a line for every case."""
    results = {}
    for case, sizes in chosen(options):
        result = against.compare(case, sizes, functions_of(ROOT, case), functions_of(options.against, case), seconds)
        results[f"{case.name}, n = {sizes.n}"] = result
        print(against.line(case, sizes, result), flush=True)
    print(against.summary(results))


def benchmark(options, seconds, command):
    """Measure everything that was asked for, print a line for every row, write the files."""
    rows = []
    for case, sizes in chosen(options):
        rows.append(measure(case, functions_of(ROOT, case), sizes, seconds))
        print(row_line(rows[-1]), flush=True)
    report = {"version": 2, **surroundings(command), "rows": rows}
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if options.page:
        options.page.write_text(page(report), encoding="utf-8")


def main(arguments):
    options = parsed(arguments)
    seconds = 0.0 if options.quick else options.seconds
    warnings.simplefilter("ignore")                             # variants may overflow where that does no harm
    with np.errstate(all="ignore"), without_gradients():
        if options.against:
            compare(options, seconds)
        else:
            benchmark(options, seconds, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
