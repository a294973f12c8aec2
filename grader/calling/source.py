"""The text of a file somebody handed in: read with care, and compared without what an editor changes."""
import os
import stat
from pathlib import Path

from grader.calling.notebooks import LARGEST_NOTEBOOK, LARGEST_SOURCE, MARKER, NOT_GRADED, code_of


def is_notebook(path):
    """Whether the file is read as a Jupyter notebook."""
    return Path(path).suffix.lower() == ".ipynb"


def read_source(path):
    """(code, None) of a file that may be read, or (None, what is wrong with it)."""
    if Path(path).parent.is_symlink():
        return None, "its folder is a link"
    largest = LARGEST_NOTEBOOK if is_notebook(path) else LARGEST_SOURCE
    try:
        with open(path, "rb", opener=lambda p, f: os.open(p, f | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None, "this is not an ordinary file"
            if status.st_size > largest:
                return None, f"the file is too large for source code ({status.st_size} bytes)"
            return code_in(path, file.read(largest)), None
    except OSError as error:
        return None, f"the file cannot be read: {error.strerror}"
    except ValueError as error:
        return None, str(error)


def code_in(path, content=None):
    """The Python code of a file; ValueError if it is a notebook that cannot be read."""
    content = Path(path).read_bytes() if content is None else content
    return code_of(content) if is_notebook(path) else content


def advice_on_loading(path):
    """What to do if a file takes too long to load; nothing for a Python file."""
    return f". Begin each cell that takes long with `{NOT_GRADED}`" if is_notebook(path) else ""


def normal_text(path):
    """The code of a file, normalised; of a damaged notebook, what its file contains."""
    try:
        return normalised(code_in(path))
    except ValueError:
        return normalised(Path(path).read_bytes())


def normalised(code):
    """The text of code without differences that editors make on their own, blank lines, and a notebook's cells."""
    lines = (line.rstrip() for line in code.decode("utf-8", "replace").splitlines())
    return "\n".join(line for line in lines if line and not MARKER.fullmatch(line))
