"""Where the katas are: a kata is a folder katas/NN_name and the folder of the same name in solutions/."""
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from grader.course.visible import LONGEST_PATH, visible

ROOT = Path(__file__).resolve().parents[2]
KATAS = ROOT / "katas"
SOLUTIONS = ROOT / "solutions"

KATA_FOLDER = re.compile(r"\d\d_\w+")
TASK = re.compile(r"^## Task (\d+)(?:: *(.*))?$", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """One TODO of a stub: its number, its title and its function."""

    number: int
    title: str
    function: str | None


@dataclass(frozen=True)
class Kata:
    """One folder of katas/; `name` is the id that never changes, `number` only its place."""

    folder: Path

    @property
    def number(self) -> str:
        return self.folder.name[:2]

    @cached_property
    def name(self) -> str:
        return self.folder.name[3:]

    @property
    def stub(self) -> Path:
        return self.folder / f"{self.name}.py"

    @property
    def suite(self) -> Path:
        return self.folder / f"test_{self.name}.py"

    @property
    def readme(self) -> Path:
        return self.folder / "README.md"

    @property
    def more(self) -> Path:
        """What is good to know after the kata is solved."""
        return self.folder / "MORE.md"

    @property
    def hints(self) -> Path:
        return self.folder / "HINTS.md"

    @property
    def solution(self) -> Path:
        return SOLUTIONS / self.folder.name / f"{self.name}.py"

    @property
    def original(self) -> Path:
        """The stub as it came with the project, without what has been written into it since."""
        return SOLUTIONS / self.folder.name / "stub.py"

    @property
    def mistakes(self) -> Path:
        return SOLUTIONS / self.folder.name / "mistakes.toml"

    @property
    def variants(self) -> Path:
        return SOLUTIONS / self.folder.name / "variants.py"

    @property
    def picture(self) -> Path:
        """What `--picture` draws."""
        return SOLUTIONS / self.folder.name / "picture.py"

    @cached_property
    def to_mend(self) -> bool:
        """Whether the stub runs but is wrong, so that the task is to find its faults."""
        return self.original.is_file() and "NotImplementedError" not in self.original.read_text(encoding="utf-8")

    @cached_property
    def tasks(self) -> dict[int, Task]:
        """{number: Task} from the README's headings: the learner's own file may have lost its TODOs."""
        text = self.readme.read_text(encoding="utf-8") if self.readme.exists() else ""
        tasks = {}
        for number, title in TASK.findall(text):
            function = re.search(r"`(\w+)`", title)
            tasks[int(number)] = Task(int(number), title.strip(), function and function[1])
        return tasks


def all_katas() -> list[Kata]:
    """Every kata, in the order of its number."""
    return [Kata(p) for p in sorted(KATAS.iterdir()) if p.is_dir() and KATA_FOLDER.fullmatch(p.name)]


def named_in_part(arguments: Iterable[object]) -> set[str]:
    """The folders' names of the katas of which arguments such as katas/21_x/test_x.py::test_y select a part."""
    return {Path(text.split("::")[0]).parent.name for text in map(str, arguments) if "::" in text}


@cache
def kata_of(path: Path) -> Kata | None:
    """The kata whose suite is `path`, or None when it is some other test."""
    if path.parent.parent == KATAS and KATA_FOLDER.fullmatch(path.parent.name):
        kata = Kata(path.parent)
        return kata if path == kata.suite else None
    return None


def kata_with_suite(path: Path) -> Kata:
    """The kata whose suite is `path`, which is one."""
    kata = kata_of(path)
    assert kata is not None
    return kata


def command_name(kata: Kata) -> str:
    """How a command names a kata: by its number inside the project, by its folder elsewhere."""
    return kata.number if Path.cwd().is_relative_to(ROOT) else quoted(str(kata.folder))


def shown(path: Path | str, start: Path | None = None) -> str:
    """`path` as a person would type it: relative to the working directory if both are inside one project."""
    start, path = Path.cwd() if start is None else start, Path(path)
    if path.is_relative_to(start):
        path = path.relative_to(start).as_posix()
    elif path.is_relative_to(ROOT) and start.is_relative_to(ROOT):
        path = Path(os.path.relpath(path, start)).as_posix()
    return visible(path, LONGEST_PATH)


def quoted(text: str) -> str:
    """A word of a command as a shell takes it."""
    return f'"{text}"' if " " in text else text


def katas_by_name() -> dict[str, Kata]:
    """{what somebody may call a kata: the kata}: its number, its name, and the name of its folder."""
    return {text: kata for kata in all_katas() for text in (kata.number, kata.name, kata.folder.name)}
