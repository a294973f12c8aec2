"""Families: the edits that make sense in every kata, wherever a solution has the code that they change.

Most are in families.toml: a name, the sentence that a learner is told, and pairs of code, in which a capital letter
stands for any expression. Each place is a mistake, and so are all places of a function. With `together = true`, the
pairs change in one mistake.
"""
from __future__ import annotations

import ast
import math
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.verdict.edits import Changes, changed, places

Functions = dict[str, ast.FunctionDef]
Family = tuple[str, str, dict[str, str]]          # name, sentence, {function: its text}


@cache
def written() -> list[dict]:
    """The families of families.toml."""
    return tomllib.loads(Path(__file__).with_name("families.toml").read_text(encoding="utf-8"))["family"]


def families(functions: Functions) -> Iterator[Family]:
    """The mistakes of all families in these functions."""
    yield from arguments_left_at_their_default(functions)
    yield from arguments_not_passed_on(functions)
    for family in written():
        everywhere = {}
        for name, node in functions.items():
            found = [places(node, *pair) for pair in family["edits"]]
            joined = {key: nodes for changes in found for one in changes for key, nodes in one.items()}
            single = [] if family.get("together") else [one for changes in found for one in changes]
            if joined and (all(found) or not family.get("together")):
                everywhere[name] = ast.unparse(changed(node, joined))
            for changes in single:
                yield family["name"], family["says"], {name: ast.unparse(changed(node, changes))}
        for name, text in everywhere.items():
            yield family["name"], family["says"], {name: text}
        if len(everywhere) > 1:
            yield family["name"], family["says"], everywhere


def defaults(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """(name, default) of the arguments that have a default, of a function that learners know."""
    if function.name.startswith("_"):
        return
    arguments, given = function.args.args, function.args.defaults
    for argument, default in zip(arguments[len(arguments) - len(given):], given, strict=True):
        yield argument.arg, default


def arguments_left_at_their_default(functions: Functions) -> Iterator[Family]:
    """A function uses the default of an argument in every call."""
    for name, node in functions.items():
        for argument, default in defaults(node):
            names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == argument]
            filled_in = min((one.lineno for one in names if isinstance(one.ctx, ast.Store)), default=math.inf)
            uses: Changes = {id(one): [default] for one in names
                             if isinstance(one.ctx, ast.Load) and one.lineno <= filled_in}
            value = ast.unparse(default)
            told = "You ignore" if value == "None" else f"You use {value} in every call, and not"
            if uses:
                yield (f"{argument}_ignored", f"{told} the argument `{argument}`. Use it, and pass it on.",
                       {name: ast.unparse(changed(node, uses))})


def arguments_not_passed_on(functions: Functions) -> Iterator[Family]:
    """A function calls another one without an argument that has a default."""
    for name, node in functions.items():
        for call in ast.walk(node):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in functions):
                continue
            callee = functions[call.func.id]
            names, optional = [argument.arg for argument in callee.args.args], dict(defaults(callee))
            for place, argument in enumerate(names[:len(call.args)]):
                if argument in optional:
                    by_name = [ast.keyword(names[i], call.args[i]) for i in range(place + 1, len(call.args))]
                    fewer = ast.Call(call.func, call.args[:place], [*by_name, *call.keywords])
                    yield (f"{argument}_not_passed_on", f"You do not pass `{argument}` on to a function, so it has "
                           "its default there.", {name: ast.unparse(changed(node, {id(call): [fewer]}))})
