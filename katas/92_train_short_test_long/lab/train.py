"""One run of the experiment: train a model with one scheme at one length, measure its perplexity at many."""
from dataclasses import dataclass

import numpy as np

from lab.data import TASKS
from lab.model import Config, backward, forward, initial, shapes, views
from lab.schemes import SCHEMES

# Some schemes read a model that was trained as another scheme
TRAINED_AS = {name: name.split("+")[0] for name in SCHEMES}

BETA_1, BETA_2 = 0.9, 0.98
LARGEST_NORM = 1.0                               # of the gradient; a longer one is cut to it
TOKENS_AT_ONCE = 2048                            # in an evaluation, so that its arrays stay in the processor's cache


@dataclass(frozen=True)
class Settings:
    """Everything that a result depends on, except the functions."""

    scheme: str
    seed: int
    task: str = "text"
    steps: int = 2500
    batch: int = 8
    rate: float = 6e-3
    train_length: int = 64
    lengths: tuple = (64, 96, 128, 192, 256, 512)
    held_out: int = 30720


class Training:
    """A model with its optimiser: Adam, with warm-up, decay along a cosine, and clipped gradients."""

    def __init__(self, config, scheme, functions, steps, rate, seed):
        self.config, self.scheme, self.functions = config, scheme, functions
        self.steps, self.rate = steps, rate
        self.vector, self.params = initial(config, scheme, seed)
        self.gradient = np.zeros_like(self.vector)
        self.grads = views(self.gradient, shapes(config, scheme))
        self.mean, self.square = np.zeros_like(self.vector), np.zeros_like(self.vector)
        self.done = 0

    def step(self, tokens, targets, counted):
        """One step of Adam on a batch, everything (b, n); return the loss before it."""
        loss = self.find_gradient(tokens, targets, counted)
        self.done += 1
        norm = float(np.sqrt(self.gradient @ self.gradient))
        if norm > LARGEST_NORM:
            self.gradient *= LARGEST_NORM / norm
        self.mean += (1 - BETA_1) * (self.gradient - self.mean)
        self.square += (1 - BETA_2) * (self.gradient**2 - self.square)
        size = np.sqrt(self.square / (1 - BETA_2**self.done)) + 1e-8                       # (parameters,)
        self.vector -= self.rate_now() / (1 - BETA_1**self.done) * self.mean / size
        return loss

    def find_gradient(self, tokens, targets, counted):
        """Put the gradient of the loss into `self.gradient`; return the loss."""
        logits, cache = forward(self.config, self.scheme, self.params, tokens)             # (b, n, vocab)
        upstream = np.zeros_like(logits)
        upstream[counted] = self.functions.cross_entropy_gradient(logits[counted], targets[counted])
        backward(self.config, self.scheme, self.params, cache, upstream, self.grads, self.functions.attention_gradients)
        return float(self.functions.cross_entropy(logits[counted], targets[counted]))

    def rate_now(self):
        """Up in a straight line for a tenth of the steps, then down along half a cosine."""
        warm = max(1, self.steps // 10)
        if self.done <= warm:
            return self.rate * self.done / warm
        return self.rate * (1 + np.cos(np.pi * (self.done - warm) / (self.steps - warm + 1))) / 2


def evaluate(config, scheme, params, functions, windows):
    """The mean loss by position, and the number of targets there: two arrays (n,)."""
    tokens, targets, counted = windows                                                     # (texts, n) each
    texts, n = tokens.shape
    at_once = max(1, TOKENS_AT_ONCE // n)
    logits = np.concatenate([                                                              # (texts, n, vocab)
        forward(config, scheme, params, tokens[start : start + at_once])[0] for start in range(0, texts, at_once)])
    losses = np.zeros(n)
    for place in range(n):
        here = counted[:, place]
        if here.any():
            losses[place] = functions.cross_entropy(logits[here, place], targets[here, place])
    return losses, counted.sum(axis=0)


def train(settings, functions, tell=lambda done, loss: None):
    """The Training of one scheme, done; `tell` is called after each step."""
    task = TASKS[settings.task].make()
    config = Config(vocab=task.vocab, train_length=settings.train_length)
    scheme = SCHEMES[settings.scheme](config, functions)
    training = Training(config, scheme, functions, settings.steps, settings.rate, settings.seed)
    rng = np.random.default_rng([settings.seed, 1])            # all schemes of a seed see the same batches
    for done in range(settings.steps):
        loss = training.step(*task.batch(rng, settings.batch, settings.train_length))
        tell(done + 1, loss)
    return training


def measure(settings, functions, training):
    """Evaluate a model with every scheme that can read it.

    Returns
    -------
    dict
        {scheme: {length: {"perplexity": float, "losses": [nats by position], "counts": [targets by position]}}}
    """
    task = TASKS[settings.task].make()
    found = {}
    for name in (name for name, trained in TRAINED_AS.items() if trained == settings.scheme):
        reading = SCHEMES[name](training.config, functions)
        found[name] = {}
        for n in settings.lengths:
            losses, counts = evaluate(
                training.config, reading, training.params, functions, task.windows(n, settings.held_out))
            found[name][str(n)] = {
                "perplexity": float(np.exp(losses @ counts / counts.sum())),
                "losses": losses.tolist(), "counts": counts.tolist()}
    return found
