"""The end of a run with --picture or --picture-text: the selected katas are shown, one after the other."""
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from grader.calling.answers import Asks
from grader.course.katas import ROOT, Kata, shown
from grader.course.terminal import terminal_width
from grader.output.pictures import png, text
from grader.output.pictures.filled import filled_panels
from grader.output.writing import write_bytes
from grader.verdict.results import KataResult

FOR_PICTURES = ROOT / ".pictures"
COLUMNS = 60, 100                         # of a text picture, at least and at most


def show(terminal: pytest.TerminalReporter, results: Sequence[KataResult], options: Any,
         submission_of: Callable[[Kata], Asks]) -> None:
    """Show the katas that have a picture, and say which have none."""
    columns = terminal_width(terminal, *COLUMNS)
    terminal.write_line("")
    for kata in (result.kata for result in results if result.kata.picture.is_file()):
        panels = filled_panels(kata, None if options.solutions else submission_of(kata))
        if options.picture_text:
            text.write(terminal, kata, panels, columns)
        if options.picture:
            path = pictures(options) / f"{kata.folder.name}.png"
            content = png.png(png.figure_of(kata, panels))
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, content)
                terminal.write_line(f"Picture: {shown(path)}")
            except OSError as error:
                terminal.write_line(f"Picture: {shown(path)} could not be written: {error.strerror}", red=True)
    without = [result.kata.folder.name for result in results if not result.kata.picture.is_file()]
    for line in wrap(f"No picture: {', '.join(without)}", columns, subsequent_indent="  ") if without else ():
        terminal.write_line(line)


def pictures(options) -> Path:
    """The folder for the pictures of a run. The solutions and each submission have folders of their own."""
    if options.solutions:
        return FOR_PICTURES / "solutions"
    if options.submission is not None:
        return FOR_PICTURES / "submissions" / (re.sub(r"[^\w-]", "_", options.submission.resolve().name)[:60] or "_")
    return FOR_PICTURES
