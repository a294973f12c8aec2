"""Submissions that try to get rights back, or out of where they were put."""
from tests.isolation.attacks.attack import Attack

LIBC = '''
libc = ctypes.CDLL(None, use_errno=True)
'''

ATTACKS = (
    Attack("root_again", LIBC + '''
for act in (
    lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgid(0), lambda: os.setgroups([0]),
    lambda: os.chroot("."), lambda: os.chown(".", 0, 0), lambda: os.sethostname("won"),
):
    with contextlib.suppress(OSError, AttributeError):
        if os.getuid() != 0 or os.getpid() == 1:
            act()
            won()
'''.replace("os.chown(\".\", 0, 0)", "os.chown('.', 0, 0)")),
    Attack("limits_again", '''
import resource
for name in ("AS", "NPROC", "NOFILE", "FSIZE", "CPU", "CORE"):
    kind = getattr(resource, "RLIMIT_" + name)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        won()
'''),
    Attack("unmount", LIBC + '''
for place in (b"/", b"/submission", b"/old", b"/usr/lib", b"/tmp"):
    for flags in (0, 2):
        if os.getpid() == 1 and libc.umount2(place, flags) == 0:
            won()
''', needs=("filesystem",)),
    Attack("mount", LIBC + '''
os.mkdir("there")
for kind in (b"proc", b"sysfs", b"tmpfs", b"devtmpfs", b"cgroup2"):
    if os.getpid() == 1 and libc.mount(b"none", b"there", kind, 0, None) == 0:
        won()
''', needs=("filesystem",)),
    Attack("a_user_namespace", LIBC + '''
if os.getpid() == 1 and libc.unshare(0x10000000) == 0:
    won()
'''),
    Attack("other_namespaces", LIBC + '''
for flag in (0x20000, 0x40000000, 0x8000000, 0x4000000, 0x20000000):
    if os.getpid() == 1 and libc.unshare(flag) == 0:
        won()
for process in (1, 2, os.getppid()):
    for name in ("mnt", "pid", "net", "user"):
        with contextlib.suppress(OSError):
            handle = os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY)
            if libc.setns(handle, 0) == 0:
                won()
''', needs=("filesystem",)),
    Attack("sockets_of_families_that_no_namespace_contains", '''
for family in range(48):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        with contextlib.suppress(OSError), socket.socket(family, kind):
            if family not in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
                won()
'''),
    Attack("leaves_a_chroot", LIBC + '''
with contextlib.suppress(OSError):
    place = os.open("/", os.O_RDONLY)
    os.mkdir("inner")
    os.chroot("inner")
    os.fchdir(place)
    for _ in range(30):
        os.chdir("..")
    os.chroot(".")
    won()
'''),
    Attack("devices", '''
import stat
for name, major, minor in (("disk", 8, 0), ("vda", 254, 0), ("kmem", 1, 1), ("null", 1, 3)):
    with contextlib.suppress(OSError):
        os.mknod(name, stat.S_IFBLK if name in ("disk", "vda") else stat.S_IFCHR, os.makedev(major, minor))
        won()
'''),
    Attack("writes_where_it_must_not", '''
packages = os.path.dirname(np.__file__), os.path.dirname(os.__file__)
for folder in ({outside}, *{folders}, "/", "/usr/lib", *packages):
    with contextlib.suppress(OSError):
        path = os.path.join(folder, {marker} + ".txt")
        with open(path, "w") as file:
            file.write("x")
        os.unlink(path)
        won()
''', needs=("filesystem",)),
    Attack("finds_a_disk_that_others_see", '''
for folder in "/", os.path.dirname(np.__file__), os.path.dirname(os.path.dirname(np.__file__)):
    if not os.statvfs(folder).f_flag & os.ST_RDONLY:          # whoever owns it
        won()
''', needs=("filesystem",)),
    Attack("changes_the_neighbours", '''
for path in {canaries}:
    with contextlib.suppress(OSError):
        with open(path, "r+b"):          # only tries whether it could; it changes nothing
            won()
''', needs=("filesystem",)),
    Attack("sees_other_processes", '''
with contextlib.suppress(OSError):
    if len([n for n in os.listdir("/proc") if n.isdecimal()]) > 5:
        won()
for process in {processes}:
    with contextlib.suppress(OSError):
        os.kill(process, 0)
        won()
''', needs=("filesystem",)),
    Attack("set_user_bits", '''
import shutil
with contextlib.suppress(OSError):
    with open("mine", "wb") as file:
        file.write(b"x")
    os.chmod("mine", 0o6777)
    if os.stat("mine").st_uid == 0 and os.getpid() == 1:
        won()
'''),
)
