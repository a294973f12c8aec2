"""Wrong answers to 53_sandwich_bias; each docstring is what the learner is told."""
import numpy as np


def _settled(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _frequencies(d_bar, base):
    return base ** (-np.arange(0, d_bar, 2) / d_bar)            # (d_bar / 2,)


def _distance(n_queries, n_keys):
    return np.abs(np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys))


def _cosines(distance, frequencies):
    return np.cos(distance[..., None] * frequencies).sum(axis=-1)


def _factors(n_heads):
    return (n_heads / (8 * np.arange(1, n_heads + 1)))[:, None, None]


def _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar):
    """The bias with these frequencies for those of the formula."""
    cost = _cosines(_distance(n_queries, n_keys), frequencies) - d_bar / 2
    return cost * _factors(n_heads)


def _bias(n_heads, n_queries, n_keys, d_bar, base):
    return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base), d_bar)


def _one_head(n_queries, n_keys, d_bar, base):
    return _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base)) - d_bar / 2


class sandwich_bias:
    def one_per_column(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """There is one frequency per pair of columns, not one per column: i counts pairs, from 0 to d_bar/2 -
        1."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, base ** (-np.arange(d_bar) / d_bar), d_bar)

    def doubled_twice(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_bar as it
        is."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base) ** 2, d_bar)

    def missing_two(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The 2 of 2i/d_bar is missing: the slowest pair then turns at about the root of the speed it should
        have."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, _frequencies(d_bar, base) ** 0.5, d_bar)

    def odd_exponents(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The exponents are those of odd columns, (2i + 1)/d_bar; a sine and its cosine share 2i/d_bar."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, base ** (-np.arange(1, d_bar, 2) / d_bar), d_bar)

    def counts_from_one(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The pairs are counted from 1, as in some published code; here the first pair is i = 0 and turns by
        exactly 1 radian per position."""
        n_keys = _settled(n_queries, n_keys)
        frequencies = base ** (-np.arange(2, d_bar + 2, 2) / d_bar)
        return _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar)

    def power_not_divided(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The sign of the exponent is missing, so the pairs get faster and faster: the distance is divided by
        base ** (2i/d_bar)."""
        n_keys = _settled(n_queries, n_keys)
        return _of_frequencies(n_heads, n_queries, n_keys, 1 / _frequencies(d_bar, base), d_bar)

    def endpoint_included(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The exponents run from 0 to 1 with both ends; they go up in steps of 2/d_bar and stop short of
        1."""
        n_keys = _settled(n_queries, n_keys)
        frequencies = base ** -np.linspace(0.0, 1.0, d_bar // 2)
        return _of_frequencies(n_heads, n_queries, n_keys, frequencies, d_bar)

    def base_fixed(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, 10000.0)

    def width_fixed(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The width is written into the code as 128: use the argument `d_bar`."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, 128, base)

    def half_precision_angles(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The angles were computed in half precision, which leaves three digits of them: use float64."""
        n_keys = _settled(n_queries, n_keys)
        distance = _distance(n_queries, n_keys).astype(np.float16)
        angles = distance[..., None] * _frequencies(d_bar, base).astype(np.float16)
        return (np.cos(angles.astype(np.float64)).sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def sines(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """These are sines of the distance; the product of two sinusoidal rows is a sum of cosines, 1 each at
        distance 0."""
        n_keys = _settled(n_queries, n_keys)
        angles = _distance(n_queries, n_keys)[..., None] * _frequencies(d_bar, base)
        return (np.sin(angles).sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def no_cosine(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The cosine is missing: the angles themselves are summed, and the bias is a straight line of the
        distance."""
        n_keys = _settled(n_queries, n_keys)
        angles = _distance(n_queries, n_keys)[..., None] * _frequencies(d_bar, base)
        return (angles.sum(axis=-1) - d_bar / 2) * _factors(n_heads)

    def mean_of_the_cosines(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """This is the mean of the cosines, less 1; the formula has their sum, less d_bar/2, so a wider d_bar
        costs more."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base) / (d_bar / 2)

    def half_the_width_not_taken_off(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The d_bar/2 is not taken off: a query's own position is to cost 0, and everything else something
        below 0."""
        n_keys = _settled(n_queries, n_keys)
        return _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base)) * _factors(n_heads)

    def taken_off_after_the_factor(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The d_bar/2 is taken off after the factor of the head; the factor belongs to the difference as a
        whole."""
        n_keys = _settled(n_queries, n_keys)
        similarity = _cosines(_distance(n_queries, n_keys), _frequencies(d_bar, base))
        return similarity * _factors(n_heads) - d_bar / 2

    def rewards_distance(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The sign is the other way round: far keys gain. The sum of the cosines comes first, then d_bar/2 is
        taken off."""
        n_keys = _settled(n_queries, n_keys)
        return -_bias(n_heads, n_queries, n_keys, d_bar, base)

    def queries_come_first(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Query i is taken to stand at position i; when there are fewer queries than keys, they are the last
        ones: i + n_keys - n_queries."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_keys, n_keys, d_bar, base)[:, :n_queries]

    def keys_left_out(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The argument `n_keys` is not used, so every bias is square: there are n_keys columns, and as many as
        queries only where it is not given."""
        return _bias(n_heads, n_queries, n_queries, d_bar, base)

    def distance_below_zero(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """For keys after the query i - j is negative, and a negative index reads a table from its end: take the
        absolute value of the distance."""
        n_keys = _settled(n_queries, n_keys)
        cost = _one_head(1, n_keys, d_bar, base)[0, ::-1]       # (n_keys,) by distance
        return cost[np.subtract.outer(np.arange(n_keys - n_queries, n_keys), np.arange(n_keys))] * _factors(n_heads)

    def future_masked(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Keys after the query are set to -inf; masking is not the bias's job: they cost as much as keys
        equally far before it."""
        n_keys = _settled(n_queries, n_keys)
        future = np.triu(np.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries + 1)
        return np.where(future, -np.inf, _bias(n_heads, n_queries, n_keys, d_bar, base))

    def future_free(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Keys after the query cost nothing here; they cost as much as keys equally far before it."""
        n_keys = _settled(n_queries, n_keys)
        return np.tril(_bias(n_heads, n_queries, n_keys, d_bar, base), n_keys - n_queries)

    def every_head_alike(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Every head has the same bias; head h, counted from 1, has the factor H / (8h)."""
        n_keys = _settled(n_queries, n_keys)
        return np.tile(_one_head(n_queries, n_keys, d_bar, base), (n_heads, 1, 1))

    def factor_turned_over(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The factor is upside down: it is H / (8h), so the first head falls most."""
        n_keys = _settled(n_queries, n_keys)
        return _one_head(n_queries, n_keys, d_bar, base) / _factors(n_heads)

    def eight_left_out(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The 8 is missing in the factor H / (8h): of eight heads the first has 1, the last 1/8."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base) * 8

    def slopes_of_alibi(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """These are ALiBi's slopes, 2 to the power of -8h/H; Sandwich divides by 8h/H itself."""
        n_keys = _settled(n_queries, n_keys)
        slopes = 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
        return _one_head(n_queries, n_keys, d_bar, base) * slopes[:, None, None]

    def heads_from_zero(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The heads are counted from 0, so the first one divides by 0; h runs from 1 to H."""
        n_keys = _settled(n_queries, n_keys)
        with np.errstate(all="ignore"):
            factors = np.divide(n_heads, 8 * np.arange(n_heads))
            return _one_head(n_queries, n_keys, d_bar, base) * factors[:, None, None]

    def heads_last(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The heads are on the last axis; they are to be the first of the three."""
        return np.moveaxis(_bias(n_heads, n_queries, _settled(n_queries, n_keys), d_bar, base), 0, -1)

    def last_head_first(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """The heads are in reverse order: the first falls most, with the factor H/8, the last least, with
        1/8."""
        n_keys = _settled(n_queries, n_keys)
        return _bias(n_heads, n_queries, n_keys, d_bar, base)[::-1]
