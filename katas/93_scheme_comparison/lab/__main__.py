"""A table that compares position schemes, measured on small models.

    python katas/93_scheme_comparison/lab --quick

It takes the same options as the lab of kata 92 and trains the models that are missing. It measures them with your
functions if you have solved this kata, and otherwise with the reference.
"""
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
(FOLDER,) = ROOT.glob("katas/??_train_short_test_long")
sys.path[:0] = [str(FOLDER), str(ROOT)]          # lab is the lab of kata 92

import lab.functions  # noqa: E402
from lab.data import TASKS  # noqa: E402
from lab.experiment import train_missing  # noqa: E402
from lab.model import Config, forward, shapes, views  # noqa: E402
from lab.options import options_from  # noqa: E402
from lab.processes import prepare_environment  # noqa: E402
from lab.schemes import SCHEMES  # noqa: E402
from lab.schemes.distances import SHAW_REACH, T5_BUCKETS  # noqa: E402
from lab.train import TRAINED_AS  # noqa: E402

FUNCTIONS = dict.fromkeys(("position_parameters", "is_relative", "mean_attention_distance"), "scheme_comparison")
COUNTED = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich", "rope")     # by position_parameters
HOLDS = 1.1                                      # times the perplexity at the length of training
TEXTS = 32                                       # held-out texts whose attention is measured
ROUNDS = 6
COLUMNS = ("scheme", "trains", "memory", "time", "relative", "holds to", "looks back")
WIDTHS = (20, 8, 10, 9, 10, 10, 24)
LEGEND = """\
trains      trained numbers for positions; the model without positions has {all_numbers} in all
memory      bytes per token, beyond those of "none", at the peak of reading {texts} texts of {longest}
time        time to read these texts, divided by the time of "none"
relative    whether the first layer's scores depend on distance alone, in a text that repeats one character
holds to    the longest length up to which the perplexity stays below {holds} times that at {length}
looks back  mean attention distance in tokens: the mean of all heads (smallest to largest);
            even attention over {length} tokens has {even:g}, with a causal mask"""


def main(arguments=None):
    options = options_from(arguments)
    prepare_environment()
    try:
        found, kept, status = train_missing(options)
        if found:
            print(flush=True)
            print(compared(options, found, kept))
        return status
    except KeyboardInterrupt:
        print("Stopped. Finished models are kept, and the same command goes on with the rest.", file=sys.stderr)
        return 130


def compared(options, found, kept):
    """The table and the meaning of its columns, as text; with several seeds, their means."""
    sources = lab.functions.choose(FUNCTIONS, FUNCTIONS)
    print("\n".join(source.line for source in sources), end="\n\n", flush=True)
    asked = lab.functions.load(sources)
    task = TASKS[options.task].make()
    config = Config(vocab=task.vocab, train_length=options.length)
    functions = lab.functions.load(kept.sources)
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
    """A trained model and a scheme. Without a vector all its numbers are 0, which is enough to time it."""

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
        """Whether the first layer's scores depend on distance alone, within 1e-4 of the largest."""
        tokens = np.full((1, self.config.train_length), self.config.vocab // 2)
        q, k, bias, _ = self.read(tokens)[0]
        scores = q @ k.swapaxes(-1, -2) * self.config.d_head**-0.5 + bias                  # (1, h, n, n)
        return asked.is_relative(scores, atol=1e-4 * np.abs(scores[np.isfinite(scores)]).max())

    def distances(self, asked, task, options):
        """How far each head looks back in held-out texts of the training length: (layers * heads,)."""
        tokens = task.windows(options.length, options.held_out)[0][:TEXTS]                 # (texts, n)
        return np.concatenate([asked.mean_attention_distance(weights).mean(axis=0)
                               for *_, weights in self.read(tokens)])


def trained(asked, name, config):
    """How many numbers the scheme trains; the lab counts for the schemes that task 1 does not have."""
    if TRAINED_AS[name] not in COUNTED:
        own = SCHEMES[name](config, None).shapes()
        return sum(int(np.prod(shape)) for shape in own.values())
    return asked.position_parameters(
        TRAINED_AS[name], config.train_length, config.width, config.heads, config.layers, SHAW_REACH, T5_BUCKETS)


def holds_to(results, lengths, train_length):
    """The longest length up to which the mean perplexity stays below HOLDS times that at the training length."""
    def perplexity(n):
        return statistics.fmean(result[str(n)]["perplexity"] for result in results)

    held = train_length
    for n in (n for n in lengths if n > train_length):
        if perplexity(n) >= HOLDS * perplexity(train_length):
            return str(held)
        held = n
    return f">= {held}"


def looks_back(distances):
    """The mean of all heads, the smallest and the largest; `distances` has (layers * heads,) for every seed."""
    of_heads = np.mean([sorted(one) for one in distances], axis=0)                         # (layers * heads,)
    return f"{of_heads.mean():.1f} ({of_heads[0]:.1f} to {of_heads[-1]:.1f})"


def cost(config, functions, names, n):
    """{scheme: (memory, time)} for reading four texts of n tokens, compared with "none"."""
    tokens = np.random.default_rng(0).integers(0, config.vocab, (4, n))
    peaks, times = {}, {}
    models = {name: Model(name, config, functions) for name in dict.fromkeys(["none", *names])}
    for name, model in models.items():
        tracemalloc.start()
        model.read(tokens)
        peaks[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        times[name] = []
    for _ in range(ROUNDS):                      # in turn, so that a slow moment of the machine affects all of them
        for name, model in models.items():
            began = time.process_time()
            model.read(tokens)
            times[name].append(time.process_time() - began)
    found = {}
    for name in models:
        ratio = min(times[name]) / min(times["none"])          # the least disturbed round
        found[name] = f"{(peaks[name] - peaks['none']) / tokens.size:+.0f}", f"{ratio:.2f}"
    return found


if __name__ == "__main__":
    sys.exit(main())
