"""How much memory a call needs, and how much this process may allocate during a check."""
import contextlib
import mmap
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from grader.calling.limits import MEBIBYTE

GROWTH = 256 * MEBIBYTE                   # that a check may allocate beyond what is in use


@contextlib.contextmanager
def traced() -> Iterator[None]:
    """Meanwhile, every Answer says how much memory its call needed."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Let this process allocate no more than GROWTH meanwhile, on Linux; beyond that, there is a MemoryError."""
    in_use = data_in_use()
    if in_use is None:
        yield
        return
    import resource  # here, because other systems do not have it
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (in_use + GROWTH, hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def is_short() -> bool:
    """Whether the system refuses memory that `bounded` allows, so that a MemoryError is not the doing of learners."""
    try:
        mmap.mmap(-1, GROWTH).close()
    except OSError:
        return True
    return False


def data_in_use() -> int | None:
    """Bytes that this process has allocated, or None if the system does not say."""
    warm_up()
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return None


@cache
def warm_up() -> None:
    """Multiply two matrices: OpenBLAS ends the process if its first threads do not get their memory."""
    square = np.ones((256, 256))
    np.matmul(square, square)
