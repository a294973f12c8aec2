"""Submissions for a kata that hands arrays over: they write to them, or lie about the memory they need."""
from tests.isolation.attacks.attack import Attack

KATA = "skewing"
RIGHT = '''
import threading, time
import numpy as np


def skew(products):
    *leading, n = products.shape[:-1]
    before = np.zeros((*leading, n, 1), dtype=products.dtype)
    padded = np.concatenate([before, products], axis=-1)
    return np.tril(padded.reshape(*leading, n + 1, n)[..., 1:, :])


def relative_logits(q, table):
    return skew(q @ table.T)


_skew, _relative_logits = skew, relative_logits
'''

HUNGRY = '''
def relative_logits(q, table):
    n, d = q.shape[-2:]
    result = _relative_logits(q, table)
    held = np.ones((*q.shape[:-2], n, n, d))         # one vector for every pair of positions
    assert held.all()
    return result
'''


def attack(name, source, failing):
    """A right answer but for `failing` checks of 24."""
    return Attack(name, source, ("passed", "failed"), 24 - failing, kata=KATA, prelude=RIGHT)


ATTACKS = (
    attack("skew_right", "", 0),
    attack("skew_writes_and_answers", '''
def skew(products):
    result = _skew(products)
    if products.flags.writeable:
        products += 1
    return result
''', 10),
    attack("skew_writes_in_a_thread", '''
def later(products):
    for _ in range(20):
        products += 1
        time.sleep(0.001)

def skew(products):
    if products.flags.writeable:
        threading.Thread(target=later, args=(products,), daemon=True).start()
        time.sleep(0.005)
    return _skew(products.copy())
''', 1),
    attack("skew_unlocks_what_is_read_only", '''
def skew(products):
    result = _skew(products.copy())
    try:
        products.flags.writeable = True
        products[...] = 0
    except ValueError:
        pass
    return result
''', 11),
    attack("skew_puts_it_back", '''
def skew(products):
    if not products.flags.writeable:
        return _skew(products)
    kept = products.copy()
    products[...] = 0
    products[...] = kept
    return _skew(products)
''', 0),
    attack("skew_needs_too_much", HUNGRY, 1),
    attack("skew_needs_too_much_in_a_child", HUNGRY + '''
import os
_hungry = relative_logits

def relative_logits(q, table):
    if os.fork() == 0:
        _hungry(q, table)
        os._exit(0)
    os.wait()
    return _relative_logits(q, table)
''', 1),
    attack("skew_frees_what_it_has_held_before", HUNGRY + '''
_hungry, ballast = relative_logits, np.ones(64 * 2**20, np.int8)

def relative_logits(q, table):
    global ballast
    ballast = None
    result = _hungry(q, table)
    ballast = np.ones(64 * 2**20, np.int8)
    return result
''', 1),
    attack("skew_claims_to_need_nothing", HUNGRY + '''
import tracemalloc
tracemalloc.get_traced_memory = lambda: (0, 0)
''', 1),
    attack("skew_claims_to_need_much_always", HUNGRY + '''
import tracemalloc
tracemalloc.get_traced_memory = lambda: (0, 10**12)
''', 1),
)
