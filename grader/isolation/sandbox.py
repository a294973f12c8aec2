"""What the system can take away from a process that runs code that we do not trust, mostly on Linux.

`hide` is called once, in the process that all workers are forked from: no network, and a file system that holds
Python and NumPy only. `enclose` and `confine` are called for every worker: processes and files of its own, limits,
and no way back to any privilege. What a system does not offer is left out, and the names of what was done are returned.
"""
import contextlib
import ctypes
import mmap
import os
import resource
import signal
import site
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.isolation import seccomp

LINUX = sys.platform == "linux"
libc: Any = ctypes.CDLL(None, use_errno=True) if LINUX else None

NEW_MOUNTS, NEW_USER, NEW_PIDS, NEW_NET, NEW_IPC, NEW_UTS = (
    0x00020000, 0x10000000, 0x20000000, 0x40000000, 0x08000000, 0x04000000)
BIND, RECURSIVE, PRIVATE, NOSUID, NODEV, NOEXEC = 4096, 16384, 1 << 18, 2, 4, 8
DETACH = 2
NO_NEW_PRIVS, DROP_FROM_BOUNDING_SET, CHILD_SUBREAPER, SIGNAL_WHEN_PARENT_ENDS = 38, 24, 36, 1
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "ppc64le": 120}
MOUNT_SETATTR, READ_ONLY, RECURSIVELY = 442, 1, 0x8000
WORK_FOLDER = "/submission"
NOBODY = 65534
DISK = "size=64m,nr_inodes=2000,mode=0755"


def succeeded(result: int, what: str) -> int:
    """The result of a C function, or OSError."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    succeeded(libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None = None, flags: int = 0, data: str | None = None) -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    succeeded(libc.mount(*encoded[:3], ctypes.c_ulong(flags), encoded[3]), f"mount on {target}")


def bind(source: str, target: str) -> None:
    """Show `source` at `target`."""
    mount(source, target, None, BIND | RECURSIVE)


def make_read_only(target: str) -> None:
    """Make everything at `target` and below read-only, even for its owner."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY, 0, 0, 0)
    succeeded(libc.syscall(MOUNT_SETATTR, -100, os.fsencode(target), RECURSIVELY, ctypes.byref(attributes), 32),
           f"read-only {target}")


# Once, for all workers

def hide() -> list[str]:
    """Take away the network and the file system; return what has been taken away."""
    if not LINUX or os.uname().machine not in PIVOT_ROOT:
        return []
    if not succeeds_in_a_child(hide_everything):               # because it may fail halfway
        return []
    hide_everything()
    return ["network", "filesystem"]


def succeeds_in_a_child(function: Callable[[], None]) -> bool:
    """Whether something can be done, tried out in another process."""
    child = os.fork()
    if child == 0:
        try:
            function()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def hide_everything() -> None:
    """A new root with what Python and NumPy need, to be read only."""
    user, group = os.getuid(), os.getgid()
    if user:
        unshare(NEW_USER)
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path("/proc/self", file).write_text(text)
    unshare(NEW_MOUNTS | NEW_NET | NEW_IPC | NEW_UTS)
    mount(None, "/", None, RECURSIVE | PRIVATE)
    root = next(path for path in ("/mnt", "/media", "/opt", "/proc") if os.path.isdir(path))
    mount("none", root, "tmpfs", NOSUID | NODEV, "size=1m,mode=0755")
    for path in system_folders():
        target = root + path
        if os.path.isdir(path):
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            Path(target).touch()
        bind(path, target)
    for path in packages():               # hide all other packages
        if os.path.isdir(root + path):
            mount("none", root + path, "tmpfs", NOSUID | NODEV, "size=1m,mode=0755")
    for path in numpy_folders():
        os.makedirs(root + path, exist_ok=True)
        bind(path, root + path)
    os.makedirs(root + WORK_FOLDER)
    os.makedirs(root + "/old")
    os.chdir(root)
    succeeded(libc.syscall(PIVOT_ROOT[os.uname().machine], b".", b"old"), "pivot_root")
    os.chdir("/")
    succeeded(libc.umount2(b"/old", DETACH), "umount")
    os.rmdir("/old")
    make_read_only("/")                   # unless we are root, workers own these new folders and could write to them


def system_folders() -> list[str]:
    """The standard library, the system's shared libraries, and three devices."""
    library = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    shared = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"}
    inside = {os.path.realpath(p) for p in shared if os.path.isdir(p)}
    return [*sorted(library), *sorted(inside - library), "/dev/null", "/dev/zero", "/dev/urandom"]


def packages() -> list[str]:
    """Folders of installed packages, inside what `system_folders` shows."""
    found = {os.path.realpath(p) for p in (*site.getsitepackages(), site.getusersitepackages(), *sys.path) if p}
    return sorted(p for p in found if p.endswith(("site-packages", "dist-packages")))


def numpy_folders() -> list[str]:
    """NumPy's package and the libraries that came with it."""
    package = Path(str(sys.modules["numpy"].__file__)).resolve().parent
    return [str(p) for p in (package, package.parent / "numpy.libs") if p.is_dir()]


def python_is_for_all() -> bool:
    """Whether another user than root can read the standard library; else code cannot run as one."""
    def read_as_nobody():
        become(NOBODY)
        Path(os.__file__).read_bytes()

    return os.getuid() == 0 and succeeds_in_a_child(read_as_nobody)


def become(user: int) -> None:
    """Run as another user from now on, for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def forbid_new_privileges() -> None:
    """Keep programs that are started later from gaining privileges, even if they belong to root."""
    if LINUX:
        for capability in range(64):
            libc.prctl(DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
        succeeded(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        seccomp.filter_for(os.uname().machine)                # kept for all workers


# For every worker

def give_back_memory() -> None:
    """Return large arrays to the system when they are freed, so that the memory in use can be measured."""
    if LINUX and hasattr(libc, "mallopt"):
        libc.mallopt(-3, 64 * 1024)       # M_MMAP_THRESHOLD, in bytes
        libc.mallopt(-8, 1)               # M_ARENA_MAX: each thread's own would take up 64 MiB of what is allowed


def become_subreaper() -> None:
    """Become the parent of what a worker has started and left behind."""
    if LINUX:
        libc.prctl(CHILD_SUBREAPER, 1, 0, 0, 0)


def fork() -> tuple[int, bool]:
    """os.fork, but with processes, mounts and shared memory of its own for the child; and whether it has these."""
    number = CLONE.get(os.uname().machine) if LINUX else None
    if number is not None:
        python = ctypes.pythonapi         # its functions keep the lock that the child has to hold
        python.PyOS_BeforeFork()
        flags = NEW_PIDS | NEW_MOUNTS | NEW_IPC | signal.SIGCHLD
        child = python.syscall(*map(ctypes.c_long, (number, flags, 0, 0, 0, 0)))
        python.PyOS_AfterFork_Child() if child == 0 else python.PyOS_AfterFork_Parent()
        if child >= 0:
            return child, True
    return os.fork(), False


def work_folder(fallback: str) -> str:
    """An empty folder to work in: a small disk in memory where that can be had, else `fallback`."""
    try:
        mount("none", WORK_FOLDER, "tmpfs", NOSUID | NODEV, DISK.replace("0755", "0777"))
    except (OSError, AttributeError, TypeError):
        return fallback
    return WORK_FOLDER


def drop_privileges(limits: dict[str, Any], user: int | None) -> None:
    """Give this process its limits, then give up every privilege for good; `user` is for those who are root."""
    os.setsid()
    set_limits(limits)
    if os.getuid() == 0 and user is not None:
        become(user)
    if LINUX:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
        libc.prctl(SIGNAL_WHEN_PARENT_ENDS, signal.SIGKILL, 0, 0, 0)
        seccomp.refuse(libc)


def set_limits(limits: dict[str, Any]) -> None:
    """Address space, CPU time, processes, open files, size of files, and no core dumps."""
    wanted = {
        "AS": limits["memory"], "DATA": limits["memory"],      # the grader's own was inherited
        "CPU": limits["kata"] + 5, "NPROC": limits["processes"], "NOFILE": limits["files"],
        "FSIZE": limits["file_size"], "CORE": 0,
    }
    for name, value in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):         # not all systems have all
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (int(value), int(value)))
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)      # a full file is an OSError, not the end


def memory_in_use() -> tuple[int, int]:
    """Bytes of address space and of memory in use; asked before anything is hidden, for then there is no /proc."""
    try:
        space, resident = (int(pages) * mmap.PAGESIZE for pages in Path("/proc/self/statm").read_text().split()[:2])
    except OSError:
        return 512 * 2**20, 512 * 2**20
    return space, resident
