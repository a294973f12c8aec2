"""Stand-ins for packages such as Matplotlib, with which people look at results, while a worker loads a file.

No such package is there when submissions are graded, even if it is installed. A file that imports one loads all the
same, with what it plots below its functions. A function that uses the package fails as its import would have.
"""
import opcode
import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec

from grader.calling.loading import LoadError, load_module

PACKAGES = {"IPython", "PIL", "google", "ipywidgets", "jax", "matplotlib", "mpl_toolkits", "pandas", "plotly", "rich",
            "scipy", "seaborn", "sklearn", "tensorflow", "torch", "tqdm"}
OPERATORS = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and",
             "or", "xor")
ALLOWED = ("call", "enter", "getitem", "setitem", "delitem", "setattr", "delattr", "next", "contains", "instancecheck",
           "subclasscheck", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "round", "array_ufunc",
           "array_function")
REFUSED = ("array", "bytes", "complex", "float", "index", "int", "len")        # these would be numbers, and wrong ones


class StandIn:
    """Something from a package. Each package has a sub-class with its name."""

    loading = True                        # of all stand-ins
    __all__ = __path__ = ()               # what the import system asks of a module
    __spec__ = None
    __version__ = "0"
    __hash__ = object.__hash__

    def __init__(self, *args, **kwargs):
        allow(self)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return allow(self)

    def __mro_entries__(self, bases):
        """The base of a class that inherits from this object."""
        return (type(type(self).__name__, (type(self),), {}),)

    def __iter__(self):
        """As many as are unpacked, as in `figure, axes = plt.subplots()`, but none for a loop."""
        allow(self)
        frame = sys._getframe(1)
        operation, count = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
        return iter([self] * count if opcode.opname[operation] in ("UNPACK_SEQUENCE", "UNPACK_EX") else [])

    def __exit__(self, *_):
        allow(self)

    def __bool__(self):
        allow(self)
        return True

    def __eq__(self, other):
        return allow(self) is other

    def __format__(self, form):
        return repr(self)


def allow(stand_in, *args, **kwargs):
    """What a stand-in does whenever it is used: nothing while the file loads; later it fails."""
    return stand_in if StandIn.loading else refuse(stand_in)


def refuse(stand_in, *args, **kwargs):
    """Fail as the import would have."""
    package = next(c.__name__ for c in type(stand_in).__mro__ if c.__name__ in PACKAGES)
    raise ModuleNotFoundError(f"No module named {package!r}", name=package)


for name in (*ALLOWED, *OPERATORS, *(f"r{operator}" for operator in OPERATORS)):
    setattr(StandIn, f"__{name}__", allow)
for name in REFUSED:
    setattr(StandIn, f"__{name}__", refuse)


class Finder(Loader):
    """Finds stand-ins for the packages that a file needs, none of the other PACKAGES, and all other modules."""

    def __init__(self, finders):
        self.finders = finders
        self.needed = set()

    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package in PACKAGES:
            return ModuleSpec(name, self, is_package=True) if package in self.needed else None
        return next(filter(None, (finder.find_spec(name, path, target) for finder in self.finders)), None)

    def create_module(self, spec):
        return type(spec.name.partition(".")[0], (StandIn,), {})()

    def exec_module(self, module):
        """Nothing is executed."""

    def needs(self, error):
        """Whether an error says that one more of PACKAGES is needed."""
        missing = {error.name} & PACKAGES - self.needed if isinstance(error, ModuleNotFoundError) else set()
        self.needed |= missing
        return bool(missing)


def load(path, source, recorder=None):
    """The module of a file, changed by the recorder if there is one.

    If it does not load without one of PACKAGES, it is executed again with a stand-in. So a file that works without a
    package, because it catches the ImportError, does not get one.
    """
    finder = Finder(sys.meta_path)
    sys.meta_path = [finder]
    try:
        while True:
            try:
                return load_module(path, source, recorder)
            except LoadError as error:
                if not finder.needs(error.__cause__):
                    raise
    finally:
        StandIn.loading = False
        finder.needed.clear()
        for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
            del sys.modules[name]
