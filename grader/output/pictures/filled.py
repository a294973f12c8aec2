"""The panels of a kata filled with numbers: those of the reference, and those of the file under grading."""
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from grader.calling.answers import Answer, Asks
from grader.calling.loading import load_module
from grader.calling.reference import reference_of
from grader.course.compare import TOLERANCE, fault, wrong_entries
from grader.course.katas import Kata
from grader.course.panels import Panel
from grader.course.visible import visible
from grader.verdict.diagnosis import quiet
from grader.verdict.rows import in_words
from grader.verdict.wrapping import printable

LARGEST_DRAWN = 1e100                     # larger numbers cannot be drawn
NOTE = 200                                # characters


@dataclass
class Side:
    """The results of one file for a panel: arrays, and why parts have none."""

    parts: dict[str, np.ndarray] = field(default_factory=dict)
    note: str = ""

    @property
    def ends(self) -> tuple[float, float] | None:
        """(smallest, largest) finite number, or None where there is none."""
        numbers = np.concatenate([part[np.isfinite(part)] for part in self.parts.values()] or [np.zeros(0)])
        return (numbers.min(), numbers.max()) if numbers.size else None


@dataclass
class Filled:
    """A panel with the results of the reference and of the graded file (None if only the reference is drawn)."""

    panel: Panel
    wanted: Side
    own: Side | None = None

    @property
    def sides(self) -> dict[str, Side]:
        """What is drawn, from left to right, with its heading."""
        if self.own is None:
            return {"given" if self.panel.given else "reference": self.wanted}
        return {"yours": self.own, "reference": self.wanted}

    @property
    def differs(self) -> bool:
        """Whether there is a difference to be drawn."""
        return self.own is not None and any(self.wrong(name).any() for name in self.own.parts)

    @property
    def same(self) -> bool:
        """Whether all results of the graded file are those of the reference."""
        return self.own is not None and bool(self.own.parts) and not self.own.note and not self.differs

    def wrong(self, name: str) -> np.ndarray:
        """Which entries of a part of the graded file are not those of the reference."""
        return wrong_entries((self.own or Side()).parts[name], self.wanted.parts[name])

    @property
    def leaves_the_scale(self) -> bool:
        """Whether numbers of the graded file lie beyond all of the reference's, so that they need another scale."""
        own, wanted = (self.own or Side()).ends, self.wanted.ends
        return own is not None and (
            wanted is None or own[0] < wanted[0] - TOLERANCE or own[1] > wanted[1] + TOLERANCE)

    @property
    def difference(self) -> dict[str, np.ndarray]:
        """{part: own minus wanted} where a part is not given; the same infinities differ by 0, others by inf."""
        result = {}
        for name, own in self.own.parts.items() if self.own else ():
            if callable(self.panel.parts[name]):
                wanted = self.wanted.parts[name]
                with np.errstate(all="ignore"):
                    equal, minus = (own == wanted) | (np.isnan(own) & np.isnan(wanted)), own - wanted
                result[name] = np.where(equal, 0.0, np.where(np.isnan(minus), np.inf, minus))
        return result


class NotDrawn(Exception):
    """A function returned nothing that can be drawn; the text says why."""


@dataclass
class Drawn:
    """The functions of a submission as attributes: they return arrays of the right shape or raise NotDrawn."""

    _submission: Asks
    _reference: Asks

    def __getattr__(self, function: str) -> Callable:
        return partial(self._ask, function)

    def _ask(self, function: str, *args: Any, **kwargs: Any) -> Any:
        answer = self._submission.ask(function, args, kwargs)
        if not answer.returned:
            raise NotDrawn(reason_of(function, answer))
        found = fault(answer.value, self._reference.ask(function, args, kwargs).value)
        if found and found[0] not in ("values", "nan"):
            raise NotDrawn(f"{function}: {found[1]}")
        return answer.value


def reason_of(function: str, answer: Answer) -> str:
    """Why there is no value, in a line."""
    if answer.outcome == "todo":
        return f"{function} is {in_words('todo')}"
    starts = {"raised": f"{function} raised {''.join(answer.error_types[:1])}: ", "broken": "the file does not load: ",
              "timeout": f"{function}: ", "crashed": f"{function}: "}
    return starts.get(answer.outcome, "") + answer.message


def filled_panels(kata: Kata, submission: Asks | None) -> list[Filled]:
    """The panels of a kata, each with the results of the reference and of the graded file, if there is one."""
    panels, reference = load_module(kata.picture).panels, reference_of(kata.solution)
    with quiet(), np.errstate(all="ignore"):
        right = panels(reference)
        if submission is None:
            return [Filled(panel, side_of(panel)) for panel in right]
        own = panels(Drawn(submission, reference))
        return [Filled(panel, side_of(panel), None if panel.given else side_of(mine))
                for panel, mine in zip(right, own, strict=True)]


def side_of(panel: Panel) -> Side:
    """Ask for all parts of a panel."""
    parts, notes = {}, []
    for name, part in panel.parts.items():
        try:
            array = np.array(part() if callable(part) else part, dtype=float)
            if np.abs(array[np.isfinite(array)]).max(initial=0.0) > LARGEST_DRAWN:
                raise OverflowError
            parts[name] = array
        except OverflowError:             # NumPy raises it for a Python int that is too large for a float
            notes.append(f"the numbers are beyond {LARGEST_DRAWN:g}, too large to draw")
        except NotDrawn as why:
            notes.append(visible(printable(str(why)), NOTE))
    from_the_file = panel.given or any(callable(panel.parts[name]) for name in parts)
    return Side(parts if from_the_file else {}, "; ".join(dict.fromkeys(notes)))
