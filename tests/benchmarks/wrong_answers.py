"""Wrong answers to a kata: its own mistakes, those of the families, and mutants.

A mutant is the solution with one small edit, as a slip of the keyboard or of the mind makes it.
"""
import ast
from pathlib import Path

from grader.course.katas import all_katas
from grader.verdict.edits import with_changes
from grader.verdict.mistakes import mistakes

SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt,
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}
NAMES = {
    "sin": "cos", "cos": "sin", "max": "min", "min": "max", "sum": "mean", "exp": "exp2", "sqrt": "abs",
    "floor": "ceil", "ceil": "floor", "zeros": "ones", "ones": "zeros", "repeat": "tile", "tile": "repeat",
    "tril": "triu", "triu": "tril", "maximum": "minimum", "minimum": "maximum", "argsort": "argmax", "abs": "negative",
    "log": "log2", "shape": "strides", "real": "imag", "imag": "real", "any": "all", "all": "any",
}


def asked_for(arguments):
    """The katas that a command line names; all if it names none."""
    names = {argument for argument in arguments if not argument.startswith("--")}
    return [kata for kata in all_katas() if not names or kata.name in names]


def equivalent():
    """{(kata, description)} of the mutants known to be equivalent."""
    lines = Path(__file__).with_name("equivalent_mutants.txt").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split(" | ")[:2]) for line in lines if line.count(" | ") == 2}


def wrong_answers(kata, kinds=("own", "family", "mutant")):
    """Yield (kind, what it is, its text, its Mistake if it is one) of wrong answers, none of them twice."""
    seen = set()
    for one in mistakes(kata):
        seen.add(one.source)
        if (kind := "own" if one.of_the_kata else "family") in kinds:
            yield kind, f"{', '.join(one.edited)}, {one.name}", one.source, one
    if "mutant" in kinds:
        yield from (("mutant", what, source, None) for what, source in mutants(kata.solution) if source not in seen)


def with_other(node, **fields):
    """A copy of a node in which some fields are others."""
    return ast.copy_location(type(node)(**{**dict(ast.iter_fields(node)), **fields}), node)


def slips(node):
    """Yield (description, the node in its place) for one node."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield "operator", with_other(node, op=SWAPS[type(node.op)]())
        if type(node.op) in (ast.Sub, ast.Div, ast.MatMult):
            yield "operands swapped", with_other(node, left=node.right, right=node.left)
        yield "left operand only", node.left
        yield "right operand only", node.right
    elif isinstance(node, ast.BoolOp):
        yield "and/or", with_other(node, op=SWAPS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp):
        yield "sign or not dropped", node.operand
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield "comparison", with_other(node, ops=[SWAPS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "constant + 1", ast.Constant(node.value + 1)
        yield "constant - 1", ast.Constant(node.value - 1)
        if node.value not in (0, 1):
            yield "constant * 2", ast.Constant(node.value * 2)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield f"slice without {part}", with_other(node, **{part: None})
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield "other function", with_other(node, attr=NAMES[node.attr])
    elif isinstance(node, ast.Call):
        if len(node.args) >= 2:
            yield "arguments swapped", with_other(node, args=[*node.args[1::-1], *node.args[2:]])
        for i, keyword in enumerate(node.keywords):
            yield f"without {keyword.arg}", with_other(node, keywords=node.keywords[:i] + node.keywords[i + 1:])
        if len(node.args) >= 2:
            yield "last argument dropped", with_other(node, args=node.args[:-1])
    elif isinstance(node, ast.IfExp):
        yield "condition always true", node.body
        yield "condition always false", node.orelse
    elif isinstance(node, ast.If):
        yield "condition never true", with_other(node, test=ast.Constant(False))
    elif isinstance(node, ast.Assign | ast.AugAssign):
        yield "line dropped", ast.copy_location(ast.Pass(), node)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "nothing returned", with_other(node, value=None)


def other_arguments(function):
    """Yield (a place where an argument is read, description, the next argument in its place)."""
    names = [a.arg for a in function.args.args]
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names and len(names) > 1:
            other = names[(names.index(node.id) + 1) % len(names)]
            yield node, f"{node.id} -> {other}", ast.Name(other)


def mutants(path):
    """Yield (description, source) for every single edit; messages of exceptions and docstrings stay."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    ignored = {id(inner) for n in nodes if isinstance(n, ast.JoinedStr) for inner in ast.walk(n)}
    found = [(node, text, other) for node in nodes for text, other in slips(node)]
    found += [one for n in nodes if isinstance(n, ast.FunctionDef) for one in other_arguments(n)]
    lines, seen = source.splitlines(), {ast.unparse(tree)}
    for node, text, other in found:
        line = getattr(node, "lineno", None)
        try:
            result = ast.unparse(with_changes(tree, {id(node): other}))
            compile(result, "mutant", "exec")
        except (ValueError, SyntaxError, TypeError, AttributeError):
            continue
        if id(node) not in ignored and result not in seen:
            seen.add(result)
            yield f"{text}: {lines[line - 1].strip() if line else ''}", result
