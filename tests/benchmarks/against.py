"""This checkout against another one: the fastest of reference and variants here, and the fastest there, in turn."""
from functools import partial

from tests.benchmarks.agreement import agree
from tests.benchmarks.contest import REFERENCE, fastest, first_pass
from tests.benchmarks.page import ratio as ratio_text
from tests.benchmarks.timing import in_turn, ratio

SLOWER = 1.10


def compare(case, sizes, here, there, seconds):
    """The ratio of the times here and there with the names of the two winners, or why there is none."""
    arguments, calls, names = case.arguments(sizes), {}, {}
    for side, functions in (("here", here), ("there", there)):
        if not functions:
            return {"missing": f"no such function {side}"}
        found, out = first_pass(case, functions, sizes, arguments)
        if not found:
            return {"missing": f"{out[REFERENCE]} {side}"}
        names[side] = fastest(functions, found, arguments)
        calls[side] = partial(functions[names[side]], *arguments)
    same = case.random or agree(calls["here"](), calls["there"](), case.in_any_order)
    times = in_turn(calls, seconds)
    return ratio(times["here"], times["there"]) | names | {"same": same}


def line(case, sizes, result):
    """A comparison for the terminal."""
    text = f"{case.name:32} n={sizes.n:<5} here/there {ratio_text(result, 2)}"
    if "missing" in result:
        return text
    return f"{text}  {result['here']} / {result['there']}{'' if result['same'] else '  another result'}"


def summary(results):
    """The names of what is slower here, from {name: comparison}."""
    slower = [f"  {name}: {result['median']:.2f}" for name, result in results.items()
              if result.get("median", 0.0) > SLOWER]
    return "\n".join([f"Median above {SLOWER:.2f}:" if slower else f"No median is above {SLOWER:.2f}.", *slower])
