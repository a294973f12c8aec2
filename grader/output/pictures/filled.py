"""The panels of a kata filled with numbers: those of the reference, and those of the file under grading."""
import contextlib
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from grader.calling.loading import load_module
from grader.course.compare import TOLERANCE, fault, wrong_entries
from grader.course.panels import Panel
from grader.course.visible import visible
from grader.verdict.grading import quiet
from grader.verdict.rows import OUTCOMES
from grader.verdict.wrapping import printable

LARGEST = 1e100                           # larger numbers cannot be drawn
NOTE = 200                                # characters


@dataclass
class Side:
    """The results of one file for a panel: arrays, and the reason for each part without an array."""

    parts: dict = field(default_factory=dict)
    notes: dict = field(default_factory=dict)

    @property
    def note(self):
        """All reasons, each once."""
        return "; ".join(dict.fromkeys(self.notes.values()))


@dataclass
class Filled:
    """A panel with the results of the reference and of the graded file (None if only the reference is drawn)."""

    panel: Panel
    wanted: Side
    own: Side | None

    def __post_init__(self):
        self.own = None if self.panel.given else self.own

    @property
    def sides(self):
        """What is drawn, from left to right."""
        return [self.wanted] if self.own is None else [self.own, self.wanted]

    @property
    def differs(self):
        """Whether there is a difference to be drawn."""
        return self.own is not None and any(map(self.wrong, self.own.parts))

    @property
    def same(self):
        """Whether all results of the graded file are those of the reference."""
        return self.own is not None and bool(self.own.parts) and not self.own.notes and not self.differs

    def wrong(self, name):
        """Whether a part of the graded file is not that of the reference."""
        return wrong_entries((self.own or Side()).parts[name], self.wanted.parts[name]).any()

    @property
    def leaves_the_scale(self):
        """Whether numbers of the graded file lie beyond all of the reference's, so that they need another scale."""
        own, wanted = finite(self.own), finite(self.wanted)
        return own is not None and (own[0] < wanted[0] - TOLERANCE or own[1] > wanted[1] + TOLERANCE)

    def differences(self):
        """{part: own minus wanted} where a part is not given; the same infinities differ by 0, others by inf."""
        result = {}
        for name, own in (self.own or Side()).parts.items():
            if callable(self.panel.parts[name]):
                wanted = self.wanted.parts[name]
                with np.errstate(all="ignore"):
                    equal, difference = (own == wanted) | (np.isnan(own) & np.isnan(wanted)), own - wanted
                result[name] = np.where(equal, 0.0, np.where(np.isnan(difference), np.inf, difference))
        return result


class NotDrawn(Exception):
    """A function returned nothing that can be drawn; the text says why."""


class Functions:
    """The functions of a submission as attributes: they return arrays of the right shape or raise NotDrawn."""

    def __init__(self, submission, reference):
        self._submission = submission
        self._reference = reference
        self._given_up = {}               # {function: why}; one that is too slow is not asked again

    def __getattr__(self, function):
        if function.startswith("_"):
            raise AttributeError(function)
        return partial(self._ask, function)

    def _ask(self, function, *args, **kwargs):
        if function in self._given_up:
            raise NotDrawn(self._given_up[function])
        answer = self._submission.ask(function, args, kwargs)
        if not answer.returned:
            why = reason(function, answer)
            if answer.outcome in ("timeout", "crashed"):
                self._given_up[function] = why
            raise NotDrawn(why)
        wanted = self._reference.ask(function, args, kwargs).value
        try:
            found = fault(answer.value, wanted)
        except Exception:                 # the value cannot even be compared
            raise NotDrawn(f"{function} returned something that cannot be drawn") from None
        if found and found[0] not in ("values", "nan"):
            raise NotDrawn(f"{function}: {found[1]}")
        return answer.value


def reason(function, answer):
    """Why there is no value, in a line."""
    if answer.outcome == "todo":
        return f"{function} is {OUTCOMES['todo']}"
    if answer.outcome == "raised":
        return f"{function} raised {answer.error_types[0]}: {answer.message}"
    if answer.outcome == "broken":
        return f"the file does not load: {answer.message}"
    if answer.outcome in ("timeout", "crashed"):
        return f"{function}: {answer.message}"
    return answer.message


def filled(kata, grading):
    """The panels of a kata, each with the results of the reference and of the graded file."""
    panels = load_module(kata.picture).panels
    submission, reference = grading.grader(kata)[0], grading.reference(kata)
    with quiet(), np.errstate(all="ignore"):
        right = panels(reference)
        if grading.options.solutions:
            return [Filled(panel, side(panel), None) for panel in right]
        own = panels(Functions(submission, reference))
        return [Filled(panel, side(panel), side(mine)) for panel, mine in zip(right, own, strict=True)]


def side(panel):
    """Ask for all parts of a panel."""
    result = Side()
    for name, part in panel.parts.items():
        try:
            with contextlib.suppress(OverflowError):      # a Python int may be too large for a float
                array = np.array(part() if callable(part) else part, dtype=float)
                if not np.abs(array[np.isfinite(array)]).max(initial=0.0) > LARGEST:
                    result.parts[name] = array
                    continue
            result.notes[name] = f"the numbers are beyond {LARGEST:g}, too large to draw"
        except NotDrawn as why:
            result.notes[name] = visible(printable(str(why)), NOTE)
    if not panel.given and not any(callable(panel.parts[name]) for name in result.parts):
        result.parts.clear()              # only given parts are left, so nothing comes from the file
    return result


def finite(side):
    """(smallest, largest) finite number of a side, or None where there is none."""
    numbers = np.concatenate([part[np.isfinite(part)] for part in side.parts.values()] or [[]])
    return (numbers.min(), numbers.max()) if numbers.size else None
