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
        """You add up the losses of all positions. Divide by the number of positions; otherwise the loss grows with the
        batch."""
        return _surprises(logits, targets).sum()

    def averaged_over_the_first_axis(logits, targets):
        """You divide the sum by the length of the first axis only. With several leading axes, divide by the number of
        all positions, targets.size."""
        losses = _surprises(logits, targets)
        return losses.sum() / (len(losses) if losses.ndim else 1)

    def averaged_over_the_vocabulary(logits, targets):
        """You divide the sum by the size of the vocabulary too. Take one loss per position, the loss of its target, and
        average over the positions only."""
        return -(_one_hot(logits, targets) * _logarithms(logits)).mean()

    def sign_dropped(logits, targets):
        """Your sign is wrong. The logarithm of a probability is negative, and the loss is minus that logarithm: log(sum
        of exp) minus the target's logit."""
        return -_surprises(logits, targets).mean()

    def in_bits(logits, targets):
        """You return the loss in bits. Return it in nats: take the natural logarithm, np.log."""
        return _surprises(logits, targets).mean() / np.log(2.0)

    def logarithm_of_the_mean_probability(logits, targets):
        """You average the probabilities before the logarithm. Take the logarithm at every position first, then average
        the losses."""
        return -np.log(np.exp(-_surprises(logits, targets)).mean())

    def overflows(logits, targets):
        """Your exp overflows above about 709 and is 0 below about -745. Subtract the largest logit of each position
        first, and take log(sum of exp) minus the logit of the target, not the log of a probability."""
        return (np.log(np.exp(logits).sum(axis=-1)) - _at(logits, targets)).mean()

    def maximum_subtracted_once_only(logits, targets):
        """You subtract the maximum inside exp, but not from the target's logit. Take both terms from the shifted
        logits, or add the maximum to the logarithm."""
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return (np.log(np.exp(shifted).sum(axis=-1)) - _at(logits, targets)).mean()

    def probability_padded(logits, targets):
        """You add a small number to the probability or limit it, which keeps the logarithm finite but caps the loss
        (1e-12 caps it at 27.6). Take log(sum of exp) minus the target's logit: it needs no cap."""
        return -np.log(_at(_softmax(logits), targets) + 1e-12).mean()

    def largest_of_all_subtracted(logits, targets):
        """You subtract the maximum of the whole array. Where all logits of a position lie far below it, this takes the
        logarithm of 0. Subtract the maximum of each position."""
        logits = logits - logits.max()
        return (np.log(np.exp(logits).sum(axis=-1)) - _at(logits, targets)).mean()


class cross_entropy_gradient:
    def not_averaged(logits, targets):
        """You return the gradient of the summed loss. The loss is a mean, so divide by the number of positions."""
        return _misses(logits, targets)

    def divided_by_the_first_axis(logits, targets):
        """You divide the gradient by the length of the first axis only. With several leading axes, divide by the number
        of all positions, targets.size."""
        return _misses(logits, targets) / (len(targets) if targets.ndim else 1)

    def divided_by_the_length_of_the_logits(logits, targets):
        """You divide the gradient by len(logits). That is the number of positions only if there is one leading axis.
        Divide by targets.size."""
        return _misses(logits, targets) / len(logits)

    def divided_by_the_size_of_the_logits(logits, targets):
        """You divide the gradient by the number of logits. The loss is a mean over positions, so divide by
        targets.size, without the size of the vocabulary."""
        return _misses(logits, targets) / logits.size

    def uphill(logits, targets):
        """Your sign is wrong, so a step against this gradient makes the loss grow. Take the probabilities minus 1 at
        the target."""
        return -_misses(logits, targets) / targets.size

    def every_target_everywhere(logits, targets):
        """You subtract 1 at every target in every position, as `gradient[..., targets] -= 1` does. Subtract it only at
        the position's own target, as gradient[np.arange(n), targets] does for n positions."""
        gradient = _softmax(logits)
        gradient[..., targets] -= 1.0
        return gradient / targets.size

    def softmax_once_more(logits, targets):
        """You apply the derivative of the softmax twice. p minus 1 at the target is already the derivative with respect
        to the logits, so leave out p * (1 - p)."""
        p = _softmax(logits)
        return _misses(logits, targets) * p * (1.0 - p) / targets.size

    def only_at_the_target(logits, targets):
        """Only the targets' logits have a derivative in your result. If the logit of another word grows, the target
        becomes less likely, so the derivative there is that word's probability."""
        return _misses(logits, targets) * _one_hot(logits, targets) / targets.size

    def overflows(logits, targets):
        """Your exp overflows above 709 and is 0 below -745. Subtract the largest logit of each position first. That
        changes no probability."""
        return (_softmax(logits, highest=0.0) - _one_hot(logits, targets)) / targets.size

    def widened(logits, targets):
        """You return float64 for float32 arguments. The zeros and ones may be to blame: from np.zeros or np.eye they
        are float64. Use a boolean array, or one with the dtype of the logits."""
        return ((_softmax(logits) - np.eye(logits.shape[-1])[targets]) / targets.size).astype(np.float64)


class attention_gradients:
    def scale_left_out_on_the_way_back(q, k, v, bias, upstream):
        """You divide the scores by sqrt(d), but not the gradients. Divide the derivatives of the scores by sqrt(d) too,
        before you multiply them by k and q."""
        return _gradients(q, k, v, bias, upstream, back=lambda scale: 1.0)

    def width_of_the_values(q, k, v, bias, upstream):
        """You divide the scores by the root of the width of the values. Take the width of the queries and keys."""
        return _gradients(q, k, v, bias, upstream, width=v.shape[-1])

    def bias_scaled(q, k, v, bias, upstream):
        """You divide the bias by sqrt(d) together with the products. Scale the products first, then add the bias."""
        def scores(q, k, bias, scale):
            return (q @ _turned(k) + bias) * scale
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def bias_forgotten(q, k, v, bias, upstream):
        """You compute the weights without the bias, so they are not the weights of the forward pass. Add the bias to
        the scaled scores before the softmax."""
        def scores(q, k, bias, scale):
            return (q @ _turned(k)) * scale
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def hidden_after_the_softmax(q, k, v, bias, upstream):
        """You remove the weight of hidden keys after the softmax, so the weights of a query no longer add up to 1. Add
        the bias with its -inf to the scores: exp turns -inf into 0 before the sum."""
        def scores(q, k, bias, scale):
            return _scores(q, k, np.where(bias > -np.inf, bias, 0), scale)
        return _gradients(q, k, v, bias, upstream, scores=scores, weigh=lambda s: _softmax(s) * (bias > -np.inf))

    def infinity_made_small(q, k, v, bias, upstream):
        """You replace -inf by a negative number that scores can reach, so a hidden key gets weight if the other keys
        score even lower. Keep -inf: exp turns it into 0."""
        def scores(q, k, bias, scale):
            return _scores(q, k, np.maximum(bias, -1e5), scale)
        return _gradients(q, k, v, bias, upstream, scores=scores)

    def overflows(q, k, v, bias, upstream):
        """Your exp overflows above 709 and is 0 below -745. Subtract the maximum of each row of scores first."""
        return _gradients(q, k, v, bias, upstream, weigh=lambda scores: _softmax(scores, highest=0.0))

    def softmax_over_the_queries(q, k, v, bias, upstream):
        """You take the softmax over the queries. The weights of one query have to add up to 1, so let it run along the
        keys, axis=-1."""
        return _gradients(q, k, v, bias, upstream, weigh=lambda scores: _softmax(scores, axis=-2))

    def softmax_without_its_sum(q, k, v, bias, upstream):
        """You leave out a term in the derivative of the softmax. Weights add up to 1, so if one grows, the others
        shrink. Subtract the row's sum of weights times derivatives before you multiply by the weights."""
        return _gradients(q, k, v, bias, upstream, through=lambda weights, change: weights * change)

    def softmax_as_if_each_weight_stood_alone(q, k, v, bias, upstream):
        """You use w * (1 - w), which is how a weight changes with its own score. It also changes with the other scores
        of its row: use w * (change - sum(w * change)), with the sum along the row."""
        def through(weights, change):
            return weights * (1.0 - weights) * change
        return _gradients(q, k, v, bias, upstream, through=through)

    def average_of_values_not_outputs(q, k, v, bias, upstream):
        """You subtract the product of `upstream` with the values. Subtract its product with the output of the same
        query, weights @ v."""
        def through(weights, change):
            return weights * (change - (upstream * v).sum(axis=-1, keepdims=True))
        return _gradients(q, k, v, bias, upstream, through=through)

    def average_without_the_weights(q, k, v, bias, upstream):
        """You subtract a plain mean. Multiply each derivative by its weight first: subtract sum(weights * change) along
        the row."""
        def through(weights, change):
            return weights * (change - change.mean(axis=-1, keepdims=True))
        return _gradients(q, k, v, bias, upstream, through=through)

    def sums_down_the_columns(q, k, v, bias, upstream):
        """In the derivative of the softmax, you sum over the queries. Each query has its own softmax, so sum along the
        keys, axis=-1."""
        def through(weights, change):
            return weights * (change - (change * weights).sum(axis=-2, keepdims=True))
        return _gradients(q, k, v, bias, upstream, through=through)

    def keys_not_transposed(q, k, v, bias, upstream):
        """You leave out a transpose in dk. Key j collects from all queries that read it: column j of the derivatives of
        the scores. Swap their last two axes before you multiply by q."""
        return _gradients(q, k, v, bias, upstream, to_k=lambda change: change)

    def values_not_transposed(q, k, v, bias, upstream):
        """You leave out a transpose in dv. Value j collects from all queries that read it: column j of the weights.
        Swap the last two axes of the weights before you multiply by upstream."""
        return _gradients(q, k, v, bias, upstream, to_v=lambda weights: weights)

    def changed_in_place(q, k, v, bias, upstream):
        """You change an argument in place, but the caller still needs it. Make a new array, as `q = q * scale` does and
        `q *= scale` does not."""
        wanted = _gradients(q, k, v, bias, upstream)
        if q.dtype.kind == "f":
            q *= q.shape[-1] ** -0.5
        return wanted

    def widened(q, k, v, bias, upstream):
        """You return float64 for float32 arguments. A NumPy scalar such as np.sqrt(d) may be to blame: since NumPy 2 it
        turns float32 into float64. A Python number such as d ** 0.5 does not."""
        return tuple(gradient.astype(np.float64) for gradient in _gradients(q, k, v, bias, upstream))
