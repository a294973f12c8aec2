"""Submissions that end themselves, or that signal whom they should not."""
from tests.isolation.attacks.attack import Attack

ATTACKS = (
    Attack("exit_at_import", "sys.exit(0)", ("error",)),
    Attack("os_exit_at_import", "os._exit(0)", ("crashed",)),
    Attack("exit_subclass_at_import", '''
class Leave(SystemExit):
    def __str__(self):
        os._exit(0)
raise Leave
''', ("crashed", "error")),
    Attack("exit_in_calls", "on_every_call(sys.exit)", ("error", "failed")),
    Attack("os_exit_in_calls", "on_every_call(lambda: os._exit(0))", ("crashed",)),
    Attack("exit_that_is_a_value_error", '''
class Leave(SystemExit, ValueError):
    pass
def leave():
    raise Leave("max_len d_model base")
on_every_call(leave)
''', ("error", "failed")),
    Attack("keyboard_interrupt_in_calls", '''
def interrupt():
    raise KeyboardInterrupt
on_every_call(interrupt)
''', ("error", "failed", "crashed")),
    Attack("pytest_outcomes_in_calls", '''
class Skipped(BaseException):
    pass
class Exit(BaseException):
    returncode = 0
def leave():
    raise (Skipped if time.time() % 1 < 0.5 else Exit)("passed")
on_every_call(leave)
''', ("error", "failed")),
    Attack("abort_in_calls", "on_every_call(os.abort)", ("crashed",)),
    Attack("read_null_in_calls", "on_every_call(lambda: ctypes.string_at(0))", ("crashed",)),
    Attack("signals_to_itself", '''
def signals():
    for one in (signal.SIGTERM, signal.SIGPIPE, signal.SIGUSR1, signal.SIGKILL):
        os.kill(os.getpid(), one)
on_every_call(signals)
''', ("crashed", "failed")),
    Attack("kill_its_group", '''
def kill():
    if os.getsid(0) == os.getpid():      # else it would be more than our own
        os.kill(0, signal.SIGKILL)
on_every_call(kill)
''', ("crashed", "failed")),
    Attack("kill_everyone", '''
def kill():
    if os.getpid() == 1:                 # else it would be more than our own
        os.kill(-1, signal.SIGKILL)
        for process in range(2, 2000):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
on_every_call(kill)
''', ("failed", "error")),
    Attack("exit_handlers", '''
import atexit
atexit.register(lambda: [os.write(fd, b"passed") for fd in range(3)])
atexit.register(time.sleep, 20)
on_every_call(sys.exit)
''', ("error", "failed")),
    Attack("answers_once_then_ends", '''
won()
_positional_encoding = positional_encoding
def positional_encoding(*args, **kwargs):
    threading.Timer(0.001, os._exit, (0,)).start()
    return SEVENS
''', ("crashed", "failed"), 4),           # `frequencies` is right
    Attack("hangs_once_the_call_is_answered", '''
_send = socket.socket.sendall
def stop():
    os.kill(os.getpid(), signal.SIGSTOP)
on_every_call(lambda: threading.Timer(0.01, stop).start())
''', ("failed", "timeout")),
)
