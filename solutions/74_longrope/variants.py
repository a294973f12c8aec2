"""Other right answers to 74_longrope, and when you would want them."""
import math

import numpy as np


def _speeds(n, train_len, short_factors, long_factors, base):
    factors = long_factors if n > train_len else short_factors
    return base ** (-np.arange(len(factors)) / len(factors)) / factors       # (d_head / 2,)


def _factor(max_len, train_len):
    return math.sqrt(math.log(max(max_len, train_len)) / math.log(train_len))


def _length(q_positions, k_positions):
    return max(int(q_positions.max()), int(k_positions.max())) + 1


def _points(x, positions, speeds):
    """Pairs as complex numbers, turned."""
    return (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * np.outer(positions, speeds))    # (..., n, d_head / 2)


class longrope_frequencies:
    def by_where(n, train_len, short_factors, long_factors, base=10000.0):
        """Choose between the two arrays with np.where and one condition, as transformers 5.23 does. Both arrays are
        looked at, so this also works in code that is traced or compiled."""
        factors = np.where(n > train_len, long_factors, short_factors)
        return 1 / (factors * base ** (2 * np.arange(len(factors)) / (2 * len(factors))))

    def by_loop(n, train_len, short_factors, long_factors, base=10000.0):
        """Handle one pair at a time, with a list of floats.
        Use it to check an array version."""
        factors = (long_factors if n > train_len else short_factors).tolist()
        d_head = 2 * len(factors)
        return np.array([base ** (-2 * pair / d_head) / factor for pair, factor in enumerate(factors)])


class longrope_attention_factor:
    def by_ratio_of_logarithms(max_len, train_len):
        """Use ln(max_len) / ln(train_len), which is 1 + ln(s) / ln(train_len), because ln(s) is a difference of
        logarithms. This form shows by how much every score grows."""
        return _factor(max_len, train_len)

    def by_two_cases(max_len, train_len):
        """Write one return statement for each of the two cases, as Phi-3's code does.
        This is easy to compare with the formula."""
        s = max_len / train_len
        if s <= 1:
            return 1.0
        return math.sqrt(1 + math.log(s) / math.log(train_len))


class longrope_scores:
    def by_complex_numbers(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """Treat a pair as one complex number. The dot product is the real part of the query times the conjugate of the
        key. Nothing is interleaved again, because only the scores are needed."""
        n = _length(q_positions, k_positions)
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        queries, keys = _points(q, q_positions, speeds), _points(k, k_positions, speeds)
        return _factor(max_len, train_len) ** 2 * (queries @ keys.conj().swapaxes(-1, -2)).real

    def in_the_width_of_the_vectors(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """View pairs as complex numbers, in float32 if the vectors are. The squared factor multiplies the rotations of
        the queries only, so float32 vectors stay float32."""
        n = _length(q_positions, k_positions)
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        width = np.result_type(q, 1.0)

        def turned(x, positions, factor):
            turns = factor * np.exp(1j * np.outer(positions, speeds))                # (n, d_head / 2)
            turns = turns.astype(np.result_type(width, np.complex64))
            return (np.ascontiguousarray(x, width).view(turns.dtype) * turns).view(width)

        queries = turned(q, q_positions, _factor(max_len, train_len) ** 2)
        return queries @ turned(k, k_positions, 1.0).swapaxes(-1, -2)

    def by_scaled_tables(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """Multiply the tables of cosines and sines by the factor, as released code does, and not the vectors.
        Tables for many positions can be made once and kept for every layer."""
        n = _length(q_positions, k_positions)
        positions = np.concatenate([q_positions, k_positions])
        angles = np.outer(positions, _speeds(n, train_len, short_factors, long_factors, base))
        cos, sin = _factor(max_len, train_len) * np.cos(angles), _factor(max_len, train_len) * np.sin(angles)

        def turned(x, rows):
            result = np.empty(x.shape)
            result[..., 0::2] = x[..., 0::2] * cos[rows] - x[..., 1::2] * sin[rows]
            result[..., 1::2] = x[..., 0::2] * sin[rows] + x[..., 1::2] * cos[rows]
            return result

        n_queries = len(q_positions)
        return turned(q, slice(n_queries)) @ turned(k, slice(n_queries, None)).swapaxes(-1, -2)

    def by_loops(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """Compute one score at a time: the sum of `length * length * cos(angle)` over the pairs, for the arrows of
        query and key. Use it to check other versions on small arrays."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        scores = np.zeros((*q.shape[:-1], k.shape[-2]))
        for *place, row in np.ndindex(q.shape[:-1]):
            for column in range(k.shape[-2]):
                for pair, speed in enumerate(speeds):
                    query = complex(*q[(*place, row)][2 * pair : 2 * pair + 2])
                    key = complex(*k[(*place, column)][2 * pair : 2 * pair + 2])
                    apart = speed * float(q_positions[row] - k_positions[column])
                    turned = query * complex(math.cos(apart), math.sin(apart))
                    scores[(*place, row, column)] += (turned * key.conjugate()).real
        return scores * (1 + math.log(max(max_len / train_len, 1)) / math.log(train_len))
