"""What a picture.py is made of: panels, as numbers only.

grader/output/pictures/ fills them by asking a file's functions, and draws them.
"""
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Panel:
    """One diagram. A part of it is an array, given, or a function without arguments that asks for one."""

    title: str
    parts: dict                           # {name: array, or function that returns one}
    x: str                                # labels of the axes, with the unit if there is one
    y: str

    @property
    def given(self) -> bool:
        """Whether nothing in it comes from the functions of the kata."""
        return not any(callable(part) for part in self.parts.values())


@dataclass(frozen=True)
class Heatmap(Panel):
    """A table as colours: its one part is an array (rows, columns)."""

    colour: str                           # what a colour stands for, with its unit if it has one
    first: tuple[int, int] = (0, 0)                 # the numbers of the first row and column


@dataclass(frozen=True)
class Curves(Panel):
    """One line per part, an array as long as `over`."""

    over: np.ndarray
    log: str = ""                         # the axes with a logarithmic scale: "", "x", "y" or "xy"
    points: bool = False                  # no line joins the entries


@dataclass(frozen=True)
class Arrows(Panel):
    """One arrow per part, from the origin to the point (2,)."""

    angles: tuple = ()                    # pairs of parts: the angle between the two arrows is drawn


def heatmap(title: str, table: Any, *, x: str, y: str, colour: str, first: tuple[int, int] = (0, 0)) -> Heatmap:
    """The Heatmap of one table."""
    return Heatmap(title, {"": table}, x, y, colour, first)
