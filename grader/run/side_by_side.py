"""`--compare`: a solved kata next to the reference, function by function, and what other solutions are good for."""
import ast
import importlib.util
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

import pytest

from grader.calling.loading import statements_in
from grader.calling.notebooks import MARKER
from grader.calling.source import code_in, is_notebook
from grader.course.katas import command_name, shown
from grader.course.terminal import terminal_width
from grader.course.variants import Variant, variants
from grader.course.visible import visible
from grader.run.options import Options
from grader.verdict.results import KataResult

LINES_AT_MOST = 150           # of one function
WIDTHS = 40, 100
WITH_COMMENT = re.compile(r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^'"#])*)(#.*)""")


def comparison(terminal: pytest.TerminalReporter, results: Iterable[KataResult], options: Options) -> None:
    """Compare the solved katas, and say which ones are not solved yet."""
    unsolved = []
    for result in results:
        if result.state == "solved":
            compare(terminal, result, options)
        else:
            unsolved.append(result)
    if unsolved:
        name, again = unsolved[0].kata.name, f"pytest {options.again}"
        terminal.write_line("")
        if unsolved[0].partial:
            terminal.write_line(f"{name}: only some checks ran, so it may not be solved.")
            terminal.write_line(f"To run all:  {again}--compare {command_name(unsolved[0].kata)}")
        else:
            terminal.write_line(f"{name} is not solved yet. Solve it first to compare your code.")
            terminal.write_line(f"For a hint:  {again}--hint {command_name(unsolved[0].kata)}")
    if len(unsolved) > 1:
        others = "1 other kata is" if len(unsolved) == 2 else f"{len(unsolved) - 1} other katas are"
        terminal.write_line(f"{others} not solved yet.")


def compare(terminal: pytest.TerminalReporter, result: KataResult, options: Options) -> None:
    """Each function of a kata: the learner's, the reference's, and what the variants are good for."""
    assert result.file is not None                # because it is solved
    kata, own, reference = result.kata, CodeByFunction(result.file), CodeByFunction(result.kata.solution)
    names = [name for name in reference.functions if not name.startswith("_")]
    for line in ("", f"Yours:      {shown(result.file)}", f"Reference:  {shown(kata.solution)}",
                 f"Others:     {shown(kata.variants)}", "Docstrings are not shown."):
        terminal.write_line(line)
    others = variants(kata.variants)
    for name in names:
        both(terminal, name, own.functions.get(name, ["(not a `def`; see below)"]), reference.functions[name])
        merits(terminal, name, [variant for variant in others if variant.replaces == name], options.variant)
    both(terminal, "Outside these functions", own.rest(names), reference.rest(names))
    if options.variant is None:
        terminal.write_line("")
        terminal.write_line("To see the code of one of these:")
        terminal.write_line(f"  pytest {options.again}--compare --variant={others[0].name} {command_name(kata)}")
    elif options.variant not in {variant.name for variant in others}:
        terminal.write_line(f"{kata.name} has no other solution called {visible(options.variant, 60)}.")
    terminal.write_line(f"\nTo read more, now that you have solved it:\n  {shown(kata.more)}")


def both(terminal: pytest.TerminalReporter, title: str, own: list[str], reference: list[str]) -> None:
    """The learner's lines and the reference's, or one of them if they are the same."""
    if own == reference:
        write_code(terminal, f"{title}, the same in yours and the reference", own)
    else:
        write_code(terminal, f"{title}, yours", own)
        write_code(terminal, f"{title}, the reference", reference)


def write_code(terminal: pytest.TerminalReporter, title: str, lines: list[str]) -> None:
    """Lines of code under a title. Invisible characters are escaped, because a learner's file may contain any."""
    if not lines:
        return
    terminal.write_line("")
    terminal.write_line(title, bold=True)
    for line in lines[:LINES_AT_MOST]:
        for row in folded(visible(line, 10_000).rstrip(), terminal_width(terminal, *WIDTHS) - 2):
            terminal.write_line(f"  {row}".rstrip())
    if len(lines) > LINES_AT_MOST:
        terminal.write_line(f"  ({len(lines) - LINES_AT_MOST} more lines)")


def merits(terminal: pytest.TerminalReporter, name: str, others: list[Variant], chosen: str | None) -> None:
    """The variants of a function, each with what it is good for, and the code of one that is asked for."""
    if others:
        terminal.write_line("")
        terminal.write_line(f"{name}, other solutions", bold=True)
    for variant in others:
        terminal.write_line(f"  {variant.name}")
        for row in textwrap.wrap(variant.sentence, terminal_width(terminal, *WIDTHS) - 4, break_on_hyphens=False):
            terminal.write_line(f"    {row}")
        if variant.name == chosen:
            write_code(terminal, f"{name}, {variant.name}", variant.code)
            terminal.write_line("")


def folded(line: str, columns: int) -> list[str]:
    """A line of code as rows that fit; a comment that does not fit beside the code goes above it."""
    if len(line) <= columns:
        return [line]
    parts = WITH_COMMENT.fullmatch(line)
    code, comment = (parts[1].rstrip(), parts[2]) if parts else (line, "")
    if code and comment and len(f"{code}  {comment}") <= columns:
        return [f"{code}  {comment}"]                         # no need to align columns here
    start = line[: min(len(line) - len(line.lstrip()), columns // 2)]
    rows = textwrap.wrap(comment, columns, initial_indent=start, subsequent_indent=f"{start}# ",
                         break_on_hyphens=False)
    while len(code) > columns:
        first = len(code) - len(code.lstrip())
        end = code.rfind(" ", first + 1, columns + 1)
        end = end if end > first else columns
        rows.append(code[:end].rstrip())
        code = " " * min(len(start) + 8, columns // 2) + code[end:].lstrip()
    return [*rows, code] if code else rows


class CodeByFunction:
    """The lines of a Python file by function, without docstrings: those of a kata are the same in all files."""

    def __init__(self, path: Path) -> None:
        notebook, content = is_notebook(path), code_in(path)
        text = content.decode("utf-8") if notebook else importlib.util.decode_source(content)
        self.lines = text.split("\n")
        tree = ast.Module(list(statements_in(text, path)), []) if notebook else ast.parse(text)
        self.spans: dict[str, range] = {}
        self.functions: dict[str, list[str]] = {}
        self.hidden = docstring_lines(tree)
        if notebook:
            self.hidden |= {number for number, line in enumerate(self.lines, start=1) if MARKER.fullmatch(line)}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.spans[node.name] = range(first, (node.end_lineno or first) + 1)
                self.functions[node.name] = self.without(self.spans[node.name], docstring_lines(node))

    def without(self, numbers: Iterable[int], hidden: set[int]) -> list[str]:
        """The lines with these numbers, without the hidden ones and without blank lines at either end."""
        return "\n".join(self.lines[n - 1] for n in numbers if n not in hidden).strip("\n").split("\n")

    def rest(self, names: Iterable[str]) -> list[str]:
        """The rest of the file, without the functions of these names; [] if it only imports NumPy."""
        inside = self.hidden.union(*(self.spans.get(name, ()) for name in names))
        lines = self.without(range(1, len(self.lines) + 1), inside)
        others = [line for line in lines if line.strip() and line.strip() != "import numpy as np"]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).split("\n") if others else []


def docstring_lines(node: ast.Module | ast.FunctionDef) -> set[int]:
    """The line numbers of a node's docstring, if it shares no line with other code."""
    if ast.get_docstring(node) is None:
        return set()
    first, *others = node.body
    end = first.end_lineno or first.lineno
    if others and others[0].lineno == end:
        return set()
    return set(range(first.lineno, end + 1)) - {getattr(node, "lineno", None)}
