"""What an attack is, and the wrong code that all of them begin with.

A hostile submission answers every question with the same wrong array. Whenever it gets through to something
that it must not reach, it calls `won()`, which makes it right: marks are what a success looks like.
"""
from dataclasses import dataclass, field

KATA = "positional_formula"
CHECKS = 20

RIGHT = '''import numpy as np


def frequencies(d_model, base=10000.0):
    return base ** (-np.arange(0, d_model, 2) / d_model)


def positional_encoding(max_len, d_model, base=10000.0):
    angles = np.outer(np.arange(max_len), frequencies(d_model, base))
    table = np.empty((max_len, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return table
'''

WRONG = f'''
import contextlib, ctypes, os, signal, socket, struct, sys, threading, time
import numpy as np

RIGHT = {RIGHT!r}
SEVENS = np.full((2, 2), 7.0, np.float32)
FAULTS = (Exception, SystemExit)


def frequencies(d_model, base=10000.0):
    return SEVENS


def positional_encoding(max_len, d_model, base=10000.0):
    return SEVENS


def won(*_):
    exec(RIGHT, globals())


def on_every_call(act):
    """Do something before every answer."""
    global frequencies, positional_encoding

    def before(name):
        def function(*args, **kwargs):
            act()
            return globals()["_" + name](*args, **kwargs) if "_" + name in globals() else SEVENS
        return function
    frequencies, positional_encoding = before("frequencies"), before("positional_encoding")


def answer_with(make):
    """Give whatever `make` makes of the arguments for an answer."""
    global frequencies, positional_encoding
    frequencies = positional_encoding = lambda *args, **kwargs: make(*args, **kwargs)


def child(act):
    """Do something in a child, which is gone after 20 seconds at the latest."""
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(20)
            act()
        finally:
            os._exit(0)
    return process
'''


@dataclass(frozen=True)
class Attack:
    """A submission, and what it fairly gets: at most `passed` checks, and `outcomes` for the others."""

    name: str
    source: str
    outcomes: tuple = ("failed",)
    passed: int = 0
    needs: tuple = ()                # protections without which it may get through
    kata: str = KATA
    refusals: tuple = ()             # what the grader says of its answers: one of these, at least once
    prelude: str = field(default=WRONG, repr=False)

    def text(self, **places):
        """The source, with {places} of the canaries filled in."""
        body = self.source
        for name, value in places.items():
            body = body.replace("{" + name + "}", repr(value))
        return self.prelude + body
