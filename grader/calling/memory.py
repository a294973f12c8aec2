"""How much memory a call holds at its peak, and how much all processes of a worker hold."""
import contextlib
import mmap
import os
from functools import cache
from pathlib import Path

import numpy as np

IMPORTS = 4 * 1024                        # kilobytes that a file may need for modules that it imports
GROWTH = 256 * 2**20                      # bytes that a check may allocate beyond what is in use


def measure(call):
    """Return what `call` returns, and the most bytes it held at one time beyond those held before."""
    import tracemalloc  # here, because few checks measure
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        value = call()
        return value, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


class Peak:
    """The most memory that a worker holds during a call, seen from outside: its own report may be forged.

    A call could use memory that was held before it and freed in it. So the most that the worker has held since its
    start counts too, where it is more than its parent holds, which has imported NumPy as well, and IMPORTS.
    """

    def __init__(self, process, parent):
        self.process = process
        self.before = None                # None if the system does not say; then the worker measures
        with contextlib.suppress(OSError, ValueError, IndexError):
            self.allowed = kilobytes(parent, "VmRSS") + IMPORTS
            self.earlier = kilobytes(process, "VmHWM")
            Path("/proc", str(process), "clear_refs").write_text("5")      # the peak starts again from what is held now
            self.before = kilobytes(process, "VmRSS")

    def reached(self):
        """Bytes at the peak beyond those at the beginning; 0 for a process that is gone."""
        try:
            highest = kilobytes(self.process, "VmHWM")
        except (OSError, ValueError, IndexError):
            return 0
        return max(highest - self.before, max(highest, self.earlier) - self.allowed, 0) * 1024


def kilobytes(process, name):
    """A number from what the system says of a process."""
    return int(Path("/proc", str(process), "status").read_text().split(f"{name}:")[1].split()[0])


def held_in_namespace(worker):
    """Bytes that all processes of a worker's own hold together, or None where that cannot be seen."""
    pages = 0
    try:
        own = os.readlink(f"/proc/{worker}/ns/pid")
        if own == os.readlink("/proc/self/ns/pid"):
            return None
    except OSError:
        return None
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                if os.readlink(f"/proc/{name}/ns/pid") == own:
                    pages += int(Path("/proc", name, "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def bounded():
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


def is_short():
    """Whether the system refuses memory that `bounded` allows, so that a MemoryError is not the doing of learners."""
    try:
        mmap.mmap(-1, GROWTH).close()
    except OSError:
        return True
    return False


def data_in_use():
    """Bytes that this process has allocated, or None if the system does not say."""
    warm_up()
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return None


@cache
def warm_up():
    """Multiply two matrices: OpenBLAS ends the process if its first threads do not get their memory."""
    square = np.ones((256, 256))
    return (square @ square).size
