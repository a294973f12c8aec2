"""The table by which position schemes are compared, measured.

    python katas/93_scheme_comparison/lab_comparison.py --quick

It trains the models of kata 92's lab where that has not been done yet, with the same options, and asks them with the
functions of this kata: yours where it is solved, the reference's where it is not yet.
"""
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

HERE = Path(__file__).resolve().parent
(LAB,) = HERE.parent.glob("??_train_short_test_long")
sys.path.insert(0, str(LAB))

import numpy as np  # noqa: E402

import lab  # noqa: E402
import lab_functions  # noqa: E402
from lab_data import TASKS  # noqa: E402
from lab_model import Config, forward, shapes, views  # noqa: E402
from lab_schemes import SCHEMES, SHAW_REACH, T5_BUCKETS  # noqa: E402
from lab_train import TRAINED_AS  # noqa: E402

FUNCTIONS = dict.fromkeys(("position_parameters", "is_relative", "mean_attention_distance"), "scheme_comparison")
HOLDS = 1.1                                      # times the perplexity at the length of training
TEXTS = 32                                       # held-out texts whose attention is looked at
ROUNDS = 9
COLUMNS = ("scheme", "trains", "memory", "time", "relative", "holds to", "looks back")
WIDTHS = (20, 8, 10, 9, 10, 10, 24)
LEGEND = """\
trains      numbers that are trained for the positions, of {all_numbers} in the model without them
memory      bytes per token that reading {texts} texts of {longest} takes at its peak, beyond those of "none"
time        of the same, as a multiple of that of "none"
relative    whether the scores of a text of one and the same character depend on distance alone, in the first layer
holds to    the longest length up to which the perplexity stays below {holds} times that at {length}
looks back  tokens, the mean of all heads, from the one that looks least far back to the one that looks farthest;
            even attention in texts of {length} would look back {even:g}"""


def main(arguments=None):
    options = lab.options_from(arguments, prog="lab_comparison.py")
    lab.prepare_environment()
    try:
        found, kept, status = lab.results(options)
        if found:
            print(flush=True)
            print(compared(options, found, kept))
        return status
    except KeyboardInterrupt:
        print("Stopped. What is trained is kept: the same command goes on from here.", file=sys.stderr)
        return 130


def compared(options, found, kept):
    """The table and what its columns mean, as text; of several seeds the means."""
    sources = lab_functions.choose(FUNCTIONS, FUNCTIONS)
    print("\n".join(source.line for source in sources), end="\n\n", flush=True)
    asked = lab_functions.load(sources)
    task = TASKS[options.task].make()
    config = Config(vocab=task.vocab, train_length=options.length)
    functions = lab_functions.load(kept.sources)
    costs = cost(config, functions, [name for name in SCHEMES if name in options.schemes], options.lengths[-1])
    rows = [COLUMNS]
    for name in options.schemes:
        jobs = [job for job in found if job.scheme == TRAINED_AS[name]]
        if jobs:
            models = [Model(name, config, functions, kept.vector(job)) for job in jobs]
            rows.append((
                name, str(trained(asked, name, config)), *costs[name],
                "yes" if all(model.relative(asked) for model in models) else "no",
                holds_to([found[job][name] for job in jobs], options.lengths, options.length),
                looks_back([model.distances(asked, task, options) for model in models])))
    numbers = len(Model("none", config, functions).vector)
    legend = LEGEND.format(all_numbers=numbers, texts=4, longest=options.lengths[-1], holds=HOLDS,
                           length=options.length, even=(options.length - 1) / 4)
    return "\n".join("".join(map(cell, row, WIDTHS)).rstrip() for row in rows) + "\n\n" + legend


def cell(text, width):
    return f"{text:<{width}}" if width == WIDTHS[0] else f"{text:>{width}}"


class Model:
    """What was trained for a scheme, read as a scheme says; without a vector, as it is before training."""

    def __init__(self, name, config, functions, vector=None):
        self.config = config
        self.scheme = SCHEMES[name](config, functions)
        wanted = shapes(config, self.scheme)
        size = sum(int(np.prod(shape)) for shape in wanted.values())
        self.vector = np.zeros(size, config.dtype) if vector is None else vector
        self.params = views(self.vector, wanted)

    def read(self, tokens):
        """The q, k, bias and weights of every layer, for tokens (b, n)."""
        _, (_, kept, *_) = forward(self.config, self.scheme, self.params, tokens)
        return [(q, k, bias, weights) for _, _, _, q, k, _, bias, weights, *_ in kept]

    def relative(self, asked):
        """Whether the scores of the first layer depend on distance alone, to a ten-thousandth of the largest."""
        tokens = np.full((1, self.config.train_length), self.config.vocab // 2)
        q, k, bias, _ = self.read(tokens)[0]
        scores = q @ k.swapaxes(-1, -2) * self.config.d_head**-0.5 + bias                  # (1, h, n, n)
        return asked.is_relative(scores, atol=1e-4 * np.abs(scores[np.isfinite(scores)]).max())

    def distances(self, asked, task, options):
        """How far each head looks back in held-out texts of the length of training: (layers * heads,)."""
        tokens = task.windows(options.length, options.held_out)[0][:TEXTS]                 # (texts, n)
        return np.concatenate([asked.mean_attention_distance(weights).mean(axis=0)
                               for *_, weights in self.read(tokens)])


def trained(asked, name, config):
    """How many numbers the scheme has to train."""
    return asked.position_parameters(
        TRAINED_AS[name], config.train_length, config.width, config.heads, config.layers, SHAW_REACH, T5_BUCKETS)


def holds_to(results, lengths, train_length):
    """The longest length up to which the mean perplexity stays below HOLDS times that at the length of training."""
    def perplexity(n):
        return statistics.fmean(result[str(n)]["perplexity"] for result in results)

    held = train_length
    for n in (n for n in lengths if n > train_length):
        if perplexity(n) >= HOLDS * perplexity(train_length):
            return str(held)
        held = n
    return f">= {held}"


def looks_back(distances):
    """The mean of all heads, the least and the most; `distances` has (layers * heads,) for every seed."""
    of_heads = np.mean([sorted(one) for one in distances], axis=0)                         # (layers * heads,)
    return f"{of_heads.mean():.1f} ({of_heads[0]:.1f} to {of_heads[-1]:.1f})"


def cost(config, functions, names, n):
    """{scheme: (memory, time)} of reading four texts of n tokens, beside those of "none"."""
    tokens = np.random.default_rng(0).integers(0, config.vocab, (4, n))
    peaks, times = {}, {}
    models = {name: Model(name, config, functions) for name in dict.fromkeys(["none", *names])}
    for name, model in models.items():
        tracemalloc.start()
        model.read(tokens)
        peaks[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        times[name] = []
    for _ in range(ROUNDS):                      # in turn, so that a slow moment of the machine meets all of them
        for name, model in models.items():
            began = time.process_time()
            model.read(tokens)
            times[name].append(time.process_time() - began)
    found = {}
    for name in models:
        ratio = min(times[name]) / min(times["none"])          # what nothing else has disturbed
        found[name] = f"{(peaks[name] - peaks['none']) / tokens.size:+.0f}", f"{ratio:.2f}"
    return found


if __name__ == "__main__":
    sys.exit(main())
