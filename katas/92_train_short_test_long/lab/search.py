"""How the powers of "rope+longrope" were found: a small search, in place of the evolutionary one of LongRoPE.

    python katas/92_train_short_test_long/lab/search.py

It trains a rope model with a seed that the tables do not have and reads texts of 256 from the train part with it, so
held-out text plays no role. It takes about a minute. Every pair has a power between 0 (unchanged) and 1 (divided by
the stretch), and slower pairs have no smaller power. One power after the other is set to the value with the lowest
loss, until no change lowers it.
"""
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(FOLDER), str(FOLDER.parents[1])]

import lab.functions  # noqa: E402
from lab.data import Text  # noqa: E402
from lab.processes import prepare_environment  # noqa: E402
from lab.results import used_by  # noqa: E402
from lab.schemes import RopeLongrope  # noqa: E402
from lab.train import Settings, evaluate, train  # noqa: E402

SEED = 3
LENGTH, TEXTS = 256, 48
LEVELS = np.linspace(0.0, 1.0, 5)


def search(loss, pairs):
    """The powers (pairs,) with a low loss, and that loss; `loss` takes powers."""
    best = np.linspace(0.0, 1.0, pairs)
    best = LEVELS[np.abs(LEVELS - best[:, None]).argmin(axis=1)]                           # (pairs,)
    lowest, changed = loss(best), True
    while changed:
        changed = False
        for pair in range(pairs):
            for level in LEVELS:
                tried = best.copy()
                tried[pair] = level
                if (np.diff(tried) < 0).any() or (found := loss(tried)) >= lowest:
                    continue
                best, lowest, changed = tried, found, True
    return best, lowest


def main():
    prepare_environment()
    functions = lab.functions.load(lab.functions.choose(used_by("rope")))
    training = train(Settings("rope", SEED), functions)
    text = Text()
    begins = np.linspace(0, len(text.train) - LENGTH - 1, TEXTS).astype(int)               # (texts,)
    places = begins[:, None] + np.arange(LENGTH)                                           # (texts, n)
    windows = text.train[places], text.train[places + 1], np.ones(places.shape, bool)

    def loss(powers):
        reading = RopeLongrope(training.config, functions)
        reading.powers = tuple(powers)
        losses, _ = evaluate(training.config, reading, training.params, functions, windows)
        return float(losses.mean())

    powers, lowest = search(loss, training.config.d_head // 2)
    print(f"powers {tuple(map(float, powers))}: perplexity {np.exp(lowest):.2f} in train texts of {LENGTH}")


if __name__ == "__main__":
    main()
