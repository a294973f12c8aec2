"""Other right answers to 11_order_blindness, and when one would want them."""
import math

import numpy as np


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _attention(x, w_q, w_k, w_v, mask):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ (x @ w_v)


def _averaged(scores, v):
    """The values averaged by the softmax of the scores, which are used up."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ v / scores.sum(axis=-1, keepdims=True)


class softmax:
    def in_one_array(scores):
        """Exponentials and quotients overwrite the differences: one new array where the formula makes three.
        The fastest one here on large arrays, where memory takes longer than arithmetic."""
        dtype = np.result_type(scores, 1.0)                                      # whole numbers become float64
        weights = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=dtype)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        return weights

    def by_logarithm_of_the_sum(scores):
        """Subtract the logarithm of the sum of exponentials, then take one exponential: no division.
        The way to go where logarithms of the weights are wanted as well, as in a cross-entropy."""
        top = scores.max(axis=-1, keepdims=True)
        return np.exp(scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)))

    def by_rows(scores):
        """One row at a time with math.exp and an exact sum: the definition, word by word.
        Good for checking a vectorised version; slow on large arrays."""
        weights = np.empty(scores.shape)
        for place in np.ndindex(scores.shape[:-1]):
            row = scores[place].tolist()
            powers = [math.exp(score - max(row)) for score in row]
            weights[place] = [power / math.fsum(powers) for power in powers]
        return weights

    def by_logistic_comparisons(scores):
        """Weight i is 1 over the sum of exp(score j - score i): each score is held against all the others.
        It generalises the logistic function, which is the case of two; n times the work and memory."""
        finite = np.isfinite(scores)
        level = np.where(finite, scores, 0.0)
        with np.errstate(over="ignore"):
            odds = np.exp(level[..., None, :] - level[..., :, None])             # (..., n, n)
        sums = np.where(finite[..., None, :], odds, 0.0).sum(axis=-1)            # at least 1 where finite
        return np.where(finite, 1 / np.maximum(sums, 1.0), 0.0)


class self_attention:
    def by_dividing_last(x, w_q, w_k, w_v, mask=None):
        """Average with the exponentials as they are and divide the rows of the result by their sums: d_head
        divisions a row in place of n. The scores are worked on in place, so one (n, n) array of floats is enough."""
        scores = x @ w_q / math.sqrt(w_q.shape[1]) @ (x @ w_k).T                 # (n, n)
        if mask is not None:
            np.copyto(scores, -np.inf, where=~mask)
        return _averaged(scores, x @ w_v)

    def by_one_projection(x, w_q, w_k, w_v, mask=None):
        """Queries, keys and values come from one product with the three weights side by side.
        Published models store them like that: one large product in place of three small ones."""
        q, k, v = np.split(x @ np.concatenate([w_q, w_k, w_v], axis=1), 3, axis=1)
        scores = q / math.sqrt(q.shape[1]) @ k.T                                 # scaled before the product
        if mask is not None:
            scores[~mask] = -np.inf
        return _softmax(scores) @ v

    def by_einsum(x, w_q, w_k, w_v, mask=None):
        """einsum names every axis: i the queries, j the keys, h the width of the head.
        The same line serves more heads and batches once they have letters of their own."""
        q, k, v = (np.einsum("id,dh->ih", x, w) for w in (w_q, w_k, w_v))
        scores = np.einsum("ih,jh->ij", q, k) / math.sqrt(q.shape[1])
        if mask is not None:
            scores[~mask] = -np.inf
        return np.einsum("ij,jh->ih", _softmax(scores), v)

    def by_one_bilinear_form(x, w_q, w_k, w_v, mask=None):
        """w_q and w_k only ever meet as w_q @ w_k.T, a single (d, d) form that compares two words.
        Good to think with; more work than two thin matrices when d_head is well below d."""
        form = w_q @ w_k.T / math.sqrt(w_q.shape[1])                             # (d, d)
        scores = x @ form @ x.T                                                  # (n, n)
        return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ x @ w_v

    def by_visible_keys(x, w_q, w_k, w_v, mask=None):
        """Each query gets the keys it may see, and no others: there are no scores to hide.
        The plain meaning of a mask; it saves work where a mask leaves few keys."""
        rows = []
        for i, word in enumerate(x):
            seen = x if mask is None else x[mask[i]]
            rows.append(_softmax(word @ w_q @ (seen @ w_k).T / math.sqrt(w_q.shape[1])) @ (seen @ w_v))
        return np.array(rows)

    def by_running_sums(x, w_q, w_k, w_v, mask=None):
        """Go through the keys once, keeping the maximum, the sum of powers and the weighted values so far.
        No (n, n) array is ever held: the idea behind FlashAttention."""
        q, k, v = x @ w_q / math.sqrt(w_q.shape[1]), x @ w_k, x @ w_v
        top = np.full((len(x), 1), np.finfo(q.dtype).min)
        total, summed = np.zeros_like(top), np.zeros_like(q)
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
        words = x.T                                                              # (d, n)
        scores = (w_k.T @ words).T @ (w_q.T @ words) / math.sqrt(w_q.shape[1])   # (keys, queries)
        if mask is not None:
            scores = np.where(mask.T, scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=0))
        return (w_v.T @ words @ (powers / powers.sum(axis=0))).T


class permutation_gap:
    def by_permutation_matrix(x, w_q, w_k, w_v, order, mask=None):
        """The order as a matrix of zeros and ones: attention(P x) against P attention(x).
        That is how a proof of order blindness writes it; n * n numbers for n places."""
        p = np.eye(len(x))[order]                                                # (n, n)
        moved = _attention(p @ x, w_q, w_k, w_v, mask)
        return np.abs(moved - p @ _attention(x, w_q, w_k, w_v, mask)).max()

    def by_moving_back(x, w_q, w_k, w_v, order, mask=None):
        """Attend to the moved words, then move the rows back and compare with the original text.
        The largest difference is the same, since both sides are reordered alike."""
        back = np.empty_like(order)
        back[order] = np.arange(len(x))
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        difference = moved[back] - _attention(x, w_q, w_k, w_v, mask)
        return np.linalg.norm(difference.ravel(), ord=np.inf)

    def by_moving_the_mask_instead(x, w_q, w_k, w_v, order, mask=None):
        """Words that move under a fixed mask see what words that stay see under a mask moved the other way.
        So one set of scores serves both sides, and without a mask the gap is 0 at once."""
        if mask is None:
            return 0.0
        scores, v = x @ w_q / math.sqrt(w_q.shape[1]) @ (x @ w_k).T, x @ w_v     # (n, n), (n, d_head)
        moved = np.empty_like(mask)
        moved[np.ix_(order, order)] = mask
        one, other = (_averaged(np.where(seen, scores, -np.inf), v) for seen in (mask, moved))
        return float(np.abs(other - one).max())


class bag_of_words:
    def by_product_with_ones(x):
        """A row of ones times the table: pooling is a linear map.
        Other weights in that row make other poolings, 1 / n the mean."""
        return np.ones(len(x)) @ x

    def by_counting(x):
        """Find the different words and how often each comes, then add count times word.
        This is a bag of words as in information retrieval; worth it where few words come often."""
        words, counts = np.unique(x, axis=0, return_counts=True)
        return (words * counts[:, None]).sum(axis=0)

    def by_adding_one_after_the_other(x):
        """A running total, as a reader would keep it who forgets each word after adding it.
        Needs memory for one row only, however long the text."""
        total = np.zeros(x.shape[1])
        for word in x:
            total += word
        total.flags.writeable = False
        return total
