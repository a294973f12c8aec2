"""Other right answers to 67_packed_sequences, and what each is good for."""
import numpy as np


def _turned(x, positions, base):
    """Pairs of columns as complex numbers, each times a number of length 1."""
    phases = np.exp(1j * np.outer(positions, base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])))
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * phases.astype(np.result_type(x, np.complex64))
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)


def _attend(q, k, v, mask):
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def _mask(texts, window):
    """The mask, from one number per token: the number of its text."""
    i = np.arange(len(texts))
    distance = i[:, None] - i
    near = distance < (len(texts) if window is None else window)
    return (texts[:, None] == texts) & (distance >= 0) & near


class packed_positions:
    def by_joining(lengths):
        """Count each text by itself and join the results. Libraries make their position_ids like this, while they
        collect the texts of a row."""
        return np.concatenate([np.arange(length) for length in lengths])

    def by_steps(lengths):
        """Write the step from each token to the next: 1 inside a text, back to 0 at a border. Their running sum is the
        positions. This needs no array of starts."""
        steps = np.ones(int(np.sum(lengths)), dtype=int)
        steps[0] = 0
        steps[np.cumsum(lengths)[:-1]] = 1 - np.asarray(lengths, dtype=int)[:-1]
        return np.cumsum(steps)


class packed_mask:
    def by_blocks(lengths, window=None):
        """Write one triangle of True per text into a table of False. A window cuts the lower corner off each triangle.
        This shows why the mask is called block diagonal."""
        mask = np.zeros((int(np.sum(lengths)),) * 2, dtype=bool)
        start = 0
        for length in lengths.tolist():
            block = np.tri(length, dtype=bool)
            if window is not None:
                block &= ~np.tri(length, k=-window, dtype=bool)
            mask[start : start + length, start : start + length] = block
            start += length
        return mask

    def by_first_visible_key(lengths, window=None):
        """Compute only the first key that each query sees: the start of its text, or the edge of the window. All keys
        from there to the query are visible, so a kernel that knows the starts and the window needs no table."""
        i = np.arange(int(np.sum(lengths)))
        first = np.repeat(np.cumsum(lengths) - lengths, lengths)
        first = first if window is None else np.maximum(first, i - window + 1)
        return (first[:, None] <= i) & (i <= i[:, None])

    def by_restarts(lengths, window=None):
        """Find the borders in the positions alone: a text starts where positions do not grow by 1. A
        library that gets only position_ids does this. Inside a text, distances in the row are the same."""
        positions = np.concatenate([np.arange(length) for length in lengths])
        return _mask(np.cumsum(np.diff(positions, prepend=-1) != 1), window)


class packed_attention:
    def text_by_text(q, k, v, lengths, window=None, base=10000.0):
        """Let each text attend by itself and join the rows. You never compute a score between two texts, so the work
        grows with the squares of the lengths, not with the square of their sum."""
        rows, ends = [], np.cumsum(lengths).tolist()
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            i = np.arange(end - start)
            own_q, own_k = (_turned(a[:, start:end], i, base) for a in (q, k))
            rows.append(_attend(own_q, own_k, v[:, start:end], _mask(0 * i, window)))
        return np.concatenate(rows, axis=1)

    def with_positions_that_run_through(q, k, v, lengths, window=None, base=10000.0):
        """Do not start again: turn by the place in the row. Only differences of positions reach the scores, so the
        start of a text cancels. With a learned table, this would be wrong."""
        i, texts = np.arange(q.shape[1]), np.repeat(np.arange(len(lengths)), lengths)
        return _attend(_turned(q, i, base), _turned(k, i, base), v, _mask(texts, window))

    def in_a_padded_batch(q, k, v, lengths, window=None, base=10000.0):
        """Put each text into a row of its own, as long as the longest, and attend in one batch. Causal masks hide the
        padding, because it comes after the text. Count how many rows of the batch are padding."""
        real = np.arange(lengths.max()) < lengths[:, None]                     # (m, longest)
        padded = []
        for a in (q, k, v):
            a = np.asarray(a, np.result_type(a, 1.0))
            batch = np.zeros((*real.shape, len(a), a.shape[-1]), a.dtype)      # (m, longest, H, width)
            batch[real] = a.swapaxes(0, 1)
            padded.append(batch.swapaxes(1, 2))
        i = np.arange(real.shape[1])
        out = _attend(_turned(padded[0], i, base), _turned(padded[1], i, base), padded[2], _mask(0 * i, window))
        return out.swapaxes(1, 2)[real].swapaxes(0, 1)                         # (H, n, d_v)
