"""Which of a reference and its variants is the fastest: a first pass over all of them.

The pass begins with a few narrow heads and a short length, then doubles the heads and their width, then the length.
So a slow loop or a large array shows itself while it is still cheap: what the next sizes would make too slow or too
large is left out.
"""
import statistics
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from grader.calling.loading import load_module
from grader.course.katas import all_katas
from grader.course.variants import variants
from tests.benchmarks.timing import cpu_seconds, in_turn, traced

REFERENCE = "reference"
FIRST, NARROW, FEW = 32, 8, 2    # the first length, width and number of heads
MOST_SECONDS, MOST_BYTES = 60.0, 8e9
SHORT = 0.01                     # seconds: nothing that takes less is called slow
PATIENCE = 10.0                  # seconds for three calls
CLOSE = 2.0                      # what is so much slower than the fastest may still be the fastest
VIEW = 4096                      # bytes: NumPy does not report small arrays, so they are not told from views

KATAS = {kata.name: kata for kata in all_katas()}
loaded = cache(load_module)


@dataclass(frozen=True)
class Cost:
    seconds: float
    peak: int = 0                # bytes; 0 where they were not measured


def functions_of(case):
    """{name: function} of the reference and its variants."""
    kata = KATAS[case.kata]
    return {REFERENCE: getattr(loaded(kata.solution), case.function)} | {
        variant.name: variant.function for variant in variants(kata.variants) if variant.replaces == case.function}


def as_arrays(result):
    """One array or several, from NumPy or torch, as a list of arrays."""
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


def agree(case, result, other):
    """Whether two results are equal up to what single precision at far positions explains."""
    def close(one, two):
        if one.ndim > 2:                                        # heads are alike: the first and the last will do
            return close(one[0], two[0]) and close(one[-1], two[-1])
        if case.in_any_order:
            one, two = np.sort(one), np.sort(two)
        size = np.abs(one[np.isfinite(one)]).max(initial=1e-3)
        return np.allclose(one, two, rtol=2e-3, atol=2e-3 * size)

    ones, others = as_arrays(result), as_arrays(other)
    return case.random or (len(ones) == len(others) and all(
        one.shape == two.shape and close(one, two) for one, two in zip(ones, others, strict=True)))


def sizes_up_to(sizes):
    """Growing sizes, the last ones those given: first heads and width up to them, then the length."""
    halvings = int(np.log2(min(sizes.heads / FEW, sizes.width / NARROW)))
    for k in range(halvings, 0, -1):
        yield replace(sizes, n=FIRST, heads=sizes.heads >> k, width=sizes.width >> k)
    for k in range(int(np.log2(sizes.n / FIRST)), -1, -1):
        yield replace(sizes, n=sizes.n >> k)


def tried(call, last):
    """The result of a call and its cost: with its memory at smaller sizes, with a better time at the last ones."""
    if not last:
        result, peak = traced(call)
        return result, Cost(least_seconds(call), peak)
    return call(), Cost(least_seconds(call))


def least_seconds(call):
    """The shortest of several calls: now and then, one that makes a large array takes ten times as long."""
    times = [cpu_seconds(call)]
    while len(times) < 5 and sum(times) < (0.3 if len(times) >= 3 else PATIENCE):
        times.append(cpu_seconds(call))
    return min(times)


def unfit(case, result, expected, cost):
    """Why a variant with this result does not count, or nothing."""
    if not agree(case, expected, result):
        return "another result"
    size = sum(array.nbytes for array in as_arrays(result))
    return "a view" if cost.peak and size > max(VIEW, cost.peak) else None


def predicted(now, before):
    """The cost at the next sizes, if it grows as it did before: at most as heads times width, squared, does."""
    return now * (min(max(2.0, now / before), 16.0) if before else 4.0)


def given_up(now, before, factor):
    """{name: reason} of what is not called with larger arguments; the last ones are `factor` times longer.

    Where the fastest grows quadratically and another linearly, the other comes closer by that factor.
    """
    fastest, reasons = min(cost.seconds for cost in now.values()), {}
    for name, cost in now.items():
        old = before.get(name, Cost(0.0))
        if predicted(cost.peak, old.peak) > MOST_BYTES:
            reasons[name] = "too large"
        elif predicted(cost.seconds, old.seconds) > MOST_SECONDS or (
                name != REFERENCE and cost.seconds > max(SHORT, 2 * factor * fastest)):
            reasons[name] = "too slow"
    return reasons


def first_pass(case, functions, sizes, arguments):
    """{name: CPU seconds} of what can be timed with these arguments, and {name: why not} of the others."""
    left, out, before, now = dict(functions), {}, {}, {}
    for smaller in sizes_up_to(sizes):
        last = smaller == sizes
        given = arguments if last else case.arguments(smaller)
        before, now, expected = now, {}, None
        for name, function in left.items():
            try:
                result, cost = tried(partial(function, *given), last)
            except Exception as error:
                out[name] = f"raises {type(error).__name__}"
                continue
            if name == REFERENCE:
                expected = result
            elif expected is not None and (reason := unfit(case, result, expected, cost)):
                out[name] = reason
                continue
            now[name] = cost
        if now and not last:
            out |= given_up(now, before, sizes.n / smaller.n)
        left = {name: function for name, function in left.items() if name not in out}
    return {name: now[name].seconds for name in left}, out


def fastest(functions, found, arguments):
    """The name of the fastest function by the seconds that were found; those that are close run again, in turn."""
    best = min(found.values())
    close = {name: partial(functions[name], *arguments) for name in found if found[name] <= CLOSE * best}
    if len(close) == 1:
        return next(iter(close))
    times = in_turn(close, 0.0)
    return min(times, key=lambda name: statistics.median(times[name]))
