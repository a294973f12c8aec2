"""The perplexities that the lab measured, the loss with tangents, the gradient of scores, and a small training."""
import numpy as np

from grader.course.panels import Curves, heatmap

LENGTHS = np.array([64, 96, 128, 192, 256, 512])
MEASURED = {                              # the table in lab/RESULTS.md: 2500 steps, the mean of three seeds
    "sinusoidal": np.array([4.25, 8.64, 12.78, 19.26, 23.79, 31.95]),
    "rotary": np.array([4.17, 4.14, 5.95, 12.42, 18.38, 34.26]),
    "no positions": np.array([8.88, 9.37, 9.75, 10.32, 10.78, 11.61]),
    "ALiBi": np.array([4.53, 4.47, 4.47, 4.45, 4.45, 4.44]),
    "forgetting gates": np.array([4.10, 4.03, 4.01, 3.97, 3.96, 3.94])}


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def bias(n, slope):
        back = np.subtract.outer(np.arange(n), np.arange(n))                                # (n, n)
        return np.where(back >= 0, -slope * back, -np.inf)

    levels, three = np.linspace(-6.0, 6.0, 49), np.arange(3)

    def loss(logit):
        return kata.cross_entropy(logit * np.eye(3), three)

    def tangent(at):
        return lambda: loss(at) + np.trace(kata.cross_entropy_gradient(at * np.eye(3), three)) * (levels - at)

    def of_scores(n=16):
        wanted = np.eye(n, k=-1)                                                            # (n, n) the key before
        return kata.attention_gradients(np.zeros((n, n)), np.eye(n), np.eye(n), bias(n, 0.5), -wanted)[0] * np.sqrt(n)

    words = np.arange(13) % 4                                                               # 0 1 2 3 0 1 2 3 ...

    def downhill(*trained):
        def ask():
            q, k = np.random.default_rng(0).normal(size=(2, 12, 8))                         # (12, 8) each
            v, losses = 3.0 * np.eye(4)[words[:-1]], []                                     # (12, 4)
            for _ in range(30):
                weights = np.exp(q @ k.T / np.sqrt(8) + bias(12, 0.0))                      # (12, 12)
                logits = weights / weights.sum(axis=-1, keepdims=True) @ v                  # (12, 4)
                losses.append(kata.cross_entropy(logits, words[1:]))
                upstream = kata.cross_entropy_gradient(logits, words[1:])
                slopes = kata.attention_gradients(q, k, v, bias(12, 0.0), upstream)
                q, k, v = (x - 3.0 * on * dx for x, on, dx in zip((q, k, v), trained, slopes, strict=True))
            return losses
        return ask

    return [
        Curves("Trained on 64 characters, tested on more", MEASURED,
               x="length of the text (characters)", y="perplexity", over=LENGTHS),
        Curves("The loss and tangents from its gradient", {
                   "loss": lambda: [loss(logit) for logit in levels],
                   **{f"tangent at {at:g}": tangent(at) for at in (-4.0, 0.0, 4.0)},
               }, x="score of the target (logits)", y="loss (nats)", over=levels),
        heatmap("Only the score of the key before should rise", of_scores,
                x="key (position)", y="query (position)", colour="derivative of the loss\n(nats per logit)"),
        Curves("The loss in 30 steps on a text that repeats four words", {
                   "v learns": downhill(0, 0, 1), "q and k learn": downhill(1, 1, 0), "all learn": downhill(1, 1, 1),
               }, x="step (number)", y="loss (nats)", over=np.arange(30)),
    ]
