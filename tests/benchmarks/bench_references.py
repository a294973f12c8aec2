"""What the references and their variants cost: against a copy, public code, and the textbook form.

    python tests/benchmarks/bench_references.py [--quick] [--lengths=2048,4096] [--seconds=2] [--page=FILE] [name ...]

A name is a kata or a function; without one, all are measured. A first pass finds the fastest variant of every function;
then the reference, this variant and the others are timed. --page writes the text of README.md with the new numbers.

Everything runs on one thread and is timed by the CPU time of this process. The candidates of a row run in turn, again
and again, so that a slow moment of the machine meets all of them; a ratio is the median of the rounds' ratios, its
spread is from the first to the third quartile. torch, transformers, rotary-embedding-torch, x-transformers, diffusers
and timm are optional: what needs one that is not installed is "absent".
"""
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import argparse
import importlib.metadata
import platform
import re
import sys
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.cases import CASES, Sizes  # noqa: E402
from tests.benchmarks.page import page, row_line  # noqa: E402
from tests.benchmarks.rows import LONG, measure, without_gradients  # noqa: E402

QUICK = Sizes(n=64, heads=4, width=8, vocab=50)
FEWER_HEADS = 8                   # where all pairs of a long sequence would take too much memory
LIBRARIES = ("numpy", "torch", "transformers", "rotary-embedding-torch", "x-transformers", "diffusers", "timm")


def sizes_of(case, n):
    """The sizes of a 7-billion-parameter model, with fewer heads where they would not fit into memory."""
    return Sizes(n, heads=FEWER_HEADS) if case.per_pair and n > LONG else Sizes(n)


def machine():
    """What the numbers depend on."""
    cpus = Path("/proc/cpuinfo")
    names = re.findall("^model name.*: (.+)", cpus.read_text(encoding="utf-8") if cpus.exists() else "", re.MULTILINE)
    return (f"{(names or [platform.machine()])[0]}, {os.cpu_count()} cores, one of them used; {platform.system()}, "
            f"Python {platform.python_version()}.")


def versions():
    found = {one.name: one.version for one in importlib.metadata.distributions() if one.name in LIBRARIES}
    return ", ".join(f"{name} {found.get(name, 'absent')}" for name in LIBRARIES) + "."


def lengths(text):
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 64 or any(n & (n - 1) for n in numbers):
        raise ValueError
    return numbers


def output(text):
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError
    return path


def main(arguments):
    parser = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    names = sorted({case.kata for case in CASES} | {case.function for case in CASES})
    parser.add_argument("names", nargs="*", metavar="name", help="of a kata or of a function; all by default")
    parser.add_argument("--quick", action="store_true", help="small sizes and three rounds: does it run?")
    parser.add_argument("--lengths", type=lengths, default=[2048, 4096], help="powers of two from 64 on, with commas")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds to spend on a row, about")
    parser.add_argument("--page", type=output, metavar="FILE", help="write the page")
    options = parser.parse_args(arguments)
    for name in set(options.names) - set(names):
        parser.error(f"no kata or function that is measured is called {name!r}")
    rows = []
    warnings.simplefilter("ignore")                             # variants may overflow where that does no harm
    with np.errstate(all="ignore"), without_gradients():
        for case in CASES:
            if not options.names or {case.kata, case.function} & set(options.names):
                for sizes in [QUICK] if options.quick else [sizes_of(case, n) for n in options.lengths]:
                    rows.append(measure(case, sizes, 0.0 if options.quick else options.seconds))
                    print(row_line(rows[-1]), flush=True)
    if options.page:
        command = " ".join(["python", "tests/benchmarks/bench_references.py", *arguments])
        text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
        options.page.write_text(page(text, command, machine(), versions(), rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
