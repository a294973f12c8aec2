"""Wrong answers to 53_sandwich_bias; each docstring is what the learner is told."""
import numpy as np


def _settled(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _frequencies(d_bar, base):
    return base ** (-np.arange(0, d_bar, 2) / d_bar)            # (d_bar / 2,)


def _distance(n_queries, n_keys):
    return np.abs(np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys))


def _cosines(distance, frequencies):
    """The sum of cosines for each distance, computed once for equal ones."""
    distances, places = np.unique(distance, return_inverse=True)
    return np.cos(np.outer(distances, frequencies)).sum(axis=-1)[places].reshape(distance.shape)


def _factors(n_heads):
    return (n_heads / (8 * np.arange(1, n_heads + 1)))[:, None, None]


def _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar):
    """The bias with these frequencies instead of those of the formula."""
    cost = _cosines(_distance(n_queries, n_keys), frequencies) - d_bar / 2
    return cost * _factors(n_heads)


def _bias(n_heads, n_queries, n_keys, d_bar, base):
    return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base), d_bar)


def _one_head(n_queries, n_keys, d_bar, base):
    return _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base)) - d_bar / 2


class sandwich_bias:
    def one_per_column(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You use one frequency per column. Use one per pair of columns: i counts pairs, from 0 to d_bar/2 - 1."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, base ** (-np.arange(d_bar) / d_bar), d_bar)

    def doubled_twice(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already is 2i, so divide it by d_bar without another
        factor of 2."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base) ** 2, d_bar)

    def width_taken_off(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You subtract d_bar. There are d_bar/2 cosines, so subtract d_bar/2: the cost at distance 0 is 0."""
        n_keys = _settled(n_queries, n_keys)
        return (_one_head(n_queries, n_keys, d_bar, base) - d_bar / 2) * _factors(n_heads)

    def factors_of_eight_heads(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your factor of head h is 1/h, which is right for 8 heads only. It is H / (8h)."""
        return _bias(n_heads, n_queries, _settled(n_queries, n_keys), d_bar, base) * 8 / n_heads

    def distances_end_at_the_width(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Distances of d_bar and more all have the cost of distance d_bar - 1. The width has nothing to do with the
        length of the text: compute the cost of every distance."""
        n_keys = _settled(n_queries, n_keys)
        distance = np.minimum(_distance(n_queries, n_keys), d_bar - 1)
        return (_cosines(distance, _frequencies(d_bar, base)) - d_bar / 2) * _factors(n_heads)

    def missing_two(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You leave out the 2 of 2i/d_bar, so every pair except the first turns too fast. Use the exponents
        -2i/d_bar."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base) ** 0.5, d_bar)

    def odd_exponents(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your exponents are those of the odd columns, (2i + 1)/d_bar. A sine and its cosine share 2i/d_bar."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, base ** (-np.arange(1, d_bar, 2) / d_bar), d_bar)

    def counts_from_one(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You count the pairs from 1, as some published code does. In this kata the first pair is i = 0, which turns 1
        radian per position."""
        n_keys = _settled(n_queries, n_keys)
        frequencies = base ** (-np.arange(2, d_bar + 2, 2) / d_bar)
        return _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar)

    def power_not_divided(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The exponent lacks its minus, so the pairs get faster and faster. Multiply the distance by base **
        (-2i/d_bar)."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, 1 / _frequencies(d_bar, base), d_bar)

    def endpoint_included(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your exponents run from 0 to 1, both included. They must rise in steps of 2/d_bar, which stop before 1."""
        n_keys = _settled(n_queries, n_keys)
        frequencies = base ** -np.linspace(0.0, 1.0, d_bar // 2)
        return _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar)

    def base_fixed(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your code uses the base 10000 whatever `base` is. Use the argument."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, 10000.0)

    def width_fixed(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your code uses the width 128 whatever `d_bar` is. Use the argument."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, 128, base)

    def half_precision_angles(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You compute the angles in half precision, which keeps about three digits. Use float64."""
        n_keys = _settled(n_queries, n_keys)
        distance = _distance(n_queries, n_keys).astype(np.float16)
        angles = distance[..., None] * _frequencies(d_bar, base).astype(np.float16)
        return (np.cos(angles.astype(np.float64)).sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def sines(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You sum sines of the distance. The product of two sinusoidal rows is a sum of cosines, each of which is 1 at
        distance 0."""
        n_keys = _settled(n_queries, n_keys)
        angles = _distance(n_queries, n_keys)[..., None] * _frequencies(d_bar, base)
        return (np.sin(angles).sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def no_cosine(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You leave out the cosine: you sum the angles themselves, so the bias is a straight line over the distance.
        Take the cosine of every angle before you sum."""
        n_keys = _settled(n_queries, n_keys)
        angles = _distance(n_queries, n_keys)[..., None] * _frequencies(d_bar, base)
        return (angles.sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def mean_of_the_cosines(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You take the mean of the cosines, minus 1. Take their sum, minus d_bar/2."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base) / (d_bar / 2)

    def half_the_width_not_taken_off(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You do not subtract d_bar/2. The bias must be 0 at the query's own position and negative at all other
        distances."""
        n_keys = _settled(n_queries, n_keys)
        return _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base)) * _factors(n_heads)

    def taken_off_after_the_factor(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You subtract d_bar/2 after you multiply by the head's factor. Subtract first: the factor multiplies the whole
        difference."""
        n_keys = _settled(n_queries, n_keys)
        similarity = _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base))
        return similarity * _factors(n_heads) - d_bar / 2

    def rewards_distance(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your sign is wrong: far keys gain. Subtract d_bar/2 from the sum of the cosines, not the sum from d_bar/2."""
        n_keys = _settled(n_queries, n_keys)
        return -_bias(n_heads, n_queries, n_keys, d_bar, base)

    def queries_come_first(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """In your code the first query is at position 0. If there are fewer queries than keys, the queries are the last
        positions: the first one is at n_keys - n_queries."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_keys, n_keys, d_bar, base)[:, :n_queries]

    def keys_left_out(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your code ignores the argument `n_keys`, so every bias is square. Make one column per key. If `n_keys` is
        None, there are as many keys as queries."""
        return _bias(n_heads, n_queries, n_queries, d_bar, base)

    def distance_below_zero(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """For keys after the query, your distance is negative, and a negative index reads an array from its end. Take
        the absolute value of the distance."""
        n_keys = _settled(n_queries, n_keys)
        cost = _one_head(1, n_keys, d_bar, base)[0, ::-1]       # (n_keys,) by distance
        return cost[np.subtract.outer(np.arange(n_keys - n_queries, n_keys), np.arange(n_keys))] * _factors(n_heads)

    def future_masked(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You set keys after the query to -inf. This function masks nothing: they have the same bias as keys equally
        far before the query."""
        n_keys = _settled(n_queries, n_keys)
        future = np.triu(np.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries + 1)
        return np.where(future, -np.inf, _bias(n_heads, n_queries, n_keys, d_bar, base))

    def future_free(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Keys after the query have a bias of 0 in your code. They must have the same bias as keys equally far before
        it."""
        n_keys = _settled(n_queries, n_keys)
        return np.tril(_bias(n_heads, n_queries, n_keys, d_bar, base), n_keys - n_queries)

    def every_head_alike(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Every head has the same bias. Count the heads from 1, and multiply the bias of head h by H / (8h)."""
        n_keys = _settled(n_queries, n_keys)
        return np.tile(_one_head(n_queries, n_keys, d_bar, base), (n_heads, 1, 1))

    def factor_turned_over(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your factor is upside down. It is H / (8h), so the first head falls most."""
        n_keys = _settled(n_queries, n_keys)
        return _one_head(n_queries, n_keys, d_bar, base) / _factors(n_heads)

    def eight_left_out(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your factor lacks the 8 of H / (8h). With eight heads, the first has the factor 1 and the last 1/8."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base) * 8

    def slopes_of_alibi(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You multiply by ALiBi's slopes, 2 ** (-8h/H). Sandwich divides by 8h/H instead."""
        n_keys = _settled(n_queries, n_keys)
        slopes = 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
        return _one_head(n_queries, n_keys, d_bar, base) * slopes[:, None, None]

    def heads_from_zero(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """You count the heads from 0, so the factor of the first one divides by 0. Let h run from 1 to H."""
        n_keys = _settled(n_queries, n_keys)
        with np.errstate(all="ignore"):
            factors = np.divide(n_heads, 8 * np.arange(n_heads))
            return _one_head(n_queries, n_keys, d_bar, base) * factors[:, None, None]

    def heads_last(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your heads are on the last axis. Put them first: (n_heads, n_queries, n_keys)."""
        return np.moveaxis(_bias(n_heads, n_queries, _settled(n_queries, n_keys), d_bar, base), 0, -1)

    def last_head_first(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Your heads are in reverse order. The first head has the factor H/8 and falls most. The last has the factor
        1/8 and falls least."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base)[::-1]
