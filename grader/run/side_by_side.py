"""`--compare`: a solved kata next to the reference, function by function, and what other solutions are good for."""
import ast
import importlib.util
import re
import textwrap

from grader.calling.loading import statements_in
from grader.calling.notebooks import MARKER
from grader.calling.source import code_in, is_notebook
from grader.course.katas import command_name, shown
from grader.course.variants import variants
from grader.course.visible import visible

LINES_AT_MOST = 150           # of one function
WIDTHS = 40, 100
WITH_COMMENT = re.compile(r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^'"#])*)(#.*)""")


def comparison(terminal, results, options):
    """Compare the solved katas, and say which ones are not solved yet."""
    for result in results:
        if result.state == "solved":
            compare(terminal, result, options)
    unsolved = [result for result in results if result.state != "solved"]
    for result in unsolved[:1]:
        name = command_name(result.kata)
        terminal.write_line("")
        if result.partial:
            terminal.write_line(f"{result.kata.name}: only some checks ran, so it may not be solved.")
            terminal.write_line(f"To run all:  pytest {options.again}--compare {name}")
        else:
            terminal.write_line(f"{result.kata.name} is not solved yet. Solve it first to compare your code.")
            terminal.write_line(f"For a hint:  pytest {options.again}--hint {name}")
    if len(unsolved) > 1:
        others = "1 other kata is" if len(unsolved) == 2 else f"{len(unsolved) - 1} other katas are"
        terminal.write_line(f"{others} not solved yet.")


def compare(terminal, result, options):
    """Each function of a kata: the learner's, the reference's, and what the variants are good for."""
    kata = result.kata
    own, reference = Source(result.file), Source(kata.solution)
    names = [name for name in reference.functions if not name.startswith("_")]
    terminal.write_line("")
    terminal.write_line(f"Yours:      {shown(result.file)}")
    terminal.write_line(f"Reference:  {shown(kata.solution)}")
    terminal.write_line(f"Others:     {shown(kata.variants)}")
    terminal.write_line("Docstrings are not shown.")
    others = variants(kata.variants)
    for name in names:
        both(terminal, name, own.functions.get(name, ["(not a `def`; see below)"]), reference.functions[name])
        merits(terminal, name, [variant for variant in others if variant.replaces == name], options)
    both(terminal, "Outside these functions", own.rest(names), reference.rest(names))
    if options.variant is None:
        terminal.write_line("")
        terminal.write_line("To see the code of one of these:")
        terminal.write_line(f"  pytest {options.again}--compare --variant={others[0].name} {command_name(kata)}")
    elif options.variant not in {variant.name for variant in others}:
        terminal.write_line(f"{kata.name} has no other solution called {visible(options.variant, 60)}.")


def width_of(terminal):
    """The columns of the terminal, within limits that stay readable."""
    return min(max(terminal.config.get_terminal_writer().fullwidth, WIDTHS[0]), WIDTHS[1])


def both(terminal, title, own, reference):
    """The learner's lines and the reference's, or one of them if they are the same."""
    if own == reference:
        code(terminal, f"{title}, the same in yours and the reference", own)
    else:
        code(terminal, f"{title}, yours", own)
        code(terminal, f"{title}, the reference", reference)


def code(terminal, title, lines):
    """Lines of code under a title. Invisible characters are escaped, because a learner's file may contain any."""
    if not lines:
        return
    width = width_of(terminal)
    terminal.write_line("")
    terminal.write_line(title, bold=True)
    for line in lines[:LINES_AT_MOST]:
        for row in folded(visible(line, 10_000).rstrip(), width - 2):
            terminal.write_line(f"  {row}".rstrip())
    if len(lines) > LINES_AT_MOST:
        terminal.write_line(f"  ({len(lines) - LINES_AT_MOST} more lines)")


def merits(terminal, name, others, options):
    """The variants of a function, each with what it is good for, and the code of one that is asked for."""
    width = width_of(terminal)
    if others:
        terminal.write_line("")
        terminal.write_line(f"{name}, other solutions", bold=True)
    for variant in others:
        terminal.write_line(f"  {variant.name}")
        for row in textwrap.wrap(variant.sentence, width - 4, break_on_hyphens=False):
            terminal.write_line(f"    {row}")
        if variant.name == options.variant:
            code(terminal, f"{name}, {variant.name}", variant.code)
            terminal.write_line("")


def folded(line, width):
    """A line of code as rows of at most `width` columns; a comment that does not fit beside the code goes above it."""
    if len(line) <= width:
        return [line]
    parts = WITH_COMMENT.fullmatch(line)
    code, comment = (parts[1].rstrip(), parts[2]) if parts else (line, "")
    if code and comment and len(f"{code}  {comment}") <= width:
        return [f"{code}  {comment}"]                         # no need to align columns here
    start = line[: min(len(line) - len(line.lstrip()), width // 2)]
    rows = textwrap.wrap(comment, width, initial_indent=start, subsequent_indent=f"{start}# ", break_on_hyphens=False)
    while len(code) > width:
        first = len(code) - len(code.lstrip())
        place = code.rfind(" ", first + 1, width + 1)
        place = place if place > first else width
        rows.append(code[:place].rstrip())
        code = " " * min(len(start) + 8, width // 2) + code[place:].lstrip()
    return [*rows, code] if code else rows


class Source:
    """The lines of a Python file by function, without docstrings: those of a kata are the same in all files."""

    def __init__(self, path):
        notebook, content = is_notebook(path), code_in(path)
        text = content.decode("utf-8") if notebook else importlib.util.decode_source(content)
        self.lines = text.split("\n")
        tree = ast.Module(list(statements_in(text, path)), []) if notebook else ast.parse(text)
        self.spans, self.functions = {}, {}
        self.hidden = docstring_lines(tree)
        if notebook:
            self.hidden |= {number for number, line in enumerate(self.lines, start=1) if MARKER.fullmatch(line)}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.spans[node.name] = range(first, node.end_lineno + 1)
                self.functions[node.name] = self.without(self.spans[node.name], docstring_lines(node))

    def without(self, numbers, hidden):
        """The lines with these numbers, without the hidden ones and without blank lines at either end."""
        return "\n".join(self.lines[n - 1] for n in numbers if n not in hidden).strip("\n").split("\n")

    def rest(self, names):
        """The rest of the file, without the functions of these names; [] if it only imports NumPy."""
        inside = self.hidden.union(*(self.spans.get(name, ()) for name in names))
        lines = self.without(range(1, len(self.lines) + 1), inside)
        others = [line for line in lines if line.strip() and line.strip() != "import numpy as np"]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).split("\n") if others else []


def docstring_lines(node):
    """The line numbers of a node's docstring, if it shares no line with other code."""
    first = node.body[0] if node.body else None
    text = first.value if isinstance(first, ast.Expr) else None
    shares_its_line = len(node.body) > 1 and node.body[1].lineno == first.end_lineno
    if not (isinstance(text, ast.Constant) and isinstance(text.value, str)) or shares_its_line:
        return set()
    return set(range(first.lineno, first.end_lineno + 1)) - {getattr(node, "lineno", None)}
