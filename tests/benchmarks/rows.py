"""One row of the tables: a function's reference and its fastest variant beside a copy, public code, the textbook."""
import contextlib
import statistics
from dataclasses import replace
from functools import partial

import numpy as np

from tests.benchmarks.agreement import agree, as_arrays
from tests.benchmarks.contest import REFERENCE, fastest, first_pass
from tests.benchmarks.timing import in_turn, ratio, traced

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

LONG = 2048                       # vectors for every pair of a longer sequence would take too much memory
WORTH_IT = 0.95                   # a variant counts as faster below this part of the reference's time
NOT_FAR = 1.25                    # it is timed again if it took less than so many times the reference in the first pass


class Absent(Exception):
    """A candidate that cannot be measured here; the text says why."""


def without_gradients():
    """A context in which torch keeps nothing for a backward pass."""
    return torch.inference_mode() if torch else contextlib.nullcontext()


def as_tensors(value):
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def public_call(function, arguments):
    """The call of a public implementation on the same arguments, ready to be timed."""
    if torch is None:
        raise Absent("absent")
    try:
        return function(*map(as_tensors, arguments))
    except ImportError:
        raise Absent("absent") from None


def others_of(case, sizes, arguments):
    """{name: call} of public code and the textbook's form, and {name: why not} of what cannot run."""
    calls, missing = {}, {}
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
        calls["textbook"] = partial(case.textbook, *arguments)
    return calls, missing


def to_time(functions, found, arguments):
    """{role: name} of the functions that a row is about: the reference and the fastest variant, if it comes near it."""
    limit = NOT_FAR * found.get(REFERENCE, np.inf)
    near = {name: seconds for name, seconds in found.items() if name != REFERENCE and seconds < limit}
    roles = {REFERENCE: REFERENCE} if REFERENCE in found else {}
    return roles | ({"variant": fastest(functions, near, arguments)} if near else {})


def faster_of(times):
    """The role of what the other columns are relative to."""
    if REFERENCE not in times:
        return "variant"
    better = "variant" in times and ratio(times["variant"], times[REFERENCE])["median"] < WORTH_IT
    return "variant" if better else REFERENCE


def measure(case, functions, sizes, seconds):
    """One row: the ratios, the growth, the memory."""
    arguments = case.arguments(sizes)
    found, left_out = first_pass(case, functions, sizes, arguments)
    row = {"kata": case.kata, "function": case.function, "note": case.note, "n": sizes.n, "heads": sizes.heads,
           "left_out": left_out}
    if not found:
        return row | {"missing": left_out.get(REFERENCE, "no such function")}
    roles, half = to_time(functions, found, arguments), case.arguments(replace(sizes, n=sizes.n // 2))
    calls = {role: partial(functions[name], *arguments) for role, name in roles.items()}
    result = next(iter(calls.values()))()
    copied = as_arrays(result) if case.against is None else [arguments[case.against]]
    size = sum(array.nbytes for array in copied)
    others, missing = others_of(case, sizes, arguments)
    for name, call in others.items():                           # the first call is slower than the others
        if not agree(result, call(), case.in_any_order) and not case.random:
            raise SystemExit(f"{case.kata}, {case.name}, n = {sizes.n}: {name} has another result than the reference")
    times = in_turn(
        calls | {"copy": lambda: [array.copy() for array in copied]} | others
        | {f"{role} at half the length": partial(functions[name], *half) for role, name in roles.items()}, seconds)
    faster = faster_of(times)
    sides = {role: {
        "name": name, "seconds": statistics.median(times[role]), "over_copy": ratio(times[role], times["copy"]),
        "growth_from_half_the_length": ratio(times[role], times[f"{role} at half the length"]),
        "peak_memory_over_copied": traced(calls[role])[1] / size,
    } for role, name in roles.items()}
    relative = {name: ratio(times[name], times[faster]) for name in others}
    relative |= {name: {"missing": reason} for name, reason in missing.items()}
    return row | {
        "rounds": len(times["copy"]), "copied_bytes": size, "copied": "result" if case.against is None else "argument",
        REFERENCE: sides.get(REFERENCE, {"missing": left_out.get(REFERENCE)}),
        "variant": sides["variant"] if faster == "variant" else None,
        "textbook_over_faster": relative.pop("textbook", None), "public_over_faster": relative,
    }
