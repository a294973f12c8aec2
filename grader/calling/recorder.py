"""Code in which every expression is recorded: its value, its place in the file, and the values that went into it.

`Recorder.instrumented` changes a syntax tree so that each expression that is read passes through `step`. An event is
made for each number or array. Its inputs are the events of the expressions inside it, and for a name the event that
made this object. So inputs are followed through names, helper functions and writes into arrays.
"""
import ast
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

MOST_EVENTS = 4000
LARGEST_ARRAY = 5000                        # entries of an array whose value is kept
UNWRITTEN = float("nan")
EXPRESSIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Subscript, ast.Attribute, ast.Name,
               ast.IfExp, ast.List, ast.Tuple, ast.Constant)
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


class Recorder(ast.NodeTransformer):
    """The events of calls of instrumented functions."""

    def __init__(self, whole=()):
        self.whole = whole                # functions whose calls are one step each
        self.places = []                  # by the number of an expression
        self.kinds = []
        self.calls = {}                   # number of a call that is one step -> the function
        self.children = []                # numbers of the expressions directly inside it
        self._open: list[list[int]] = [[]]      # children of the expressions that are being visited
        self.start()

    # Changing the tree

    def instrumented(self, tree):
        """The tree, with expressions that pass through this recorder; the names below have to be in its module."""
        return ast.fix_missing_locations(self.visit(tree))

    @property
    def names(self):
        """What an instrumented module needs."""
        return {"__step__": self.step, "__returned__": self.returned,
                "__target__": self.target, "__wrote__": self.wrote,
                "__in_place__": lambda kind, one, other: IN_PLACE[kind](one, other)}

    def number(self, node, children):
        """A new number for a node."""
        self.places.append((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))
        function = getattr(node, "func", None)
        operation = type(node.op).__name__ if hasattr(node, "op") else ""
        name = getattr(function, "attr", getattr(function, "id", operation))
        self.kinds.append(f"{type(node).__name__} {name}".strip())
        if isinstance(function, ast.Name) and function.id in self.whole:
            self.calls[len(self.places) - 1] = function.id
        self.children.append(children)
        self._open[-1].append(len(self.places) - 1)
        return len(self.places) - 1

    def visit(self, node):
        if isinstance(node, EXPRESSIONS) and isinstance(getattr(node, "ctx", None), ast.Load | None):
            self._open.append([])
            self.inside(node)
            number = self.number_after(node)
            return called("__step__", node, ast.Constant(number), node)
        if isinstance(node, ast.Assign | ast.AugAssign):
            return self.assignment(node)
        if isinstance(node, ast.Return) and isinstance(node.value, EXPRESSIONS):
            value = self.visit(node.value)
            node.value = called("__returned__", node, ast.Constant(self._open[-1][-1]), value)
            return node
        if isinstance(node, ast.FunctionDef):         # its decorators and defaults are no steps
            parts = [self.visit(statement) for statement in node.body]
            node.body = [s for part in parts for s in (part if isinstance(part, list) else [part])]
            return node
        if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.Assert | ast.Raise):
            return node
        if isinstance(node, ast.Slice | ast.match_case | ast.MatchValue):
            return node
        return self.generic_visit(node)

    def number_after(self, node):
        """The number of an expression whose inside has been visited."""
        return self.number(node, self._open.pop())

    def inside(self, node):
        """Visit what an expression contains, but not the names of functions, nor indices."""
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            node.args = [self.visit(a) for a in node.args]
            node.keywords = [self.visit(k) for k in node.keywords]
        elif isinstance(node, ast.Subscript):
            node.value = self.visit(node.value)
            node.slice = self.visit(node.slice)
        else:
            self.generic_visit(node)

    def assignment(self, node):
        """Writes into arrays are events, too; `x += y` becomes x = x + y, in place."""
        self._open.append([])
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        node.value = self.visit(node.value)
        children = self._open.pop()
        subscripts = [t for t in targets if isinstance(t, ast.Subscript)]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            self._open.append(children)
            read = self.visit(name)
            number = self.number_after(node)
            value = called("__in_place__", node, ast.Constant(type(node.op).__name__), read, node.value)
            value = called("__step__", node, ast.Constant(number), value)
            return ast.copy_location(ast.Assign([node.target], value), node)
        if not subscripts:
            self._open[-1].extend(children)
            return node
        self._open.append(children)
        number = self.number_after(node)
        self.kinds[number] = "Write"
        for target in subscripts:
            target.value = called("__target__", target, ast.Constant(number), target.value)
        return [node, ast.copy_location(ast.Expr(called("__wrote__", node, ast.Constant(number))), node)]

    # Recording

    def start(self):
        """Forget what was recorded."""
        self.events = []
        self._last = {}                   # number of an expression -> events of its evaluations that nobody has used
        self._made = {}                   # id of an object -> the event that made it
        self._written = {}                # number of a write -> the array that is written to
        self._kept = []                   # objects, so that ids stay theirs
        self._numbers = {}                # number of an expression -> its last event
        self._parts = {}                  # number of a tuple -> the events of its parts
        self._returned = -1, None         # number of the expression that was returned last, and its value

    def step(self, number, value):
        """An expression has this value."""
        inputs = [event for child in self.children[number] for event in self._last.pop(child, ())]
        kind = self.kinds[number]
        made = self._made.get(id(value))
        if kind == "Constant":
            return value
        if kind in ("Call empty", "Call empty_like") and is_number(value):
            value.fill(UNWRITTEN if value.dtype.kind in "fc" else 0)            # what is there is left to chance
        if number in self.calls:
            for part in value if isinstance(value, tuple) else (value,):
                if is_number(part):
                    self.add(number, part, inputs)
        elif made is not None and not kind.startswith("AugAssign"):
            self._last.setdefault(number, []).append(made)
        elif is_number(value):
            self.add(number, value, inputs)
        else:
            if kind == "Tuple":
                self._parts[number] = [self._numbers.get(child, -1) for child in self.children[number]]
            parts = value if isinstance(value, tuple | list) else ()
            for part in parts:                                # it may be unpacked later
                if is_number(part) and id(part) not in self._made and not isinstance(part, int | float):
                    self.add(number, part, inputs, last=False)
            inputs += [self._made[id(part)] for part in parts if id(part) in self._made]
            self._last.setdefault(number, []).extend(dict.fromkeys(inputs))
        return value

    def add(self, number, value, inputs, last=True):
        """A new event."""
        if len(self.events) >= MOST_EVENTS:
            raise TooMuch
        kept = np.array(value) if isinstance(value, np.ndarray) and value.size <= LARGEST_ARRAY else value
        kept = None if isinstance(kept, np.ndarray) and kept.size > LARGEST_ARRAY else kept
        self.events.append(Event(self.places[number], kept, list(dict.fromkeys(inputs)), self.kinds[number],
                                 self.calls.get(number, "")))
        self._numbers[number] = len(self.events) - 1
        if not isinstance(value, int):
            self._made[id(value)] = len(self.events) - 1
            self._kept.append(value)
        if last:
            self._last.setdefault(number, []).append(len(self.events) - 1)

    def target(self, number, array):
        """An array that is about to be written to."""
        self._written[number] = array
        return array

    def wrote(self, number):
        """It has been written to; the whole array is a new value, and so is the one it is a view of."""
        array = self._written.pop(number, None)
        inputs = [event for child in self.children[number] for event in self._last.pop(child, ())]
        while isinstance(array, np.ndarray):
            before = self._made.get(id(array))
            self.add(number, array, [*([before] if before is not None else []), *inputs], last=False)
            array = array.base

    def returned(self, number, value):
        """A function returns this value."""
        self._returned = number, value
        return value

    def events_of(self, value):
        """The events that made a value that was returned, or the parts of a tuple."""
        several, (number, returned) = isinstance(value, tuple), self._returned
        number = number if value is returned else -1           # a function may end without `return`
        others = self._parts.get(number, []) if several else [self._numbers.get(number, -1)]
        parts = value if several else (value,)
        others = others if len(others) == len(parts) else [-1] * len(parts)
        return [self._made.get(id(part), other) for part, other in zip(parts, others, strict=True)]

    def pending(self, line):
        """The events on a line that no other has used, because an expression raised."""
        used = {i for event in self.events for i in event.inputs}
        return [event for events in self._last.values() for event in events
                if event not in used and self.events[event].place[0] <= line <= self.events[event].place[2]]


def is_number(value):
    """Whether a value is a number or an array of numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, bool | int | float | complex)


def called(name, node, *arguments):
    """A call of one of our functions in the place of a node."""
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)
