"""Load one Python file as a module: from its source, without a cache, without the folder around it."""
import codecs
import io
import sys
import types
from pathlib import Path

MARKS = {                             # how a text begins; UTF-32 comes first, because its mark begins as that of UTF-16
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


class LoadError(Exception):
    """The file does not import; the text says why and where."""


def load_module(path, source=None):
    """Execute the file at `path` as a fresh module; whatever it raises becomes a LoadError."""
    path = Path(path)
    module = types.ModuleType(f"kata_{path.stem}")
    module.__file__ = str(path)
    previous = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module      # dataclasses look their module up while it executes
    try:
        source = path.read_bytes() if source is None else source
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        raise LoadError(badly_saved(source) or described(error, path)) from error
    finally:
        if previous is None:
            sys.modules.pop(module.__name__, None)
        else:
            sys.modules[module.__name__] = previous
    return module


def badly_saved(source):
    """What is wrong with the encoding of a file with these bytes, or None."""
    from tokenize import detect_encoding  # here, because few files are at fault
    if not isinstance(source, bytes):
        return None
    for name, marks in MARKS.items():
        if source.startswith(marks):
            return f"the file is saved as {name}. Save it as UTF-8"
    if b"\0" in source:
        return "the file contains NUL bytes: it is not a text, or it is saved as UTF-16. Save it as UTF-8"
    try:
        encoding, _ = detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:                       # the first lines are not in UTF-8, or name no known encoding
        encoding = "utf-8"
    try:
        source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        return f"line {line} is not in {error.encoding.upper()}. Save the file as UTF-8"
    return None


def described(error, path):
    """What an exception says that ended the loading of a file, and where it was raised."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line = f"\n    {error.text.strip()}" if error.text else ""
        return f"{type(error).__name__} in line {error.lineno}: {error.msg}{line}"
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    place = source_line(path, last_line(error, path))
    return f"{text} ({place})" if place else text


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
