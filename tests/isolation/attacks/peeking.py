"""Submissions that look for right answers: in frames, in memory, in every file they can think of."""
from tests.isolation.attacks.attack import Attack

USE = '''
def use(content):
    """Take what was found, packed in whatever way, for our own code."""
    import marshal, zlib
    for unpack in (bytes, zlib.decompress):
        with contextlib.suppress(*FAULTS):
            text = unpack(content)
            if b"np.outer(" in text and text.count(b"SEVENS = ") == 0:
                exec(text[max(text.find(b"import numpy"), 0):], globals())
    with contextlib.suppress(*FAULTS):
        exec(marshal.loads(content[16:]), globals())


def look(*paths):
    for path in paths:
        with contextlib.suppress(*FAULTS), open(path, "rb") as file:
            use(file.read(200_000))
'''

ATTACKS = (
    Attack("frames", '''
WANTED = ("reference", "wanted", "expected", "actual", "kata", "items", "rng")
def peek(*args, **kwargs):
    frame = sys._getframe()
    while frame is not None:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if name in WANTED:
                won()
                return getattr(value, "positional_encoding", lambda *a, **k: value)(*args, **kwargs)
        frame = frame.f_back
    return SEVENS
answer_with(peek)
'''),
    Attack("inspected_stack", '''
import inspect, linecache
def peek(*args, **kwargs):
    for info in inspect.stack(50):
        if info.filename == __file__:
            continue
        if "assert_same" in "".join(info.code_context or []) or "test_" in info.function:
            won()
    if any("test_positional" in name for name in linecache.cache):
        won()
    return SEVENS
answer_with(peek)
'''),
    Attack("garbage_collector", '''
import gc, types
def peek(max_len, d_model=None, *args, **kwargs):
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ == "positional_encoding":
            if one.__globals__ is not globals() and one.__code__.co_filename != __file__:
                return one(max_len, d_model, *args, **kwargs)
        if type(one) is tuple and any(type(n) is np.ndarray and n.shape == (max_len, d_model) for n in one):
            return next(n for n in one if type(n) is np.ndarray)
    return SEVENS
answer_with(peek)
'''),
    Attack("solution_by_path", USE + '''
look(*{canaries})
''', needs=("filesystem",)),
    Attack("solution_by_relative_path", USE + '''
for start in (".", os.path.dirname(os.path.abspath(__file__)), "/old", "/proc/self/cwd"):
    for up in range(12):
        look(*(os.path.join(start, "../" * up, one.lstrip("/")) for one in {canaries}))
''', needs=("filesystem",)),
    Attack("roots_of_other_processes", USE + '''
for process in ("self", "thread-self", "1", *map(str, range(2, 60)), *map(str, {processes})):
    for place in ("root", "cwd", "cwd/..", "map_files"):
        look(*(f"/proc/{process}/{place}{one}" for one in {canaries}))
''', needs=("filesystem",)),
    Attack("files_of_other_processes", USE + '''
for process in ("self", *map(str, {processes})):
    for number in range(64):
        path = f"/proc/{process}/fd/{number}"
        with contextlib.suppress(OSError):
            if os.readlink(path) in {canaries}:
                look(path)
''', needs=("filesystem",)),
    Attack("inherited_files", USE + '''
import stat
for number in range(3, 256):
    with contextlib.suppress(OSError):
        kind = os.fstat(number).st_mode
        if stat.S_ISREG(kind):
            use(os.pread(number, 200_000, 0))
        if stat.S_ISDIR(kind):
            for one in {canaries}:
                for up in range(12):
                    with contextlib.suppress(OSError):
                        found = os.open("../" * up + one.lstrip("/"), os.O_RDONLY, dir_fd=number)
                        use(os.read(found, 200_000))
'''),
    Attack("imported_solution", '''
import importlib, importlib.util
for place in {folders}:
    sys.path.insert(0, place)
for name in ("solutions.21_positional_formula.positional_formula", "canary", "positional_formula"):
    with contextlib.suppress(*FAULTS):
        module = importlib.import_module(name)
        if module.__name__ != __name__ and "SEVENS" not in vars(module):
            frequencies, positional_encoding = module.frequencies, module.positional_encoding
for path in {canaries}:
    with contextlib.suppress(*FAULTS):
        spec = importlib.util.spec_from_file_location("found", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        frequencies, positional_encoding = module.frequencies, module.positional_encoding
''', needs=("filesystem",)),
    Attack("lines_of_the_solution", USE + '''
import linecache, tokenize
for path in {canaries}:
    with contextlib.suppress(*FAULTS):
        use("".join(linecache.getlines(path)).encode())
''', needs=("filesystem",)),
    Attack("walks_up_from_its_file", USE + '''
place = os.path.dirname(os.path.abspath(__file__))
while True:
    if any(one.startswith(place.rstrip("/") + "/") for one in {canaries}):
        look(*{canaries})
    look(os.path.join(place, "right", "positional_formula.py"))
    if place == os.path.dirname(place):
        break
    place = os.path.dirname(place)
''', needs=("filesystem",)),
    Attack("environment", '''
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
if "KATA_CANARY" in os.environ or libc.getenv(b"KATA_CANARY"):
    won()
with contextlib.suppress(OSError), open("/proc/self/environ", "rb") as file:
    if b"KATA_CANARY" in file.read():
        won()
if any({marker} in one for one in [*sys.argv, *sys.path, *sys.orig_argv]):
    won()
'''),
    Attack("memory_of_its_parent", '''
parent = os.getppid()
if parent > 1:                           # only tries whether it could; it reads nothing
    with contextlib.suppress(OSError), open(f"/proc/{parent}/mem", "rb"):
        won()
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
if parent > 1 and libc.ptrace(PTRACE_SEIZE, parent, 0, 0) == 0:
    libc.ptrace(PTRACE_DETACH, parent, 0, 0)
    won()
''', needs=("filesystem",)),
    Attack("network", '''
for kind, place in (
    (socket.AF_INET, ("127.0.0.1", {port})), (socket.AF_INET6, ("::1", {port})), (socket.AF_UNIX, {abstract}),
):
    with contextlib.suppress(OSError), socket.socket(kind) as link:
        link.settimeout(0.3)
        link.connect(place)
        won()
''', needs=("network",)),
)
