"""Submissions that mean no harm: wrong ones that get their part, right ones that are merely unusual."""
from tests.isolation.attacks.attack import CHECKS, RIGHT, Attack

# The checks that ask `frequencies` alone.
OF_FREQUENCIES = 7
WRONG = ("error", "failed")


def right(name, before="", after=""):
    """A right answer with something around it."""
    return Attack(name, before + RIGHT + after, ("passed",), CHECKS, prelude="")


def table(name, body, outcomes, passed=OF_FREQUENCIES, before=""):
    """A right `frequencies` beside this `positional_encoding`."""
    source = f"{before}{RIGHT}\n\ndef positional_encoding(max_len, d_model, base=10000.0):\n{body}"
    return Attack(name, source, ("passed", *outcomes), passed, prelude="")


WRAPPED = '''
_table = positional_encoding


def positional_encoding(max_len, d_model, base=10000.0):
    table = _table(max_len, d_model, base)
    %s
    return table
'''

WRONG_ONES = (
    table("endless_loop", "    while True:\n        pass\n", ("timeout",)),
    table("endless_recursion", "    return positional_encoding(max_len, d_model, base)\n", WRONG),
    table("wrong_signature", "    pass\n\ndef positional_encoding(d_model):\n    return d_model\n", WRONG),
    table("asks_for_input", "    return input('How many? ')\n", ("error", "failed")),
    table("an_exception_without_words", '''
    class Strange(Exception):
        def __str__(self):
            raise RuntimeError
        __repr__ = __str__
    raise Strange
''', ("error", "failed")),
    table("a_generator", "    yield from range(max_len)\n", ("failed",)),
    table("returns_nothing", "    frequencies(d_model, base)\n", ("failed",)),
    table("memory_for_all_pairs", "    return np.ones((10**6, 10**6))\n", ("error", "failed")),
    Attack("one_function_only", RIGHT[:RIGHT.index("def positional_encoding")], ("passed", "error"),
           OF_FREQUENCIES, prelude=""),
    Attack("a_typing_error", RIGHT + "\ndef more(:\n    pass\n", ("error",), 0, prelude=""),
    Attack("a_missing_package", "import no_such_package\n" + RIGHT, ("error",), 0, prelude=""),
    Attack("nothing_at_all", "", ("error",), 0, prelude=""),
)

RIGHT_ONES = (
    right("prints_and_warns", after=WRAPPED % (
        "import sys, warnings; print('x' * 50_000); print('y', file=sys.stderr); warnings.warn('careful'); "
        "np.log(np.zeros(3)); np.seterr(all='warn'); np.float64(1) / np.float64(0)")),
    right("returns_a_view", after=WRAPPED % "table = np.concatenate([table, table])[:max_len].T.copy().T"),
    right("returns_read_only", after=WRAPPED % "table.flags.writeable = False"),
    right("returns_a_subclass", after=WRAPPED % "table = table.view(type('Mine', (np.ndarray,), {}))"),
    right("writes_files", after=WRAPPED % (
        "np.save('table.npy', table); table = np.load('table.npy'); open('log.txt', 'a').write('x')")),
    right("leaves_a_thread", "import threading\n"
          "for _ in range(12):\n    threading.Thread(target=threading.Event().wait, daemon=True).start()\n"),
    right("leaves_a_child", "import os, time\nif os.fork() == 0:\n    time.sleep(20)\n    os._exit(0)\n"),
    right("starts_with_a_mark", "\ufeff"),
    right("imports_late", after=WRAPPED % (
        "import asyncio, dataclasses, decimal, fractions, functools, itertools, json, logging, math, re, "
        "sqlite3, statistics, tempfile, typing, unittest, numpy.linalg, numpy.random, numpy.polynomial")),
    right("has_a_main", after="\nif __name__ == '__main__':\n    raise SystemExit('not when imported')\n"),
    right("changes_numpy_settings",
          "import numpy\nnumpy.seterr(all='raise')\nnumpy.set_printoptions(precision=1)\n"),
    right("uses_dataclasses", "from __future__ import annotations\nimport dataclasses\n\n\n"
          "@dataclasses.dataclass\nclass Pair:\n    sine: float\n    cosine: float\n\n\n"),
    right("says_goodbye", "import atexit\natexit.register(print, 'bye')\n"),
    right("exits_in_a_thread", "import sys, threading\nthreading.Thread(target=sys.exit).start()\n"),
)
