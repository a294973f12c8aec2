"""Which functions a lab uses: the learner's where the kata is solved, otherwise the reference's."""
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from grader.calling.loading import load_module
from grader.calling.source import code_in
from grader.course.katas import ROOT, Kata, all_katas
from grader.course.learner_files import has_work, own_file


@dataclass(frozen=True)
class Source:
    """A function's file: its text as it was when the lab began, and whether it is the learner's."""

    function: str
    number: str
    path: Path
    text: str
    own: bool

    @property
    def origin(self) -> str:
        return f"your own ({self.number})" if self.own else f"reference, {self.number} is not solved yet"

    @property
    def line(self) -> str:
        return f"{self.function}: {self.origin}"


def choose(functions: Iterable[str], kata_of: Mapping[str, str]) -> list[Source]:
    """The Source of every function named; `kata_of` is {function: id of its kata}."""
    functions = list(functions)
    wanted = {kata_of[function] for function in functions}
    katas = {kata.name: kata for kata in all_katas() if kata.name in wanted}
    solved = solved_among(katas.values())
    found = []
    for function in functions:
        kata = katas[kata_of[function]]
        path = solved.get(kata.name, kata.solution)
        found.append(Source(function, kata.number, path, code_in(path).decode("utf-8"), kata.name in solved))
    return found


def solved_among(katas: Iterable[Kata]) -> dict[str, Path]:
    """{id: file} of the katas whose suite passes, in katas/ or the folder of KATAS_WORK; none without a report.

    A file that nobody has worked on is not solved, so its suite is not run.
    """
    suites = [str(kata.suite) for kata in katas if is_begun(kata)]
    if not suites:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", *suites, f"--report={report}", "-p", "no:cacheprovider"]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, check=False)
        if not report.exists():
            return {}
        (submission,) = json.loads(report.read_text(encoding="utf-8"))["submissions"]
    return {kata["kata"]: Path(ROOT, kata["file"]) for kata in submission["katas"] if kata["status"] == "solved"}


def is_begun(kata: Kata) -> bool:
    """Whether the learner has worked on the file that the suite would grade."""
    folder = os.environ.get("KATAS_WORK")
    file = own_file(kata, ROOT / Path(folder).expanduser()) if folder else kata.stub
    return file is not None and file.is_file() and has_work(file, kata)


def load(sources: Iterable[Source]) -> SimpleNamespace:
    """An object with the functions as attributes."""
    sources = list(sources)
    texts = {source.path: source.text for source in sources}
    modules = {path: load_module(path, text.encode()) for path, text in texts.items()}
    return SimpleNamespace(**{source.function: getattr(modules[source.path], source.function) for source in sources})
