"""Submissions that speak the worker's language: forged answers, and answers that nobody asked for."""
from tests.isolation.attacks.attack import Attack

FORGE = '''
import json


def frame(message, content=b"", number=0):
    text = json.dumps(message).encode()
    return struct.pack("<III", number, len(text), len(content)) + text + content


def answer(number, value, content=b""):
    return frame({"outcome": "returned", "value": value, "peak": 0}, content, number)


def say(content, flags=socket.MSG_DONTWAIT):
    """Write to every socket there is, and to every pipe, without waiting for anybody."""
    for number in range(64):
        with contextlib.suppress(OSError):
            with socket.socket(fileno=os.dup(number)) as link:
                link.send(content, flags)


def asked():
    """The number of the question, which a forged answer has to bear."""
    frame = sys._getframe()
    while not {"number", "tracing"} <= frame.f_locals.keys():
        frame = frame.f_back
    return frame.f_locals["number"]


def send_in_place(make):
    """Answer every call with these bytes, instead of what would have been sent."""
    def act():
        say(make(), 0)
        signal.pause()
    on_every_call(act)


def always(value, content=b""):
    """Answer every call with this value."""
    send_in_place(lambda: answer(asked(), value, content))
'''

GONE = ("crashed", "failed", "timeout")
TWO, ANOTHER = "one call got more than one answer", "it belongs to another call"
TOO_LONG, INVALID = "bytes are more than the limit of", "it is not a valid answer"
NO_NUMBERS, TOO_FEW = "an array that is not of numbers", "an array with too few bytes"


def forged(name, source, outcomes=("crashed", "failed"), *refusals):
    """An attack whose answers are refused with one of these sentences, at least once."""
    return Attack(name, FORGE + source, outcomes, refusals=refusals)


ATTACKS = (
    forged("answers_at_import", '''
say(frame({"outcome": "loaded", "functions": ["frequencies", "positional_encoding"]}))
for number in range(5):
    say(answer(number, {"is": True}))
''', GONE, TWO, ANOTHER),
    forged("bytes_on_every_descriptor", '''
for number in range(64):
    with contextlib.suppress(OSError):
        os.set_blocking(number, False)
        os.write(number, answer(1, {"number": 1.0}) * 3)
        os.set_blocking(number, True)
''', GONE, TWO),
    forged("answers_before_the_call_is_done", '''
on_every_call(lambda: say(answer(asked(), {"number": 1.0})))
''', GONE, TWO, ANOTHER),
    forged("two_answers_at_once", '''
send_in_place(lambda: answer(asked(), {"number": 1.0}) + answer(asked() + 1, {"is": True}))
''', GONE, TWO),
    forged("an_answer_for_the_next_call", 'send_in_place(lambda: answer(asked() + 1, {"is": True}))', GONE, ANOTHER),
    # The first answer may come before the worker says that the file is loaded.
    forged("an_answer_in_a_thread_for_ever", '''
def forever():
    for number in range(100_000):
        say(answer(number // 1000, {"is": True}))
        time.sleep(0.0002)
threading.Thread(target=forever, daemon=True).start()
''', GONE, TWO, ANOTHER, "the file does not load"),
    forged("an_outcome_that_there_is_not", '''
OUTCOMES = ("passed", None, [], {"a": 1}, "no_file", "broken", "timeout", 3)
send_in_place(lambda: frame({"outcome": OUTCOMES[asked() % 8], "value": {"is": True}}, number=asked()))
''', GONE, "it has an unknown outcome"),
    forged("broken_for_good", '''
say(frame({"outcome": "broken", "message": "passed " * 1000}))
''', ("error", "crashed")),
    forged("terabytes_to_come", '''
say(struct.pack("<III", 0, 2**32 - 1, 2**32 - 1) + b"[" * 100)
time.sleep(20)
''', ("crashed",), TOO_LONG),
    forged("terabytes_to_come_in_a_call", '''
send_in_place(lambda: struct.pack("<III", asked(), 100, 2**32 - 1) + b"[" * 100)
''', GONE, TOO_LONG),
    forged("lengths_that_are_no_lengths", '''
LENGTHS = (-5, 2**70, True, None, 1e999)
send_in_place(lambda: answer(asked(), {"array": ["<f8", [LENGTHS[asked() % 5]]]}))
''', GONE, "an array of an impossible shape"),
    forged("shape_of_no_bytes", 'always({"array": ["<f8", [10**12, 0]]})', GONE, "an array of an impossible shape"),
    forged("axes_of_no_bytes", 'always({"array": ["<f8", [2**20, 2**10, 0]]})', GONE,
           "an empty array with too large a shape"),
    forged("objects_in_an_answer", '''
always({"array": ["|O", [1]]}, b"cos\\nsystem\\n(S'true'\\ntR.")
''', GONE, NO_NUMBERS),
    forged("shape_longer_than_its_array", 'always({"array": ["<f8", [3]]}, bytes(8))', GONE, TOO_FEW),
    forged("bytes_of_no_array", 'always({"array": ["<f8", [1]]}, bytes(16))', GONE, "bytes of no array"),
    forged("one_array_many_times", '''
always({"list": [{"array": ["|u1", [2**20]]}] * 120}, bytes(2**20))
''', GONE, TOO_FEW),
    forged("nested_answer", '''
def nested():
    text = b'{"value":' + b'{"tuple":[' * 100_000
    return struct.pack("<III", asked(), len(text), 0) + text
send_in_place(nested)
''', GONE, INVALID),
    forged("tuples_in_tuples", '''
def tuples():
    text = b'{"outcome":"returned","value":' + b'{"tuple":[' * 200 + b"]}" * 200 + b"}"
    return struct.pack("<III", asked(), len(text), 0) + text
send_in_place(tuples)
''', GONE, "it is nested too deeply"),
    forged("many_empty_lists", '''
def lists():
    text = b'{"outcome":"returned","value":[' + b"[]," * 600_000 + b"[]]}"
    return struct.pack("<III", asked(), len(text), 0) + text
send_in_place(lists)
''', GONE, "it contains an invalid value"),
    forged("huge_integer", 'always({"number": 10**4000})', GONE, "a value of an unknown kind"),
    forged("nan_flood", 'always({"array": ["<f8", [5, 8]]}, struct.pack("<d", float("nan")) * 40)', GONE),
    forged("a_million_ones", 'answer_with(lambda *args, **kwargs: np.ones((1000, 1000), np.int8))'),
    forged("more_bytes_than_allowed", '''
answer_with(lambda *args, **kwargs: np.zeros((300_000, 8), np.uint8))
''', GONE, TOO_LONG),
    forged("forged_refusals", '''
send_in_place(lambda: frame({"outcome": "raised", "types": ["ValueError"] * 1000, "message": "x" * 100_000,
                             "line": 10**30}, number=asked()))
''', ("failed", "error", "crashed", "timeout")),
    forged("dripping_answer", '''
def drip():
    for byte in answer(asked(), {"is": True}):
        say(bytes([byte]))
        time.sleep(0.3)
on_every_call(drip)
''', ("timeout", "crashed")),
    forged("passed_descriptors", '''
def act():
    for number in range(64):
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as link:
            socket.send_fds(link, [answer(asked(), {"is": True})], [0, 1, 2])
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
)
