"""Other right answers to 84_multimodal_rope, and what each is good for."""
import math

import numpy as np


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


def _speeds(x, base):
    return np.exp(np.arange(0, x.shape[-1], 2) * (-math.log(base) / x.shape[-1]))      # (d_head / 2,)


class multimodal_positions:
    def by_loops(segments):
        """Take one token at a time, in the order in which the model reads them. Read it to see the rule."""
        tokens, start = [], 0
        for t, h, w in segments.tolist():
            if t == 0:
                tokens += [(start + i,) * 3 for i in range(w)]
            else:
                tokens += [(start + f, start + r, start + c) for f in range(t) for r in range(h) for c in range(w)]
            start = max(max(token) for token in tokens) + 1
        return np.array(tokens).T

    def by_starts(segments):
        """Compute all starts first: a segment is as long as its largest size, and the starts are a running sum.
        This holds because a video has at most as many frames as its longer side."""
        longest = segments.max(axis=1)                                                 # (m,) also the length of a text
        parts = []
        for start, (t, h, w) in zip(np.cumsum(longest) - longest, segments, strict=True):
            along = np.indices((t, h, w)).reshape(3, -1) if t else np.broadcast_to(np.arange(w), (3, w))
            parts.append(start + along)
        return np.concatenate(parts, axis=1)

    def without_a_loop(segments):
        """Number the tokens within their segments, and find frame, row and column by division. It has no Python loop,
        however many segments there are."""
        text = segments[:, 0] == 0                                                     # (m,)
        counts = np.where(text, segments[:, 2], segments.prod(axis=1))
        starts = np.cumsum(segments.max(axis=1)) - segments.max(axis=1)
        which = np.repeat(np.arange(len(segments)), counts)                            # (n,)
        number = np.arange(len(which)) - (np.cumsum(counts) - counts)[which]           # (n,) within its segment
        _, h, w = np.maximum(segments, 1).T[:, which]
        places = np.stack([number // (h * w), number // w % h, number % w])
        return starts[which] + np.where(text[which], number, places)

    def by_meshgrid(segments):
        """Let np.meshgrid make the three positions of a video from three ranges that begin at the start. indexing="ij"
        lets the last one change fastest, as in transformers 5.23."""
        start, parts = 0, []
        for t, h, w in segments:
            if t == 0:
                parts.append(np.arange(start, start + w) * np.ones((3, 1), dtype=int))
            else:
                grids = np.meshgrid(*(np.arange(start, start + size) for size in (t, h, w)), indexing="ij")
                parts.append(np.stack(grids).reshape(3, -1))
            start = parts[-1].max() + 1
        return np.hstack(parts)


class multimodal_rope:
    def by_complex_halves(x, positions, sections, base=1000000.0):
        """Use the first half as real parts and the second half as imaginary parts: one complex number per pair. One
        multiplication turns it, and the two parts of the product are the halves."""
        first, second = np.split(x, 2, axis=-1)
        turns = np.exp(1j * np.repeat(positions, sections, axis=0).T * _speeds(x, base))
        turned = (first + 1j * second) * turns
        return np.concatenate([turned.real, turned.imag], axis=-1).astype(_dtype(x))

    def by_rotate_half(x, positions, sections, base=1000000.0):
        """Add x times the cosines and its quarter turn times the sines, as transformers 5.23 does. You can keep the
        tables of cosines and sines for all layers."""
        angles = np.tile(np.repeat(positions, sections, axis=0).T * _speeds(x, base), 2)
        first, second = np.split(x, 2, axis=-1)
        turned = x * np.cos(angles) + np.concatenate([-second, first], axis=-1) * np.sin(angles)
        return turned.astype(_dtype(x))

    def three_tables_cut(x, positions, sections, base=1000000.0):
        """Make the angles of the whole head for each of the three positions, and take a section from each.
        The released code does this. It computes three times as many angles as it needs."""
        tables = positions[:, :, None] * _speeds(x, base)                              # (3, n, d_head / 2)
        cuts = np.split(tables, np.cumsum(sections)[:2], axis=-1)
        angles = np.concatenate([cut[i] for i, cut in enumerate(cuts)], axis=-1)
        first, second = np.split(x, 2, axis=-1)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1).astype(_dtype(x))

    def by_mask(x, positions, sections, base=1000000.0):
        """Choose the position of each pair with np.select, from the number of the pair.
        It reads like the sentence in the task."""
        pair, ends = np.arange(x.shape[-1] // 2), np.cumsum(sections)
        time, row, column = positions[:, :, None]                                      # (n, 1) each
        angles = np.select([pair < ends[0], pair < ends[1]], [time, row], column) * _speeds(x, base)
        first, second = np.split(x, 2, axis=-1)
        turned = (first + 1j * second) * np.exp(1j * angles)
        return np.concatenate([turned.real, turned.imag], axis=-1).astype(_dtype(x))

    def by_matrix_of_frequencies(x, positions, sections, base=1000000.0):
        """Put each frequency into the row of its position, in a (3, d_head / 2) matrix. One product makes all angles.
        Frequencies of other designs, such as the interleaved one of Qwen3-VL, are other matrices."""
        matrix = np.zeros((3, x.shape[-1] // 2))
        matrix[np.repeat(np.arange(3), sections), np.arange(x.shape[-1] // 2)] = _speeds(x, base)
        angles = positions.T @ matrix                                                  # (n, d_head / 2)
        first, second = np.split(x, 2, axis=-1)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1).astype(_dtype(x))

    def by_loops(x, positions, sections, base=1000000.0):
        """Turn one token and one pair at a time with math.cos: the formula without any array operation. Use it to check
        other versions."""
        half, turned = x.shape[-1] // 2, np.zeros(x.shape, _dtype(x))
        kinds = [kind for kind in range(3) for _ in range(int(sections[kind]))]
        for place in np.ndindex(x.shape[:-1]):
            for pair, kind in enumerate(kinds):
                angle = int(positions[kind, place[-1]]) * base ** (-2 * pair / x.shape[-1])
                across, up = float(x[(*place, pair)]), float(x[(*place, pair + half)])
                turned[(*place, pair)] = across * math.cos(angle) - up * math.sin(angle)
                turned[(*place, pair + half)] = across * math.sin(angle) + up * math.cos(angle)
        return turned
