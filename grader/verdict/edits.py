"""Edits of a function: a piece of code that stands in it, and other code in its place.

A piece is one expression or some statements in a row. It is compared by structure, so comments, spaces and line ends do
not matter. In a family of edits, a capital letter stands for any expression, and for the same one wherever it stands.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

ANY = re.compile("[A-Z]")
Changes = dict[int, list[ast.AST]]           # id of a node -> the nodes that take its place


@cache
def statements(code: str) -> list[ast.stmt]:
    """The statements of a text."""
    return ast.parse(code).body


def places(function: ast.FunctionDef, code: str, other: str) -> list[Changes]:
    """What changes where a piece of code stands in a function: one entry for each place."""
    old: list[Any] = statements(code)
    new: list[Any] = statements(other)
    if all(len(body) == 1 and isinstance(body[0], ast.Expr) for body in (old, new)):
        old, new = [old[0].value], [new[0].value]
    found = []
    for row in rows(function, len(old)):
        letters: dict[str, ast.AST] = {}
        if matches(old, row, letters):
            found.append({id(row[0]): [filled(node, letters) for node in new] or [ast.Pass()],
                          **{id(node): [] for node in row[1:]}})
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
    if isinstance(pattern, ast.Name) and ANY.fullmatch(pattern.id):
        return isinstance(node, ast.expr) and ast.unparse(letters.setdefault(pattern.id, node)) == ast.unparse(node)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, list):
        return len(pattern) == len(node) and all(matches(p, n, letters) for p, n in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        return all(matches(getattr(pattern, field), getattr(node, field), letters)
                   for field in pattern._fields if field != "ctx")
    return pattern == node


def filled(pattern: Any, letters: dict[str, ast.AST]) -> Any:
    """A copy of a pattern in which capital letters are what they stand for."""
    if isinstance(pattern, ast.Name) and pattern.id in letters:
        return letters[pattern.id]
    return copied(pattern, lambda value: filled(value, letters))


def changed(node: Any, changes: Changes) -> Any:
    """A copy of a tree with these changes."""
    if isinstance(node, list):
        return [new for old in node for new in instead(old, changes)]
    return instead(node, changes)[0]


def instead(node: Any, changes: Changes) -> list[Any]:
    """What takes the place of a node: a copy of it, if it does not change."""
    return changes[id(node)] if id(node) in changes else [copied(node, lambda part: changed(part, changes))]


def copied(node: Any, copy_of_part: Any) -> Any:
    """A node with copies of its parts, or a list of them; anything else stays."""
    if isinstance(node, list):
        return [copy_of_part(one) for one in node]
    if isinstance(node, ast.AST):
        return ast.copy_location(type(node)(**{f: copy_of_part(value) for f, value in ast.iter_fields(node)}), node)
    return node
