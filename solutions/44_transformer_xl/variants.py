"""Other right answers to 44_transformer_xl, and when one would want them."""
import math

import numpy as np


def _checked(q, k, r, u, v):
    d, n_keys = q.shape[-1], k.shape[-2]
    if k.shape[-1] != d or q.shape[-2] > n_keys:
        raise ValueError(f"q of shape {q.shape} and k of shape {k.shape} do not fit")
    for name, array, shape in (("r", r, (n_keys, d)), ("u", u, (d,)), ("v", v, (d,))):
        if array.shape != shape:
            raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    return [array if array.dtype.kind == "f" else array.astype(np.float64) for array in (q, k, r, u, v)]


def _back(q, k):
    """How many positions each key stands before each query."""
    own = np.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
    return np.subtract.outer(own, np.arange(k.shape[-2]))                   # (n_queries, n_keys)


class transformer_xl_scores:
    def by_loops(q, k, r, u, v):
        """The formula letter by letter, one query and one key at a time: good for checking the others.
        Leading axes are run through with np.ndindex, so that they need no thought."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        scores = np.full((*q.shape[:-1], k.shape[-2]), -np.inf, dtype=q.dtype)
        memory = k.shape[-2] - q.shape[-2]
        for at in np.ndindex(*q.shape[:-1]):
            own = at[-1] + memory
            for j in range(own + 1):
                total = (q[at] + u) @ k[at[:-1]][j] + (q[at] + v) @ r[own - j]
                scores[(*at, j)] = total / math.sqrt(len(u))
        return scores

    def by_indices(q, k, r, u, v):
        """Say for every query and key how far back the key is, and pick that column of the products with r.
        No trick to remember; picking single numbers makes it 3 times as slow as the reference."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        back = _back(q, k)
        position = (q + v) @ r.T                                            # (..., n_queries, n_keys) m back
        picked = position[..., np.arange(q.shape[-2])[:, None], np.maximum(back, 0)]
        scores = ((q + u) @ np.swapaxes(k, -1, -2) + picked) / math.sqrt(len(u))
        scores[..., back < 0] = -np.inf
        return scores

    def by_four_terms(q, k, r, u, v):
        """The paper's terms (a) to (d) one by one: u makes one number of each key, v one of each distance.
        Each term can be looked at, or left out, by itself."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        back = _back(q, k)
        m = np.broadcast_to(np.maximum(back, 0), (*q.shape[:-1], len(r)))
        a = np.einsum("...id,...jd->...ij", q, k)
        b = np.take_along_axis(np.einsum("...id,md->...im", q, r), m, axis=-1)
        c = np.einsum("d,...jd->...j", u, k)[..., None, :]
        d = (r @ v)[np.maximum(back, 0)]                                    # (n_queries, n_keys)
        scores = (a + b + c + d) / math.sqrt(len(u))
        scores[..., back < 0] = -np.inf
        return scores

    def by_a_vector_for_every_pair(q, k, r, u, v):
        """Look the vectors up first, (n_queries, n_keys, d), then multiply: the line of code is the formula.
        The vectors take d times the memory of the scores."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        back = _back(q, k)
        vectors = r[np.where(back < 0, 0, back)]
        position = np.einsum("...id,ijd->...ij", q + v, vectors)
        scores = (np.einsum("...id,...jd->...ij", q + u, k) + position) * len(u) ** -0.5
        return np.where(back < 0, -np.inf, scores).astype(q.dtype)

    def by_one_query_after_the_other(q, k, r, u, v):
        """Each query meets the keys it may see, and as many rows of r, read backwards: nothing is computed in
        vain. This is how it goes when one token after the other is made."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        rows = []
        for i in range(q.shape[-2]):
            seen = i + 1 + k.shape[-2] - q.shape[-2]
            query = q[..., i, None, :]                                      # (..., 1, d)
            row = (query + u) @ np.swapaxes(k[..., :seen, :], -1, -2) + (query + v) @ r[:seen][::-1].T
            future = np.full((*row.shape[:-1], k.shape[-2] - seen), -np.inf, dtype=q.dtype)
            rows.append(np.concatenate([row / math.sqrt(len(u)), future], axis=-1))
        return np.concatenate(rows, axis=-2)

    def by_diagonals(q, k, r, u, v):
        """One distance after the other: all queries meet the same vector, and the keys that far back.
        No table of distances is needed, and what is written is a diagonal at a time."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        n_queries, n_keys = q.shape[-2], k.shape[-2]
        scores = np.full((*q.shape[:-1], n_keys), -np.inf, dtype=q.dtype)
        for m in range(n_keys):
            i = np.arange(max(0, m - n_keys + n_queries), n_queries)        # queries with a key so far back
            j = i + n_keys - n_queries - m
            total = ((q[..., i, :] + u) * k[..., j, :] + (q[..., i, :] + v) * r[m]).sum(axis=-1)
            scores[..., i, j] = total / math.sqrt(len(u))
        return scores

    def by_windows(q, k, r, u, v):
        """The vectors that a query meets are a window on r read backwards, a row earlier for every query.
        A view shows all windows without copying any; einsum multiplies straight from it."""
        q, k, r, u, v = _checked(q, k, r, u, v)
        n_queries, n_keys = q.shape[-2], k.shape[-2]
        backwards = np.concatenate([r[::-1], np.zeros_like(r)])             # (2 * n_keys, d)
        windows = np.lib.stride_tricks.sliding_window_view(backwards, n_keys, axis=0)
        position = np.einsum("...id,idj->...ij", q + v, windows[:n_queries][::-1])
        scores = (np.einsum("...id,...jd->...ij", q + u, k) + position) / math.sqrt(len(u))
        scores[..., _back(q, k) < 0] = -np.inf
        return scores
