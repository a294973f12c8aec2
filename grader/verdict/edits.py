"""Edits of a function, and families: the edits that make sense in every kata, wherever a solution has such code.

An edit puts other code in the place of a piece, which is one expression or some statements in a row. A piece is found
by its structure, so comments, spaces and line ends do not matter.

Most families are in families.toml: a name, the sentence that a learner is told, and pairs of code, in which a capital
letter stands for any expression, and for the same one wherever it stands. Each place is a mistake, and so are all
places of a function. With `together = true`, the pairs change in one mistake.
"""
from __future__ import annotations

import ast
import copy
import math
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

LETTER = re.compile("[A-Z]")
Changes = dict[int, Any]                      # id of a node -> what takes its place
Functions = dict[str, ast.FunctionDef]
Family = tuple[str, str, dict[str, str]]      # name, sentence, {function: its text}
NOTHING = ast.Module([], [])                  # in the place of a statement, a module is as many as it has


@cache
def syntax(code: str) -> ast.Module:
    """The statements of a text; one that does nothing if there is none."""
    return ast.parse(code.strip() or "pass")


def edits_of(function: ast.FunctionDef, code: str, other: str) -> list[Changes]:
    """What changes if other code takes the place of a piece of a function: one entry for each place where it stands."""
    piece: list[Any] = syntax(code).body
    instead: Any = syntax(other)
    if all(len(body) == 1 and isinstance(body[0], ast.Expr) for body in (piece, instead.body)):
        piece, instead = [piece[0].value], instead.body[0].value
    found = []
    for row in rows(function, len(piece)):
        letters: dict[str, ast.AST] = {}
        if matches(piece, row, letters):
            filled = {id(node): letters[node.id] for node in ast.walk(instead)
                      if isinstance(node, ast.Name) and node.id in letters}
            found.append({id(row[0]): with_changes(instead, filled), **{id(node): NOTHING for node in row[1:]}})
    return found


def rows(function: ast.FunctionDef, length: int) -> Iterator[list[ast.AST]]:
    """The nodes of a function one by one, or so many statements in a row."""
    for node in ast.walk(function):
        if length == 1:
            yield [node]
        for block in [getattr(node, "body", None), getattr(node, "orelse", None)] if length > 1 else []:
            if isinstance(block, list):
                yield from (block[i:i + length] for i in range(len(block) - length + 1))


def matches(pattern: Any, node: Any, letters: dict[str, ast.AST]) -> bool:
    """Whether a node looks like a pattern; `letters` gets what capital letters stand for."""
    if isinstance(pattern, ast.Name) and LETTER.fullmatch(pattern.id):
        return isinstance(node, ast.expr) and ast.unparse(letters.setdefault(pattern.id, node)) == ast.unparse(node)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, list):
        return len(pattern) == len(node) and all(matches(p, n, letters) for p, n in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        return all(matches(getattr(pattern, field), getattr(node, field), letters)
                   for field in pattern._fields if field != "ctx")
    return pattern == node


def with_changes(tree: ast.AST, changes: Changes) -> Any:
    """A copy of a tree with these changes."""
    return copy.deepcopy(tree, {**changes})        # deepcopy takes what it finds there as copied already


# Families

@cache
def written() -> list[dict]:
    """The families of families.toml."""
    return tomllib.loads(Path(__file__).with_name("families.toml").read_text(encoding="utf-8"))["family"]


def families(functions: Functions) -> Iterator[Family]:
    """The mistakes of all families in these functions."""
    yield from arguments_left_at_their_default(functions)
    yield from arguments_not_passed_on(functions)
    for family in written():
        together, everywhere = family.get("together", False), {}
        for name, node in functions.items():
            found = [edits_of(node, *pair) for pair in family["edits"]]
            each = [changes for one in found for changes in one]
            if each and (all(found) or not together):
                joined = {place: new for changes in each for place, new in changes.items()}
                everywhere[name] = ast.unparse(with_changes(node, joined))
            for changes in each if not together else ():
                yield family["name"], family["says"], {name: ast.unparse(with_changes(node, changes))}
        for edited in [*({name: text} for name, text in everywhere.items()), everywhere]:
            if edited:
                yield family["name"], family["says"], edited


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
            uses: Changes = {id(one): default for one in names
                             if isinstance(one.ctx, ast.Load) and one.lineno <= filled_in}
            value = ast.unparse(default)
            told = (f"You ignore the argument `{argument}`. Use it, and pass it on." if value == "None" else
                    f"Every result is the one for {argument}={value}. Use the argument `{argument}`, and pass it on.")
            if uses:
                yield (f"{argument}_ignored", told,
                       {name: ast.unparse(with_changes(node, uses))})


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
                           "its default there.", {name: ast.unparse(with_changes(node, {id(call): fewer}))})
