"""Other right answers to 54_forgetting_gate, and when you would want them."""
import math

import numpy as np


def _past(n):
    return np.arange(n)[:, None] >= np.arange(n)                            # (n, n)


def _masked_bias(log_gates):
    sums = np.cumsum(log_gates, axis=-1)
    return np.where(_past(sums.shape[-1]), sums[..., :, None] - sums[..., None, :], -np.inf)


class log_forget_gates:
    def by_logaddexp(logits):
        """Call np.logaddexp(0, -x), which is log(1 + exp(-x)) and has the minimum and the log1p inside. It is shorter
        than the reference."""
        return -np.logaddexp(0.0, -logits)

    def by_cases(logits):
        """Use one formula for negative logits and one for the others. Each computes exp only where it is below 1.
        Masked assignment needs an array of floats that is already there."""
        logits = np.asarray(logits) * 1.0
        gates, low = np.empty_like(logits), np.less(logits, 0.0)
        gates[low] = logits[low] - np.log1p(np.exp(logits[low]))
        gates[~low] = -np.log1p(np.exp(-logits[~low]))
        return gates

    def by_loops(logits):
        """Take one number after the other, with the functions of the module math. Use it to check a vectorised
        version."""
        logits = np.asarray(logits)
        wanted = [min(x, 0.0) - math.log1p(math.exp(-abs(x))) for x in logits.ravel().tolist()]
        return np.array(wanted).reshape(logits.shape)

    def by_inverse_hyperbolic_tangent(logits):
        """Compute log(1 + y) as 2 artanh(y / (2 + y)), which keeps the digits of a small y as log1p does. Some
        languages have artanh and no log1p."""
        y = np.exp(-np.abs(logits))
        return np.minimum(logits, 0.0) - 2.0 * np.arctanh(y / (2.0 + y))

    def in_place(logits):
        """Write each step into the array of the step before. It needs only the result and one more array."""
        low = np.minimum(logits, 0.0)
        y = np.array(np.abs(logits), dtype=low.dtype)
        np.exp(np.negative(y, out=y), out=y)
        return np.subtract(low, np.log1p(y, out=y), out=y)


class forgetting_bias:
    def by_loops(log_gates):
        """Follow the definition with three loops: for every query, walk back from its own key and add a gate per step.
        Each entry is a sum of its own, so a closed gate leaves no rounding behind."""
        n = log_gates.shape[-1]
        bias = np.full((*log_gates.shape, n), -np.inf)
        for place in np.ndindex(log_gates.shape[:-1]):
            for i in range(n):
                bias[(*place, i, i)], total = 0.0, 0.0
                for j in range(i - 1, -1, -1):
                    total += log_gates[(*place, j + 1)]
                    bias[(*place, i, j)] = total
        return bias

    def row_by_row(log_gates):
        """Make each row from the row before: add the new gate, and put a new 0 at the end. Text generation can keep one
        row per head like this instead of all gates."""
        n = log_gates.shape[-1]
        bias = np.full((*log_gates.shape, n), -np.inf)
        row = np.zeros((*log_gates.shape[:-1], 0))
        for i in range(n):
            row = np.concatenate([row + log_gates[..., i, None], np.zeros((*row.shape[:-1], 1))], axis=-1)
            bias[..., i, : i + 1] = row
        return bias

    def minus_infinity_written_afterwards(log_gates):
        """Write -inf into the array of differences. np.where would make a second array of that size. The differences
        are floats, because log gates are floats: an array of integers cannot hold -inf."""
        sums = np.cumsum(log_gates, axis=-1)
        bias = sums[..., :, None] - sums[..., None, :]
        bias[..., ~_past(log_gates.shape[-1])] = -np.inf
        return bias

    def only_the_past(log_gates):
        """Start with -inf everywhere and write each row up to the query's own key. No difference is computed and then
        masked. The benchmark page in tests/benchmarks shows the time for 2048 tokens."""
        sums = np.cumsum(log_gates, axis=-1)
        bias = np.full((*sums.shape, sums.shape[-1]), -np.inf, np.result_type(log_gates, np.float32))
        for i in range(sums.shape[-1]):
            bias[..., i, : i + 1] = sums[..., i, None] - sums[..., : i + 1]
        return bias

    def sums_down_the_columns(log_gates):
        """Put gate l into row l of every column j < l, then sum down each column. Only gates that belong to an entry
        are added, so small ones keep their digits after a closed gate."""
        n = log_gates.shape[-1]
        steps = np.where(np.tri(n, n, -1, dtype=bool), log_gates[..., :, None], 0)      # (..., n, n)
        return np.where(_past(n), np.cumsum(steps, axis=-2), -np.inf)

    def by_matrix_product(log_gates):
        """Multiply the gates with a table of zeros and ones, which has a one where gate l counts for the pair i, j. The
        table has n cubed entries, so this is for short texts."""
        n = log_gates.shape[-1]
        i, j, between = np.ogrid[:n, :n, :n]
        counts = (between > j) & (between <= i)                            # (n, n, n)
        return np.where(_past(n), np.einsum("...l,ijl->...ij", log_gates, counts), -np.inf)

    def from_the_end(log_gates):
        """Sum from the last token back. Entry [i, j] is then the sum after j minus the sum after i. It needs no sum
        before the first key."""
        after = np.cumsum(log_gates[..., ::-1], axis=-1)[..., ::-1] - log_gates         # (..., n) gates after a token
        return np.where(_past(log_gates.shape[-1]), after[..., None, :] - after[..., :, None], -np.inf)

    def one_sum_over_everything(log_gates):
        """Run one sum through all heads and texts. The numbers before a text are in both sums of a difference, so they
        cancel. Rounding errors grow with the number of texts."""
        sums = np.cumsum(log_gates).reshape(log_gates.shape)
        return np.where(_past(sums.shape[-1]), sums[..., :, None] - sums[..., None, :], -np.inf)

    def mask_added(log_gates):
        """Add the causal mask as an array of 0 and -inf, as for any other attention. Make the mask once for a
        length."""
        n = log_gates.shape[-1]
        sums = np.cumsum(log_gates, axis=-1)
        return sums[..., :, None] - sums[..., None, :] + np.triu(np.full((n, n), -np.inf), 1)

    def keys_first_in_memory(log_gates):
        """Write the transposed table and return a view of it, so that a column, all queries of one key, lies together
        in memory. The result is read-only."""
        sums = np.cumsum(log_gates, axis=-1) * 1.0
        table = sums[..., None, :] - sums[..., :, None]                    # (..., keys, queries)
        table[..., ~_past(sums.shape[-1]).T] = -np.inf
        table.flags.writeable = False
        return np.swapaxes(table, -1, -2)

    def in_double_precision(log_gates):
        """Sum in float64 whatever comes in, and return the dtype of the argument. Long texts in float32 lose digits in
        the sums, not in their differences."""
        dtype = np.result_type(log_gates, np.float32) if log_gates.dtype.kind == "f" else float
        return _masked_bias(log_gates.astype(np.float64)).astype(dtype)


class forgetting_attention:
    def by_loops(q, k, v, log_gates):
        """Take one query at a time, with only the keys it may see. It needs no mask, and it computes no score that is
        thrown away."""
        output = np.empty((*q.shape[:2], v.shape[2]))
        for h in range(len(q)):
            for i in range(q.shape[1]):
                lost = np.append(np.cumsum(log_gates[h, i:0:-1])[::-1], 0.0)           # (i + 1,)
                scores = k[h, : i + 1] @ q[h, i] / math.sqrt(q.shape[2]) + lost
                weights = np.exp(scores - scores.max())
                output[h, i] = weights @ v[h, : i + 1] / weights.sum()
        return output

    def by_key_sums(q, k, v, log_gates):
        """Subtract only the key's running sum. The query's sum is the same for all keys of a row, and a softmax ignores
        it. So the gates are one more number per key."""
        scores = np.einsum("hid,hjd->hij", q, k) / math.sqrt(q.shape[2])
        scores = np.where(_past(q.shape[1]), scores - np.cumsum(log_gates, axis=1)[:, None], -np.inf)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        return np.einsum("hij,hjc->hic", weights / weights.sum(axis=2, keepdims=True), v)

    def by_two_more_columns(q, k, v, log_gates):
        """Put the bias into two more columns of `q` and `k`: it is the dot product of (sum, 1) and (1, -sum). Any
        causal attention code then forgets."""
        sums = np.cumsum(log_gates, axis=1)[..., None] * 1.0               # (H, n, 1)
        ones = np.ones_like(sums)
        wide_q = np.concatenate([q / math.sqrt(q.shape[2]), sums, ones], axis=2)
        wide_k = np.concatenate([k, ones, -sums], axis=2)
        scores = np.where(_past(q.shape[1]), wide_q @ wide_k.swapaxes(1, 2), -np.inf)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        return weights @ v / weights.sum(axis=2, keepdims=True)

    def as_a_recurrence(q, k, v, log_gates):
        """Go through the keys and keep the highest score so far, the sum of the weights and the weighted values of
        every query. FlashAttention avoids the (n, n) array in this way, and forgetting fits into it."""
        n = q.shape[1]
        sums = np.cumsum(log_gates, axis=1)                                # (H, n)
        highest, total = np.full(q.shape[:2], -np.inf), np.zeros(q.shape[:2])
        output = np.zeros((*q.shape[:2], v.shape[2]))
        for j in range(n):
            score = np.einsum("hid,hd->hi", q, k[:, j]) / math.sqrt(q.shape[2]) + sums - sums[:, j, None]
            score[:, :j] = -np.inf
            higher = np.maximum(highest, score)
            with np.errstate(invalid="ignore"):
                shrink = np.where(np.isneginf(highest), 0.0, np.exp(highest - higher))
                weight = np.where(np.isneginf(score), 0.0, np.exp(score - higher))
            total = total * shrink + weight
            output = output * shrink[..., None] + weight[..., None] * v[:, None, j]
            highest = higher
        return output / total[..., None]

    def by_log_sum_exp(q, k, v, log_gates):
        """Subtract the logarithm of the sum of exponentials. np.logaddexp sums without overflow, so you need no
        maximum. You also get the logarithms of the weights."""
        scores = np.matmul(q, k.transpose(0, 2, 1)) * q.shape[2] ** -0.5 + _masked_bias(log_gates)
        return np.exp(scores - np.logaddexp.reduce(scores, axis=2, keepdims=True)) @ v

    def by_heads_in_place(q, k, v, log_gates):
        """Loop over the heads, with a softmax that overwrites the scores. Only the scores of one head are in memory.
        The benchmark page in tests/benchmarks shows time and memory for 2048 tokens."""
        dtype = np.result_type(q, 1.0)
        future = ~_past(q.shape[1])
        output = np.empty((*q.shape[:2], v.shape[2]), dtype)
        for h, sums in enumerate(np.cumsum(log_gates, axis=1)):
            weights = q[h] / math.sqrt(q.shape[2]) @ k[h].T                # (n, n)
            weights -= sums                                                # the sum of the query changes no weight
            weights[future] = -np.inf
            weights -= weights.max(axis=1, keepdims=True)
            np.exp(weights, out=weights)
            output[h] = weights @ v[h] / weights.sum(axis=1, keepdims=True)
        return output

    def keys_along_the_rows(q, k, v, log_gates):
        """Lay out the scores with a row per key and a column per query, as some kernels do. The softmax then runs down
        the columns. The result is a transposed view, Fortran-ordered within a head."""
        bias = _masked_bias(log_gates).swapaxes(1, 2)                      # (H, keys, queries)
        scores = k @ q.swapaxes(1, 2) / math.sqrt(q.shape[2]) + bias
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (v.swapaxes(1, 2) @ (weights / weights.sum(axis=1, keepdims=True))).swapaxes(1, 2)
