"""Other right answers to 51_alibi_bias, and when to use them."""
import math

import numpy as np


def _slopes(n_heads):
    power = 1 << (n_heads.bit_length() - 1)
    exponents = [8 * h / power for h in range(1, power + 1)]
    exponents += [4 * h / power for h in range(1, 2 * (n_heads - power), 2)]
    return np.exp2(-np.array(exponents))


def _distance(n_queries, n_keys):
    """How far query i is after key j; negative for future keys."""
    return np.subtract.outer(np.arange(n_keys - n_queries, n_keys), np.arange(n_keys))


def _costs(n_queries, n_keys, causal):
    """The distance from query i to key j, (n_queries, n_keys): infinite where the key is forbidden."""
    distance = _distance(n_queries, n_keys)
    return np.where(distance < 0, np.inf if causal else -distance, distance).astype(float, copy=False)


class alibi_slopes:
    def by_recursion(n_heads):
        """Follow the released code: if a count is not a power of two, call the function again for two counts that are.
        It reads like the rule."""

        def slopes(n):
            power = 2 ** math.floor(math.log2(n))
            if power == n:
                return [2 ** (-8 * h / n) for h in range(1, n + 1)]
            return slopes(power) + slopes(2 * power)[0::2][: n - power]

        return np.array(slopes(n_heads))

    def by_exponents(n_heads):
        """Collect the exponents first: 8h/P for the first heads, 4h/P with odd h for the rest. For 12 heads they are
        whole and half numbers, so you can check the list by eye."""
        return _slopes(n_heads)

    def by_geometric_means(n_heads):
        """Start with one head and double. Each new slope is the geometric mean of its neighbours, with 1 before the
        first. The paper goes from 8 heads to 16 like this. Other counts append the first means, as many as are
        missing."""
        slopes = np.array([2.0**-8])
        while True:
            means = np.sqrt(slopes * np.concatenate([[1.0], slopes[:-1]]))
            if 2 * len(slopes) > n_heads:
                return np.concatenate([slopes, means])[:n_heads]
            slopes = np.stack([means, slopes], axis=1).ravel()


class alibi_bias:
    def by_loops(n_heads, n_queries, n_keys=None, causal=True):
        """Follow the definition to the letter, in three loops. Use it to check a vectorised version."""
        n_keys = n_queries if n_keys is None else n_keys
        bias = np.empty((n_heads, n_queries, n_keys))
        for h, slope in enumerate(_slopes(n_heads)):
            for i in range(n_queries):
                for j in range(n_keys):
                    distance = i + n_keys - n_queries - j
                    bias[h, i, j] = -math.inf if causal and distance < 0 else -slope * abs(distance)
        return bias

    def by_sliding_windows(n_heads, n_queries, n_keys=None, causal=True):
        """Take every row as a window on one vector per head. Each further query moves the window one step to the left.
        The vector has n_queries + n_keys - 1 numbers. The result is a read-only view."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = np.arange(n_queries + n_keys - 1) - (n_keys - 1)           # key minus query, smallest first
        vector = -_slopes(n_heads)[:, None] * np.abs(ahead)                # (H, n_queries + n_keys - 1)
        if causal:
            vector[:, ahead > 0] = -np.inf
        return np.lib.stride_tricks.sliding_window_view(vector, n_keys, axis=1)[:, ::-1]

    def by_infinite_distances(n_heads, n_queries, n_keys=None, causal=True):
        """Set the distance of future keys to infinity before you multiply by the slopes, so you mask once for all
        heads. At 2048 positions and 32 heads, the peak memory is 1.03 times the result; for the reference it is 2.04
        times."""
        n_keys = n_queries if n_keys is None else n_keys
        return -_slopes(n_heads)[:, None, None] * _costs(n_queries, n_keys, causal)


class alibi_attention:
    def by_loops(q, k, v, causal=True):
        """Take one query at a time, with only the keys it may see. This needs no mask and computes no score that is
        thrown away. Decoding works like this."""
        output = np.empty((*q.shape[:2], v.shape[2]))
        for h, slope in enumerate(_slopes(len(q))):
            for i in range(q.shape[1]):
                own = i + k.shape[1] - q.shape[1]
                seen = slice(own + 1 if causal else None)
                distance = np.abs(own - np.arange(k.shape[1])[seen])
                scores = k[h, seen] @ q[h, i] / math.sqrt(q.shape[2]) - slope * distance
                weights = np.exp(scores - scores.max())
                output[h, i] = weights @ v[h, seen] / weights.sum()
        return output

    def by_two_more_columns(q, k, v, causal=True):
        """Put the bias into two more columns of `q` and `k`: a linear bias is the dot product of (-slope * i, slope)
        and (1, j). Any attention code then adds it. Without `causal`, compute the scores with both signs and take the
        smaller one."""
        n_heads, n_queries, n_keys = len(q), q.shape[1], k.shape[1]
        slopes = np.broadcast_to(_slopes(n_heads)[:, None], (n_heads, n_queries))
        i, j = np.arange(n_keys - n_queries, n_keys), np.broadcast_to(np.arange(n_keys), (n_heads, n_keys))
        wide_k = np.concatenate([k, np.stack([np.ones(j.shape), j], axis=2)], axis=2)

        def scores(sign):
            extra = np.stack([-sign * slopes * i, sign * slopes], axis=2)
            return np.concatenate([q / math.sqrt(q.shape[2]), extra], axis=2) @ wide_k.swapaxes(1, 2)

        if causal:
            low = np.where(i[:, None] >= np.arange(n_keys), scores(1), -np.inf)
        else:
            low = np.minimum(scores(1), scores(-1))
        weights = np.exp(low - low.max(axis=2, keepdims=True))
        return weights @ v / weights.sum(axis=2, keepdims=True)

    def by_one_key_after_another(q, k, v, causal=True):
        """Compute the softmax in one pass: keep the highest score so far, the sum and the weighted values, and rescale
        them when a higher score appears. FlashAttention avoids the (n_queries, n_keys) array like this."""
        own = np.arange(k.shape[1] - q.shape[1], k.shape[1])
        highest = np.full(q.shape[:2], -np.inf)
        total, output = np.zeros(q.shape[:2]), np.zeros((*q.shape[:2], v.shape[2]))
        for j in range(k.shape[1]):
            score = np.einsum("hid,hd->hi", q, k[:, j]) / math.sqrt(q.shape[2])
            score = score - _slopes(len(q))[:, None] * np.abs(own - j)
            if causal:
                score = np.where(own < j, -np.inf, score)
            higher = np.maximum(highest, score)
            shrink, weight = np.exp(highest - higher), np.exp(score - higher)
            total = total * shrink + weight
            output = output * shrink[..., None] + weight[..., None] * v[:, None, j]
            highest = higher
        return output / total[..., None]

    def by_heads_in_place(q, k, v, causal=True):
        """Loop over the heads, with a softmax that overwrites the scores. Only one head is in memory, in float32 if the
        arrays are. In float64, peak memory is 13 times a result of shape (8, 2048, 64); for the reference it is 100
        times."""
        dtype = np.result_type(q, 1.0)
        (n_heads, n_queries, d), (n_keys, d_v) = q.shape, v.shape[1:]
        slopes, costs = _slopes(n_heads).astype(dtype), _costs(n_queries, n_keys, causal).astype(dtype)
        attended = np.empty((n_heads, n_queries, d_v), dtype)
        for h in range(n_heads):
            weights = q[h] / math.sqrt(d) @ k[h].T                   # (n_queries, n_keys)
            weights -= slopes[h] * costs
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            attended[h] = weights @ v[h] / weights.sum(axis=-1, keepdims=True)
        return attended
