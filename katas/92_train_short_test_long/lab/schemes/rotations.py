"""Rotations: queries and keys are turned."""
import numpy as np

from lab.schemes.base import Scheme

TRUNCATED_SHARE = 0.5                            # of the pairs
# From the fastest pair to the slowest, for heads of width 16 and texts of 64; other widths read between these
LONGROPE_POWERS = (0.0, 0.0, 0.25, 0.75, 0.75, 0.75, 1.0, 1.0)


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


class StretchedRope(Rope):
    """Trained as rope. In texts longer than those of the training, the pairs turn at other frequencies."""

    def frequencies(self, n):
        if n <= self.config.train_length:
            return super().frequencies(n)
        return self.stretched(n / self.config.train_length)


class RopeInterpolation(StretchedRope):
    """In longer texts the positions are squeezed into the training range."""

    uses = (*Rope.uses, "interpolated_frequencies")

    def stretched(self, stretch):
        return self.functions.interpolated_frequencies(self.config.d_head, stretch)


class RopeYarn(StretchedRope):
    """In longer texts fast pairs keep their speed, slow ones are squeezed, and scores are scaled."""

    uses = (*Rope.uses, "yarn_frequencies", "yarn_attention_factor")

    def stretched(self, stretch):
        return self.functions.yarn_frequencies(self.config.d_head, stretch, self.config.train_length)

    def factor(self, n):
        return self.functions.yarn_attention_factor(max(n / self.config.train_length, 1.0))


class RopeLlama3(StretchedRope):
    """In longer texts short waves are kept, long ones are stretched, and scores are not scaled."""

    uses = (*Rope.uses, "llama3_frequencies")

    def stretched(self, stretch):
        train_length = self.config.train_length
        return self.functions.llama3_frequencies(self.config.d_head, stretch, train_length, base=10_000.0)


class RopeLongrope(Rope):
    """Trained as rope. In longer texts every pair is divided by a factor of its own, and scores are scaled.

    The short factors are 1. A long factor is a power of the stretch, n over the training length. search.py found the
    powers.
    """

    uses = (*Rope.uses, "longrope_frequencies", "longrope_attention_factor")
    powers = LONGROPE_POWERS

    def frequencies(self, n):
        train_length, pairs = self.config.train_length, self.config.d_head // 2
        places = np.arange(pairs) * len(self.powers) / pairs
        powers = np.interp(places, np.arange(len(self.powers)), self.powers)               # (d_head / 2,)
        stretch = max(n / train_length, 1.0)
        return self.functions.longrope_frequencies(n, train_length, np.ones(pairs), stretch**powers)

    def factor(self, n):
        train_length = max(2, self.config.train_length)                    # the logarithm of 1 is 0
        return self.functions.longrope_attention_factor(max(n, train_length), train_length)


class PartialRope(Scheme):
    """The first half of the columns of every head is turned. Its frequencies reach from fast to slow."""

    uses = ("partial_rope",)

    def turned(self, x, direction):
        """x (b, h, n, d_head), turned forwards (1) or backwards (-1)."""
        places = direction * np.arange(x.shape[-2])                                        # (n,)
        return self.functions.partial_rope(x, places, max(2, self.config.d_head // 4 * 2))

    def turn(self, q, k):
        return self.turned(q, 1), self.turned(k, 1)

    def turn_back(self, dq, dk):
        return self.turned(dq, -1), self.turned(dk, -1)


class TruncatedRope(PartialRope):
    """Of rope's pairs the fast half is turned, each as fast as in rope; the slow half is not."""

    uses = ("truncated_rope",)

    def turned(self, x, direction):
        places = direction * np.arange(x.shape[-2])                                        # (n,)
        return self.functions.truncated_rope(x, places, TRUNCATED_SHARE)
