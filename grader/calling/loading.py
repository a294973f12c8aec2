"""Load one Python file as a module: from its source, without a cache, without the folder around it."""
import __future__

import ast
import codecs
import io
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tokenize import detect_encoding
from traceback import walk_tb
from typing import Any

from grader.calling.notebooks import cells_of, place_in_cell
from grader.calling.source import code_in, is_notebook

DEFINES = re.compile(r"^\s*(?:async\s+def|def|class)\b", re.MULTILINE)
NEEDED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
MARKS = {                             # how a text begins; UTF-32 comes first, because its mark begins as that of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32", codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16",
}


class LoadError(Exception):
    """The file does not import; the text says why and where."""


def load_module(path: Path | str, source: Any = None, recorder: Any = None, tried_out: bool = False) -> Any:
    """Execute the file at `path`, or its code if that is given, as a fresh module; any error becomes a LoadError.

    A recorder changes the code so that it notes what the functions compute. What only tries the functions out need not
    succeed in a notebook, nor in another file that is executed `tried_out`.
    """
    path = Path(path)
    try:
        source = code_in(path) if source is None else source
    except ValueError as error:
        raise LoadError(str(error)) from error
    module = types.ModuleType(f"kata_{path.stem}")
    module.__file__ = str(path)
    previous = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module      # dataclasses look their module up while it executes
    edited = (lambda tree: tree) if recorder is None else recorder.instrumented
    module.__dict__.update({} if recorder is None else recorder.names)
    try:
        if is_notebook(path) or tried_out:
            text = source.decode("utf-8") if is_notebook(path) else source
            run_statements(statements_in(text, path), path, module.__dict__, edited)
        else:
            code = source if recorder is None else edited(ast.parse(source, str(path)))
            exec(compile(code, str(path), "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        raise LoadError(badly_saved(source) or load_fault(error, source, path)) from error
    finally:
        if previous is None:
            sys.modules.pop(module.__name__, None)
        else:
            sys.modules[module.__name__] = previous
    return module


def run_statements(found: Iterable[ast.stmt], path: Path, names: dict[str, Any], edited: Callable) -> None:
    """Execute statements one by one. Only an import or a definition has to succeed.

    What else stands between the functions tries them out, and Jupyter shows it when it fails.
    """
    os.environ.setdefault("MPLBACKEND", "Agg")                # a plot opens no window
    flags = 0
    for statement in found:
        try:
            tree = edited(ast.Module([statement], []))
            compiled = compile(tree, str(path), "exec", flags, dont_inherit=True)
            flags |= compiled.co_flags & __future__.annotations.compiler_flag
            exec(compiled, names)
        except Exception:
            if isinstance(statement, NEEDED):
                raise


def statements_in(source: Any, path: Path) -> Iterator[ast.stmt]:
    """The statements of a file. A cell of a notebook that is not Python is left out, unless it defines a function."""
    for first, cell in cells_of(source) if is_notebook(path) else [(1, source)]:
        try:
            tree = ast.parse(cell, str(path))
        except Exception as error:
            if is_notebook(path) and not DEFINES.search(cell):
                continue
            if isinstance(error, SyntaxError) and error.lineno:
                error.lineno += first - 1
            raise
        yield from ast.increment_lineno(tree, first - 1).body


def badly_saved(source: Any) -> str | None:
    """What is wrong with the encoding of a file with these bytes, or None."""
    if not isinstance(source, bytes):
        return None
    for mark, name in MARKS.items():
        if source.startswith(mark):
            return f"the file is saved as {name}. Save it as UTF-8"
    if b"\0" in source:
        return "the file contains NUL bytes: it is not a text, or it is saved as UTF-16. Save it as UTF-8"
    try:
        encoding, _ = detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:                       # the first lines are not in UTF-8, or name no known encoding
        encoding = "utf-8"
    try:
        source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        return f"line {line} is not in {error.encoding.upper()}. Save the file as UTF-8"
    return None


def load_fault(error: BaseException, source: Any, path: Path) -> str:
    """What an exception says that ended the loading of a file, and where it was raised."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        text = text_of_line(source, error.lineno or 1).strip() if is_notebook(path) else (error.text or "").strip()
        line = f"\n    {text}" if text else ""
        return f"{type(error).__name__} in {line_name(source, path, error.lineno or 1)}: {error.msg}{line}"
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    where = with_text(source, path, own_lines(error, path)[-1])
    return f"{text} ({where})" if where else text


def with_text(source: bytes, path: Path, number: int | None) -> str:
    """'line 12: the text' or 'cell 3, line 4: the text', or nothing where there is no number."""
    if number is None:
        return ""
    return f"{line_name(source, path, number)}: {text_of_line(source, number).strip()}".removesuffix(": ")


def text_of_line(source: bytes | str, number: int) -> str:
    """The text of a line, or nothing where there is none."""
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    return "".join(text.split("\n")[number - 1:number])


def line_name(source: bytes, path: Path, number: int) -> str:
    """'line 12' or 'cell 3, line 4'."""
    return place_in_cell(source.decode("utf-8"), number) if is_notebook(path) else f"line {number}"


def own_lines(error: BaseException, path: Path) -> list[int | None]:
    """The lines of `path` in the error's traceback, in the order of the calls; a list with None if there are none."""
    return [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)] or [None]


def raised_in(error: BaseException, path: Path) -> bool:
    """Whether the error was raised by a line of `path` itself, not by something it called."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_code.co_filename == str(path)
