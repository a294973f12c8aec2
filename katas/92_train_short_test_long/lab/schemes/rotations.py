"""Rotations: queries and keys are turned."""
import numpy as np

from lab.schemes.base import Scheme


class Rope(Scheme):
    """Every pair of columns of a query or key is turned by an angle.

    `apply_rope` turns a vector of a single pair by its position in radians. So each pair is passed as a vector, with
    its angle as the position: the same function serves all frequencies.
    """

    uses = ("apply_rope", "rope_frequencies")

    def frequencies(self, n):
        """Radians per position (d_head / 2,) in texts of n tokens."""
        return self.functions.rope_frequencies(self.config.d_head)

    def factor(self, n):
        """What queries and keys are multiplied by."""
        return 1.0

    def turned(self, x, direction):
        """x (..., n, d_head), every pair turned by its angle, forwards (1) or backwards (-1)."""
        n = x.shape[-2]
        angles = np.outer(np.arange(n), self.frequencies(n))                               # (n, d_head / 2)
        pairs = x.reshape(*x.shape[:-1], -1, 2)                                            # (..., n, d_head / 2, 2)
        return self.functions.apply_rope(pairs, direction * angles).reshape(x.shape)

    def turn(self, q, k):
        factor = q.dtype.type(self.factor(q.shape[-2]))
        return self.turned(q, 1) * factor, self.turned(k, 1) * factor

    def turn_back(self, dq, dk):
        factor = dq.dtype.type(self.factor(dq.shape[-2]))
        return self.turned(dq, -1) * factor, self.turned(dk, -1) * factor


class RopeInterpolation(Rope):
    """Trained as rope. In longer texts the positions are squeezed into the training range."""

    uses = (*Rope.uses, "interpolated_frequencies")

    def frequencies(self, n):
        if n <= self.config.train_length:
            return super().frequencies(n)
        return self.functions.interpolated_frequencies(self.config.d_head, n / self.config.train_length)


class RopeYarn(Rope):
    """Trained as rope. In longer texts fast pairs keep their speed, slow ones are squeezed, and scores are scaled."""

    uses = (*Rope.uses, "yarn_frequencies", "yarn_attention_factor")

    def frequencies(self, n):
        if n <= self.config.train_length:
            return super().frequencies(n)
        train_length = self.config.train_length
        return self.functions.yarn_frequencies(self.config.d_head, n / train_length, train_length)

    def factor(self, n):
        return self.functions.yarn_attention_factor(max(n / self.config.train_length, 1.0))
