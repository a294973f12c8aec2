"""Other right answers to 11_order_blindness, and when one would want them."""
import math

import numpy as np


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _checked(x, w_q, w_k, w_v, mask):
    expected = {"w_q": (w_q, w_q.shape[1]), "w_k": (w_k, w_q.shape[1]), "w_v": (w_v, w_q.shape[1])}
    for name, (weight, d_head) in expected.items():
        if weight.shape != (x.shape[1], d_head):
            raise ValueError(f"{name} of shape {weight.shape} does not fit {(x.shape[1], d_head)}")
    if mask is not None and mask.shape != (len(x), len(x)):
        raise ValueError(f"mask of shape {mask.shape} does not fit {len(x)} words")


def _attention(x, w_q, w_k, w_v, mask):
    _checked(x, w_q, w_k, w_v, mask)
    x = _floating(x)
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ (x @ w_v)


class softmax:
    def by_logarithm_of_the_sum(scores):
        """Subtract the logarithm of the sum of exponentials, then take one exponential: no division.
        The way to go where logarithms of the weights are wanted as well, as in a cross-entropy."""
        scores = _floating(scores)
        top = scores.max(axis=-1, keepdims=True)
        return np.exp(scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)))

    def by_rows(scores):
        """One row at a time with math.exp and an exact sum: the definition, word by word.
        Good for checking a vectorised version; slow on large arrays."""
        scores = _floating(scores)
        weights = np.empty_like(scores)
        for place in np.ndindex(scores.shape[:-1]):
            row = scores[place].tolist()
            powers = [math.exp(score - max(row)) for score in row]
            weights[place] = [power / math.fsum(powers) for power in powers]
        return weights

    def by_logistic_comparisons(scores):
        """Weight i is 1 over the sum of exp(score j - score i): each score is held against all the others.
        It generalises the logistic function, which is the case of two; n times the work and memory."""
        scores = _floating(scores)
        finite = np.isfinite(scores)
        level = np.where(finite, scores, 0.0)
        with np.errstate(over="ignore"):
            odds = np.exp(level[..., None, :] - level[..., :, None])             # (..., n, n)
        sums = np.where(finite[..., None, :], odds, 0.0).sum(axis=-1)            # at least 1 where finite
        return np.where(finite, 1 / np.maximum(sums, 1.0), 0.0)


class self_attention:
    def by_einsum(x, w_q, w_k, w_v, mask=None):
        """einsum names every axis: i the queries, j the keys, h the width of the head.
        The same line serves more heads and batches once they have letters of their own."""
        _checked(x, w_q, w_k, w_v, mask)
        q, k, v = (np.einsum("id,dh->ih", _floating(x), w) for w in (w_q, w_k, w_v))
        scores = np.einsum("ih,jh->ij", q, k) / math.sqrt(q.shape[1])
        if mask is not None:
            scores[~mask] = -np.inf
        return np.einsum("ij,jh->ih", _softmax(scores), v)

    def by_one_bilinear_form(x, w_q, w_k, w_v, mask=None):
        """w_q and w_k only ever meet as w_q @ w_k.T, a single (d, d) form that compares two words.
        Good to think with; more work than two thin matrices when d_head is well below d."""
        _checked(x, w_q, w_k, w_v, mask)
        x = _floating(x)
        form = w_q @ w_k.T / math.sqrt(w_q.shape[1])                             # (d, d)
        scores = x @ form @ x.T                                                  # (n, n)
        return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ x @ w_v

    def by_one_projection(x, w_q, w_k, w_v, mask=None):
        """Queries, keys and values come from one product with the three weights side by side.
        Published models store them like that: one large product is faster than three small ones."""
        _checked(x, w_q, w_k, w_v, mask)
        q, k, v = np.split(_floating(x) @ np.concatenate([w_q, w_k, w_v], axis=1), 3, axis=1)
        scores = q / math.sqrt(q.shape[1]) @ k.T                                 # scaled before the product
        if mask is not None:
            np.copyto(scores, -np.inf, where=~mask)
        return _softmax(scores) @ v

    def by_visible_keys(x, w_q, w_k, w_v, mask=None):
        """Each query gets the keys it may see, and no others: there are no scores to hide.
        The plain meaning of a mask; it saves work where a mask leaves few keys."""
        _checked(x, w_q, w_k, w_v, mask)
        x = _floating(x)
        rows = []
        for i, word in enumerate(x):
            seen = x if mask is None else x[mask[i]]
            rows.append(_softmax(word @ w_q @ (seen @ w_k).T / math.sqrt(w_q.shape[1])) @ (seen @ w_v))
        return np.array(rows)

    def by_running_sums(x, w_q, w_k, w_v, mask=None):
        """Go through the keys once, keeping the maximum, the sum of powers and the weighted values so far.
        No (n, n) array is ever held: the idea behind FlashAttention."""
        _checked(x, w_q, w_k, w_v, mask)
        x = _floating(x)
        q, k, v = x @ w_q / math.sqrt(w_q.shape[1]), x @ w_k, x @ w_v
        top = np.full((len(x), 1), np.finfo(q.dtype).min, q.dtype)
        total, summed = np.zeros_like(top), np.zeros_like(v)
        for j in range(len(x)):
            scores = (q @ k[j])[:, None]                                         # (n, 1)
            if mask is not None:
                scores[~mask[:, j]] = -np.inf
            higher = np.maximum(top, scores)
            shrink, power = np.exp(top - higher), np.exp(scores - higher)
            top, total, summed = higher, total * shrink + power, summed * shrink + power * v[j]
        return summed / total

    def by_columns(x, w_q, w_k, w_v, mask=None):
        """Everything transposed: words are columns, and the weights of a query stand in a column too.
        As textbooks of linear algebra write it; the result is a Fortran-ordered view."""
        _checked(x, w_q, w_k, w_v, mask)
        words = _floating(x).T                                                   # (d, n)
        scores = (w_k.T @ words).T @ (w_q.T @ words) / math.sqrt(w_q.shape[1])   # (keys, queries)
        if mask is not None:
            scores = np.where(mask.T, scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=0))
        return (w_v.T @ words @ (powers / powers.sum(axis=0))).T


class permutation_gap:
    def by_permutation_matrix(x, w_q, w_k, w_v, order, mask=None):
        """The order as a matrix of zeros and ones: attention(P x) against P attention(x).
        That is how a proof of order blindness writes it; n * n numbers for n places."""
        if len(order) != len(x) or set(order.tolist()) != set(range(len(x))):
            raise ValueError(f"order is no permutation of the {len(x)} rows of x: {order.tolist()}")
        p = np.eye(len(x))[order]
        moved = _attention(p @ x, w_q, w_k, w_v, mask)
        return np.abs(moved - p @ _attention(x, w_q, w_k, w_v, mask)).max()

    def by_moving_back(x, w_q, w_k, w_v, order, mask=None):
        """Attend to the moved words, then move the rows back and compare with the original text.
        The largest difference is the same, since both sides are reordered alike."""
        if order.min() < 0 or not np.array_equal(np.bincount(order), np.ones(len(x))):
            raise ValueError(f"order must be a permutation, got {order}")
        back = np.empty_like(order)
        back[order] = np.arange(len(x))
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.linalg.norm((moved[back] - _attention(x, w_q, w_k, w_v, mask)).ravel(), ord=np.inf)

    def by_moving_the_mask_instead(x, w_q, w_k, w_v, order, mask=None):
        """Words that move under a fixed mask see what words that stay see under a mask moved the other way.
        So the gap is that between two masks on one text, which is 0 at once when there is none."""
        if sorted(order.tolist()) != list(range(len(x))):
            raise ValueError(f"order must be a permutation, got {order}")
        one = _attention(x, w_q, w_k, w_v, mask)
        if mask is None:
            return 0.0
        moved = np.empty_like(mask)
        moved[np.ix_(order, order)] = mask
        return np.abs(_attention(x, w_q, w_k, w_v, moved) - one).max()


class bag_of_words:
    def by_product_with_ones(x):
        """A row of ones times the table: pooling is a linear map.
        Other weights in that row make other poolings, 1 / n the mean."""
        x = _floating(x)
        return np.ones(len(x), x.dtype) @ x

    def by_counting(x):
        """Find the different words and how often each comes, then add count times word.
        This is a bag of words as in information retrieval; worth it where few words come often."""
        words, counts = np.unique(_floating(x), axis=0, return_counts=True)
        return (words * counts[:, None].astype(words.dtype)).sum(axis=0)

    def by_adding_one_after_the_other(x):
        """A running total, as a reader would keep it who forgets each word after adding it.
        Needs memory for one row only, however long the text."""
        total = np.zeros(x.shape[1], x.dtype if x.dtype.kind == "f" else np.float64)
        for word in x:
            total += word
        total.flags.writeable = False
        return total
