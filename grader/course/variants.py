"""Other right answers: the functions in a solution's variants.py.

The file groups its functions in classes. A class has the name of the function that its functions replace:

    class frequencies:
        def by_exponential(d_model, base=10000.0):
            '''What it does and what that is good for.'''
"""
import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grader.calling.loading import load_module


@dataclass(frozen=True)
class Variant:
    """One function that may stand in the place of another in the solution."""

    name: str
    replaces: str
    function: Callable[..., Any]

    @property
    def sentence(self) -> str:
        """The docstring, as one paragraph."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def code(self) -> list[str]:
        """The lines of the function, without its docstring."""
        text = textwrap.dedent(inspect.getsource(self.function)).rstrip()
        (function,) = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
        lines, docstring = text.split("\n"), function.body[0]
        return lines[:docstring.lineno - 1] + lines[docstring.end_lineno:]


@cache
def variants(path: Path) -> list[Variant]:
    """The variants in a file, in its order."""
    if not path.exists():
        return []
    return [Variant(name, group.__name__, function)
            for group in vars(load_module(path)).values() if inspect.isclass(group)
            for name, function in vars(group).items() if inspect.isfunction(function)]
