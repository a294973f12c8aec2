"""Small wrong versions of a source text: one edit each, as a slip of the keyboard or of the mind makes them."""
import ast
import copy

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


def edits(node):
    """Yield (description, function that edits a copy of the node in place) for one node."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield "operator", lambda n: setattr(n, "op", SWAPS[type(n.op)]())
        if type(node.op) in (ast.Sub, ast.Div, ast.MatMult):
            yield "operands swapped", swap_operands
        yield "left operand only", lambda n: become(n, n.left)
        yield "right operand only", lambda n: become(n, n.right)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", lambda n: setattr(n, "op", SWAPS[type(n.op)]())
    elif isinstance(node, ast.UnaryOp):
        yield "sign or not dropped", lambda n: become(n, n.operand)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield "comparison", lambda n: n.ops.__setitem__(0, SWAPS[type(n.ops[0])]())
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "constant + 1", lambda n: setattr(n, "value", n.value + 1)
        yield "constant - 1", lambda n: setattr(n, "value", n.value - 1)
        if node.value not in (0, 1):
            yield "constant * 2", lambda n: setattr(n, "value", n.value * 2)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "constant", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield f"slice without {part}", lambda n, part=part: setattr(n, part, None)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield "other function", lambda n: setattr(n, "attr", NAMES[n.attr])
    elif isinstance(node, ast.Call):
        if len(node.args) >= 2:
            yield "arguments swapped", lambda n: n.args.__setitem__(slice(0, 2), n.args[1::-1])
        for i, keyword in enumerate(node.keywords):
            yield f"without {keyword.arg}", lambda n, i=i: n.keywords.pop(i)
        if len(node.args) >= 2:
            yield "last argument dropped", lambda n: n.args.pop()
    elif isinstance(node, ast.IfExp):
        yield "condition always true", lambda n: become(n, n.body)
        yield "condition always false", lambda n: become(n, n.orelse)
    elif isinstance(node, ast.If):
        yield "condition never true", lambda n: setattr(n, "test", ast.Constant(False))
    elif isinstance(node, ast.Assign | ast.AugAssign):
        yield "line dropped", lambda n: become(n, ast.Pass())
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "nothing returned", lambda n: setattr(n, "value", None)


def swap_operands(node):
    """a - b to b - a."""
    node.left, node.right = node.right, node.left


def become(node, other):
    """Turn a node into another in its place."""
    node.__class__, node.__dict__ = other.__class__, other.__dict__


def name_edits(function):
    """Yield edits that read one argument of the function where another stands."""
    names = [a.arg for a in function.args.args]
    loads = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    for load in loads:
        if load.id in names and len(names) > 1:
            other = names[(names.index(load.id) + 1) % len(names)]
            yield load, f"{load.id} -> {other}", lambda n, other=other: setattr(n, "id", other)


def mutants(source):
    """Yield (description, source) for every single edit; messages of exceptions and docstrings stay."""
    tree = ast.parse(source)
    sites = list(ast.walk(tree))
    ignored = {id(inner) for n in sites if isinstance(n, ast.JoinedStr) for inner in ast.walk(n)}
    changes = [(i, text, edit) for i, n in enumerate(sites) if id(n) not in ignored for text, edit in edits(n)]
    position = {id(n): i for i, n in enumerate(sites)}
    for function in (n for n in sites if isinstance(n, ast.FunctionDef)):
        changes += [(position[id(n)], text, edit) for n, text, edit in name_edits(function) if id(n) not in ignored]
    lines, seen = source.splitlines(), {ast.unparse(tree)}
    for index, text, edit in changes:
        changed = copy.deepcopy(tree)
        node = list(ast.walk(changed))[index]
        line = getattr(node, "lineno", None)
        edit(node)
        try:
            result = ast.unparse(ast.fix_missing_locations(changed))
            compile(result, "mutant", "exec")
        except (ValueError, SyntaxError, TypeError, AttributeError):
            continue
        if result not in seen:
            seen.add(result)
            yield f"{text}: {lines[line - 1].strip() if line else ''}", result
