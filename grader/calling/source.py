"""The text of a file somebody handed in: read with care, and compared without what an editor changes."""
import os
import stat
from pathlib import Path

from grader.calling.limits import MEBIBYTE

LARGEST_SOURCE = 2 * MEBIBYTE
LARGEST_NOTEBOOK = 8 * MEBIBYTE


def read_source(path):
    """(content, None) of a file that may be read, or (None, what is wrong with it)."""
    if Path(path).parent.is_symlink():
        return None, "its folder is a link"
    try:
        with open(path, "rb", opener=lambda p, f: os.open(p, f | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None, "this is not an ordinary file"
            if status.st_size > LARGEST_SOURCE:
                return None, f"the file is too large for source code ({status.st_size} bytes)"
            return file.read(LARGEST_SOURCE), None
    except OSError as error:
        return None, f"the file cannot be read: {error.strerror}"


def normal_text(path):
    """The file's text without differences that editors make on their own."""
    return normalised(Path(path).read_bytes())


def normalised(content):
    """The text in these bytes without differences that editors make on their own."""
    return "\n".join(line.rstrip() for line in content.decode("utf-8", errors="replace").strip().splitlines())
