"""Wrong answers to 44_transformer_xl; each docstring is what the learner is told."""
import numpy as np


def _back(q, k):
    """How many positions back each key is from each query."""
    own = np.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
    return own[:, None] - np.arange(k.shape[-2])                                    # (n_queries, n_keys)


def _products(rows, columns):
    return np.einsum("...id,...jd->...ij", rows, columns)


def _distance(q, r, v, back):
    return np.einsum("...id,ijd->...ij", q + v, r[back])


def _masked(scores, future):
    return np.where(future, -np.inf, scores)


def _finished(q, k, summed):
    """Scaled and masked."""
    return _masked(summed / q.shape[-1] ** 0.5, _back(q, k) < 0)


def _scores(q, k, r, u, v):
    return _finished(q, k, _products(q + u, k) + _distance(q, r, v, _back(q, k)))


class transformer_xl_scores:
    def biases_left_out(q, k, r, u, v):
        """You use neither `u` nor `v`. Add `u` to the query in the product with the keys, and `v` in the product with
        the distances."""
        return _scores(q, k, r, np.zeros_like(u), np.zeros_like(v))

    def biases_swapped(q, k, r, u, v):
        """You swap the biases. `u` belongs to the product with the keys `k`, `v` to the product with the distances
        `r`."""
        return _scores(q, k, r, v, u)

    def v_added_to_the_rows(q, k, r, u, v):
        """You add `v` to the rows of `r`. Add it to the query, like `u`: (q + v) r."""
        back = _back(q, k)
        distance = np.einsum("...id,ijd->...ij", q, (r + v)[back])
        return _finished(q, k, _products(q + u, k) + distance)

    def v_reads_r_by_key(q, k, r, u, v):
        """You read the product of `v` and `r` by the number of the key. Read it by distance, like the product of the
        query and `r`."""
        distance = np.einsum("...id,ijd->...ij", q, r[_back(q, k)]) + r[: k.shape[-2]] @ v
        return _finished(q, k, _products(q + u, k) + distance)

    def distances_without_the_memory(q, k, r, u, v):
        """You count the distances from query i at position i, but the queries come after the memory. Add n_keys -
        n_queries to the position of every query."""
        back = np.arange(q.shape[-2])[:, None] - np.arange(k.shape[-2])
        return _finished(q, k, _products(q + u, k) + _distance(q, r, v, np.maximum(back, 0)))

    def u_for_both(q, k, r, u, v):
        """You add `u` in both products. In the product with the distances, add `v`."""
        return _scores(q, k, r, u, u)

    def both_biases_for_the_distance(q, k, r, u, v):
        """You leave `u` in the query when you add `v`. Each product takes the query plus one bias."""
        return _scores(q, k, r, u, u + v)

    def bias_added_to_the_keys(q, k, r, u, v):
        """You add `u` to the keys, so the query multiplies it. Add `u` to the query, then multiply with the keys."""
        return _finished(q, k, _products(q, k + u) + _distance(q, r, v, _back(q, k)))

    def biases_not_scaled(q, k, r, u, v):
        """You divide only the queries by sqrt(d), not the biases. Add `u` and `v` to the queries first, then divide the
        sum of both products."""
        root = q.shape[-1] ** 0.5
        return _scores(q, k, r, u * root, v * root)

    def distance_left_out(q, k, r, u, v):
        """You leave out the term for the distances. Without it, the order of the keys does not matter. Add the product
        of the query plus `v` with the row of `r` for the distance."""
        return _finished(q, k, _products(q + u, k))

    def distances_not_looked_up(q, k, r, u, v):
        """You add column m of the product with `r`, which is a distance, to the score of key m. For query i and key j,
        take the row of `r` for their distance."""
        return _finished(q, k, _products(q + u, k) + _products(q + v, r))

    def farthest_first(q, k, r, u, v):
        """You read the rows of `r` farthest first, as the released code does. In this kata they are nearest first: row
        0 is for 0 positions back."""
        return _scores(q, k, r[::-1], u, v)

    def last_row_dropped(q, k, r, u, v):
        """You pad the products, read them again in rows of n_queries, and drop the last row. With the padding in front,
        drop the first row."""
        products = _products(q + v, r[::-1])                                        # (..., n_queries, n_keys)
        padded = np.concatenate([np.zeros_like(products[..., :1]), products], axis=-1)
        cut = padded.reshape(*products.shape[:-2], products.shape[-1] + 1, products.shape[-2])[..., :-1, :]
        return _finished(q, k, _products(q + u, k) + cut.reshape(products.shape))

    def key_minus_query(q, k, r, u, v):
        """You look up `r` at key minus query. This is negative, so it counts from the end. Look up query minus key."""
        return _finished(q, k, _products(q + u, k) + _distance(q, r, v, -_back(q, k)))

    def distances_from_one(q, k, r, u, v):
        """You give the query's own key row 1 of `r`. It is 0 positions back, so it gets row 0."""
        return _scores(q, k, np.roll(r, -1, axis=0), u, v)

    def distances_of_the_segment_only(q, k, r, u, v):
        """You cut distances off at n_queries - 1, the longest within the segment. Keys in memory are farther back, and
        `r` has a row for each of them."""
        back = np.minimum(_back(q, k), q.shape[-2] - 1)
        return _finished(q, k, _products(q + u, k) + _distance(q, r, v, back))

    def queries_come_first(q, k, r, u, v):
        """You place query i at position i. The memory comes before the queries, so query i is at position i + n_keys -
        n_queries."""
        back = np.arange(q.shape[-2])[:, None] - np.arange(k.shape[-2])
        summed = _products(q + u, k) + _distance(q, r, v, back)
        return _masked(summed / q.shape[-1] ** 0.5, back < 0)

    def mask_comes_first(q, k, r, u, v):
        """You use the right distances, but your mask places query i at position i. Add n_keys - n_queries, for example
        as the third argument of `np.tri`."""
        return _masked(_scores(q, k, r, u, v), ~np.tri(q.shape[-2], k.shape[-2], dtype=bool))

    def distances_come_first(q, k, r, u, v):
        """You use the right mask, but your distances place query i at position i. They are too short by n_keys -
        n_queries."""
        back = np.arange(q.shape[-2])[:, None] - np.arange(k.shape[-2])
        return _finished(q, k, _products(q + u, k) + _distance(q, r, v, back))

    def memory_masked(q, k, r, u, v):
        """You set the scores of keys of earlier segments to -inf, so the query cannot see the memory. Do this only for
        keys after the query."""
        memory = np.arange(k.shape[-2]) < k.shape[-2] - q.shape[-2]
        return _masked(_scores(q, k, r, u, v), memory)

    def future_not_masked(q, k, r, u, v):
        """You keep the scores of keys after the query. Set those scores to -inf."""
        return (_products(q + u, k) + _distance(q, r, v, _back(q, k))) / q.shape[-1] ** 0.5

    def future_zero(q, k, r, u, v):
        """You give keys after the query a score of 0, which still gets weight in a softmax. Set it to -inf."""
        return np.where(_back(q, k) < 0, 0.0, _scores(q, k, r, u, v))

    def future_only_large(q, k, r, u, v):
        """You give keys after the query a large negative number. A visible score can be lower still, so use -inf."""
        return np.maximum(_scores(q, k, r, u, v), -1e9)

    def mask_times_infinity(q, k, r, u, v):
        """You multiply a mask of zeros and ones by -inf, and 0 times infinity is NaN. Use `np.where` to choose between
        score and -inf."""
        return _scores(q, k, r, u, v) + (_back(q, k) < 0) * -np.inf

    def own_key_masked(q, k, r, u, v):
        """You set the score of the query's own key to -inf. Do this only for keys after the query."""
        return _masked(_scores(q, k, r, u, v), _back(q, k) == 0)

    def not_scaled(q, k, r, u, v):
        """You do not divide the sum of content and distance by sqrt(d). Divide it by the square root of the width."""
        return _scores(q, k, r, u, v) * q.shape[-1] ** 0.5

    def distance_not_scaled(q, k, r, u, v):
        """You divide only the content by sqrt(d). Divide the sum of content and distance."""
        distance = _distance(q, r, v, _back(q, k)) * q.shape[-1] ** 0.5
        return _finished(q, k, _products(q + u, k) + distance)

    def divided_by_the_width(q, k, r, u, v):
        """You divide the sum by d. Divide it by the square root of d instead."""
        return _scores(q, k, r, u, v) / q.shape[-1] ** 0.5

    def softmax_taken(q, k, r, u, v):
        """You take a softmax. Return the scores, not the weights."""
        scores = _scores(q, k, r, u, v)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    def biases_added_in_place(q, k, r, u, v):
        """You change the caller's queries with `q += u`. Write `q + u`, which makes a new array."""
        scores = _scores(q, k, r, u, v)
        if q.flags.writeable:
            q += u
        return scores
