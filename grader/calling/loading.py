"""Load one Python file as a module: from its source, without a cache, without the folder around it."""
import sys
import types
from pathlib import Path


class LoadError(Exception):
    """The file does not import; the text says why and where."""


def load_module(path, source=None):
    """Execute the file at `path` as a fresh module; SyntaxError and the rest become LoadError."""
    path = Path(path)
    module = types.ModuleType(f"kata_{path.stem}")
    module.__file__ = str(path)
    previous = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module      # dataclasses look their module up while it executes
    try:
        code = compile(path.read_bytes() if source is None else source, str(path), "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except SyntaxError as error:
        if error.filename != str(path):
            raise LoadError(f"{type(error).__name__}: {error}") from error
        line = f"\n    {error.text.strip()}" if error.text else ""
        raise LoadError(f"{type(error).__name__} in line {error.lineno}: {error.msg}{line}") from error
    except BaseException as error:
        text = f"{type(error).__name__}: {error}".rstrip(": ")
        place = source_line(path, last_line(error, path))
        raise LoadError(f"{text} ({place})" if place else text) from error
    finally:
        if previous is None:
            sys.modules.pop(module.__name__, None)
        else:
            sys.modules[module.__name__] = previous
    return module


def source_line(path, number):
    """'line 12: the text', or nothing where there is no number."""
    if number is None:
        return ""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"line {number}"
    return f"line {number}: {lines[number - 1].strip()}" if number <= len(lines) else f"line {number}"


def lines_in(error, path):
    """The lines of `path` in the error's traceback, in the order of the calls."""
    lines, frame = [], error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == str(path):
            lines.append(frame.tb_lineno)
        frame = frame.tb_next
    return lines


def last_line(error, path):
    """The deepest line of `path` in the error's traceback, or None."""
    return next(iter(lines_in(error, path)[::-1]), None)


def first_line(error, path):
    """The outermost line of `path` in the error's traceback, or None."""
    return next(iter(lines_in(error, path)), None)


def raised_in(error, path):
    """Whether the error was raised by a line of `path` itself, not by something it called."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return frame is not None and frame.tb_frame.f_code.co_filename == str(path)
