"""The loss with its tangents, what attention has to learn, how far it reaches in two texts, and steps downhill."""
import numpy as np

from grader.panels import Curves, heatmap


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

    def share(n, slope):
        def ask():
            zeros, last = np.zeros((n, 1)), np.eye(n)[:, -1:]                               # (n, 1) each
            return kata.attention_gradients(zeros, zeros, zeros, bias(n, slope), last)[2][: -17 : -1, 0]
        return ask

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
        Curves("The loss, and tangents that touch it from below", {
                   "loss": lambda: [loss(logit) for logit in levels],
                   **{f"tangent at {at:g}": tangent(at) for at in (-4.0, 0.0, 4.0)},
               }, x="score of what came (logits; two others are 0)", y="loss (nats)", over=levels),
        heatmap("Wanted is the key before: its score alone should rise", of_scores,
                x="key (position)", y="query (position)", colour="derivative of the loss\n(nats per logit)"),
        Curves("With a slope, a longer text hardly changes the weights", {
                   f"{name}, n = {n}": share(n, slope)
                   for name, slope in (("no bias", 0.0), ("slope 1/4", 0.25)) for n in (16, 64)
               }, x="distance from query back to key (positions)", y="weight of the last query\n(share of 1)",
               over=np.arange(16)),
        Curves("Thirty steps downhill, in a text that repeats four words", {
                   "v learns": downhill(0, 0, 1), "q and k learn": downhill(1, 1, 0), "all learn": downhill(1, 1, 1),
               }, x="step (number)", y="loss (nats)", over=np.arange(30)),
    ]
