"""Known mistakes: edits of the solution, each with the sentence that a learner is told.

The edits of a kata are in its mistakes.toml:

    [[frequencies]]                                # the function that is edited
    name = "doubled_twice"
    solution = "np.arange((d_model + 1) // 2)"     # the code in it, which must stand there once
    wrong = "np.arange(0, d_model, 2)"             # the code in its place
    says = "You double the exponent twice. ..."

`solution` and `wrong` may be lists of as many pieces, which change together. Without `solution`, `wrong` is the whole
body of the function. The edits that make sense in every kata are in families.toml.
"""
from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from grader.calling.answers import Answer
from grader.calling.reference import Reference
from grader.course.katas import Kata
from grader.verdict.edits import NOTHING, Changes, edits_of, families, syntax, with_changes


class Solution:
    """The functions of a solution, without docstrings, and which of them call which."""

    def __init__(self, path: Path):
        self.path = path
        code = ast.parse(path.read_text(encoding="utf-8")).body
        self.rest = [node for node in code if not isinstance(node, ast.FunctionDef)]
        self.functions = {node.name: node for node in code if isinstance(node, ast.FunctionDef)}
        for node in self.functions.values():
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        self.texts = {name: ast.unparse(node) for name, node in self.functions.items()}
        self.names = {name: {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                      for name, node in self.functions.items()}

    def source(self, edited: dict[str, str]) -> str:
        """The text of the file with other texts for some functions."""
        return "\n\n\n".join([*map(ast.unparse, self.rest), *{**self.texts, **edited}.values()]) + "\n"

    def callers(self, name: str) -> frozenset[str]:
        """The functions whose answers may change with this one: itself and those that call it."""
        found = {name}
        for _ in self.functions:
            found |= {other for other, names in self.names.items() if names & found}
        return frozenset(found)


@dataclass(frozen=True, eq=False)
class Mistake:
    """The solution with an edit."""

    name: str
    sentence: str
    solution: Solution
    edited: dict[str, str]           # the texts of the functions that are edited
    of_the_kata: bool                # and not of a family

    @cached_property
    def shows_in(self) -> frozenset[str]:
        """The functions whose answers it may change."""
        return frozenset().union(*map(self.solution.callers, self.edited))

    @cached_property
    def replaces(self) -> str:
        """The function that a learner writes and that is edited, or the first one that calls the edited helper."""
        return next(name for name in [*self.edited, *self.solution.functions]
                    if name in self.shows_in and not name.startswith("_"))

    def is_in(self, function: str) -> bool:
        """Whether it is made in this function itself, or in a helper of it, and not in another function of the kata."""
        return function in self.edited or (
            function in self.shows_in and all(name.startswith("_") for name in self.edited))

    @property
    def source(self) -> str:
        """The text of a file with this mistake."""
        return self.solution.source(self.edited)

    @cached_property
    def reference(self) -> Reference:
        """A file with this mistake, to be asked."""
        return Reference(self.solution.path, self.source)

    def together(self, other: Mistake) -> Mistake:
        """This mistake and another one in one file."""
        return replace(self, edited=other.edited | self.edited)

    def ask(self, function: str, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Answer:
        """The answer of a submission that makes this mistake."""
        return self.reference.ask(function, args, kwargs)


@cache
def mistakes(kata: Kata) -> list[Mistake]:
    """The known mistakes of a kata: its own, then those of the families that are none of these."""
    if not kata.mistakes.exists():        # a report may be of another version of the course
        return []
    solution, known = solution_of(kata.solution), {one.source: one for one in own_mistakes(kata)}
    for name, sentence, edited in families(solution.functions):
        one = Mistake(name, " ".join(sentence.split()), solution, edited, False)
        known.setdefault(one.source, one)
    return list(known.values())


@cache
def own_mistakes(kata: Kata) -> list[Mistake]:
    """The mistakes in a kata's mistakes.toml."""
    entries = tomllib.loads(kata.mistakes.read_text(encoding="utf-8"))
    return [edit(solution_of(kata.solution), function, entry) for function in entries for entry in entries[function]]


@cache
def solution_of(path: Path) -> Solution:
    """A solution, read once."""
    return Solution(path)


def edit(solution: Solution, function: str, entry: dict[str, Any]) -> Mistake:
    """The mistake that an entry of mistakes.toml describes."""
    where = f"{solution.path.parent.name}/mistakes.toml, {function}, {entry.get('name')}"
    if function not in solution.functions or entry.keys() | {"solution"} != {"name", "solution", "wrong", "says"}:
        raise ValueError(f"{where}: needs a function of the solution, a name, what is wrong, and what it says")
    node, together = solution.functions[function], Changes()
    if "solution" not in entry:
        together = {id(one): NOTHING for one in node.body} | {id(node.body[0]): syntax(entry["wrong"])}
    else:
        pieces, others = ([one] if isinstance(one, str) else one for one in (entry["solution"], entry["wrong"]))
        for piece, other in zip(pieces, others, strict=True):
            found = edits_of(node, piece, other)
            if len(found) != 1:
                raise ValueError(f"{where}: this stands in the solution {len(found)} times, not once: {piece}")
            together |= found[0]
    text = ast.unparse(with_changes(node, together))
    return Mistake(entry["name"], " ".join(entry["says"].split()), solution, {function: text}, True)
