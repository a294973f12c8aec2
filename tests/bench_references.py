"""What the references cost: against a copy of their result, public code, and the most common way in NumPy.

    python tests/bench_references.py [--quick] [--lengths=2048,4096] [--seconds=2] [--json=FILE] [--page=FILE] [name]

A name is that of a kata or of a function; without one, all are measured. Everything runs on one thread and is timed by
the CPU time of this process. The candidates of a row run in turn, again and again, so that a slow moment of the
machine meets all of them; a ratio is the median of the rounds' ratios, its spread is from the first to the third
quartile. torch, transformers, rotary-embedding-torch and x-transformers are optional: what needs one that is not
installed is "absent".
"""
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import argparse
import contextlib
import gc
import importlib
import importlib.metadata
import json
import platform
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.katas import all_katas  # noqa: E402
from grader.loading import load_module  # noqa: E402
from tests.benchmarks.cases import CASES, Sizes  # noqa: E402
from tests.benchmarks.page import page  # noqa: E402
from tests.benchmarks.page import ratio as ratio_text  # noqa: E402

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

QUICK = Sizes(n=64, heads=4, width=8, vocab=50)
FEWER_HEADS = 8                   # where all pairs of a long sequence would take too much memory
LONG = 2048
LIBRARIES = ("numpy", "torch", "transformers", "rotary-embedding-torch", "x-transformers")


class Absent(Exception):
    """A candidate that cannot be measured here; the text says why."""


def sizes_of(case, n):
    """The sizes of a 7-billion-parameter model, with fewer heads where they would not fit into memory."""
    return Sizes(n, heads=FEWER_HEADS) if case.per_pair and n > LONG else Sizes(n)


def as_tensors(value):
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def as_arrays(result):
    """One array or several, from NumPy or torch, as a list of arrays."""
    parts = result if isinstance(result, tuple) else (result,)
    return [part.numpy() if hasattr(part, "numpy") else np.asarray(part) for part in parts]


def agree(result, other, in_any_order=False):
    """Whether two results are equal up to what single precision at far positions explains."""
    def close(one, two):
        if one.ndim > 2:                                        # heads are alike: the first and the last will do
            return close(one[0], two[0]) and close(one[-1], two[-1])
        if in_any_order:
            one, two = np.sort(one), np.sort(two)
        size = np.abs(one[np.isfinite(one)]).max(initial=1e-3)
        return np.allclose(one, two, rtol=2e-3, atol=2e-3 * size)

    pairs = zip(as_arrays(result), as_arrays(other), strict=True)
    return all(one.shape == two.shape and close(one, two) for one, two in pairs)


def public_call(function, arguments):
    """The call of a public implementation on the same arguments, ready to be timed."""
    if torch is None:
        raise Absent("absent")
    try:
        return function(*map(as_tensors, arguments))
    except ImportError:
        raise Absent("absent") from None


def candidates_of(case, reference, sizes):
    """{name: call} of everything that is timed, {name: why not} of the rest, and the bytes that the copy copies."""
    arguments = case.arguments(sizes)
    result = reference(*arguments)
    copied = as_arrays(result) if case.against is None else [arguments[case.against]]
    calls = {"reference": lambda: reference(*arguments), "copy": lambda: [array.copy() for array in copied]}
    missing = {}
    for name, function in case.public.items():
        try:
            if case.vectors_per_pair and sizes.n > LONG:
                raise Absent("too large")
            calls[name] = public_call(function, arguments)
        except Absent as reason:
            missing[name] = str(reason)
    if case.textbook and case.vectors_per_pair and sizes.n > LONG:
        missing["textbook"] = "too large"
    elif case.textbook:
        calls["textbook"] = lambda: case.textbook(*arguments)
    for name, call in calls.items():
        other = call()                                          # the first call is slower than the others
        if name not in ("reference", "copy") and not case.random and not agree(result, other, case.in_any_order):
            raise SystemExit(f"{case.kata}, {case.name}, n = {sizes.n}: {name} has another result than the reference")
    half = case.arguments(Sizes(sizes.n // 2, sizes.heads, sizes.width, sizes.vocab))
    calls["half"] = lambda: reference(*half)
    return calls, missing, sum(array.nbytes for array in copied)


def peak_memory(call):
    """The most bytes that a call has allocated at once, its result among them."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def cpu_seconds(call, repeats):
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def in_turn(calls, seconds):
    """{name: CPU seconds of every round}, the calls running one after the other in each; short ones several times."""
    times, repeats, started = {name: [] for name in calls}, {}, time.process_time()
    gc.disable()
    for rounds in range(25):
        if rounds >= 3 and time.process_time() - started > seconds:
            break
        for name, call in calls.items():
            duration = cpu_seconds(call, repeats.get(name, 1))
            if name not in repeats:
                repeats[name] = 1 + int(0.004 / max(duration, 1e-6))
                if repeats[name] > 1:
                    duration = cpu_seconds(call, repeats[name])
            times[name].append(max(duration, 1e-9))
    gc.enable()
    return times


def ratio(one, other):
    """Median and quartiles of the rounds' ratios."""
    low, middle, high = statistics.quantiles([a / b for a, b in zip(one, other, strict=True)], n=4, method="inclusive")
    return {"median": middle, "low": low, "high": high}


def measure(case, reference, sizes, seconds):
    """One row: the ratios, the growth, the memory."""
    calls, missing, copied = candidates_of(case, reference, sizes)
    times = in_turn(calls, seconds)
    others = {name: ratio(times[name], times["reference"]) for name in (*case.public, "textbook") if name in times}
    others |= {name: {"missing": reason} for name, reason in missing.items()}
    textbook = others.pop("textbook", None)
    return {
        "kata": case.kata, "function": case.function, "note": case.note, "n": sizes.n, "heads": sizes.heads,
        "rounds": len(times["copy"]), "seconds": statistics.median(times["reference"]),
        "copied_bytes": copied, "copied": "result" if case.against is None else "argument",
        "reference_over_copy": ratio(times["reference"], times["copy"]),
        "public_over_reference": others, "textbook_over_reference": textbook,
        "growth_from_half_the_length": ratio(times["reference"], times["half"]),
        "peak_memory_over_copied": peak_memory(calls["reference"]) / copied,
    }


def line(row):
    """A row for the terminal."""
    name = f"{row['function']}, {row['note']}" if row["note"] else row["function"]
    public = "; ".join(f"{other} {ratio_text(value)}" for other, value in row["public_over_reference"].items())
    memory, textbook = row["peak_memory_over_copied"], ratio_text(row["textbook_over_reference"])
    return (f"{name:32} n={row['n']:<5} copies {ratio_text(row['reference_over_copy'], 2)}  "
            f"growth {row['growth_from_half_the_length']['median']:.1f}  "
            f"memory {memory:.1f}  textbook {textbook}  {public}")


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
        "command": " ".join(["python", "tests/bench_references.py", *arguments]),
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


def parsed(arguments):
    parser = OneLine(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="name", help="of a kata or of a function; all by default")
    parser.add_argument("--quick", action="store_true", help="small sizes and three rounds: does it run?")
    parser.add_argument("--lengths", type=lengths, default=[2048, 4096], help="powers of two from 64 on, with commas")
    parser.add_argument("--seconds", type=positive, default=2.0, help="CPU seconds to spend on a row, about")
    parser.add_argument("--json", type=output, metavar="FILE", help="write all numbers")
    parser.add_argument("--page", type=output, metavar="FILE", help="write a page in Markdown")
    options = parser.parse_args(arguments)
    known = {case.kata for case in CASES} | {case.function for case in CASES}
    for name in options.names:
        if name not in known:
            parser.error(f"no kata or function that is measured is called {name!r}")
    return options


def main(arguments):
    options = parsed(arguments)
    solutions = {kata.name: load_module(kata.solution) for kata in all_katas()}
    rows = []
    for case in CASES:
        if options.names and not {case.kata, case.function} & set(options.names):
            continue
        for sizes in [QUICK] if options.quick else [sizes_of(case, n) for n in options.lengths]:
            if case.function == "gather_relative" and sizes.n > LONG:
                continue                                        # the result alone is 8 GB and more
            with torch.inference_mode() if torch else contextlib.nullcontext():
                rows.append(measure(case, getattr(solutions[case.kata], case.function), sizes,
                                    0.0 if options.quick else options.seconds))
            print(line(rows[-1]), flush=True)
    report = {"version": 1, **surroundings(arguments), "rows": rows}
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if options.page:
        options.page.write_text(page(report), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
