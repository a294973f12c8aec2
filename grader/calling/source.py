"""The text of a file somebody handed in: read with care, and compared without what an editor changes."""
import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from grader.calling.notebooks import LARGEST_NOTEBOOK, LARGEST_SOURCE, MARKER, NOT_GRADED, code_of

OF_THE_FILE = (errno.ELOOP, errno.ENXIO)         # it is a link, or a socket; any other error is the system's


class Source(NamedTuple):
    """What was read of a file, once: its code, or what is wrong with it, or why the system does not let us read it."""

    code: bytes | None = None
    fault: str | None = None
    refusal: str | None = None


def is_notebook(path: Path) -> bool:
    """Whether the file is read as a Jupyter notebook."""
    return Path(path).suffix.lower() == ".ipynb"


def read_source(path: Path, follow_links: bool = False) -> Source:
    """The Source of a file."""
    largest = LARGEST_NOTEBOOK if is_notebook(path) else LARGEST_SOURCE
    flags = getattr(os, "O_NONBLOCK", 0) | (0 if follow_links else getattr(os, "O_NOFOLLOW", 0))    # not on Windows
    try:
        if Path(path).parent.is_symlink() and not follow_links:
            return Source(fault="its folder is a link")
        with open(path, "rb", opener=lambda p, f: os.open(p, f | flags)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Source(fault="this is not an ordinary file")
            if status.st_size > largest:
                return Source(fault=f"the file is too large for source code ({status.st_size} bytes)")
            return Source(code_in(path, file.read(largest)))
    except OSError as error:
        text = f"the file cannot be read: {error.strerror}"
        return Source(fault=text) if error.errno in OF_THE_FILE else Source(refusal=text)
    except ValueError as error:
        return Source(fault=str(error))


def code_in(path: Path, content: bytes | None = None) -> bytes:
    """The Python code of a file; ValueError if it is a notebook that cannot be read."""
    content = Path(path).read_bytes() if content is None else content
    return code_of(content) if is_notebook(path) else content


def advice_on_loading(path: Path) -> str:
    """What to do if a file takes too long to load; nothing for a Python file."""
    return f". Begin each cell that takes long with `{NOT_GRADED}`" if is_notebook(path) else ""


def normal_text(path: Path) -> str:
    """The code of a file, normalised; of a damaged notebook, what its file contains."""
    try:
        return normalised(code_in(path))
    except ValueError:
        return normalised(Path(path).read_bytes())


def is_blank(text: str) -> bool:
    """Whether a text that is normalised has nothing but comments."""
    return all(line.lstrip().startswith("#") for line in text.splitlines())


def normalised(code: bytes) -> str:
    """The text of code without differences that editors make on their own, blank lines, and a notebook's cells."""
    lines = (line.rstrip() for line in code.decode("utf-8-sig", "replace").splitlines())
    return "\n".join(line for line in lines if line and not MARKER.fullmatch(line))
