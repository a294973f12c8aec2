"""One row of the tables: a function's reference and its fastest variant beside a copy, public code, the textbook."""
import contextlib
import statistics
from dataclasses import replace
from functools import partial

import numpy as np

from tests.benchmarks.contest import REFERENCE, agree, as_arrays, fastest, first_pass, functions_of
from tests.benchmarks.public import torch
from tests.benchmarks.timing import in_turn, ratio, traced

LONG = 2048                       # vectors for every pair of a longer sequence would take too much memory
WORTH_IT = 0.95                   # a variant counts as faster below this part of the reference's time
NOT_FAR = 1.25                    # it is timed again if it took less than so many times the reference in the first pass


def without_gradients():
    """A context in which torch, if there is one, runs on one thread and keeps nothing for a backward pass."""
    try:
        torch.set_num_threads(1)
        return torch.inference_mode()
    except ImportError:
        return contextlib.nullcontext()


def as_tensor(value):
    if isinstance(value, dict):
        return {name: as_tensor(part) for name, part in value.items()}
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def others_of(case, sizes, arguments, result):
    """{name: call} of public code and the textbook's form, and {name: why not} of what cannot run."""
    if case.vectors_per_pair and sizes.n > LONG:
        return {}, dict.fromkeys((*case.public, "textbook"), "too large")
    calls, missing = {}, {}
    for name, function in (case.public | ({"textbook": case.textbook} if case.textbook else {})).items():
        try:
            call = partial(function, *arguments) if name == "textbook" else function(*map(as_tensor, arguments))
            if not agree(case, result, call()):                 # the first call is also slower than the others
                raise SystemExit(f"{case.name}, n = {sizes.n}: {name} has another result than the reference")
            calls[name] = call
        except ImportError:
            missing[name] = "absent"
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


def measure(case, sizes, seconds):
    """One row: the ratios, the growth, the memory."""
    functions, arguments = functions_of(case), case.arguments(sizes)
    found, left_out = first_pass(case, functions, sizes, arguments)
    row = {"name": case.name, "n": sizes.n, "heads": sizes.heads, "left_out": left_out}
    if not found:
        return row | {"missing": left_out[REFERENCE]}
    roles, half = to_time(functions, found, arguments), case.arguments(replace(sizes, n=sizes.n // 2))
    calls = {role: partial(functions[name], *arguments) for role, name in roles.items()}
    result = next(iter(calls.values()))()
    copied = as_arrays(result) if case.against is None else [arguments[case.against]]
    others, missing = others_of(case, sizes, arguments, result)
    times = in_turn(
        calls | {"copy": lambda: [array.copy() for array in copied]} | others
        | {f"{role} at half the length": partial(functions[name], *half) for role, name in roles.items()}, seconds)
    faster = faster_of(times)
    sides = {role: {
        "name": name, "seconds": statistics.median(times[role]), "over_copy": ratio(times[role], times["copy"]),
        "growth": ratio(times[role], times[f"{role} at half the length"]),
        "memory": traced(calls[role])[1] / sum(array.nbytes for array in copied),
    } for role, name in roles.items()}
    relative = {name: ratio(times[name], times[faster]) for name in others}
    relative |= {name: {"missing": reason} for name, reason in missing.items()}
    return row | {
        "copied": "result" if case.against is None else "argument",
        REFERENCE: sides.get(REFERENCE, {"missing": left_out.get(REFERENCE)}),
        "variant": sides["variant"] if faster == "variant" else None,
        "textbook": relative.pop("textbook", None), "public": relative,
    }
