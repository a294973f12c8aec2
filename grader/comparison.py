"""A solved kata's code beside the reference's, function by function, and the merits of other right answers."""
import ast
import importlib.util
import re
import textwrap

from grader.alternatives import alternatives
from grader.escaping import visible
from grader.katas import quoted, shown

LINES_AT_MOST = 150           # of one function
WIDTHS = 40, 100


def comparison(terminal, results, options):
    """Show what can be compared, and say what cannot be yet."""
    for result in results:
        if result.state == "solved":
            compare(terminal, result)
    unsolved = [result for result in results if result.state != "solved"]
    for result in unsolved[:1]:
        folder = quoted(shown(result.kata.folder))
        terminal.write_line("")
        if result.partial:
            terminal.write_line(f"{result.kata.name}: only a part of its checks was run.")
            terminal.write_line(f"All of them: pytest {options.again}--compare {folder}")
        else:
            terminal.write_line(f"{result.kata.name} is not solved yet, so there is nothing to compare.")
            terminal.write_line(f"A hint: pytest {options.again}--hint {folder}")
    if len(unsolved) > 1:
        others = "1 other kata is" if len(unsolved) == 2 else f"{len(unsolved) - 1} other katas are"
        terminal.write_line(f"{others} not solved yet.")


def compare(terminal, result):
    """Each function of the contract: the learner's, the reference's, and what speaks for the variants."""
    kata = result.kata
    own, reference = Source(result.file), Source(kata.solution)
    names = [name for name in reference.functions if not name.startswith("_")]
    terminal.write_line("")
    terminal.write_line(f"Yours:      {shown(result.file)}")
    terminal.write_line(f"Reference:  {shown(kata.solution)}")
    terminal.write_line(f"Other ways: {shown(kata.variants)}")
    terminal.write_line("Docstrings are left out.")
    variants = alternatives(kata.variants, kata.solution)
    for name in names:
        both(terminal, name, own.functions.get(name, ["(no `def` of its own; see below)"]), reference.functions[name])
        merits(terminal, name, [variant for variant in variants if variant.replaces == name])
    both(terminal, "Beside these functions", own.rest(names), reference.rest(names))


def width_of(terminal):
    """The columns to use: those of the terminal, as long as that is readable."""
    return min(max(terminal.config.get_terminal_writer().fullwidth, WIDTHS[0]), WIDTHS[1])


def both(terminal, title, own, reference):
    """The learner's lines and the reference's, once where they are the same."""
    if own == reference:
        code(terminal, f"{title}, yours and the reference alike", own)
    else:
        code(terminal, f"{title}, yours", own)
        code(terminal, f"{title}, the reference", reference)


def code(terminal, title, lines):
    """Lines of code under a title; the learner's may hold anything, so what is not seen is escaped."""
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


def merits(terminal, name, variants):
    """The variants of a function by name, each with its reason."""
    width = width_of(terminal)
    if variants:
        terminal.write_line("")
        terminal.write_line(f"{name}, other ways", bold=True)
    for variant in variants:
        terminal.write_line(f"  {variant.name}")
        for row in textwrap.wrap(variant.sentence, width - 4, break_on_hyphens=False):
            terminal.write_line(f"    {row}")


def folded(line, width):
    """A line of code as rows of at most `width` columns; what goes on is indented deeper."""
    if len(line) > width:
        line = re.sub(r"(?<=\S)\s{3,}", "  ", line)           # what stands in columns need not do so here
    indent = " " * min(len(line) - len(line.lstrip()) + 8, width // 2)
    rows = []
    while len(line) > width:
        room = line[: width + 1]
        place = max(room.rfind("  #"), room.rfind(" ", len(indent) + 1) if "  #" not in room else -1)
        place = place if place > len(indent) else width
        rows.append(line[:place].rstrip())
        line = indent + line[place:].lstrip()
    return [*rows, line]


class Source:
    """The lines of a Python file by function, without docstrings: those of a kata are the same in all files."""

    def __init__(self, path):
        self.lines = importlib.util.decode_source(path.read_bytes()).split("\n")
        tree = ast.parse("\n".join(self.lines))
        self.spans, self.functions = {}, {}
        self.hidden = docstring_lines(tree)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.spans[node.name] = range(first, node.end_lineno + 1)
                self.functions[node.name] = self.without(self.spans[node.name], docstring_lines(node))

    def without(self, numbers, hidden):
        """The lines of these numbers but for the hidden ones, and no blank ones around them."""
        return "\n".join(self.lines[n - 1] for n in numbers if n not in hidden).strip("\n").split("\n")

    def rest(self, names):
        """What is in the file beside the functions of these names, if it is more than imports of NumPy."""
        inside = self.hidden.union(*(self.spans.get(name, ()) for name in names))
        lines = self.without(range(1, len(self.lines) + 1), inside)
        told = [line for line in lines if line.strip() and line.strip() != "import numpy as np"]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).split("\n") if told else []


def docstring_lines(node):
    """The numbers of the lines of a node's docstring, where it stands on lines of its own."""
    first = node.body[0] if node.body else None
    text = first.value if isinstance(first, ast.Expr) else None
    shares_its_line = len(node.body) > 1 and node.body[1].lineno == first.end_lineno
    if not (isinstance(text, ast.Constant) and isinstance(text.value, str)) or shares_its_line:
        return set()
    return set(range(first.lineno, first.end_lineno + 1)) - {getattr(node, "lineno", None)}
