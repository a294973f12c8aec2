"""Other right answers to 11_order_blindness, and when you would want them."""
import math

import numpy as np


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _attention(x, w_q, w_k, w_v, mask):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ (x @ w_v)


class softmax:
    def in_one_array(scores):
        """Write the exponentials and the quotients over the differences. You make one new array instead of three."""
        dtype = np.result_type(scores, 1.0)                                      # whole numbers become float64
        weights = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=dtype)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        return weights

    def by_logarithm_of_the_sum(scores):
        """Subtract the logarithm of the sum of exponentials, then take one exponential. You need no division.
        Use it if you also need the logarithms of the weights, as in a cross-entropy."""
        top = scores.max(axis=-1, keepdims=True)
        return np.exp(scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)))

    def by_rows(scores):
        """Handle one row at a time, with math.exp and math.fsum. This is the definition, term by term. Use it to check
        a vectorised version."""
        weights = np.empty(scores.shape)
        for place in np.ndindex(scores.shape[:-1]):
            row = scores[place].tolist()
            powers = [math.exp(score - max(row)) for score in row]
            weights[place] = [power / math.fsum(powers) for power in powers]
        return weights


class self_attention:
    def by_one_projection(x, w_q, w_k, w_v, mask=None):
        """Put the three weight matrices side by side and make queries, keys and values with one product.
        Some released models, such as GPT-2, store their weights like this."""
        q, k, v = np.split(x @ np.concatenate([w_q, w_k, w_v], axis=1), 3, axis=1)
        scores = q / math.sqrt(q.shape[1]) @ k.T                                 # scaled before the product
        if mask is not None:
            scores[~mask] = -np.inf
        return _softmax(scores) @ v

    def by_einsum(x, w_q, w_k, w_v, mask=None):
        """einsum has a letter for every axis: i for queries, j for keys, h for the width of the head.
        You can extend it to several heads or a batch if you give each new axis a letter."""
        q, k, v = (np.einsum("id,dh->ih", x, w) for w in (w_q, w_k, w_v))
        scores = np.einsum("ih,jh->ij", q, k) / math.sqrt(q.shape[1])
        if mask is not None:
            scores[~mask] = -np.inf
        return np.einsum("ij,jh->ih", _softmax(scores), v)

    def by_one_bilinear_form(x, w_q, w_k, w_v, mask=None):
        """The scores depend on w_q and w_k only through w_q @ w_k.T, a (d, d) matrix that compares two words.
        This form is good for analysis. If d_head is well below d, two thin matrices take less work."""
        form = w_q @ w_k.T / math.sqrt(w_q.shape[1])                             # (d, d)
        scores = x @ form @ x.T                                                  # (n, n)
        return _softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ x @ w_v

    def by_visible_keys(x, w_q, w_k, w_v, mask=None):
        """Compare each query only with the keys that it may see, so there are no scores to hide.
        This shows what a mask does. It saves work if the mask leaves few keys."""
        rows = []
        for i, word in enumerate(x):
            seen = x if mask is None else x[mask[i]]
            rows.append(_softmax(word @ w_q @ (seen @ w_k).T / math.sqrt(w_q.shape[1])) @ (seen @ w_v))
        return np.array(rows)


class permutation_gap:
    def by_permutation_matrix(x, w_q, w_k, w_v, order, mask=None):
        """Write the order as a matrix P of zeros and ones and compare attention(P x) with P attention(x).
        This form is good for a proof of order blindness. P has n * n numbers for n positions."""
        p = np.eye(len(x))[order]                                                # (n, n)
        moved = _attention(p @ x, w_q, w_k, w_v, mask)
        return np.abs(moved - p @ _attention(x, w_q, w_k, w_v, mask)).max()

    def by_moving_back(x, w_q, w_k, w_v, order, mask=None):
        """Attend to the reordered words, then move the rows back and compare them with the rows of the original text.
        The largest difference is the same, because you reorder both sides in the same way."""
        back = np.empty_like(order)
        back[order] = np.arange(len(x))
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        difference = moved[back] - _attention(x, w_q, w_k, w_v, mask)
        return np.linalg.norm(difference.ravel(), ord=np.inf)


class bag_of_words:
    def by_counting(x):
        """Find the different words, count each of them, and add up count times word.
        This is what the name means: a bag knows how often each word occurs, and nothing else."""
        words, counts = np.unique(x, axis=0, return_counts=True)
        return (words * counts[:, None]).sum(axis=0)

    def by_adding_one_after_the_other(x):
        """Keep a running total and add one word at a time.
        This needs memory for one row only, no matter how long the text is."""
        total = np.zeros(x.shape[1])
        for word in x:
            total += word
        total.flags.writeable = False
        return total
