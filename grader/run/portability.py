"""Says which of the learner's files use something that is not there where submissions are graded.

The files are read, never executed.
"""
import ast
import sys
import warnings
from collections.abc import Iterable, Iterator

from grader.calling.source import read_source
from grader.verdict.messages import WHAT_IS_THERE
from grader.verdict.results import KataResult
from grader.verdict.wrapping import printable

NO_ANSWER = "Nobody answers input() where submissions are graded."


def not_portable(results: Iterable[KataResult]) -> Iterator[str]:
    """A line for each file that loads, but uses more than NumPy and the standard library, or calls input()."""
    loaded = [result.file for result in results if result.file is not None and result.state != "broken"]
    for file in dict.fromkeys(loaded):        # one file may be for several katas
        packages, calls = used_by(read_source(file).code or b"")
        parts = [f"imports {', '.join(packages)}"] * bool(packages) + [f"calls {' and '.join(calls)}"] * bool(calls)
        reasons = [WHAT_IS_THERE] * bool(packages or "get_ipython()" in calls) + [NO_ANSWER] * ("input()" in calls)
        if parts:
            yield printable(f"{file.name} {' and '.join(parts)}. {' '.join(reasons)}")


def used_by(source: bytes) -> tuple[list[str], list[str]]:
    """The packages that a file imports, without NumPy and the standard library, and its calls of input and get_ipython.

    What runs only if the file is the main program does not count.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return [], []
    names: dict[str, bool] = {}               # sets that keep the order
    calls: dict[str, bool] = {}
    for statement in statements:
        if isinstance(statement, ast.If) and "'__main__'" in ast.dump(statement.test):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0]: True for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                names[node.module.partition(".")[0]] = True
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                calls |= {f"{node.func.id}()": True} if node.func.id in ("input", "get_ipython") else {}
    return [name for name in names if name != "numpy" and name not in sys.stdlib_module_names], list(calls)
