"""Other right answers to 76_layers_differ, and when you would want them."""
import math

import numpy as np


class global_layers:
    def by_slice(n_layers, period):
        """Write True into every period-th entry of an array of False, from the first global layer on. No remainder is
        needed."""
        layers = np.zeros(n_layers, dtype=bool)
        layers[period - 1 :: period] = True
        return layers


class layer_mask:
    def by_the_first_key(kind, n_queries, n_keys=None, size=None):
        """Compute the first key that each query sees. The three kinds differ in nothing else, and a cache needs this
        number: it can drop the keys before it."""
        n_keys = n_keys or n_queries
        queries = np.arange(n_keys - n_queries, n_keys)                        # (n_queries,)
        first = {
            "full": lambda: 0 * queries,
            "window": lambda: queries - size + 1,
            "chunk": lambda: queries - queries % size,
        }[kind]()                                                              # (n_queries,)
        keys = np.arange(n_keys)
        return (first[:, None] <= keys) & (keys <= queries[:, None])

    def by_triangles_and_blocks(kind, n_queries, n_keys=None, size=None):
        """Cut the last rows out of a square mask: a triangle, a triangle less a smaller one, or blocks along the
        diagonal. You can see the shapes in the code, but you make rows that you do not need."""
        n = n_queries if n_keys is None else n_keys
        mask = np.tri(n, dtype=bool)
        if kind == "window":
            mask &= ~np.tri(n, k=-size, dtype=bool)
        elif kind == "chunk":
            blocks = np.kron(np.eye(-(-n // size), dtype=bool), np.ones((size, size), dtype=bool))
            mask &= blocks[:n, :n]
        return mask[n - n_queries :]

    def by_loop(kind, n_queries, n_keys=None, size=None):
        """Ask for one pair of a query and a key at a time, as the mask functions of transformers do. Use it to check a
        vectorised version."""
        n_keys = n_keys or n_queries
        mask = np.zeros((n_queries, n_keys), dtype=bool)
        for i in range(n_queries):
            position = i + n_keys - n_queries
            for key in range(position + 1):
                near = kind != "window" or position - key < size
                mask[i, key] = near and (kind != "chunk" or position // size == key // size)
        return mask


class reachable:
    def by_real_numbers(masks):
        """Multiply in float64 and ask what is above 0. NumPy's product of booleans is slow, because only products of
        real numbers use the fast routines (BLAS)."""
        gathered = np.eye(masks.shape[-1])
        for mask in masks:
            gathered = np.minimum(gathered + mask.astype(float) @ gathered, 1.0)
        return gathered > 0

    def by_sets(masks):
        """Give every row a set of tokens, and add the sets of the rows that it sees. All new sets come from the old
        ones, so no row reads what another has gathered in the same layer."""
        n = masks.shape[-1]
        gathered = [{row} for row in range(n)]
        for mask in masks:
            gathered = [gathered[i].union(*(gathered[k] for k in np.flatnonzero(mask[i]))) for i in range(n)]
        return np.array([[j in row for j in range(n)] for row in gathered])

    def from_the_last_layer(masks):
        """Ask from the result back to the text: which rows of the layer below does a row need, and which do these need?
        If you want only the last row of a long text, one row of this product is enough, so this is cheap."""
        n = masks.shape[-1]
        needed = np.eye(n, dtype=bool)                                         # (n, n) rows of the result, rows below
        for mask in masks[::-1]:
            needed = needed @ (mask | np.eye(n, dtype=bool))
        return needed


class query_scale:
    def by_log1p(positions, floor_scale=8192, attn_scale=0.1):
        """Divide whole numbers with //, which rounds down by itself, and take log1p, the logarithm of 1 plus a number,
        as transformers 5.23 does."""
        return np.log1p((positions + 1) // floor_scale) * attn_scale + 1.0

    def by_loop(positions, floor_scale=8192, attn_scale=0.1):
        """Compute one factor at a time with math.log. A step of the factor is a whole number of tokens, so // is
        exact."""
        factors = [attn_scale * math.log((p + 1) // floor_scale + 1) + 1 for p in positions.reshape(-1).tolist()]
        return np.array(factors).reshape(positions.shape)
