"""Tests put this behind a solution: its functions give their results in another form."""
import functools as _functools
import types as _types

import numpy as np

_calls = []


def _whole(value):
    return value.dtype.kind == "f" and np.isfinite(value).all() and (value == np.rint(value)).all()


def _single(value):
    return value.astype(np.float32) if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f" else value


def _double(value):
    return value.astype(np.float64) if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f" else value


def _whole_floats(value):
    if isinstance(value, np.ndarray):
        return value.astype(float) if value.dtype.kind in "iub" else value
    return float(value) if isinstance(value, int) else value


def _integers(value):
    if isinstance(value, np.ndarray):
        return value.astype(int) if value.dtype != np.float32 and _whole(value) else value
    return int(value) if isinstance(value, float) and value == int(value) else value


def _scalars(value):
    return np.asarray(value)[()] if isinstance(value, (bool, int, float)) else value


def _fortran(value):
    return np.asfortranarray(value) if isinstance(value, np.ndarray) else value


def _read_only(value):
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


_FORM = _single                           # tests put another in its place


def _in_form(value):
    return tuple(_in_form(v) for v in value) if isinstance(value, tuple) else _FORM(value)


def _with_form(function):
    @_functools.wraps(function)
    def wrapper(*args, **kwargs):
        if _FORM in (_single, _double):                 # everything is computed in it
            args, kwargs = map(_in_form, args), {n: _in_form(v) for n, v in kwargs.items()}
            return _in_form(function(*args, **kwargs))
        _calls.append(function)
        try:
            value = function(*args, **kwargs)
        finally:
            _calls.pop()
        return value if _calls else _in_form(value)          # what the answer's own functions hand on stays as it is
    return wrapper


for _name, _value in list(globals().items()):
    if isinstance(_value, _types.FunctionType) and not _name.startswith("_"):
        globals()[_name] = _with_form(_value)
