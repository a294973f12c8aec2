"""The code of a Jupyter notebook as one Python text. It comes from strangers, so nothing here runs or parses code."""
import json
import re
from collections.abc import Iterator
from typing import Any

from grader.calling.limits import MEBIBYTE

LARGEST_NOTEBOOK = 8 * MEBIBYTE       # with its pictures and other results
LARGEST_SOURCE = 2 * MEBIBYTE
NOT_GRADED = "# Not graded"           # how a cell begins that is left out
KEYS = "cells", "worksheets", "cell_type", "source", "input"          # keys of the JSON

MARKER = re.compile(r"^# Cell (\d+)$", re.MULTILINE)
LEFT_OUT = re.compile(r"\s*(?:#\s*not graded|$)", re.IGNORECASE)
RUNS_PYTHON = re.compile(r"%%(time|timeit|capture|prun|memit)\b|%%writefile .*\.py\s*$")
MAGIC = re.compile(                   # at the beginning of a statement: a magic, a command, x = !command, x?
    r"\s*(?:[%!?]|(?:[\w.]+\s*,\s*){0,20}[\w.]+\s*=\s*(?:!|%[a-zA-Z])|[\w.*\[\]]+\?{1,2}\s*$)")
TOKEN = re.compile(r"""#|'''|\"""|'|"|[(\[{]|[)\]}]""")
IN_STRING = {quote: re.compile(rf"\\.|{quote}") for quote in ("'''", '"""', "'", '"')}


def code_of(content: bytes) -> bytes:
    """The code cells of a notebook as one text, each below a line with its number; ValueError if it is none.

    The cells are counted as Jupyter shows them, with those that have no code. What only IPython understands becomes
    `pass`, so each line keeps its place in its cell.
    """
    parts, size = [], 0
    for number, source in code_cells(json_of(content)):
        size += len(source) + len("# Cell 1")
        if size > LARGEST_SOURCE:
            raise ValueError(f"the notebook has too much code (more than {LARGEST_SOURCE} characters)")
        lines = python_lines(source.replace("\r\n", "\n").replace("\r", "\n"))
        if lines:                             # a learner's own line that looks like ours gets a space
            parts += [f"# Cell {number}", *(f"{line} " if MARKER.fullmatch(line) else line for line in lines)]
    return "".join(f"{part}\n" for part in parts).encode("utf-8", "replace")


def json_of(content: bytes) -> Any:
    """What the notebook's JSON says about cells. The rest could need much memory, and long numbers much time."""
    def kept(found):
        return {key: found[key] for key in KEYS if key in found} or None

    try:
        return json.loads(content.decode("utf-8-sig"), object_hook=kept, parse_int=bool, parse_float=bool)
    except UnicodeDecodeError:
        raise ValueError("the notebook is damaged: it is not UTF-8 text. Save it again in Jupyter") from None
    except json.JSONDecodeError as error:
        wrong = f"its JSON is wrong in line {error.lineno}" if content.strip() else "it is empty"
        raise ValueError(f"the notebook is damaged: {wrong}. Save it again in Jupyter") from None
    except (RecursionError, MemoryError):
        raise ValueError("the notebook is too large or nested too deeply") from None


def code_cells(notebook: Any) -> Iterator[tuple[int, str]]:
    """(number, source) of each code cell, in the formats 4 and 3."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if cells is None and isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet.get("cells") for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if not isinstance(cells, list):
        raise ValueError("the file is not a notebook: it has no cells")
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            raise ValueError(f"the notebook is damaged: cell {number} is not a cell")
        if cell.get("cell_type") == "code":
            source: Any = cell.get("source", cell.get("input", ""))
            try:
                source = source if isinstance(source, str) else "".join(source)
            except TypeError:
                raise ValueError(f"the notebook is damaged: the source of cell {number} is not text") from None
            yield number, source


def python_lines(source: str) -> list[str]:
    """The lines of a cell, with `pass` for magics, shell commands and questions; [] if the cell is left out."""
    if source.lstrip().startswith("%%") and not RUNS_PYTHON.match(source.lstrip().partition("\n")[0]):
        return []
    if LEFT_OUT.match(source):
        return []
    lines: list[str] = []
    start, depth, quote, continued, magic = 0, 0, "", False, False
    for line in source.split("\n"):
        if not (depth or quote or continued):        # a statement begins here
            start, magic = len(lines), bool(MAGIC.match(line))
        lines.append(line)
        if not magic:
            depth, quote, continued = left_open(line, depth, quote)
            continue
        continued = line.endswith("\\")
        if not continued:
            indent = len(lines[start]) - len(lines[start].lstrip())
            lines[start:] = [f"{lines[start][:indent]}pass", *[""] * (len(lines) - start - 1)]
    return lines


def left_open(line: str, depth: int, quote: str) -> tuple[int, str, bool]:
    """What is open at the end of a line, and was at its beginning: brackets, a string; and a backslash."""
    place = 0
    while found := (IN_STRING[quote] if quote else TOKEN).search(line, place):
        token, place = found[0], found.end()
        if quote:
            quote = "" if token == quote else quote
        elif token == "#":
            return depth, "", False
        elif token in IN_STRING:
            quote = token
        else:
            depth = depth + 1 if token in "([{" else max(depth - 1, 0)
    continued = line.endswith("\\")
    return depth, quote if len(quote) == 3 or continued else "", continued


def cells_of(code: str) -> Iterator[tuple[int, str]]:
    """(line number, source) of each cell in the text that `code_of` made; the number is that of its first line."""
    markers = list(MARKER.finditer(code))
    line = 1
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        source = code[marker.end() + 1: following.start() if following else None]
        yield line + 1, source
        line += 1 + source.count("\n")


def place_in_cell(code: str, number: int) -> str:
    """Where a line of that text stands in the notebook, as 'cell 3, line 4'."""
    lines = code.split("\n")[:number]
    for distance, line in enumerate(reversed(lines)):
        if marker := MARKER.fullmatch(line):
            return f"cell {marker[1]}, line {distance}"
    return f"line {number}"
