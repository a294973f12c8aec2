"""Other right answers to 54_forgetting_gate, and when you would want them."""
import math

import numpy as np


def _past(n):
    return np.arange(n)[:, None] >= np.arange(n)                            # (n, n)


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

    def mask_added(log_gates):
        """Add the causal mask as an array of 0 and -inf, as for any other attention. Make the mask once for a
        length."""
        n = log_gates.shape[-1]
        sums = np.cumsum(log_gates, axis=-1)
        return sums[..., :, None] - sums[..., None, :] + np.triu(np.full((n, n), -np.inf), 1)


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
