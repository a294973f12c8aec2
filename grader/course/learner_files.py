"""Which file a folder has for a kata, and whether somebody has worked on it."""
import os
from pathlib import Path

from grader.calling.source import is_blank, normal_text
from grader.course.katas import Kata


def own_file(kata: Kata, folder: Path) -> Path | None:
    """The file for a kata in the learner's own folder, found by name even if the kata has a new number.

    Of several files, one that was edited comes before one that was not. Then the one that was saved last comes first.
    """
    names = [kata.name + suffix for suffix in (".py", ".ipynb")]
    places = [folder / place for name in names for place in (f"{kata.folder.name}/{name}", f"{kata.name}/{name}", name)]
    files = [file for file in places if os.path.isfile(file)] or [
        file for name in names for file in sorted(folder.glob(f"[0-9][0-9]_{kata.name}/{name}")) if file.is_file()]
    if len(files) < 2:
        return files[0] if files else None
    return max(files, key=lambda file: (has_work(file, kata), os.stat(file).st_mtime_ns))


def is_edited(file: Path, kata: Kata) -> bool:
    """Whether a copy of a kata's stub, or a notebook with it, is not the original any more."""
    return not kata.original.is_file() or normal_text(file) != normal_text(kata.original)


def has_work(file: Path, kata: Kata) -> bool:
    """Whether somebody has worked on a kata's file: it is edited, and has more than comments."""
    return is_edited(file, kata) and not is_blank(normal_text(file))
