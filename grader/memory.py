"""How much memory a call holds at its peak."""
import tracemalloc


def measure(call):
    """Return what `call` returns, and the most bytes it held at one time beyond those held before."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        value = call()
        return value, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
