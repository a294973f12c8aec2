"""Submissions that speak the worker's language: forged answers, and answers that nobody asked for."""
from tests.isolation.attacks.attack import Attack

FORGE = '''
import json


def frame(message, blobs=(), number=0):
    text = json.dumps(message | {"blobs": [len(b) for b in blobs]}).encode()
    return struct.pack("<III", number, len(text), sum(map(len, blobs))) + text + b"".join(blobs)


def answer(number, value, blobs=()):
    return frame({"outcome": "returned", "value": value, "peak": 0}, blobs, number)


def say(content, flags=socket.MSG_DONTWAIT):
    """Write to every socket there is, and to every pipe, without waiting for anybody."""
    for number in range(64):
        with contextlib.suppress(OSError):
            with socket.socket(fileno=os.dup(number)) as link:
                link.send(content, flags)


def npy(header, content=b""):
    header = header.encode() if isinstance(header, str) else header
    return b"\\x93NUMPY\\x01\\x00" + struct.pack("<H", len(header)) + header + content


def described(descr, shape):
    return "{'descr': '%s', 'fortran_order': False, 'shape': %r, }\\n" % (descr, shape)


def always(value, *blobs):
    """Answer every call with this, instead of what would have been sent."""
    counted = iter(range(1, 1_000_000))
    def act():
        say(answer(next(counted), value, blobs))
        signal.pause()
    on_every_call(act)
'''

GONE = ("crashed", "failed", "timeout")


def forged(name, source, outcomes=("crashed", "failed"), **more):
    return Attack(name, FORGE + source, outcomes, **more)


ATTACKS = (
    forged("answers_at_import", '''
say(frame({"outcome": "loaded", "functions": ["frequencies", "positional_encoding"]}))
for number in range(5):
    say(answer(number, {"is": True}))
'''),
    forged("bytes_on_every_descriptor", '''
for number in range(64):
    with contextlib.suppress(OSError):
        os.set_blocking(number, False)
        os.write(number, answer(1, {"number": 1.0}) * 3)
        os.set_blocking(number, True)
'''),
    forged("answers_before_the_call_is_done", '''
on_every_call(lambda: say(answer(1, {"number": 1.0})))
'''),
    forged("two_answers_at_once", '''
counted = iter(range(1, 1000))
def act():
    number = next(counted)
    say(answer(number, {"number": 1.0}) + answer(number + 1, {"is": True}))
    signal.pause()
on_every_call(act)
'''),
    forged("an_answer_for_the_next_call", '''
counted = iter(range(1, 1000))
on_every_call(lambda: say(answer(next(counted) + 1, {"is": True})))
'''),
    forged("an_answer_in_a_thread_for_ever", '''
def forever():
    for number in range(100_000):
        say(answer(number // 1000, {"is": True}))
        time.sleep(0.0002)
threading.Thread(target=forever, daemon=True).start()
'''),
    forged("an_outcome_that_there_is_not", '''
def act():
    for outcome in ("passed", None, [], {"a": 1}, "no_file", "broken", "missing", "todo"):
        say(frame({"outcome": outcome, "value": {"is": True}}, number=1))
    signal.pause()
on_every_call(act)
''', GONE),
    forged("broken_for_good", '''
say(frame({"outcome": "broken", "message": "passed " * 1000}))
''', ("error", "crashed")),
    forged("terabytes_to_come", '''
say(struct.pack("<III", 0, 2**32 - 1, 2**32 - 1) + b"[" * 100)
time.sleep(20)
''', ("crashed",)),
    forged("lengths_that_do_not_fit", '''
def act():
    message = {"outcome": "returned", "value": {"array": 0}, "blobs": [-5, 2**70, True, None, 1e999]}
    text = json.dumps(message).encode()
    say(struct.pack("<III", 1, len(text), 0) + text)
    signal.pause()
on_every_call(act)
''', GONE),
    forged("shape_of_no_bytes", 'always({"array": 0}, npy(described("<f8", (10**12, 0))))', GONE),
    forged("axes_of_no_bytes", 'always({"array": 0}, npy(described("<f8", (2**20, 2**10, 0))))', GONE),
    forged("objects_in_npy", '''
always({"array": 0}, npy(described("|O", (1,)), b"cos\\nsystem\\n(S'true'\\ntR."))
''', GONE),
    forged("header_of_parentheses", 'always({"array": 0}, npy("(" * 9000 + "\\n"))', GONE),
    forged("nested_answer", '''
def act():
    text = b'{"blobs":[],"value":' + b'{"tuple":[' * 100_000
    say(struct.pack("<III", 1, len(text), 0) + text, 0)
    signal.pause()
on_every_call(act)
''', GONE),
    forged("many_empty_lists", '''
def act():
    text = b'{"blobs":[],"outcome":"returned","value":[' + b"[]," * 800_000 + b"[]]}"
    say(struct.pack("<III", 1, len(text), 0) + text, 0)
    signal.pause()
on_every_call(act)
''', GONE),
    forged("keys_that_collide", '''
def act():
    pairs = [[{"number": i * (2**61 - 1)}, {"is": None}] for i in range(1, 3000)]
    say(answer(1, {"dict": pairs}), 0)
    signal.pause()
on_every_call(act)
''', GONE),
    forged("huge_integer", 'always({"number": 10**4000})', GONE),
    forged("nan_flood", '''
always({"array": 0}, npy(described("<f8", (5, 8)), struct.pack("<d", float("nan")) * 40))
''', GONE),
    forged("a_million_ones", 'answer_with(lambda *args, **kwargs: np.ones((1000, 1000), np.int8))'),
    forged("more_bytes_than_allowed", '''
answer_with(lambda *args, **kwargs: np.zeros((300_000, 8), np.uint8))
''', GONE),
    forged("forged_refusals", '''
counted = iter(range(1, 1000))
def act():
    say(frame({"outcome": "raised", "types": ["ValueError"] * 1000, "message": "x" * 100_000,
               "line": 10**30}, number=next(counted)), 0)
    signal.pause()
on_every_call(act)
''', ("failed", "error", "crashed", "timeout")),
    forged("dripping_answer", '''
def drip():
    for byte in answer(1, {"is": True}):
        say(bytes([byte]))
        time.sleep(0.3)
on_every_call(drip)
''', ("timeout", "crashed")),
    forged("passed_descriptors", '''
def act():
    for number in range(64):
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as link:
            socket.send_fds(link, [answer(1, {"is": True})], [0, 1, 2])
on_every_call(act)
'''),
    forged("closed_descriptors", 'on_every_call(lambda: os.closerange(0, 256))', ("crashed",)),
    forged("shut_down_its_socket", '''
def act():
    for number in range(64):
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as link:
            link.shutdown(socket.SHUT_RD)
on_every_call(act)
'''),
    forged("a_descriptor_for_another", '''
for one in range(3, 12):
    for other in range(3, 12):
        with contextlib.suppress(OSError):
            if one != other and time.time() % 1 < 0.9:
                os.dup2(one, other)
''', ("crashed", "timeout", "failed")),
    forged("cuts_the_shared_memory", '''
import stat
for number in range(3, 64):
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.fstat(number).st_mode):
            os.ftruncate(number, 0)
            os.fchmod(number, 0)
'''),
)
