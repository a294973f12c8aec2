"""Other right answers to 63_rope_attention, and what each is good for."""
import math

import numpy as np


def _phases(positions, d_head, base, dtype):
    """One complex number of length 1 per position and pair, in single or double precision."""
    speeds = base ** (-np.arange(0, d_head, 2) / d_head)
    phases = np.exp(1j * np.multiply.outer(positions, speeds))
    return phases.astype(np.result_type(dtype, np.complex64))


def _as_complex(x):
    return x[..., 0::2] + 1j * x[..., 1::2]


def _turned(x, phases):
    """The complex product, laid out in pairs of columns again."""
    turned = _as_complex(x) * phases
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def _hidden(scores, causal):
    """Scores with later keys at -inf, if causal."""
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf) if causal else scores


def _pairs_turned(x, positions, base):
    """Cosines and sines in the dtype of the result, so float32 never becomes float64."""
    angles = np.multiply.outer(positions, base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1]))
    turned = np.empty_like(x, np.result_type(x, 1.0))
    cos, sin = np.cos(angles).astype(turned.dtype), np.sin(angles).astype(turned.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned[..., 0::2] = even * cos - odd * sin
    turned[..., 1::2] = even * sin + odd * cos
    return turned


def _attend_in_groups(q, k, v, causal=False):
    """Queries of a group side by side, so no key is copied. The scores become the weights in place."""
    *leading, n_heads, n_queries, d_head = q.shape
    q = q.reshape(*leading, k.shape[-3], -1, n_queries, d_head) / d_head**0.5
    k, v = k[..., None, :, :], v[..., None, :, :]               # (..., n_kv_heads, 1, n_keys, d_head)
    weights = q @ k.swapaxes(-1, -2)                            # (..., n_kv_heads, group, n_queries, n_keys)
    if causal:
        np.copyto(weights, -np.inf, where=~np.tri(n_queries, dtype=bool))
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    result = weights @ v / weights.sum(axis=-1, keepdims=True)
    return result.reshape(*leading, n_heads, n_queries, d_head)


class rope_attention:
    def by_groups_in_place(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Let the queries of a group share an axis, so no key is copied. The scores become the weights in place. The
        results are divided by the sums, not the weights, so there is only one array of all pairs of positions."""
        n, d_head = x.shape[-2], w_q.shape[1] // n_heads

        def heads(w):                                           # (..., n, d_model) -> (..., heads, n, d_head)
            return (x @ w).reshape(*x.shape[:-1], -1, d_head).swapaxes(-2, -3)

        q, k = (_pairs_turned(heads(w), np.arange(n), base) for w in (w_q, w_k))
        result = _attend_in_groups(q, k, heads(w_v), causal)    # (..., n_heads, n, d_head)
        return result.swapaxes(-2, -3).reshape(*x.shape[:-1], -1) @ w_o

    def by_rounding_at_the_end(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Write the formula as you would type it, with np.sqrt. The rotation makes queries, keys and scores float64,
        and the result is converted at the end. You need not think about dtypes before that, but float32 saves hardly
        any memory."""
        n, group, d_head = x.shape[-2], n_heads // (n_kv_heads or n_heads), w_q.shape[1] // n_heads
        angles = np.arange(n)[:, None] * base ** (-2 * np.arange(d_head // 2) / d_head)    # (n, d_head / 2)

        def rotated(x):
            turned = np.empty(x.shape)
            turned[..., 0::2] = x[..., 0::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)
            turned[..., 1::2] = x[..., 0::2] * np.sin(angles) + x[..., 1::2] * np.cos(angles)
            return turned

        q, k, v = ((x @ w).reshape(*x.shape[:-1], -1, d_head).swapaxes(-2, -3) for w in (w_q, w_k, w_v))
        q, k, v = rotated(q), np.repeat(rotated(k), group, axis=-3), np.repeat(v, group, axis=-3)
        scores = q @ k.swapaxes(-2, -1) / np.sqrt(d_head)                      # (..., n_heads, n, n)
        if causal:
            scores[..., np.triu(np.ones((n, n), dtype=bool), k=1)] = -np.inf
        result = (_softmax(scores) @ v).swapaxes(-2, -3).reshape(*x.shape[:-1], -1)
        return (result @ w_o).astype(np.result_type(x, 1.0))

    def by_loops(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Take one query head and one position at a time, with math.cos: the formula without any array operation. Use
        it to check a vectorised version."""
        n_kv_heads, d_head = n_kv_heads or n_heads, w_q.shape[1] // n_heads
        out = np.zeros((*x.shape[:-1], w_o.shape[1]), np.result_type(x, 1.0))

        def turned(row, position):
            row = row.tolist()
            for i in range(0, d_head, 2):
                angle = position * base ** (-i / d_head)
                a, b = row[i], row[i + 1]
                row[i] = a * math.cos(angle) - b * math.sin(angle)
                row[i + 1] = a * math.sin(angle) + b * math.cos(angle)
            return row

        for place in np.ndindex(x.shape[:-2]):
            for h in range(n_heads):
                own = slice(h * d_head, (h + 1) * d_head)
                g = h // (n_heads // n_kv_heads)
                shared = slice(g * d_head, (g + 1) * d_head)
                q = [turned(row, p) for p, row in enumerate(x[place] @ w_q[:, own])]
                k = [turned(row, p) for p, row in enumerate(x[place] @ w_k[:, shared])]
                v = x[place] @ w_v[:, shared]
                for i in range(len(q)):
                    seen = range(i + 1) if causal else range(len(k))
                    dots = [sum(a * b for a, b in zip(q[i], k[j], strict=True)) for j in seen]
                    exps = [math.exp((dot - max(dots)) / math.sqrt(d_head)) for dot in dots]
                    result = sum(e * v[j] for j, e in zip(seen, exps, strict=True)) / sum(exps)
                    out[(*place, i)] += result @ w_o[own]
        return out

    def by_complex_scores(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Treat a pair as one complex number: a turn is one product, and a score is the real part of q times conj(k).
        You never have to put the parts back into columns."""
        n_kv_heads, d_head = n_kv_heads or n_heads, w_q.shape[1] // n_heads
        n, group = x.shape[-2], n_heads // n_kv_heads
        phases = _phases(np.arange(n), d_head, base, x.dtype)                  # (n, d_head / 2)
        q = np.moveaxis((x @ w_q).reshape(*x.shape[:-1], n_heads, d_head), -2, -3)
        k = np.moveaxis((x @ w_k).reshape(*x.shape[:-1], n_kv_heads, d_head), -2, -3)
        v = np.moveaxis((x @ w_v).reshape(*x.shape[:-1], n_kv_heads, d_head), -2, -3)
        read = np.arange(n_heads) // group                                     # (n_heads,)
        q, k = _as_complex(q) * phases, (_as_complex(k) * phases)[..., read, :, :]
        scores = (q @ k.conj().swapaxes(-1, -2)).real / math.sqrt(d_head)      # (..., n_heads, n, n)
        result = _softmax(_hidden(scores, causal)) @ v[..., read, :, :]
        return np.moveaxis(result, -3, -2).reshape(*x.shape[:-1], -1) @ w_o

    def by_grouped_einsum(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Give the query heads that share a key head an extra axis, so no key is copied. The letters name the axes: n
        and m positions, g key heads, r query heads of a group, d columns."""
        n_kv_heads, d_head = n_kv_heads or n_heads, w_q.shape[1] // n_heads
        group = n_heads // n_kv_heads
        phases = _phases(np.arange(x.shape[-2]), d_head, base, x.dtype)        # (n, d_head / 2)
        q = np.einsum("...nc,cgrd->...grnd", x, w_q.reshape(-1, n_kv_heads, group, d_head))
        k = np.einsum("...nc,cgd->...gnd", x, w_k.reshape(-1, n_kv_heads, d_head))
        v = np.einsum("...nc,cgd->...gnd", x, w_v.reshape(-1, n_kv_heads, d_head))
        scores = np.einsum("...grnd,...gmd->...grnm", _turned(q, phases), _turned(k, phases))
        weights = _softmax(_hidden(scores / math.sqrt(d_head), causal))
        result = np.einsum("...grnm,...gmd->...grnd", weights, v)
        return np.einsum("...grnd,grdc->...nc", result, w_o.reshape(n_kv_heads, group, d_head, -1))


class decode_step:
    def by_groups_in_place(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """Let the queries of a group share an axis, and multiply them with views of the caches, with the heads first.
        Keys are copied only into the longer cache."""
        t, _, d_head = k_cache.shape
        q, k = (_pairs_turned((x_new @ w).reshape(-1, d_head), t, base) for w in (w_q, w_k))
        k_cache = np.concatenate([k_cache, k[None]])            # (t + 1, n_kv_heads, d_head)
        v_cache = np.concatenate([v_cache, (x_new @ w_v).reshape(1, -1, d_head)])
        result = _attend_in_groups(q[:, None], k_cache.swapaxes(0, 1), v_cache.swapaxes(0, 1))
        return result.reshape(-1) @ w_o, k_cache, v_cache

    def by_filling_in(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """Allocate the longer caches and write into them. A server would allocate them once, for the longest text.
        Query heads of a group get an extra axis, so nothing is repeated."""
        n_kv_heads, d_head = k_cache.shape[1:]
        t = len(k_cache)
        phases = _phases(t, d_head, base, x_new.dtype)                         # (d_head / 2,)
        keys, values = np.empty((2, t + 1, n_kv_heads, d_head), np.result_type(x_new, 1.0))
        keys[:t], values[:t] = k_cache, v_cache
        keys[t] = _turned((x_new @ w_k).reshape(n_kv_heads, d_head), phases)
        values[t] = (x_new @ w_v).reshape(n_kv_heads, d_head)
        q = _turned((x_new @ w_q).reshape(n_kv_heads, -1, d_head), phases)     # (n_kv_heads, group, d_head)
        scores = np.einsum("grd,tgd->grt", q, keys) / math.sqrt(d_head)
        return np.einsum("grt,tgd->grd", _softmax(scores), values).reshape(-1) @ w_o, keys, values

    def by_heads(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """Go head by head with plain sums, and add each head's part of the output. There is almost no reshaping, so few
        axes can be mixed up."""
        n_kv_heads, d_head = k_cache.shape[1:]
        t = len(k_cache)
        phases = _phases(t, d_head, base, x_new.dtype)
        columns = [slice(h * d_head, (h + 1) * d_head) for h in range(n_heads)]
        new_keys = [_turned(x_new @ w_k[:, columns[g]], phases) for g in range(n_kv_heads)]
        new_values = [x_new @ w_v[:, columns[g]] for g in range(n_kv_heads)]
        keys, values = np.vstack([k_cache, [new_keys]]), np.vstack([v_cache, [new_values]])
        out = np.zeros(len(x_new), np.result_type(x_new, 1.0))
        for h in range(n_heads):
            g = h // (n_heads // n_kv_heads)
            scores = keys[:, g] @ _turned(x_new @ w_q[:, columns[h]], phases) / math.sqrt(d_head)
            out += _softmax(scores) @ values[:, g] @ w_o[columns[h]]
        return out, keys, values
