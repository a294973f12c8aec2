"""Which katas a command line names."""
import os
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

import pytest

from grader.course.katas import KATAS, ROOT, Kata, all_katas, katas_by_name


def find_katas(config: pytest.Config) -> None:
    """Replace each argument that names a kata by its folder: 21, katas/21, positional_formula, a file of the kata."""
    given = [str(text) for text in config.option.file_or_dir]
    here = config.invocation_params.dir
    found = [folder_of(text, here) for text in given]
    if found != given:                    # with such names, the project's own folder selects nothing
        found = [text for text in found if Path(here, text).resolve() != ROOT]
        config.args = config.option.file_or_dir = found


def folder_of(text: str, here: Path) -> str:
    """The path that an argument of the command line means."""
    place, colons, check = text.partition("::")
    path, kata = Path(here, place), None
    if path.is_file() and not path.name.startswith("test_"):
        kata = kata_around(path)
    elif not path.exists() and (place == path.name or KATAS in (path.resolve().parent, (ROOT / place).parent)):
        kata = kata_called(path.name, text)
    if kata is None:
        return text
    return f"{kata.suite}::{check}" if colons else str(kata.folder)


def kata_around(path: Path) -> Kata | None:
    """The kata that has this folder or file."""
    return next((kata for kata in all_katas() if path.resolve().is_relative_to(kata.folder)), None)


def kata_called(name: str, text: str) -> Kata:
    """The kata with this number or name."""
    wanted = name.lower().replace("-", "_").removesuffix(".py").removesuffix(".ipynb")
    katas = katas_by_name()
    if wanted in katas:
        return katas[wanted]
    near = []
    if not wanted.isdecimal():
        parts = [kata.folder.name for kata in all_katas() if wanted in kata.folder.name]
        near = parts or get_close_matches(wanted, katas, n=1)
    way = f"Did you mean {near[0]}?" if near else "katas/README.md lists all katas"
    if len(near) > 1:
        way = f"{len(near)} katas have it in their names: {', '.join(near)}"
    raise pytest.UsageError(f"{text}: no kata has this number or name. {way}")


def paths_of(config: pytest.Config, arguments: list[str]) -> list[Path]:
    """The paths in arguments such as katas/21_x or katas/21_x/test_x.py::test_y."""
    return [Path(config.invocation_params.dir, str(one).split("::")[0]) for one in arguments]


def katas_in(config: pytest.Config, option: str) -> list[Kata]:
    """The katas that the arguments name by a folder or a file; an error if one names none."""
    arguments = config.getoption("file_or_dir")
    found = {}
    for path, text in zip(paths_of(config, arguments), arguments, strict=True):
        kata = kata_around(path)
        if kata is None:
            raise pytest.UsageError(f"{option} {text}: this is not a kata. Name one by its number, such as 21")
        found[kata] = True
    return list(found)


def latest(config: pytest.Config, file_of: Callable[[Kata], Path | None]) -> Kata | None:
    """The selected kata whose file was saved last; None if no kata has a file."""
    paths = [path.resolve() for path in paths_of(config, config.args)]
    saved = {}
    for kata in all_katas():
        file = file_of(kata)
        if file and any(kata.folder.is_relative_to(path) or path.is_relative_to(kata.folder) for path in paths):
            saved[kata] = os.stat(file).st_mtime_ns
    return max(saved, key=lambda kata: saved[kata], default=None)
