"""Guesses: the solution with one expression changed, such as `+` for `-`, or with one part left out."""
import ast
import contextlib
import copy
import itertools
import re
from functools import cache, partial
from typing import Any

import numpy as np

from grader.calling.answers import Answer
from grader.calling.reference import Reference

LONGEST = 60                      # characters of an expression that is shown
OPERATORS = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mod), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
}
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
FUNCTIONS = [
    {"sin", "cos"}, {"max", "min"}, {"sum", "mean", "max", "prod"}, {"exp", "exp2"}, {"log", "log2", "log10"},
    {"floor", "ceil", "rint", "trunc"}, {"zeros", "ones"}, {"repeat", "tile"}, {"tril", "triu"},
    {"maximum", "minimum"}, {"argmax", "argmin"}, {"real", "imag"}, {"any", "all"}, {"cumsum", "cumprod"},
]


class OtherFormula:
    """The solution with one expression of one function changed."""

    name = "other_formula"

    def __init__(self, solution, function, code, texts):
        self.solution, self.replaces, self.code, self.texts = solution, function, code, texts

    @property
    def sentence(self):
        """What the learner is told."""
        right, wrong = self.texts()
        return f"The solution gives your results with `{wrong}` in place of `{right}`."

    def ask(self, function, args, kwargs):
        """The answer of the solution with the change."""
        module = vars(self.solution._module)
        right = module[self.replaces]
        exec(self.code, module)
        try:
            answer = self.solution._asked(function, args, kwargs)
            values = answer.value if isinstance(answer.value, tuple) else [answer.value]
            numbers = all(isinstance(value, np.ndarray | np.generic | float | int) for value in values)
            return answer if numbers or not answer.returned else Answer("raised")
        finally:
            module[self.replaces] = right


@cache
def changeable(path):
    """A solution of our own to change, and the trees of its functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return Reference(path), {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def changed_parts(solution, function):
    """The guesses for a function: another operator, function or number, or a part left out, there or in a helper."""
    names = [function]
    for name in names:
        names += [n.id for n in ast.walk(changeable(solution)[1][name])
                  if isinstance(n, ast.Name) and n.id in changeable(solution)[1] and n.id not in names]
    for name in names:
        yield from other_formulas(solution, name, parts_changed)


def changed_names(solution, function):
    """The guesses for a function: another variable, a sign, a power, a root, one more or less."""
    return itertools.chain(other_formulas(solution, function, names_changed),
                           other_formulas(solution, function, parts_wrapped))


def other_formulas(solution, function, edits):
    """Every OtherFormula that some edits make of a function's expressions."""
    module, functions = changeable(solution)
    function = functions[function]
    parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    known: dict[str, int] = {}                                    # variable -> the first line that may use it
    for node in ast.walk(function):
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            name = node.arg if isinstance(node, ast.arg) else node.id
            known[name] = min(known.get(name, node.lineno), node.lineno)
    errors = {id(inner) for n in ast.walk(function) if isinstance(n, ast.Raise) for inner in ast.walk(n)}
    for node in [n for n in ast.walk(function) if isinstance(n, ast.expr) and id(n) not in errors]:
        if isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        variables = [name for name, line in known.items() if line < node.lineno]
        for other in edits(node, parents[id(node)], variables):
            try:
                with exchanged(node, other):
                    code = compile(ast.Module([function], []), "<changed>", "exec")
            except (SyntaxError, ValueError, TypeError):
                continue
            yield OtherFormula(module, function.name, code, partial(texts, node, other, parents))


@contextlib.contextmanager
def exchanged(node, other):
    """Put another expression in the place of a node for a while."""
    kept = node.__class__, node.__dict__
    node.__class__, node.__dict__ = other.__class__, ast.copy_location(other, node).__dict__
    ast.fix_missing_locations(node)
    try:
        yield
    finally:
        node.__class__, node.__dict__ = kept


def texts(node, other, parents):
    """The text of an expression with a node and with the other in its place: as much around it as can be shown."""
    if isinstance(arguments := parents[id(node)], ast.arguments):
        argument = arguments.args[arguments.defaults.index(node) - len(arguments.defaults)].arg
        return f"{argument}={ast.unparse(node)}", f"{argument}={ast.unparse(other)}"
    shown = around = node
    while isinstance(around := parents[id(around)], ast.expr | ast.keyword) and len(ast.unparse(around)) <= LONGEST:
        shown = around if isinstance(around, ast.expr) else shown
    right = brief(shown)
    with exchanged(node, other):
        return right, brief(shown)


def parts_changed(node, parent, variables):
    """An expression with another operator, function or number, or without one of its parts."""
    if isinstance(node, ast.BinOp):
        for operator in OPERATORS.get(type(node.op), ()):
            yield ast.BinOp(node.left, operator(), node.right)
        yield copy.copy(node.left)
        yield copy.copy(node.right)
        if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
            yield ast.BinOp(node.right, node.op, node.left)
        yield from parentheses_moved(node)
    elif isinstance(node, ast.UnaryOp | ast.Starred):
        yield copy.copy(node.operand if isinstance(node, ast.UnaryOp) else node.value)
    elif isinstance(node, ast.Compare):
        for comparison in COMPARISONS:
            yield ast.Compare(node.left, [comparison()], node.comparators)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        v: Any = node.value
        for number in dict.fromkeys((v + 1, v - 1, 2 * v, v / 2, v // 2, 0, -v, 10 * v, v / 10)):
            yield ast.Constant(number)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            yield ast.Slice(**{**{n: getattr(node, n) for n in ("lower", "upper", "step")}, part: None})
    elif isinstance(node, ast.Attribute):
        for names in FUNCTIONS:
            for name in sorted(names - {node.attr}) if node.attr in names else ():
                yield ast.Attribute(node.value, name, node.ctx)
        if node.attr == "T":
            yield copy.copy(node.value)
    elif isinstance(node, ast.Call):
        yield from calls_changed(node)
    elif isinstance(node, ast.IfExp):
        yield copy.copy(node.body)
        yield copy.copy(node.orelse)
    elif isinstance(node, ast.Subscript):
        yield copy.copy(node.value)
    if isinstance(parent, ast.If):
        yield ast.Constant(True)
        yield ast.Constant(False)


def parentheses_moved(node):
    """(a + b) / c as a + b / c or a / c + b; a ** (b / c) as a ** b / c."""
    if isinstance(node.left, ast.BinOp):
        a, b = node.left.left, node.left.right
        yield ast.BinOp(a, node.left.op, ast.BinOp(b, node.op, node.right))
        yield ast.BinOp(ast.BinOp(a, node.op, node.right), node.left.op, b)
    if isinstance(node.right, ast.BinOp):
        a, b = node.right.left, node.right.right
        yield ast.BinOp(ast.BinOp(node.left, node.op, a), node.right.op, b)


def calls_changed(node):
    """A call left out, with its arguments in another order, or without one of them."""
    if len(node.args) == 1:
        yield copy.copy(node.args[0])
    if isinstance(node.func, ast.Attribute):
        yield copy.copy(node.func.value)
        if node.func.attr == "clip":
            for function, limit in (("minimum", 2), ("maximum", 1)):
                yield ast.Call(ast.Attribute(node.func.value, function, ast.Load()),
                               [node.args[0], node.args[limit]], [])
        if node.func.attr == "norm":
            for order in ast.Constant(1), ast.Attribute(ast.Name("np", ast.Load()), "inf", ast.Load()):
                yield ast.Call(node.func, node.args, [*node.keywords, ast.keyword("ord", order)])
    if len(node.args) >= 2:
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for keyword in node.keywords:
        yield ast.Call(node.func, node.args, [k for k in node.keywords if k is not keyword])


def names_changed(node, parent, variables):
    """Another variable."""
    if isinstance(node, ast.Name) and node.id in variables:
        for name in variables:
            if name != node.id:
                yield ast.Name(name, node.ctx)


def parts_wrapped(node, parent, variables):
    """An expression with a sign, a power, a root, or one more or less."""
    if isinstance(parent, ast.Attribute) or (isinstance(node, ast.Name) and node.id not in variables):
        return
    operators: tuple = ()                        # wrapped as `part + 1`, `-part` and `np.sqrt(part)`, for example
    functions: tuple = ()
    if isinstance(node, ast.Name | ast.Subscript):
        operators = ast.Add, ast.Sub
        yield ast.UnaryOp(ast.Invert(), copy.copy(node))
    if isinstance(node, ast.BinOp | ast.Call):
        operators, functions = (ast.Pow,), ("abs", "sqrt")
    if isinstance(node, ast.BinOp):
        functions += "deg2rad", "rad2deg"
        yield ast.BinOp(ast.parse("2 * np.pi", mode="eval").body, ast.Mult(), copy.copy(node))
    if operators:
        yield ast.UnaryOp(ast.USub(), copy.copy(node))
    for operator in operators:
        yield ast.BinOp(copy.copy(node), operator(), ast.Constant(2 if operator is ast.Pow else 1))
    for function in functions:
        yield ast.Call(ast.Attribute(ast.Name("np", ast.Load()), function, ast.Load()), [copy.copy(node)], [])


def brief(node):
    """The text of an expression; if it is too long, with dots for its largest parts."""
    node = copy.deepcopy(node)
    while len(text := ast.unparse(node)) > LONGEST:
        parts = [n for n in ast.walk(node) if isinstance(n, ast.expr) and n is not node and not isinstance(n, ast.Name)]
        if not parts:
            break
        fitting = [p for p in parts if len(ast.unparse(p)) < LONGEST] or parts
        longest = max(fitting, key=lambda p: len(ast.unparse(p)))
        longest.__class__, longest.__dict__ = ast.Name, {"id": "..."}
    text = re.sub(r"-0(?![\d.])", "0", text)                     # -2 with another number in place of its 2
    return re.sub(r"\b_(?=\w)", "", text)                        # learners have no helper functions of ours
