"""Wrong answers to 92_train_short_test_long; each docstring is what the learner is told."""
import numpy as np


def _softmax(scores, axis=-1, highest=None):
    """`highest` is what is subtracted, each row's own maximum unless given."""
    highest = scores.max(axis=axis, keepdims=True) if highest is None else highest
    powers = np.exp(scores - highest)
    return powers / powers.sum(axis=axis, keepdims=True)


def _at(array, targets):
    return np.take_along_axis(array, targets[..., None], axis=-1)[..., 0]


def _logarithms(logits):
    moved = logits - logits.max(axis=-1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))


def _surprises(logits, targets):
    return -_at(_logarithms(logits), targets)                   # (...)


def _one_hot(logits, targets):
    return targets[..., None] == np.arange(logits.shape[-1])    # (..., vocab)


def _misses(logits, targets):
    return _softmax(logits) - _one_hot(logits, targets)         # (..., vocab)


def _turned(array):
    return array.swapaxes(-1, -2)


def _scores(q, k, bias, scale):
    return (q @ _turned(k)) * scale + bias                      # (..., n, n)


def _through_softmax(weights, change):
    return weights * (change - (change * weights).sum(axis=-1, keepdims=True))


def _gradients(q, k, v, bias, upstream, *, width=None, back=None, scores=_scores, weigh=_softmax,
               through=_through_softmax, to_v=_turned, to_k=_turned):
    """The solution, with a way to go wrong at every step."""
    scale = (width or q.shape[-1]) ** -0.5
    weights = weigh(scores(q, k, bias, scale))                  # (..., n, n), as the next line
    change = through(weights, upstream @ _turned(v)) * (scale if back is None else back(scale))
    return change @ k, to_k(change) @ q, to_v(weights) @ upstream


class cross_entropy:
    def summed(logits, targets):
        """The surprises of all positions are added up: divide by their number, so that the loss does not grow
        with the batch."""
        return _surprises(logits, targets).sum()

    def averaged_over_the_first_axis(logits, targets):
        """The sum is divided by the length of the first axis only: with several leading axes, divide by the
        number of all positions, targets.size."""
        losses = _surprises(logits, targets)
        return losses.sum() / (len(losses) if losses.ndim else 1)

    def averaged_over_the_vocabulary(logits, targets):
        """The zeros beside the target were averaged as well, so the loss is too small by the size of the
        vocabulary: sum over the last axis, then average over the positions."""
        return -(_one_hot(logits, targets) * _logarithms(logits)).mean()

    def sign_dropped(logits, targets):
        """The sign is the wrong way round: a logarithm of a probability is negative, and the loss is minus that.
        Take log(sum of exp) less the target's logit."""
        return -_surprises(logits, targets).mean()

    def in_bits(logits, targets):
        """The loss is in bits: here it is in nats, so take the natural logarithm, np.log."""
        return _surprises(logits, targets).mean() / np.log(2.0)

    def logarithm_of_the_mean_probability(logits, targets):
        """The probabilities are averaged before the logarithm is taken: take the logarithm at every position,
        then average the losses."""
        return -np.log(np.exp(-_surprises(logits, targets)).mean())

    def overflows(logits, targets):
        """exp overflows above 709, and all of them are 0 below -745: subtract each row's maximum first, which
        changes no loss."""
        return (np.log(np.exp(logits).sum(axis=-1)) - _at(logits, targets)).mean()

    def maximum_subtracted_once_only(logits, targets):
        """The maximum is subtracted inside exp, and the target's logit is still the old one: take both terms from
        the shifted logits, or add the maximum to the logarithm."""
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return (np.log(np.exp(shifted).sum(axis=-1)) - _at(logits, targets)).mean()

    def probability_padded(logits, targets):
        """A small number is added to the probability, or put in its place, so that its logarithm is not
        infinite. That caps the loss at about 28: take log(sum of exp) less the logit, and nothing is lost."""
        return -np.log(_at(_softmax(logits), targets) + 1e-12).mean()

    def largest_of_all_subtracted(logits, targets):
        """The maximum of the whole array is subtracted, so a position whose logits lie far below it has the
        logarithm of 0: subtract each position's own maximum."""
        logits = logits - logits.max()
        return (np.log(np.exp(logits).sum(axis=-1)) - _at(logits, targets)).mean()


class cross_entropy_gradient:
    def not_averaged(logits, targets):
        """This is the gradient of the summed loss: the loss is a mean, so divide by the number of positions."""
        return _misses(logits, targets)

    def divided_by_the_first_axis(logits, targets):
        """It is divided by the length of the first axis only: with several leading axes, divide by the number
        of all positions, targets.size."""
        return _misses(logits, targets) / (len(targets) if targets.ndim else 1)

    def divided_by_the_size_of_the_logits(logits, targets):
        """It is divided by the number of logits: the loss is a mean over positions, of which there are
        targets.size; the words of the vocabulary do not count."""
        return _misses(logits, targets) / logits.size

    def uphill(logits, targets):
        """The sign is the wrong way round, so a step against it makes the loss grow: take the probabilities less
        1 at the target, not 1 at the target less the probabilities."""
        return -_misses(logits, targets) / targets.size

    def every_target_everywhere(logits, targets):
        """`gradient[..., targets] -= 1` takes 1 off at every target in every position: a position has one
        target of its own, as in gradient[np.arange(n), targets]."""
        gradient = _softmax(logits)
        gradient[..., targets] -= 1.0
        return gradient / targets.size

    def softmax_once_more(logits, targets):
        """The derivative of the softmax is in here twice: p less 1 at the target is by the logits already, it
        need not be multiplied by p * (1 - p)."""
        p = _softmax(logits)
        return _misses(logits, targets) * p * (1.0 - p) / targets.size

    def only_at_the_target(logits, targets):
        """Only the targets' logits have a derivative here: a higher logit of another word makes the target less
        likely, so its derivative is its probability."""
        return _misses(logits, targets) * _one_hot(logits, targets) / targets.size

    def overflows(logits, targets):
        """exp overflows above 709, and all of them are 0 below -745: subtract each row's maximum first, which
        changes no probability."""
        return (_softmax(logits, highest=0.0) - _one_hot(logits, targets)) / targets.size

    def widened(logits, targets):
        """float32 went in and float64 came out: an array of zeros and ones from np.zeros or np.eye is float64 and
        widens what it meets. A boolean array, or one of the dtype of the logits, does not."""
        return ((_softmax(logits) - np.eye(logits.shape[-1])[targets]) / targets.size).astype(np.float64)


class attention_gradients:
    def scale_left_out_on_the_way_back(q, k, v, bias, upstream):
        """The scores are divided by sqrt(d), the gradients are not: the derivatives of the scores have to be
        divided too before they are multiplied by k and q."""
        return _gradients(q, k, v, bias, upstream, back=lambda scale: 1.0)

    def width_of_the_values(q, k, v, bias, upstream):
        """The scores are divided by the root of the width of the values: take that of queries and keys."""
        return _gradients(q, k, v, bias, upstream, width=v.shape[-1])

    def bias_scaled(q, k, v, bias, upstream):
        """The bias is divided by sqrt(d) together with the products: scale first, then add the bias."""
        def scores(q, k, bias, scale):
            return (q @ _turned(k) + bias) * scale
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def bias_forgotten(q, k, v, bias, upstream):
        """The weights are made without the bias, so they are not those of the forward pass: add it to the
        scaled scores before the softmax."""
        def scores(q, k, bias, scale):
            return (q @ _turned(k)) * scale
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def hidden_after_the_softmax(q, k, v, bias, upstream):
        """Hidden keys lost their weight after the softmax, so the weights of a query no longer add up to 1: add the
        bias with its -inf to the scores, and exp makes 0 of it before the sum."""
        def scores(q, k, bias, scale):
            return _scores(q, k, np.where(bias > -np.inf, bias, 0), scale)
        return _gradients(q, k, v, bias, upstream, scores=scores, weigh=lambda s: _softmax(s) * (bias > -np.inf))

    def infinity_made_small(q, k, v, bias, upstream):
        """-inf was replaced by a negative number that scores can reach, so a hidden key comes back where the
        others score lower still: leave -inf as it is, exp makes 0 of it."""
        def scores(q, k, bias, scale):
            return _scores(q, k, np.maximum(bias, -1e5), scale)
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def overflows(q, k, v, bias, upstream):
        """exp overflows above 709, and all of them are 0 below -745: subtract the maximum of every row of
        scores first."""
        return _gradients(q, k, v, bias, upstream, weigh=lambda scores: _softmax(scores, highest=0.0))

    def softmax_over_the_queries(q, k, v, bias, upstream):
        """The softmax runs over the queries: the weights of one query add up to 1, so it runs along the keys,
        axis=-1."""
        return _gradients(q, k, v, bias, upstream, weigh=lambda scores: _softmax(scores, axis=-2))

    def softmax_without_its_sum(q, k, v, bias, upstream):
        """The derivative of the softmax lacks a part. Weights add up to 1, so raising one lowers the others:
        subtract the row's sum of weights times derivatives before multiplying by the weights."""
        return _gradients(q, k, v, bias, upstream, through=lambda weights, change: weights * change)

    def softmax_as_if_each_weight_stood_alone(q, k, v, bias, upstream):
        """w * (1 - w) is how a weight moves with its own score; it moves with the other scores of its row too.
        Use w * (change - sum(w * change)), the sum along the row."""
        def through(weights, change):
            return weights * (1.0 - weights) * change
        return _gradients(q, k, v, bias, upstream, through=through)

    def average_without_the_weights(q, k, v, bias, upstream):
        """The average that is subtracted is a plain mean: every derivative counts as much as its weight, so take
        sum(weights * change) along the row."""
        def through(weights, change):
            return weights * (change - change.mean(axis=-1, keepdims=True))
        return _gradients(q, k, v, bias, upstream, through=through)

    def sums_down_the_columns(q, k, v, bias, upstream):
        """The sum in the derivative of the softmax runs over the queries: it belongs to one query, along the
        keys, axis=-1."""
        def through(weights, change):
            return weights * (change - (change * weights).sum(axis=-2, keepdims=True))
        return _gradients(q, k, v, bias, upstream, through=through)

    def keys_not_transposed(q, k, v, bias, upstream):
        """dk lacks a transpose: key j collects from the queries that read it, the column j of the scores'
        derivatives, so swap the last two axes before multiplying by q."""
        return _gradients(q, k, v, bias, upstream, to_k=lambda change: change)

    def values_not_transposed(q, k, v, bias, upstream):
        """dv lacks a transpose: value j collects from the queries that read it, column j of the weights, so
        swap the last two axes of the weights before multiplying by upstream."""
        return _gradients(q, k, v, bias, upstream, to_v=lambda weights: weights)

    def changed_in_place(q, k, v, bias, upstream):
        """q was scaled in place, which changes the caller's array: write q = q * scale, not q *= scale."""
        wanted = _gradients(q, k, v, bias, upstream)
        if q.dtype.kind == "f":
            q *= q.shape[-1] ** -0.5
        return wanted

    def widened(q, k, v, bias, upstream):
        """float32 went in and float64 came out: a NumPy scalar such as np.sqrt(d) widens what it meets, a
        Python number, d ** 0.5, does not."""
        return tuple(gradient.astype(np.float64) for gradient in _gradients(q, k, v, bias, upstream))
