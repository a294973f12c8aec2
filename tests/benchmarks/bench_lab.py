"""What a training step of the lab costs against the same model in eager torch, and whether both learn the same.

    python tests/benchmarks/bench_lab.py [scheme ...]

One thread each, in turn, so that a slow moment of the machine meets both; the median of the ratios counts. Time is that
of the process, not of the wall, for other programs may run. Both begin with the same weights, read the same batches and
use Adam with the same rates and the same clipping. Without torch only the lab's own step is timed.
"""
import os
import sys
import time
from pathlib import Path

os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
if os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**30)) and "MALLOC_MMAP_THRESHOLD_" not in os.environ:
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**30)            # as the lab does; read when a process starts
    os.execv(sys.executable, [sys.executable, *sys.argv])

ROOT = Path(__file__).resolve().parents[2]
(FOLDER,) = (ROOT / "katas").glob("??_train_short_test_long")
sys.path[:0] = [str(ROOT / "tests" / "katas" / "golden"), str(FOLDER), str(ROOT)]

import numpy as np  # noqa: E402

import lab.functions  # noqa: E402
from lab.data import Text  # noqa: E402
from lab.model import Config  # noqa: E402
from lab.results import used_by  # noqa: E402
from lab.schemes import SCHEMES  # noqa: E402
from lab.train import BETA_1, BETA_2, LARGEST_NORM, TRAINED_AS, Settings, Training  # noqa: E402

try:
    import torch
    from torch_lab import Model
except ImportError:
    torch = None

STEPS = 300


class Torch:
    """The same training in torch, from the same weights."""

    def __init__(self, training, name):
        config = training.config
        torch.set_num_threads(1)
        self.training = training                 # for the rates only
        self.params = {key: torch.tensor(array.copy(), requires_grad=True) for key, array in training.params.items()}
        self.model = Model(name, self.params, config.heads, config.layers, config.train_length)
        self.optimiser = torch.optim.Adam(self.params.values(), betas=(BETA_1, BETA_2))

    def step(self, tokens, targets, rate):
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad()
        loss = self.model.loss(torch.as_tensor(tokens), torch.as_tensor(targets))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.params.values(), LARGEST_NORM)
        self.optimiser.step()
        return loss.item()


def timed(times, function, *arguments):
    began = time.process_time()
    result = function(*arguments)
    times.append(time.process_time() - began)
    return result


def compare(name, functions, batch, text):
    """Train both for `STEPS` steps and print what they cost and where they arrive."""
    config = Config(vocab=text.vocab)
    training = Training(config, SCHEMES[name](config, functions), functions, STEPS, Settings(name, 0).rate, 0)
    other = Torch(training, name) if torch else None
    rng = np.random.default_rng(0)
    ours, theirs, losses = [], [], []
    for _ in range(STEPS):
        tokens, targets, counted = text.batch(rng, batch, config.train_length)
        loss = timed(ours, training.step, tokens, targets, counted)
        if other:
            losses.append((loss, timed(theirs, other.step, tokens, targets, training.rate_now())))
    line = f"{name:11} batch {batch:3}: NumPy {1e3 * np.median(ours):5.1f} ms"
    if other:
        ratios = np.array(ours) / theirs
        # the losses of single batches differ by more than the models do: the last 20 together
        mine, torchs = np.mean(losses[-20:], axis=0)
        line += (f", torch {1e3 * np.median(theirs):5.1f} ms, ratio {np.median(ratios):.2f}"
                 f" ({np.quantile(ratios, 0.1):.2f} to {np.quantile(ratios, 0.9):.2f});"
                 f" loss after {STEPS} steps {mine:.4f} and {torchs:.4f}, {100 * (mine / torchs - 1):+.2f} percent")
    print(line, flush=True)


def main(names):
    sources = lab.functions.choose(dict.fromkeys(use for name in set(TRAINED_AS.values()) for use in used_by(name)))
    functions, text = lab.functions.load(sources), Text()
    for name in names or dict.fromkeys(TRAINED_AS.values()):
        for batch in (Settings(name, 0).batch, 32):
            compare(name, functions, batch, text)


if __name__ == "__main__":
    main(sys.argv[1:])
