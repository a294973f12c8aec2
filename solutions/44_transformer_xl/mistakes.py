"""Wrong answers to 44_transformer_xl; each docstring is what the learner is told."""
import numpy as np


def _checked_width(q, k):
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k must be equally wide, got {q.shape} and {k.shape}")


def _checked_length(q, k):
    if q.shape[-2] > k.shape[-2]:
        raise ValueError(f"q must not have more queries than k has keys, got {q.shape} and {k.shape}")


def _checked_distances(q, k, r):
    if r.shape != (k.shape[-2], q.shape[-1]):
        raise ValueError(f"r must have one row per key and be as wide as q, got {r.shape}")


def _checked_biases(q, u, v):
    for name, bias in (("u", u), ("v", v)):
        if bias.shape != q.shape[-1:]:
            raise ValueError(f"{name} must be as wide as q, got {bias.shape}")


def _checked(q, k, r, u, v):
    _checked_width(q, k)
    _checked_length(q, k)
    _checked_distances(q, k, r)
    _checked_biases(q, u, v)


def _as_real(*arrays):
    return [a if a.dtype.kind == "f" else a.astype(np.float64) for a in arrays]


def _back(n_queries, n_keys):
    """How many positions each key stands before each query."""
    return np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys)       # (n_queries, n_keys)


def _products(rows, columns):
    return np.einsum("...id,...jd->...ij", rows, columns)


def _at_distance(by_distance, back):
    """For each query and key a column of by_distance, the last where that is too far; 0 for keys after the
    query."""
    m = np.clip(back, 0, by_distance.shape[-1] - 1)                                 # (n_queries, n_keys)
    picked = np.take_along_axis(by_distance, np.broadcast_to(m, (*by_distance.shape[:-2], *m.shape)), axis=-1)
    return np.where(back >= 0, picked, by_distance.dtype.type(0))


def _terms(q, k, r, u, v):
    """What a key's content and its distance contribute, unscaled; every key in sight."""
    q, k, r, u, v = _as_real(q, k, r, u, v)
    back = _back(q.shape[-2], k.shape[-2])
    return _products(q + u, k), _at_distance(_products(q + v, r), back)


def _masked(scores, future):
    return np.where(future, scores.dtype.type(-np.inf), scores)


def _finished(q, k, summed):
    """Scaled and masked."""
    return _masked(summed / q.shape[-1] ** 0.5, _back(q.shape[-2], k.shape[-2]) < 0)


def _scores(q, k, r, u, v):
    content, position = _terms(q, k, r, u, v)
    return _finished(q, k, content + position)


class transformer_xl_scores:
    def biases_left_out(q, k, r, u, v):
        """Neither `u` nor `v` is used: one is added to the query before it meets the keys, the other before
        it meets the distances."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, np.zeros_like(u), np.zeros_like(v))

    def biases_swapped(q, k, r, u, v):
        """The biases have changed places: `u` belongs to the keys `k`, `v` to the distances `r`."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, v, u)

    def u_for_both(q, k, r, u, v):
        """`u` is added for both terms; before the query meets the distances it is `v` that is added."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, u, u)

    def both_biases_for_the_distance(q, k, r, u, v):
        """`u` is still in the query when `v` is added: each term has the query and one bias."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, u, u + v)

    def distance_left_out(q, k, r, u, v):
        """The term of the distances is missing: without it the order of the keys does not matter."""
        _checked(q, k, r, u, v)
        return _finished(q, k, _terms(q, k, r, u, v)[0])

    def distances_not_looked_up(q, k, r, u, v):
        """The product with `r` is added as it is: its column m is a distance, not key m, so each row has to
        be moved."""
        _checked(q, k, r, u, v)
        q, k, r, u, v = _as_real(q, k, r, u, v)
        return _finished(q, k, _products(q + u, k) + _products(q + v, r))

    def farthest_first(q, k, r, u, v):
        """The rows of `r` are read farthest first, as released code has them; here row 0 is 0 positions
        back."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r[::-1], u, v)

    def last_row_dropped(q, k, r, u, v):
        """The products were padded, read again in rows of n_queries, and the last row was dropped; with the
        padding in front it is the first row."""
        _checked(q, k, r, u, v)
        q, k, r, u, v = _as_real(q, k, r, u, v)
        products = _products(q + v, r[::-1])                                        # (..., n_queries, n_keys)
        padded = np.concatenate([np.zeros_like(products[..., :1]), products], axis=-1)
        cut = padded.reshape(*products.shape[:-2], products.shape[-1] + 1, products.shape[-2])[..., :-1, :]
        return _finished(q, k, _products(q + u, k) + cut.reshape(products.shape))

    def key_minus_query(q, k, r, u, v):
        """The row of `r` is key minus query, which is negative and counts from the end: it is query minus
        key."""
        _checked(q, k, r, u, v)
        return _scores(q, k, np.roll(r[::-1], 1, axis=0), u, v)

    def distances_from_one(q, k, r, u, v):
        """The own key gets row 1 of `r`; it is 0 positions back, so it gets row 0."""
        _checked(q, k, r, u, v)
        return _scores(q, k, np.roll(r, -1, axis=0), u, v)

    def queries_come_first(q, k, r, u, v):
        """Query i is taken to stand at position i; with memory before them the queries are the last
        positions, i + n_keys - n_queries."""
        _checked(q, k, r, u, v)
        q, k, r, u, v = _as_real(q, k, r, u, v)
        back = np.arange(q.shape[-2])[:, None] - np.arange(k.shape[-2])
        summed = _products(q + u, k) + _at_distance(_products(q + v, r), back)
        return _masked(summed / q.shape[-1] ** 0.5, back < 0)

    def mask_comes_first(q, k, r, u, v):
        """The distances are right, but the mask takes query i to stand at position i: `np.triu` or `np.tri`
        needs n_keys - n_queries as well."""
        _checked(q, k, r, u, v)
        content, position = _terms(q, k, r, u, v)
        future = ~np.tri(q.shape[-2], k.shape[-2], dtype=bool)
        return _masked((content + position) / q.shape[-1] ** 0.5, future)

    def distances_come_first(q, k, r, u, v):
        """The mask is right, but distances are counted as if query i stood at position i: all of them are
        short by n_keys - n_queries."""
        _checked(q, k, r, u, v)
        q, k, r, u, v = _as_real(q, k, r, u, v)
        back = np.arange(q.shape[-2])[:, None] - np.arange(k.shape[-2])
        return _finished(q, k, _products(q + u, k) + _at_distance(_products(q + v, r), np.abs(back)))

    def memory_masked(q, k, r, u, v):
        """Keys of earlier segments are -inf; only keys after the query are, memory may be seen."""
        _checked(q, k, r, u, v)
        memory = np.arange(k.shape[-2]) < k.shape[-2] - q.shape[-2]
        return _masked(_scores(q, k, r, u, v), memory)

    def future_not_masked(q, k, r, u, v):
        """Keys after the query have scores; they need -inf."""
        _checked(q, k, r, u, v)
        content, position = _terms(q, k, r, u, v)
        return (content + position) / q.shape[-1] ** 0.5

    def future_zero(q, k, r, u, v):
        """Keys after the query have a score of 0, which a softmax still sees; they need -inf."""
        _checked(q, k, r, u, v)
        scores = _scores(q, k, r, u, v)
        return np.where(np.isneginf(scores), scores.dtype.type(0), scores)

    def future_only_large(q, k, r, u, v):
        """Keys after the query have a large negative number; a score can be lower still, so take -inf."""
        _checked(q, k, r, u, v)
        return np.maximum(_scores(q, k, r, u, v), -1e9)

    def own_key_masked(q, k, r, u, v):
        """The query's own key is -inf too; only keys after the query are."""
        _checked(q, k, r, u, v)
        return _masked(_scores(q, k, r, u, v), _back(q.shape[-2], k.shape[-2]) == 0)

    def not_scaled(q, k, r, u, v):
        """The sum is not divided by sqrt(d)."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, u, v) * q.shape[-1] ** 0.5

    def distance_not_scaled(q, k, r, u, v):
        """Only the content is divided by sqrt(d); both terms are."""
        _checked(q, k, r, u, v)
        content, position = _terms(q, k, r, u, v)
        return _finished(q, k, content + position * q.shape[-1] ** 0.5)

    def divided_by_the_width(q, k, r, u, v):
        """The sum is divided by d; divide by its square root."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, u, v) / q.shape[-1] ** 0.5

    def widened(q, k, r, u, v):
        """float32 came in and float64 comes out; floating input keeps its dtype."""
        _checked(q, k, r, u, v)
        return _scores(q, k, r, u, v).astype(np.float64)

    def biases_added_in_place(q, k, r, u, v):
        """`q += u` changes the caller's queries; `q + u` makes new ones."""
        _checked(q, k, r, u, v)
        scores = _scores(q, k, r, u, v)
        if q.flags.writeable:
            q += u
        return scores

    def one_column_stretches(q, k, r, u, v):
        """The widths of `q` and `k` are not compared, and a single column is silently repeated: refuse it."""
        _checked_length(q, k)
        _checked_distances(r, k, r)
        _checked_biases(r, u, v)
        return _scores(q, k, r, u, v)

    def one_number_for_a_bias(q, k, r, u, v):
        """The widths of `u` and `v` are not compared with that of `q`, and a single number is silently
        repeated: refuse it."""
        _checked_width(q, k)
        _checked_length(q, k)
        _checked_distances(q, k, r)
        return _scores(q, k, r, u, v)

    def other_distances_accepted(q, k, r, u, v):
        """`r` may have more rows than there are keys, or too few, and the last is used again; there has to be
        exactly one per key."""
        _checked_width(q, k)
        _checked_length(q, k)
        _checked_distances(q, r, np.empty((len(r), r.shape[-1])))
        _checked_biases(q, u, v)
        return _scores(q, k, r, u, v)

    def queries_before_the_start(q, k, r, u, v):
        """More queries than keys are accepted, and the first of them then stand before the first key: refuse
        them."""
        _checked_width(q, k)
        _checked_distances(q, k, r)
        _checked_biases(q, u, v)
        return _scores(q, k, r, u, v)
