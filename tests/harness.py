"""Grade a source text for one kata, in a pytest run of its own inside this process, and read its report."""
import contextlib
import gc
import io
import itertools
import json

import pytest

from grader.katas import ROOT

RUNS = itertools.count()
WITH_ONE_FUNCTION_EXCHANGED = '''
import types as _types
_other = _types.ModuleType("other")
exec(compile({other!r}, "other.py", "exec"), _other.__dict__)
{replaces} = vars(_other.{replaces})[{name!r}]
'''


def source_of(kata, path, alternative):
    """The solution's text with one function taken from the mistakes.py or variants.py at `path`."""
    return kata.solution.read_text(encoding="utf-8") + WITH_ONE_FUNCTION_EXCHANGED.format(
        other=path.read_text(encoding="utf-8"), replaces=alternative.replaces, name=alternative.name)


def grade(kata, source, folder, *options):
    """Run the suite of `kata` on a submission with this source text; return the kata's part of the report."""
    (folder / f"{kata.name}.py").write_text(source, encoding="utf-8")
    report = folder / "report.json"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([
            str(kata.suite), f"--rootdir={ROOT}", f"--submission={folder}", f"--report={report}",
            "-p", "no:cacheprovider", *options,
        ])
    gc.unfreeze()                         # what one of many runs in a process leaves behind is to be collected
    if next(RUNS) % 20 == 0:
        gc.collect()
    (result,) = json.loads(report.read_text(encoding="utf-8"))["submissions"][0]["katas"]
    return result


IN_ANOTHER_PRECISION = '''
import functools as _functools, types as _types
def _cast(value):
    if isinstance(value, tuple):
        return tuple(_cast(v) for v in value)
    return value.astype(np.{dtype}) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
def _in_precision(function):
    @_functools.wraps(function)
    def wrapper(*args, **kwargs):
        return _cast(function(*map(_cast, args), **dict((n, _cast(v)) for n, v in kwargs.items())))
    return wrapper
for _name, _value in list(globals().items()):
    if isinstance(_value, _types.FunctionType) and not _name.startswith("_"):
        globals()[_name] = _in_precision(_value)
'''


def source_in(kata, dtype):
    """The solution's text, computing and answering in one precision whatever it is given."""
    return kata.solution.read_text(encoding="utf-8") + IN_ANOTHER_PRECISION.format(dtype=dtype)
