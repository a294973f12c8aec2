"""Stand-ins for packages such as Matplotlib, with which people look at results, while a worker loads a file.

No such package is there when submissions are graded, even if it is installed. A file that imports one loads all the
same, without the statements below its functions that do not work. A function that uses it fails as its import would.
"""
import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from grader.calling.loading import LoadError, load_module

PACKAGES = {"IPython", "PIL", "google", "ipywidgets", "jax", "matplotlib", "mpl_toolkits", "pandas", "plotly", "rich",
            "scipy", "seaborn", "sklearn", "tensorflow", "torch", "tqdm"}
USES = """call enter exit iter len getitem setitem delitem contains eq ne lt le gt ge neg pos abs invert round int
float complex index array array_ufunc array_function add radd sub rsub mul rmul matmul rmatmul truediv rtruediv floordiv
rfloordiv mod rmod pow rpow and rand or ror xor rxor format instancecheck"""


class StandIn:
    """Something from a package: the package itself, an attribute, a result. Each package has a class of its own."""

    _package = ""
    loading = True                        # of all stand-ins
    __all__ = ()                          # for `from package import *`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._used()

    def _used(self, *args: Any, **kwargs: Any) -> Any:
        """Nothing happens while the file loads; later, it fails as the import would have."""
        if not StandIn.loading:
            raise ModuleNotFoundError(f"No module named {self._package!r}", name=self._package)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._used()

    def __bool__(self) -> bool:
        self._used()
        return False                      # as torch.cuda.is_available()

    def __mro_entries__(self, bases: tuple) -> tuple[type]:
        return (type("StandIn", (type(self),), {}),)           # a new one, because a class may derive from several


for use in USES.split():
    setattr(StandIn, f"__{use}__", StandIn._used)


class Finder(Loader):
    """Finds stand-ins for the packages that a file needs, none of the other PACKAGES, and all other modules."""

    def __init__(self) -> None:
        self.others, self.needed = sys.meta_path, set[str]()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        package = name.partition(".")[0]
        if package in PACKAGES:
            return ModuleSpec(name, self, is_package=True) if package in self.needed else None
        return next(filter(None, (other.find_spec(name, path, target) for other in self.others)), None)

    def create_module(self, spec: ModuleSpec) -> Any:
        return type("StandIn", (StandIn,), {"_package": spec.name.partition(".")[0]})()

    def exec_module(self, module: Any) -> None:
        """Nothing is executed."""


def load(path: Path, source: bytes | None, recorder: Any = None) -> Any:
    """The module of a file, changed by the recorder if there is one.

    If it does not load without one of PACKAGES, it is executed again with a stand-in. So a file that works without a
    package, because it catches the ImportError, does not get one.
    """
    finder: Any = Finder()
    sys.meta_path = [finder]
    try:
        while True:
            try:
                return load_module(path, source, recorder, tried_out=bool(finder.needed))
            except LoadError as error:
                cause = error.__cause__
                if not isinstance(cause, ModuleNotFoundError) or cause.name not in PACKAGES - finder.needed:
                    raise
                finder.needed.add(cause.name)
    finally:
        StandIn.loading = False
        finder.needed.clear()
        for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
            del sys.modules[name]
