"""CPU seconds of calls, alone and in turn; ratios of them; the memory of a call."""
import gc
import statistics
import time
import tracemalloc

ROUNDS, FEWEST = 25, 3           # at most, at least
LONG_ENOUGH = 0.004              # seconds: what is shorter runs several times in a row


def cpu_seconds(call, repeats=1):
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def in_turn(calls, seconds):
    """{name: CPU seconds of every round}, the calls running one after the other in each; short ones several times."""
    times, repeats, started = {name: [] for name in calls}, {}, time.process_time()
    gc.disable()
    for rounds in range(ROUNDS):
        if rounds >= FEWEST and time.process_time() - started > seconds:
            break
        for name, call in calls.items():
            duration = cpu_seconds(call, repeats.get(name, 1))
            if name not in repeats:
                repeats[name] = 1 + int(LONG_ENOUGH / max(duration, 1e-6))
                if repeats[name] > 1:
                    duration = cpu_seconds(call, repeats[name])
            times[name].append(max(duration, 1e-9))
    gc.enable()
    return times


def ratio(one, other):
    """Median and quartiles of the rounds' ratios."""
    low, middle, high = statistics.quantiles([a / b for a, b in zip(one, other, strict=True)], n=4, method="inclusive")
    return {"median": middle, "low": low, "high": high}


def traced(call):
    """The result of a call, and the most bytes that it has allocated at once, its result among them."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = call()
        return result, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
