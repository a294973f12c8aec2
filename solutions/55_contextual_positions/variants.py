"""Other right answers to 55_contextual_positions, and when you would want them."""
import math

import numpy as np


def _past(n):
    return np.arange(n)[:, None] >= np.arange(n)                            # (n, n)


def _positions(scores):
    gates = np.where(_past(scores.shape[-1]), 0.5 * (1.0 + np.tanh(0.5 * scores)), 0.0)
    return np.cumsum(gates[..., ::-1], axis=-1)[..., ::-1]


def _logits(q, table, positions):
    products, last = q @ table.T, len(table) - 1
    below = np.minimum(positions, last - 1).astype(int)
    share = np.minimum(positions, last) - below
    low = np.take_along_axis(products, below, axis=-1)
    return low + share * (np.take_along_axis(products, below + 1, axis=-1) - low)


class gated_positions:
    def by_loops(scores):
        """Walk back from the query to the first key and add a gate per step. Use it to check a vectorised version."""
        scores = np.asarray(scores)
        n, positions = scores.shape[-1], np.zeros(scores.shape)
        for place in np.ndindex(scores.shape[:-2]):
            for i in range(n):
                count = 0.0
                for j in range(i, -1, -1):
                    s = float(scores[(*place, i, j)])
                    count += 1 / (1 + math.exp(-s)) if s > 0 else math.exp(s) / (1 + math.exp(s))
                    positions[(*place, i, j)] = count
        return positions

    def by_the_plain_sigmoid(scores):
        """Compute the sigmoid as in the textbook. If exp overflows, 1 / inf is the right 0; NumPy only prints a
        warning, which this version hides."""
        with np.errstate(over="ignore"):
            gates = np.where(_past(scores.shape[-1]), 1 / (1 + np.exp(-1.0 * scores)), 0.0)
        return np.flip(np.flip(gates, -1).cumsum(-1), -1)

    def by_tanh(scores):
        """Compute the sigmoid as half of 1 + tanh of half the score. tanh never overflows."""
        return _positions(scores)

    def total_less_what_is_before(scores):
        """Subtract the sum before a key from the sum over all keys. It needs no flip, but a small difference of large
        sums loses digits, and the entries after the query must be set to 0."""
        past = _past(scores.shape[-1])
        gates = np.where(past, 0.5 * (1.0 + np.tanh(0.5 * scores)), 0.0)
        sums = np.cumsum(gates, axis=-1)
        return np.where(past, sums[..., -1:] - sums + gates, 0.0)

    def only_the_past(scores):
        """Take one query at a time, with the keys it may see. Nothing above the diagonal is computed or masked. The
        result is read-only."""
        positions = np.zeros(scores.shape, np.result_type(scores, np.float32))
        for i in range(scores.shape[-1]):
            gates = 0.5 * (1.0 + np.tanh(0.5 * scores[..., i, i::-1]))
            positions[..., i, i::-1] = np.cumsum(gates, axis=-1)
        positions.flags.writeable = False
        return positions


class position_logits:
    def by_loops(q, table, positions):
        """Call np.interp for each query: it reads a row of products at all positions of the query and clamps by
        itself."""
        products = q @ table.T
        logits = np.empty(positions.shape)
        for place in np.ndindex(positions.shape[:-1]):
            logits[place] = np.interp(positions[place], np.arange(len(table)), products[place])
        return logits

    def one_difference(q, table, positions):
        """Add to the row below a share of the difference to the next one. If the row below is at most P - 2, there
        always is a next one."""
        return _logits(q, table, positions)

    def by_vectors(q, table, positions):
        """Read vectors between the rows of the table first, then multiply with the queries. It reads like the formula
        of the paper, but it needs an array of shape (..., n, n, d)."""
        places = np.minimum(positions, len(table) - 1)
        below = np.floor(places).astype(int)
        share = (places - below)[..., None]
        vectors = (1 - share) * table[below] + share * table[np.ceil(places).astype(int)]
        return np.einsum("...id,...ijd->...ij", q, vectors)

    def by_hat_functions(q, table, positions):
        """Give every row a weight that falls from 1 at its own number to 0 at the neighbours, max(0, 1 - |p - m|). All
        weights of a position add up to 1. With a loop over the rows, no array is larger than the result."""
        products, places = q @ table.T, np.minimum(positions, len(table) - 1)
        logits = np.zeros(positions.shape)
        for m in range(len(table)):
            logits += np.maximum(1.0 - np.abs(places - m), 0.0) * products[..., m, None]
        return logits


class contextual_attention:
    def by_loops(q, k, v, table):
        """Take one query at a time, with only the keys it may see, as in text generation. np.interp reads the table."""
        output = np.empty((*q.shape[:-1], v.shape[-1]))
        for place in np.ndindex(q.shape[:-1]):
            text, i = place[:-1], place[-1]
            scores = k[text][: i + 1] @ q[place] / math.sqrt(q.shape[-1])
            positions = np.cumsum(0.5 * (1.0 + np.tanh(0.5 * scores[::-1])))[::-1]
            scores = scores + np.interp(positions, np.arange(len(table)), table @ q[place])
            weights = np.exp(scores - scores.max())
            output[place] = weights @ v[text][: i + 1] / weights.sum()
        return output

    def masked_first(q, k, v, table):
        """Set the scores of future keys to -inf at the start, as the listing of the paper does. Gates of -inf are 0,
        and -inf plus a logit stays -inf, so one mask serves both."""
        scores = np.where(_past(q.shape[-2]), q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]), -np.inf)
        scores = scores + _logits(q, table, _positions(scores))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights @ v / weights.sum(axis=-1, keepdims=True)

    def queries_in_blocks(q, k, v, table):
        """Take 64 queries at a time, with the keys up to the last of them. About half of the scores are never computed,
        and no (n, n) array is in memory. The benchmark page in tests/benchmarks shows its time and memory."""
        n = q.shape[-2]
        output = np.empty((*q.shape[:-1], v.shape[-1]), np.result_type(q, 1.0))
        for first in range(0, n, 64):
            stop = min(first + 64, n)
            rows = q[..., first:stop, :]                                   # (..., block, d)
            past = np.arange(first, stop)[:, None] >= np.arange(stop)      # (block, stop)
            scores = rows @ k[..., :stop, :].swapaxes(-1, -2) / math.sqrt(q.shape[-1])
            gates = np.where(past, 0.5 * np.tanh(0.5 * scores) + 0.5, 0.0)
            positions = np.cumsum(gates[..., ::-1], axis=-1)[..., ::-1]
            scores = np.where(past, scores + _logits(rows, table, positions), -np.inf)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            output[..., first:stop, :] = weights @ v[..., :stop, :] / weights.sum(axis=-1, keepdims=True)
        return output
