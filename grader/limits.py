"""Call a function, but wait only so long for it."""
import ctypes
import threading


class Overtime(BaseException):
    """Raised inside a call that has run out of time; not an Exception, so that few handlers catch it."""


def call_within(seconds, function, *args, **kwargs):
    """Return ("returned", value), ("raised", exception) or ("timeout", None).

    The call runs in a thread of its own: a signal would reach neither Windows nor a loop inside NumPy.
    A thread that cannot be stopped is left behind; it ends with the process.
    """
    result = []

    def run():
        try:
            result.append(("returned", function(*args, **kwargs)))
        except BaseException as error:
            result.append(("raised", error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if result:
        return result[0]
    for _ in range(5):                        # a bare `except:` in a loop swallows the first
        if not thread.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Overtime))
        thread.join(0.05)
    return ("timeout", None)
