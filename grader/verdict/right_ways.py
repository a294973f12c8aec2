"""What the solution and the variants of a kata compute, and where a learner's steps part from all of them."""
from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.calling.answers import LearnerFile
from grader.calling.arguments import Copies, leaves
from grader.calling.recording import Recorded, Recording
from grader.calling.reference import frozen
from grader.course.compare import same
from grader.course.katas import Kata
from grader.course.variants import variants
from grader.verdict.steps import Parting, Pool, parting

SMALL = 600                       # entries of each argument of a call that is recorded
ASKED = 4                         # calls that are recorded
VOTES, VOTES_FOR_KNOWN = 2, 3     # how many of them have to agree; more if a known mistake is named
# args, kwargs, which of several results are wrong, the right results
WrongCall = tuple[tuple, dict[str, Any], list[bool] | None, Any]
LINE_END = 10_000                 # a column that is beyond every line
POOLS = 50                        # that are kept: in a cohort, many submissions fail the same checks


pools: dict[tuple, Pool] = {}     # by kata, function and arguments, the oldest first


class KeepsSomething(Exception):
    """A wrong call is right in a file that was loaded for it alone."""


def learners_functions(kata: Kata) -> list[str]:
    """The functions that a learner writes."""
    return [name for name in dict.fromkeys(task.function for task in kata.tasks.values()) if name]


def pool(kata: Kata, function: str, args: tuple, kwargs: dict) -> Pool:
    """The Pool for a call: what the solution and the variants compute."""
    key = kata.name, function, frozen(args), frozen(tuple(kwargs.items()))
    if key not in pools:
        if len(pools) >= POOLS:
            pools.pop(next(iter(pools)))
        recordings = []
        for way, name in ways(kata, function):
            copies = Copies(args, kwargs)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                one = way.call(name, copies.args, copies.kwargs)
            if one is not None and not one.raised:
                recordings.append(one)
        pools[key] = Pool(recordings, [*leaves(*args, kwargs)])
    return pools[key]


def ways(kata: Kata, function: str) -> list[tuple[Recorded, str]]:
    """(file, name in it) of the solution's function and of its variants."""
    whole = tuple(name for name in learners_functions(kata) if name != function)
    return [(recorded(kata.solution, whole), function), *(
        (recorded(kata.variants, ()), f"{function}.{one.name}")
        for one in variants(kata.variants) if one.replaces == function)]


@cache
def recorded(path: Path, whole: tuple[str, ...]) -> Recorded:
    """One of our own files, loaded once."""
    return Recorded.loaded(path, path.read_bytes(), whole)


def located(kata: Kata, submission: LearnerFile, function: str, wrong: list[WrongCall],
            votes_needed: int = VOTES) -> list[Parting | None]:
    """Where the learner's steps part from the right ones, for each wrong call; all None if calls do not agree.

    Calls agree if enough of those that are recorded mark the same expression, or at least the same line. Of two places
    with as many calls, the earlier one counts: equal numbers in a call can only hide what is wrong. The first call is
    recorded, because the message shows it. A call that is not recorded has the place without a value. If the first call
    is right in a file that was just loaded, this raises KeepsSomething.
    """
    whole = tuple(name for name in learners_functions(kata) if name != function)
    found: dict[int, Parting | None] = {}
    for i in sorted(range(len(wrong)), key=lambda i: (i > 0, telling(wrong[i])))[:ASKED]:
        args, kwargs, parts, wanted = wrong[i]
        recording = submission.record(function, args, kwargs, whole)
        if recording is not None:
            if i == 0 and is_right(recording, wanted):
                raise KeepsSomething
            if not recording.raised and parts is not None and len(parts) == len(recording.results):
                recording.results = [event for event, bad in zip(recording.results, parts, strict=True) if bad]
            recording.results = [event for event in recording.results if event >= 0]
            found[i] = parting(recording, pool(kata, function, args, kwargs)) if recording.results else None
    for place in (lambda p: p.place, lambda p: (p.place[0], 0, p.place[2], LINE_END)):
        marked = [(place(p), p.number) for p in found.values() if p]
        votes = Counter(where for where, _ in marked)
        best = max(marked, key=lambda one: (votes[one[0]], -one[1]), default=None)       # of equal ones the earliest
        if best and votes[best[0]] >= min(votes_needed, len(found)):
            agreed = {i: replace(p, place=best[0]) for i, p in found.items() if p and p.place == best[0]}
            alike = [what for what in next(iter(agreed.values())).remedies
                     if all(what in p.remedies for p in agreed.values())] if len(agreed) > 1 else []
            agreed = {i: replace(p, remedies=tuple(alike)) for i, p in agreed.items()}
            one = Parting(best[0], None, best[1]) if not agreed else next(iter(agreed.values()))
            return [agreed.get(i, replace(one, value=None, needed=None)) for i in range(len(wrong))]
    return [None] * len(wrong)


def is_right(recording: Recording, wanted: Any) -> bool:
    """Whether a recorded call has the right results."""
    parts = wanted if isinstance(wanted, tuple) else (wanted,)
    return not recording.raised and len(parts) == len(recording.results) and all(
        i >= 0 and same(recording.events[i].value, part) for i, part in zip(recording.results, parts, strict=True))


def telling(call: WrongCall) -> tuple:
    """The smaller, the more a call tells: sizes that differ and are not small, and few equal entries."""
    values = [*leaves(*call[0], call[1])]
    arrays = [v for v in values if isinstance(v, np.ndarray)]
    sizes = [n for a in arrays for n in a.shape] + [v for v in values if type(v) is int]
    few = any(a.dtype.kind == "f" and len(np.unique(a)) <= min(6, a.size - 1) for a in arrays)
    return few, sum(n < 3 for n in sizes), len(sizes) - len(set(sizes)), -sum(a.size for a in arrays)


def is_small(values: tuple) -> bool:
    """Whether a call with these arguments is recorded."""
    return all(np.size(v) <= SMALL for v in leaves(*values))
