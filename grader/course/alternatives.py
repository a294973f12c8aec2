"""Wrong answers and other right ones: the functions in a solution's mistakes.py and variants.py.

Both files group their functions in classes. A class has the name of the function that its functions replace:

    class frequencies:
        def doubled_twice(d_model, base=10000.0):
            '''The sentence that a learner is told.'''

An alternative is the whole solution with that one function replaced, so the functions that call it change too.
"""
import ast
import inspect
import textwrap
from dataclasses import dataclass, replace
from functools import cache, cached_property

from grader.calling.loading import load_module
from grader.calling.reference import Reference


@dataclass(frozen=True)
class Alternative:
    """One function that replaces another in the solution."""

    name: str
    replaces: str
    function: object
    solution: object             # the path of the solution

    @property
    def sentence(self):
        """The docstring, as one paragraph."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def code(self):
        """The lines of the function, without its docstring."""
        text = textwrap.dedent(inspect.getsource(self.function)).rstrip()
        docstring = ast.parse(text).body[0].body[0]
        lines = text.split("\n")
        return lines[:docstring.lineno - 1] + lines[docstring.end_lineno:]

    @cached_property
    def reference(self):
        """The solution with the function exchanged."""
        reference = Reference(self.solution)
        setattr(reference._module, self.replaces, self.function)
        return reference

    def together(self, other):
        """This alternative in a solution that has another function exchanged, too."""
        both = replace(self)
        setattr(both.reference._module, other.replaces, other.function)
        return both

    def ask(self, function, args, kwargs, measured=False):
        """The answer of a submission that makes this mistake or contains this variant."""
        return self.reference.ask(function, args, kwargs, measured)


@cache
def alternatives(path, solution):
    """The alternatives in a mistakes.py or variants.py, in the order of the file."""
    if not path.exists():
        return []
    return [
        Alternative(name, group.__name__, function, solution)
        for group in vars(load_module(path)).values()
        if inspect.isclass(group)
        for name, function in vars(group).items()
        if inspect.isfunction(function)
    ]
