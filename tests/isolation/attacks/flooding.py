"""Submissions that use more than they may: processes, memory, disk, output, time; each bounded all the same."""
from tests.isolation.attacks.attack import Attack

ENDLESS = ("timeout",)
PILE = '''
def pile(add, bytes_each, times):
    """Hold more memory than the limit of the test by any way that succeeds; then we have won."""
    try:
        for _ in range(times):
            add(bytes_each)
    except FAULTS:
        return
    won()
'''

ATTACKS = (
    Attack("fork_bomb", '''
for _ in range(36):
    with contextlib.suppress(OSError):
        child(signal.pause)
''', ("failed", "crashed")),
    Attack("fork_bomb_of_children", '''
def again(depth):
    if depth:
        for _ in range(3):
            with contextlib.suppress(OSError):
                child(lambda: again(depth - 1))
        time.sleep(5)
child(lambda: again(3))
''', ("failed", "crashed")),
    Attack("forks_that_answer_too", '''
splits = 0
def split():
    global splits
    splits += 1
    with contextlib.suppress(OSError):
        if splits <= 6 and os.fork() == 0:
            signal.alarm(20)
on_every_call(split)
''', ("failed", "crashed", "timeout")),
    Attack("memory_bomb", PILE + '''
held = []
def fill():
    pile(lambda size: held.append(np.ones(size, np.uint8)), 10 * 2**20, 60)
on_every_call(fill)
''', ("failed", "error", "timeout", "crashed")),
    Attack("memory_bomb_by_children", PILE + '''
reader, writer = os.pipe()
def hold():
    held = np.ones(90 * 2**20, np.uint8)
    os.write(writer, b"x")
    time.sleep(20)
for _ in range(6):
    child(hold)
time.sleep(0.7)
os.set_blocking(reader, False)
with contextlib.suppress(BlockingIOError):
    if len(os.read(reader, 10)) == 6:
        won()
''', ("failed", "crashed", "timeout")),
    Attack("memory_in_files_of_memory", PILE + '''
def add(size):
    file = os.memfd_create("held")
    for _ in range(size // 2**20):
        if os.write(file, bytes(2**20)) != 2**20:
            raise OSError
if hasattr(os, "memfd_create") and os.getpid() == 1:
    pile(add, 16 * 2**20, 35)
'''),
    Attack("memory_in_segments", PILE + '''
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
def add(size):
    segment = libc.shmget(0, ctypes.c_size_t(size), 0o1600)
    place = libc.shmat(segment, None, 0)
    if segment < 0 or place in (None, 2**64 - 1):
        raise OSError
    ctypes.memset(place, 1, size)
    libc.shmdt(ctypes.c_void_p(place))
if os.getpid() == 1:                     # else the segments would outlive us
    pile(add, 50 * 2**20, 11)
'''),
    Attack("memory_in_a_disk_of_its_own", PILE + '''
libc = ctypes.CDLL(None, use_errno=True)
def add(size):
    with open(f"disk/{time.monotonic_ns()}", "wb") as file:
        file.write(bytes(size))
if os.getpid() == 1:
    os.mkdir("disk")
    libc.unshare(0x10000000 | 0x20000)
    if libc.mount(b"none", b"disk", b"tmpfs", 0, None) == 0:
        pile(add, 10 * 2**20, 55)
'''),
    Attack("memory_in_locks", PILE + '''
import fcntl
def lock(number):
    fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * next(counted))
counted = iter(range(10**7))
with open("locked", "wb") as file:
    pile(lock, 0, 3000)
'''),
    Attack("thread_bomb", '''
for _ in range(200):
    with contextlib.suppress(RuntimeError):
        threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
'''),
    Attack("threads_that_spin", '''
def spin():
    while True:
        pass
for _ in range(8):
    threading.Thread(target=spin, daemon=True).start()
on_every_call(spin)
''', ENDLESS),
    Attack("ignored_signals", '''
for one in range(1, 65):
    with contextlib.suppress(OSError, ValueError):
        signal.signal(one, signal.SIG_IGN)
def stay():
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(1)
on_every_call(stay)
''', ENDLESS),
    Attack("sleeping_import", "time.sleep(30)", ENDLESS),
    Attack("daemons", '''
def daemon():
    os.setsid()
    if os.fork() == 0:
        for one in (signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(one, signal.SIG_IGN)
        signal.alarm(60)
        time.sleep(60)
for _ in range(3):
    child(daemon)
on_every_call(lambda: os._exit(0))       # what it has started still holds the socket and the pipe
''', ("crashed", "timeout")),
    Attack("flood_of_output", '''
on_every_call(lambda: print("x" * 500_000, file=sys.stdout, flush=True))
'''),
    Attack("flood_of_errors_from_children", '''
def flood():
    block = b"passed" * 10_000
    while True:
        os.write(2, block)
for _ in range(3):
    child(flood)
on_every_call(lambda: time.sleep(30))
''', ENDLESS),
    Attack("full_disk", '''
def fill():
    with contextlib.suppress(OSError):
        for number in range(4):
            with open(f"file{number}", "wb") as file:
                for _ in range(12):
                    file.write(bytes(2**20))
on_every_call(fill)
''', ("failed", "timeout")),
    Attack("a_file_too_large", '''
with contextlib.suppress(OSError), open("large", "wb") as file:
    file.truncate(2**40)
    won()
'''),
    Attack("many_files", '''
with contextlib.suppress(OSError):
    for number in range(5000):
        open(f"file{number}", "w").close()
'''),
    Attack("deep_folders", '''
with contextlib.suppress(OSError):
    for _ in range(1500):
        os.mkdir("x")
        os.chdir("x")
os.chmod(".", 0)
'''),
    Attack("slow_pattern", '''
import re
on_every_call(lambda: re.match("(a+)+b", "a" * 40))
''', ENDLESS),
)
