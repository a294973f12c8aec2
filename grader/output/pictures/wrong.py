"""The picture of a wrong result: yours, the right one and the difference."""
from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from grader.course.compare import several, wrong_entries
from grader.course.katas import Kata
from grader.course.panels import Curves, Panel, heatmap
from grader.output.pictures.filled import LARGEST_DRAWN, Filled, Side
from grader.output.pictures.show import FOR_PICTURES
from grader.output.writing import write_bytes
from grader.verdict.diagnosis import Failure

SMALLEST = 12                             # entries; the message shows fewer as numbers


def draw_wrong_result(kata: Kata, failure: Failure) -> Path | None:
    """Draw the result of a failed check, if it is an array with wrong values and Matplotlib is there; the file."""
    if failure.kind not in ("values", "nan") or failure.chance or find_spec("matplotlib") is None:
        return None
    arrays = shown_part(failure.call.answer.value, failure.wanted.value)
    if arrays is None:
        return None
    own, wanted = arrays
    from grader.output.pictures import png  # here, because it takes a moment
    title = f"{failure.call.function}, the first wrong call"
    panel: Panel = heatmap(title, lambda: wanted, x="column (index)", y="row (index)", colour="value")
    if wanted.ndim == 1:
        panel = Curves(title, {"": lambda: wanted}, x="entry (index)", y="value", over=np.arange(wanted.size))
    path = FOR_PICTURES / f"{kata.folder.name}_wrong.png"
    path.parent.mkdir(exist_ok=True)
    write_bytes(path, png.png(png.figure_of(kata, [Filled(panel, Side({"": wanted}), Side({"": own}))])))
    return path


def shown_part(own: Any, wanted: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """The first wrong one of several results, and of its slices along the last two axes; None if it is not drawn."""
    if isinstance(wanted, tuple):
        pairs = zip(several(own), wanted, strict=True)
        own, wanted = next((a, w) for a, w in pairs if wrong_entries(a, w).any())
    own, wanted = np.asarray(own), np.asarray(wanted)
    first = tuple(int(i) for i in np.argwhere(wrong_entries(own, wanted))[0])[:-2] if wanted.ndim > 2 else ()
    own, wanted = own[first], wanted[first]
    if wanted.size < SMALLEST or not wanted.ndim or own.dtype.kind not in "biuf" or wanted.dtype.kind not in "biuf":
        return None
    own, wanted = own.astype(float), wanted.astype(float)
    too_large = max(np.abs(a[np.isfinite(a)]).max(initial=0.0) for a in (own, wanted)) > LARGEST_DRAWN
    return None if too_large else (own, wanted)
