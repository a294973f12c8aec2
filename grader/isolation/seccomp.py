"""System calls that no kata needs, refused by a filter in the kernel: they hold memory that no limit counts, make
namespaces in which a process has more rights, reach out of namespaces, or look into other processes. Without a filter,
nothing is refused.
"""
import ctypes
import errno
import os
import struct
from functools import cache

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# name: (number on x86_64, number on aarch64)
REFUSED = {
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
}
CLONE, CLONE3 = (56, 220), (435, 435)
SOCKET, SOCKETPAIR, FCNTL = (41, 198), (53, 199), (72, 25)
FAMILIES = (1, 2, 10, 16)                 # of sockets: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, which namespaces contain
LOCKS = (6, 7, 37, 38)                    # F_SETLK, F_SETLKW and those for open files: nothing limits their number
NEW_NAMESPACES = 0x7E020000               # flags of clone: CLONE_NEW...
OTHER_ABI = 0x40000000                    # x32 on x86_64

NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24       # where they are in what a filter is given
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
SET_SECCOMP, FILTER = 22, 2


def refuse(libc: ctypes.CDLL) -> bool:
    """Put the filter on this process and all it starts; whether that was possible."""
    program = filter_for(os.uname().machine)
    if program is None:
        return False
    code = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HL", len(program) // 8, ctypes.addressof(code))        # struct sock_fprog, padded alike
    return libc.prctl(SET_SECCOMP, FILTER, head, 0, 0) == 0


@cache
def filter_for(machine: str) -> bytes | None:
    """The filter as the kernel's bytecode: an operation, how far to jump if so and if not, and a number."""
    if machine not in ARCHITECTURES:
        return None
    which = list(ARCHITECTURES).index(machine)
    steps = [
        (LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, OTHER_ABI), (RETURN, 0, 0, REFUSE | errno.ENOSYS),
        # a filter cannot see the flags of clone3; without clone3, programs use clone
        (EQUAL, 0, 1, CLONE3[which]), (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for numbers in REFUSED.values():
        steps += [(EQUAL, 0, 1, numbers[which]), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    for call in SOCKET, SOCKETPAIR:
        steps += by_argument(call[which], FIRST_ARGUMENT, FAMILIES, ALLOW, REFUSE | errno.EAFNOSUPPORT)
    steps += by_argument(FCNTL[which], SECOND_ARGUMENT, LOCKS, REFUSE | errno.ENOLCK, ALLOW)
    steps += [
        (EQUAL, 0, 3, CLONE[which]), (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_BIT, 0, 1, NEW_NAMESPACES), (RETURN, 0, 0, REFUSE | errno.EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def by_argument(call: int, argument: int, values: tuple[int, ...], if_so: int,
                if_not: int) -> list[tuple[int, int, int, int]]:
    """Steps that decide about a system call by whether one of its arguments is one of these values."""
    return [
        (EQUAL, 0, len(values) + 3, call), (LOAD, 0, 0, argument),
        *((EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)),
        (RETURN, 0, 0, if_not), (RETURN, 0, 0, if_so),
    ]
