"""Where the learner's steps leave those of right answers: the first expression with right inputs and a wrong value.

The values that right answers compute on their way, and their entries and slices, are the pool. A value is known if the
pool has it up to rounding, axes of size 1, a transposition, the sign or the reciprocal.
"""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from grader.calling.recorder import Event
from grader.calling.recording import Recording
from grader.verdict.remedies import remedies

TRIVIAL = {0.0, 0.5, 1.0, 2.0, np.pi, 2 * np.pi, np.e}
CLOSE = 1e-9
CLOSE_SINGLE = 2e-4


@dataclass
class Parting:
    """An expression of the learner's whose value is wrong though its inputs are right."""

    place: tuple[int, int, int, int]
    value: object
    number: int                       # of the event
    needed: object = None             # the value of a right step with the same inputs, if there is one
    calls: str = ""                   # the function of another task, if the expression is a call of one
    is_wrong: bool = False            # whether that function is wrong itself
    remedies: tuple[str, ...] = ()    # what is needed there, in words, if another operation on the same inputs gives it
    cuts: bool = False                # whether it is an array that cuts the fractions of what is written into it


class Pool:
    """The values of right answers for one call."""

    def __init__(self, recordings: list[Recording], arguments: list) -> None:
        self.recordings = recordings
        distinct: dict = {}
        for number, one in enumerate(recordings):
            for value in (*(event.value for event in one.events), *arguments):
                for part in real_parts(value):
                    array = squeezed(part)
                    if array.size:
                        distinct.setdefault((array.shape, array.tobytes()), (array, number == 0))
        self.wholes = [event.value.astype(float) for one in recordings for event in one.events
                       if isinstance(event.value, np.ndarray) and event.value.dtype.kind in "biuf" and event.value.ndim]
        self.counts = {-1, 0, 1, 2} | {n for value in arguments for n in (*np.shape(value), value) if type(n) is int}
        self.counts |= {e.value for one in recordings for e in one.events if type(e.value) is int}
        self.close = CLOSE_SINGLE if any(array.dtype == np.float32 for array, _ in distinct.values()) else CLOSE
        self.sums = [(array.astype(float), total(array)) for array, _ in distinct.values()]
        self.in_solution = [array.astype(float) for array, first in distinct.values() if first]
        with np.errstate(all="ignore"):
            entries = np.abs(np.concatenate([np.zeros(0), *(array.ravel() for array, _ in self.sums)]))
            entries = np.concatenate([entries, 1 / entries])
        self.entries = np.unique(entries[np.isfinite(entries)])
        self._known: dict = {}

    def knows(self, value: object, exactly: bool = False) -> bool:
        """Whether right answers have this value, or make it of nothing but its shape; exactly or up to its sign."""
        if not isinstance(value, np.ndarray | np.generic | float | complex):
            return True                               # too large to say, or a count, which is no step
        if len(parts := real_parts(value)) != 1:
            return all(self.knows(part, exactly) for part in parts)
        array = squeezed(parts[0])
        if not array.size or (array.ndim == 0 and array.dtype.kind in "biu"):
            return True
        key = exactly, array.shape, array.dtype, array.tobytes()
        if key not in self._known:
            self._known[key] = self.has_entries(array) and self.has(array, exactly)
        return self._known[key]

    def has_entries(self, array: np.ndarray) -> bool:
        """Whether each entry is somewhere in the pool."""
        sizes = np.abs(array[np.isfinite(array)].astype(float)).ravel()
        places = np.searchsorted(self.entries, sizes)
        padded = np.concatenate([[-np.inf], self.entries, [np.inf]])
        with np.errstate(invalid="ignore"):
            off = np.minimum(np.abs(padded[places] - sizes), np.abs(padded[places + 1] - sizes))
        trivial = np.isin(sizes, list(TRIVIAL)) if array.ndim == 0 else np.zeros(len(sizes), bool)
        return bool(((off <= self.close * np.maximum(1.0, sizes)) | trivial).all())

    def has(self, array: np.ndarray, exactly: bool) -> bool:
        """Whether the array is one of the pool, or a part of one."""
        if array.ndim == 0:
            return True
        forms = [array.astype(float)]
        if not exactly:
            with np.errstate(all="ignore"):
                forms += [1 - forms[0]] if array.dtype == bool else [-forms[0], 1 / forms[0]]
        for form in forms:
            size = total(form)
            if any(is_part(form, other, self.close) for other, of_other in self.sums
                   if other.size == array.size and math.isclose(of_other, size, rel_tol=1e-3)):
                return True
        parts = [other for other in self.in_solution if other.size > array.size] if not is_range(array) else []
        return any(is_part(form, other, self.close) for other in parts for form in forms)


def real_parts(value: object) -> list[np.ndarray]:
    """The arrays of real numbers in a value: the two parts of complex numbers; none in what is no number."""
    numeric = isinstance(value, np.ndarray | np.generic | bool | int | float | complex)
    array = np.asarray(value if numeric else [])
    return [array.real, array.imag] if array.dtype.kind == "c" else [array] if array.dtype.kind in "biuf" else []


def total(array: np.ndarray) -> float:
    """The sum of the absolute values, which no other order or sign changes."""
    return float(np.abs(array[np.isfinite(array)].astype(float)).sum())


def is_range(array: np.ndarray) -> bool:
    """Whether an array counts in even steps, as parts of any range do."""
    return array.ndim == 1 and len(set(np.diff(array).tolist())) == 1


def squeezed(array: np.ndarray) -> np.ndarray:
    """An array without axes along which nothing changes."""
    for axis in reversed(range(array.ndim)):
        first = np.take(array, [0], axis) if array.shape[axis] else array
        if array.shape[axis] == 1 or (array.shape[axis] and np.array_equal(np.broadcast_to(first, array.shape), array)):
            array = first.squeeze(axis)
    return array


def alike(one: np.ndarray, other: np.ndarray, close: float) -> np.ndarray:
    """Which entries are equal up to rounding."""
    with np.errstate(all="ignore"):
        near = np.abs(one - 1.0 * other) <= close * np.maximum(1.0, np.abs(other))    # NumPy subtracts no booleans
    return near | (one == other) | (np.isnan(one) & np.isnan(other))


def is_part(part: np.ndarray, whole: np.ndarray, close: float) -> bool:
    """Whether an array is another, transposed or not, or slices of it in their order."""
    if part.ndim > whole.ndim or whole.ndim > 4:
        return False
    for order in itertools.permutations(range(whole.ndim)):
        other = whole.transpose(order)
        lead = whole.ndim - part.ndim
        longer = [i for i in range(part.ndim) if part.shape[i] != other.shape[lead + i]]
        if len(longer) > 1 or any(part.shape[i] > other.shape[lead + i] for i in longer):
            continue
        if not longer:
            if alike(part, other, close).all(axis=tuple(range(lead, other.ndim))).any():
                return True
        elif not lead and in_order(np.moveaxis(part, longer[0], 0), np.moveaxis(other, longer[0], 0), close):
            return True
    return False


def in_order(part: np.ndarray, whole: np.ndarray, close: float) -> bool:
    """Whether the slices of an array are slices of another, in their order."""
    place = 0
    for one in part:
        found = alike(one, whole[place:], close).all(axis=tuple(range(1, whole.ndim)))
        if not found.any():
            return False
        place += int(found.argmax()) + 1
    return True


def parting(recording: Recording, pool: Pool) -> Parting | None:
    """The first expression on the way to the result that has known inputs and an unknown value."""
    found = first_unknown(recording, pool)
    if found in recording.results:                    # perhaps a step before has the wrong sign
        found = first_unknown(recording, pool, exactly=True) or found
    if found is None:
        return None
    found = wrong_count(recording.events, found, pool)
    event = recording.events[found]
    if event.kind == "Write":
        container = cuts(event, recording.events)
        if container:
            return Parting(container.place, container.value, found, cuts=True)
        event = wrong_write(event, recording.events, pool)
    value = None if event.kind == "Write" else event.value             # parts of it may be not written yet
    others = () if event.calls or value is None else tuple(remedies(
        recording, found, pool.recordings[0],
        lambda one, other: is_telling(other) and all_alike(one.squeeze(), other.squeeze(), pool.close)))
    return Parting(event.place, value, found, needed_value(event, recording.events, pool), event.calls, remedies=others)


def first_unknown(recording: Recording, pool: Pool, exactly: bool = False) -> int | None:
    """The number of that event; `exactly` if a value with another sign is another value."""
    events = recording.events
    way, consumers = way_to(recording)
    known = {i: is_given(events[i]) or pool.knows(events[i].value, exactly) for i in way}
    if not recording.raised:
        known |= dict.fromkeys(recording.results, False)       # wrong, even if only in its sign or its shape
    filled = {i for i in way if consumers[i] and all(events[c].kind == "Write" for c in consumers[i])}
    live: dict[int, bool] = {}                        # whether only unknown values lead from here to the result
    for i in reversed(way):
        live[i] = i in recording.results or any(live[c] and (c in filled or not known[c]) for c in consumers[i])
    for i in way:
        if not known[i] and live[i] and i not in filled and all(known[j] or j in filled for j in events[i].inputs):
            return i
    return None


def wrong_count(events: list[Event], found: int, pool: Pool) -> int:
    """The event of a whole number that goes into this one and that right answers do not have, or the event itself."""
    for i in events[found].inputs:
        if isinstance(events[i].value, int) and not is_given(events[i]) and events[i].value not in pool.counts:
            return i
    return found


def cuts(event: Event, events: list[Event]) -> Event | None:
    """The array of whole numbers that fractions were written into, when it was made."""
    written: list[Event] = []
    while event.kind == "Write":
        inputs = [events[i] for i in event.inputs]
        before = next((e for e in inputs if np.shape(e.value) == np.shape(event.value)), None)
        if before is None:
            return None
        written += [e for e in inputs if e is not before]
        event = before
    values = [np.asarray(e.value) for e in written if e.value is not None]
    fractions = any(v.dtype.kind == "f" and (np.isfinite(v) & (v != np.rint(v))).any() for v in values)
    return event if fractions and np.asarray(event.value).dtype.kind in "iu" else None


def wrong_write(event: Event, events: list[Event], pool: Pool) -> Event:
    """Of several writes into an array, the first one whose entries are still there and wrong."""
    final = np.asarray(event.value)
    wrong = [~alike(final, array, pool.close) for array in pool.wholes if array.shape == final.shape]
    found, before, left = event, event, min(wrong, key=np.sum) if wrong else np.zeros(final.shape, bool)
    while before.kind == "Write":
        write, inputs = before, [events[i] for i in before.inputs]
        before = next((e for e in inputs if np.shape(e.value) == final.shape), Event(event.place, None))
        if before.value is None:
            break
        changed = ~alike(np.asarray(write.value), np.asarray(before.value), 0.0)
        found = write if (changed & left).any() else found
        left = left & ~changed
    return found


def way_to(recording: Recording) -> tuple[list[int], dict[int, list[int]]]:
    """The events that the result depends on, in order, and for each the events on the way that use it."""
    way = set(recording.results)
    for i in range(max(way, default=-1), -1, -1):
        way.update(recording.events[i].inputs if i in way else ())
    consumers: dict[int, list[int]] = {i: [] for i in way}
    for i in sorted(way):
        for j in recording.events[i].inputs:
            consumers[j].append(i)
    return sorted(way), consumers


def is_given(event: Event) -> bool:
    """Whether the value is not computed here: an argument, or a constant."""
    return not event.inputs and (event.kind in ("Name", "Attribute") or np.ndim(event.value) == 0)


def is_telling(value: object) -> bool:
    """Whether a value is no number that appears everywhere."""
    array = squeezed(np.asarray(value))
    return bool(array.size >= 3 or (array.dtype.kind == "f" and array.size == 1 and float(array) not in TRIVIAL))


def needed_value(event: Event, events: list[Event], pool: Pool) -> object:
    """The value of the solution's step with the same inputs; None if there is none, or if there are several."""
    own = inputs_of(event, events)
    found: dict = {}
    for one in pool.recordings[:1] if own else ():
        for step in one.events:
            fits = step.kind == event.kind and step.value is not None and (
                np.ndim(step.value) == np.ndim(event.value) or np.size(event.value) == 1)
            if fits and paired(own, inputs_of(step, one.events), pool.close):
                found.setdefault((np.shape(step.value), np.asarray(step.value).tobytes()), step.value)
    return next(iter(found.values())) if len(found) == 1 else None


def inputs_of(event: Event, events: list[Event]) -> list[np.ndarray]:
    """The inputs of a step that tell it from others."""
    values = [events[i].value for i in event.inputs]
    return [squeezed(np.asarray(v)) for v in values if v is not None and is_telling(v)]


def paired(one: list[np.ndarray], other: list[np.ndarray], close: float) -> bool:
    """Whether two steps have the same inputs, in any order."""
    return len(one) == len(other) and all(any(all_alike(a, b, close) for b in other) for a in one) and all(
        any(all_alike(a, b, close) for a in one) for b in other)


def all_alike(one: np.ndarray, other: np.ndarray, close: float) -> bool:
    """Whether two arrays are equal up to rounding."""
    return one.shape == other.shape and bool(alike(one.astype(float), other.astype(float), close).all())
