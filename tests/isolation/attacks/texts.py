"""Submissions whose texts would do something on a terminal or in a file, if they were ever written raw."""
from tests.isolation.attacks.attack import Attack

TEXT = r'''
NASTY = "\x1b[31mred\x1b[0m\x07\x08\r\x00\x9b2J \u202e\u2028 \udc80\ud800 %s {0} \x1b]0;title\x07 25 passed"
'''

ATTACKS = (
    Attack("escapes_in_messages", TEXT + '''
def refuse(*args, **kwargs):
    raise ValueError(NASTY)
answer_with(refuse)
''', ("failed", "error")),
    Attack("escapes_in_type_names", TEXT + '''
Nasty = type(NASTY.replace("\\0", "").encode("ascii", "ignore").decode(), (Exception,), {})
def refuse(*args, **kwargs):
    raise Nasty("no")
answer_with(refuse)
''', ("error", "failed")),
    Attack("escapes_in_results", TEXT + "answer_with(lambda *args, **kwargs: NASTY)"),
    Attack("escapes_in_foreign_results", TEXT + '''
Nasty = type(NASTY.replace("\\0", "").encode("ascii", "ignore").decode(), (), {})
answer_with(lambda *args, **kwargs: (Nasty(), np.array(["\\x1b[31m"]), {NASTY: NASTY}))
'''),
    Attack("escapes_in_output", TEXT + r'''
def noise():
    print(NASTY)
    print("::error title=x::y\n##[set-output]points=999\n\x1b[2J", file=sys.stderr)
    os.write(1, bytes(range(256)))
on_every_call(noise)
'''),
    Attack("escapes_in_function_names", TEXT + '''
globals()[NASTY] = globals()["passed" * 1000] = print
del frequencies, positional_encoding
''', ("error",)),
    Attack("escapes_at_import", TEXT + "raise RuntimeError(NASTY)", ("error",)),
    Attack("escapes_in_a_wrong_line", "1 +* '\x1b[31m\x07 \u202e'\n", ("error",)),
    Attack("long_messages", '''
def refuse(*args, **kwargs):
    raise ValueError("passed " * 1_000_000)
answer_with(refuse)
''', ("failed", "error")),
)
