"""Other right answers to 66_latent_rope, and what each is good for."""
import math

import numpy as np


def _speeds(d_r, base):
    return base ** (-np.arange(0, d_r, 2) / d_r)                # (d_r / 2,)


def _complex(x, positions, base):
    """The turned pairs of x (..., n, d_r) as complex numbers (..., n, d_r / 2)."""
    points = x[..., 0::2] + 1j * x[..., 1::2]
    return points * np.exp(1j * positions[:, None] * _speeds(x.shape[-1], base))


def _in_halves(x, positions, base):
    """The turned pairs of x, all first entries, then all second ones."""
    points = _complex(x, positions, base)
    return np.concatenate([points.real, points.imag], axis=-1)  # (..., n, d_r)


def _scale(q, q_rope):
    return 1.0 / math.sqrt(q.shape[-1] + q_rope.shape[-1])


class latent_scores:
    def in_one_product(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Put content and rotary columns of each query and key side by side, then multiply once, as DeepSeek's code
        does. The turned columns stay in two halves: both sides have the same order, so the scores do not change."""
        turned = np.broadcast_to(_in_halves(k_rope, k_positions, base), (len(w_up), *k_rope.shape))
        keys = np.concatenate([latent @ w_up, turned], axis=-1)                   # (H, n_k, d_c + d_r)
        queries = np.concatenate([q, _in_halves(q_rope, q_positions, base)], axis=-1)
        return queries @ keys.swapaxes(-1, -2) * _scale(q, q_rope)

    def by_loops(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Take one head, one query and one key at a time: make the key, turn both, add up the products. Read it to
        understand the score, or use it to check other versions."""
        queries, keys = _complex(q_rope, q_positions, base), _complex(k_rope, k_positions, base)
        scores = np.zeros((len(q), q.shape[1], len(latent)))
        for h, i, j in np.ndindex(scores.shape):
            content = float(np.dot(q[h, i], latent[j] @ w_up[h]))
            scores[h, i, j] = (content + np.vdot(keys[j], queries[h, i]).real) * _scale(q, q_rope)
        return scores

    def without_keys(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Absorb the weights into the queries here too. It makes no key. With few queries it needs fewer products; with
        many queries and a latent wider than a head, making the keys once needs fewer."""
        content = q @ w_up.swapaxes(-1, -2) @ latent.T
        position = _in_halves(q_rope, q_positions, base) @ _in_halves(k_rope, k_positions, base).T
        return (content + position) * _scale(q, q_rope)


class absorb:
    def by_einsum(q, w_up):
        """Name the axes: h heads, q queries, d content columns, r latent columns. The missing d on the right means that
        einsum sums over it. There is no transpose to get wrong."""
        return np.einsum("hqd,hrd->hqr", q, w_up)

    def by_heads(q, w_up):
        """Make one matrix product per head, and stack them. It is easy to read, and good if the heads are on several
        machines."""
        return np.stack([query @ w.T for query, w in zip(q, w_up, strict=True)])


class absorbed_scores:
    def as_one_shared_key(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Put latent and turned columns side by side as one key, the same for all heads, as in multi-query attention. A
        server stores such rows, with the rotary columns turned already."""
        shared = np.concatenate([latent, _in_halves(k_rope, k_positions, base)], axis=-1)    # (n_k, r + d_r)
        queries = np.concatenate([np.einsum("hqd,hrd->hqr", q, w_up), _in_halves(q_rope, q_positions, base)], axis=-1)
        return np.einsum("hqc,kc->hqk", queries, shared) * _scale(q, q_rope)

    def by_blocks_of_keys(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Read the cache in blocks of 256 tokens, as fused kernels do. Scale the queries instead of the scores.
        Apart from the result, the memory it needs does not grow with the number of keys."""
        absorbed = q @ w_up.swapaxes(-1, -2) * _scale(q, q_rope)
        turned = _in_halves(q_rope, q_positions, base) * _scale(q, q_rope)
        scores = np.empty((*q.shape[:2], len(latent)))
        for start in range(0, len(latent), 256):
            block = slice(start, start + 256)
            keys = _in_halves(k_rope[block], k_positions[block], base)
            scores[..., block] = absorbed @ latent[block].T + turned @ keys.T
        return scores

    def turned_back_to_the_query(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """For each query, turn the keys by their offset from it and leave the query alone. It shows that only offsets
        count."""
        content = np.tensordot(q @ w_up.swapaxes(-1, -2), latent, axes=(-1, -1))
        position = [q_rope[:, i] @ np.stack([p.real, p.imag], axis=-1).reshape(k_rope.shape).T
                    for i in range(q.shape[1]) for p in [_complex(k_rope, k_positions - q_positions[i], base)]]
        return (content + np.stack(position, axis=1)) * _scale(q, q_rope)


class cached_numbers:
    def by_cases(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """Write one line per kind, as in table 1 of the paper. It computes only the number that the kind needs."""
        if kind == "mha":
            return 2 * n * n_heads * d_head
        if kind == "gqa":
            return 2 * n * n_kv_heads * d_head
        if kind == "mqa":
            return 2 * n * d_head
        return n * (d_latent + d_rope)
