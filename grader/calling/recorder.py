"""Code in which every expression is recorded: its value, its place in the file, and the values that went into it.

`Recorder.instrumented` changes a syntax tree so that each expression that is read passes through `step`. An event is
made for each number or array. Its inputs are the events of the expressions inside it, and for a name the event that
made this object. So inputs are followed through names, helper functions and writes into arrays.
"""
import ast
import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

MOST_EVENTS = 4000
LARGEST_ARRAY = 5000                        # entries of an array whose value is kept
STEP = "__step__"                     # the name of a function that each expression passes through
UNWRITTEN = float("nan")
EXPRESSIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Subscript, ast.Attribute, ast.Name,
               ast.IfExp, ast.List, ast.Tuple, ast.Constant)
WITHOUT_STEPS = (ast.JoinedStr, ast.AnnAssign, ast.Import, ast.ImportFrom, ast.Assert, ast.Raise, ast.Slice,
                 ast.match_case, ast.MatchValue)
IN_PLACE = {kind.__name__: getattr(operator, f"i{name}") for kind, name in (
    (ast.Add, "add"), (ast.Sub, "sub"), (ast.Mult, "mul"), (ast.Div, "truediv"), (ast.FloorDiv, "floordiv"),
    (ast.Mod, "mod"), (ast.Pow, "pow"), (ast.MatMult, "matmul"), (ast.BitAnd, "and"), (ast.BitOr, "or"),
    (ast.BitXor, "xor"), (ast.LShift, "lshift"), (ast.RShift, "rshift"))}


class TooMuch(Exception):
    """There are more events than anybody looks at."""


@dataclass
class Event:
    """One evaluation of an expression."""

    place: tuple[int, int, int, int]      # line, column, last line and the column after the last character
    value: Any                            # None for an array that is too large
    inputs: list[int] = field(default_factory=list)
    kind: str = ""                        # what the expression is: "BinOp Add", "Call sum"; "Write" into an array
    calls: str = ""                       # the function, if the expression is a call that is one step


class Expression(NamedTuple):
    """What is known of an expression before it is evaluated."""

    place: tuple[int, int, int, int]
    kind: str
    calls: str
    children: list[int]                   # numbers of the expressions directly inside it


class Recorder(ast.NodeTransformer):
    """The events of calls of instrumented functions."""

    def __init__(self, whole: tuple[str, ...] = ()) -> None:
        self.whole = whole                # functions whose calls are one step each
        self.expressions: list[Expression] = []
        self.start()

    # Changing the tree

    def instrumented(self, tree: ast.Module) -> ast.Module:
        """The tree, with expressions that pass through this recorder; the names below have to be in its module."""
        return ast.fix_missing_locations(self.visit(tree))

    @property
    def names(self) -> dict[str, Any]:
        """What an instrumented module needs."""
        return {STEP: self.step, "__returned__": self.returned, "__target__": self.target, "__wrote__": self.wrote,
                "__in_place__": lambda kind, one, other: IN_PLACE[kind](one, other)}

    def number(self, node: Any, children: list[int], kind: str = "") -> ast.Constant:
        """A new number for a node."""
        function = getattr(node, "func", None)
        operation = type(node.op).__name__ if hasattr(node, "op") else ""
        name = getattr(function, "attr", getattr(function, "id", operation))
        self.expressions.append(Expression(
            (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset),
            kind or f"{type(node).__name__} {name}".strip(),
            name if isinstance(function, ast.Name) and name in self.whole else "", children))
        return ast.Constant(len(self.expressions) - 1)

    def visit(self, node: Any) -> Any:
        if isinstance(node, EXPRESSIONS) and isinstance(getattr(node, "ctx", None), ast.Load | None):
            self.inside(node)
            return called(STEP, node, self.number(node, steps_in(ast.iter_child_nodes(node))), node)
        if isinstance(node, ast.Assign | ast.AugAssign):
            return self.assignment(node)
        if isinstance(node, ast.Return) and isinstance(node.value, EXPRESSIONS):
            value = self.visit(node.value)
            node.value = called("__returned__", node, value.args[0], value)
            return node
        if isinstance(node, ast.FunctionDef):         # its decorators and defaults are no steps
            body: Any = self.generic_visit(ast.Module(node.body, []))
            node.body = body.body
            return node
        return node if isinstance(node, WITHOUT_STEPS) else self.generic_visit(node)

    def inside(self, node: Any) -> None:
        """Visit what an expression contains, but not the name of a function."""
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            node.args = [self.visit(a) for a in node.args]
            node.keywords = [self.visit(k) for k in node.keywords]
        else:
            self.generic_visit(node)

    def assignment(self, node: Any) -> Any:
        """Writes into arrays are events, too; `x += y` becomes x = x + y, in place."""
        node.value = self.visit(node.value)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read = self.visit(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
            value = called("__in_place__", node, ast.Constant(type(node.op).__name__), read, node.value)
            value = called(STEP, node, self.number(node, steps_in([node.value, read])), value)
            return ast.copy_location(ast.Assign([node.target], value), node)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        subscripts = [target for target in targets if isinstance(target, ast.Subscript)]
        if not subscripts:
            return node
        number = self.number(node, steps_in([node.value]), "Write")
        for target in subscripts:
            target.value = called("__target__", target, number, target.value)
        return [node, ast.copy_location(ast.Expr(called("__wrote__", node, number)), node)]

    # Recording

    def start(self) -> None:
        """Forget what was recorded."""
        self.events: list[Event] = []
        self._last: dict[int, list[int]] = {}         # number of an expression -> its events that nobody has used
        self._made: dict[int, int] = {}               # id of an object -> the event that made it
        self._kept: list[Any] = []                    # these objects, so that ids stay theirs
        self._written: dict[int, Any] = {}            # number of a write -> the array that is written to
        self._parts: dict[int, list[int]] = {}        # number of a tuple -> the events of its parts
        self._returned: tuple[int, Any] = (-1, None)  # number of the expression that was returned last, and its value

    def taken(self, number: int) -> list[int]:
        """The events inside an expression that nobody has used yet."""
        return [event for child in self.expressions[number].children for event in self._last.pop(child, ())]

    def last(self, number: int) -> int:
        """The last event of an expression that nobody has used yet, or -1."""
        return (self._last.get(number) or [-1])[-1]

    def step(self, number: int, value: Any) -> Any:
        """An expression has this value."""
        _, kind, calls, children = self.expressions[number]
        if kind == "Constant":
            return value
        if kind == "Tuple":
            self._parts[number] = [self.last(child) for child in children]
        inputs, made = self.taken(number), self._made.get(id(value))
        if kind in ("Call empty", "Call empty_like") and is_number(value):
            value.fill(UNWRITTEN if value.dtype.kind in "fc" else 0)            # what is there is left to chance
        if calls:
            for part in value if isinstance(value, tuple) else (value,):
                if is_number(part):
                    self.add(number, part, inputs)
        elif made is not None and not kind.startswith("AugAssign"):
            self._last.setdefault(number, []).append(made)
        elif is_number(value):
            self.add(number, value, inputs)
        else:
            parts = value if isinstance(value, tuple | list) else ()
            for part in parts:                                # it may be unpacked later
                if is_number(part) and id(part) not in self._made and not isinstance(part, int | float):
                    self.add(number, part, inputs, last=False)
            inputs += [self._made[id(part)] for part in parts if id(part) in self._made]
            self._last.setdefault(number, []).extend(dict.fromkeys(inputs))
        return value

    def add(self, number: int, value: Any, inputs: list[int], last: bool = True) -> None:
        """A new event."""
        event, (place, kind, calls, _), kept = len(self.events), self.expressions[number], value
        if event >= MOST_EVENTS:
            raise TooMuch
        if isinstance(value, np.ndarray):
            kept = np.array(value) if value.size <= LARGEST_ARRAY else None
        self.events.append(Event(place, kept, list(dict.fromkeys(inputs)), kind, calls))
        if not isinstance(value, int):
            self._made[id(value)] = event
            self._kept.append(value)
        if last:
            self._last.setdefault(number, []).append(event)

    def target(self, number: int, array: Any) -> Any:
        """An array that is about to be written to."""
        self._written[number] = array
        return array

    def wrote(self, number: int) -> None:
        """It has been written to; the whole array is a new value, and so is the one it is a view of."""
        array, inputs = self._written.pop(number, None), self.taken(number)
        while isinstance(array, np.ndarray):
            before = [self._made[id(array)]] if id(array) in self._made else []
            self.add(number, array, before + inputs, last=False)
            array = array.base

    def returned(self, number: int, value: Any) -> Any:
        """A function returns this value."""
        self._returned = number, value
        return value

    def events_of(self, value: Any) -> list[int]:
        """The events that made a value that was returned, or the parts of a tuple; -1 where there is none."""
        number, returned = self._returned
        parts = value if isinstance(value, tuple) else (value,)
        events = [-1] * len(parts)
        if value is returned:                         # a function may end without `return`
            events = self._parts.get(number, events) if isinstance(value, tuple) else [self.last(number)]
        events = events if len(events) == len(parts) else [-1] * len(parts)
        return [self._made.get(id(part), event) for part, event in zip(parts, events, strict=True)]

    def pending(self, line: int) -> list[int]:
        """The events on a line that no other has used, because an expression raised."""
        used = {i for event in self.events for i in event.inputs}
        return [event for events in self._last.values() for event in events
                if event not in used and self.events[event].place[0] <= line <= self.events[event].place[2]]


def is_number(value: Any) -> bool:
    """Whether a value is a number or an array of numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, bool | int | float | complex)


def steps_in(nodes: Iterable[Any]) -> list[int]:
    """The numbers of the outermost expressions in these nodes that pass through a recorder."""
    found: list[int] = []
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == STEP:
            found.append(node.args[0].value)  # type: ignore[attr-defined]
        else:
            found += steps_in(ast.iter_child_nodes(node))
    return found


def called(name: str, node: ast.AST, *arguments: Any) -> Any:
    """A call of one of our functions in the place of a node."""
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)
