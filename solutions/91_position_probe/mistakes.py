"""Wrong answers to 91_position_probe; each docstring is what the learner is told."""
import numpy as np


def _checked_ridge(ridge):
    if ridge <= 0:
        raise ValueError(f"ridge must be positive, got {ridge}")


def _checked_targets(features, targets):
    if targets.shape != features.shape[:1]:
        raise ValueError(f"targets must have one number per row of features, got shape {targets.shape}")


def _checked(features, targets, ridge):
    _checked_targets(features, targets)
    _checked_ridge(ridge)


def _checked_weights(features, weights):
    if weights.shape != (features.shape[1] + 1,):
        raise ValueError(f"weights must have one number more than features has columns, got shape {weights.shape}")


def _checked_scores(encoding, target_scores):
    if target_scores.shape != (len(encoding), len(encoding)):
        raise ValueError(f"target_scores must have a row and a column per position, got shape {target_scores.shape}")


def _checked_pair(encoding, target_scores, ridge):
    _checked_scores(encoding, target_scores)
    _checked_ridge(ridge)


def _checked_square(scores):
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1]:
        raise ValueError(f"scores must be square, got shape {scores.shape}")


def _checked_length(scores):
    if len(scores) < 2:
        raise ValueError(f"scores must have at least 2 rows, got shape {scores.shape}")


def _real(rows, others):
    dtype = rows.dtype if rows.dtype.kind == "f" else np.float64
    return rows.astype(dtype), others.astype(dtype)


def _solved(gram, right):
    """The system solved, or, where a mistake has made it singular, the shortest solution."""
    try:
        return np.linalg.solve(gram, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(gram, right, rcond=None)[0]


def _penalised(rows, penalties):
    gram = rows.T @ rows
    gram[np.diag_indices_from(gram)] += penalties
    return gram


def _reader(rows, ridge):
    return _solved(_penalised(rows, ridge), rows.T)             # (d, n)


def _with_ones(features):
    return np.concatenate([features, np.ones_like(features[:, :1])], axis=1)       # (n, d + 1)


def _linear(features, targets, ridge):
    features, targets = _real(features, targets)
    centre = features.mean(axis=0)
    weights = _reader(features - centre, ridge) @ (targets - targets.mean())
    return np.append(weights, targets.mean() - centre @ weights)


def _bilinear(encoding, target_scores, ridge):
    encoding, target_scores = _real(encoding, target_scores)
    reader = _reader(encoding, ridge)
    return reader @ target_scores @ reader.T


def _share(best):
    """The share of the queries from 1 on whose best key is the one before."""
    return float(np.mean(best[1:] == np.arange(len(best) - 1)))


def _best(scores, seen):
    return np.where(seen, scores, -np.inf).argmax(axis=1)


def _earlier(scores):
    return np.tri(len(scores), k=-1, dtype=bool)


class fit_linear_probe:
    def bias_penalised(features, targets, ridge=1e-6):
        """The bias costs as much as a weight, so what is read is drawn towards 0: leave the last entry of the
        diagonal without ridge, or take the means off first and fit the bias afterwards."""
        _checked(features, targets, ridge)
        features, targets = _real(features, targets)
        return _reader(_with_ones(features), ridge) @ targets

    def bias_left_at_zero(features, targets, ridge=1e-6):
        """The probe was fitted without a bias, and a 0 put in its place: it then has to pass through the origin.
        Take off the means, or add a column of ones."""
        _checked(features, targets, ridge)
        features, targets = _real(features, targets)
        return np.append(_reader(features, ridge) @ targets, targets.dtype.type(0))

    def bias_first(features, targets, ridge=1e-6):
        """The bias comes first; it has to be the last of the d + 1 numbers."""
        _checked(features, targets, ridge)
        return np.roll(_linear(features, targets, ridge), 1)

    def bias_is_the_mean_target(features, targets, ridge=1e-6):
        """The bias is the mean of the targets, which is right for centred features only: take off what the weights
        make of the features' means."""
        _checked(features, targets, ridge)
        return np.append(_linear(features, targets, ridge)[:-1], _real(features, targets)[1].mean())

    def ridge_on_every_entry(features, targets, ridge=1e-6):
        """The ridge was added to every entry of the matrix; it belongs on the diagonal: ridge * np.eye(d)."""
        _checked(features, targets, ridge)
        features, targets = _real(features, targets)
        centred = features - features.mean(axis=0)
        weights = _solved(centred.T @ centred + ridge, centred.T @ targets)
        return np.append(weights, targets.mean() - features.mean(axis=0) @ weights)

    def ridge_squared(features, targets, ridge=1e-6):
        """The ridge works squared: rows appended below the features need its square root on their diagonal, since
        least squares squares them."""
        _checked(features, targets, ridge)
        return _linear(features, targets, ridge**2)

    def errors_averaged(features, targets, ridge=1e-6):
        """The squared errors were averaged over the rows, so the ridge counts n times: they are summed."""
        _checked(features, targets, ridge)
        return _linear(features, targets, ridge * len(features))

    def ridge_without_effect(features, targets, ridge=1e-6):
        """These are plain least squares: the ridge has no effect. Add ridge times the squared weights to what is
        made small."""
        _checked(features, targets, ridge)
        features, targets = _real(features, targets)
        return np.linalg.lstsq(_with_ones(features), targets, rcond=None)[0]

    def columns_standardised(features, targets, ridge=1e-6):
        """The columns were divided by their standard deviations before the fit, so a weight costs by another
        measure: the ridge is on the weights of the features as they are."""
        _checked(features, targets, ridge)
        features, targets = _real(features, targets)
        scale = features.std(axis=0)
        scale = np.where(scale > 0, scale, scale.dtype.type(1))
        weights = _linear(features / scale, targets, ridge)
        weights[:-1] /= scale
        return weights

    def centred_in_place(features, targets, ridge=1e-6):
        """`features -= mean` changes the caller's features; `features - mean` makes new ones."""
        _checked(features, targets, ridge)
        weights = _linear(features, targets, ridge)
        if features.flags.writeable and features.dtype.kind == "f":
            features -= features.mean(axis=0)
        return weights

    def fitted_in_double_precision(features, targets, ridge=1e-6):
        """float32 came in and float64 comes out; np.eye(d) and np.ones(n) are float64 unless told otherwise."""
        _checked(features, targets, ridge)
        return _linear(features, targets, ridge).astype(np.float64)

    def one_target_for_all(features, targets, ridge=1e-6):
        """A single target was stretched over all rows: refuse targets that are not one per row."""
        if targets.shape != (1,):
            _checked_targets(features, targets)
        _checked_ridge(ridge)
        return _linear(features, np.broadcast_to(targets, features.shape[:1]), ridge)

    def any_ridge_will_do(features, targets, ridge=1e-6):
        """A ridge of 0, or below, was accepted: with it the sum may have no smallest value. Refuse it."""
        _checked_targets(features, targets)
        return _linear(features, targets, ridge)


class probe_positions:
    def bias_left_out(features, weights):
        """The bias is missing: the last of the weights is added to every row."""
        _checked_weights(features, weights)
        features, weights = _real(features, weights)
        return features @ weights[:-1]

    def bias_read_first(features, weights):
        """The first of the weights was taken for the bias; it is the last."""
        _checked_weights(features, weights)
        features, weights = _real(features, weights)
        return features @ weights[1:] + weights[0]

    def rounded_to_positions(features, weights):
        """What is read was rounded to whole positions; it is wanted as it is, so that one sees how near it comes."""
        _checked_weights(features, weights)
        features, weights = _real(features, weights)
        return np.rint(features @ weights[:-1] + weights[-1])


class fit_bilinear_probe:
    def one_side_transposed(encoding, target_scores, ridge=1e-3):
        """The matrix is transposed: queries are the rows of the scores, so A stands in front and A^T behind."""
        _checked_pair(encoding, target_scores, ridge)
        return _bilinear(encoding, target_scores.T, ridge)

    def divided_on_one_side(encoding, target_scores, ridge=1e-3):
        """Only the queries' side has the inverse of P^T P + ridge I; the keys' side needs it as well."""
        _checked_pair(encoding, target_scores, ridge)
        encoding, target_scores = _real(encoding, target_scores)
        return _reader(encoding, ridge) @ target_scores @ encoding

    def no_ridge(encoding, target_scores, ridge=1e-3):
        """The pseudoinverse stands where A should: the ridge has no effect."""
        _checked_pair(encoding, target_scores, ridge)
        encoding, target_scores = _real(encoding, target_scores)
        inverse = np.linalg.pinv(encoding)                      # (d, n)
        return inverse @ target_scores @ inverse.T

    def ridge_on_all_products(encoding, target_scores, ridge=1e-3):
        """This is a ridge regression on all products of two columns; here each side has a ridge of its own:
        A Y A^T."""
        _checked_pair(encoding, target_scores, ridge)
        encoding, target_scores = _real(encoding, target_scores)
        values, vectors = np.linalg.eigh(encoding.T @ encoding)
        turned = encoding @ vectors                             # (n, d)
        inner = turned.T @ target_scores @ turned / (np.multiply.outer(values, values) + ridge)
        return vectors @ inner @ vectors.T

    def columns_centred(encoding, target_scores, ridge=1e-3):
        """The means of the columns were taken off; there is no bias here, so the encoding stays as it is."""
        _checked_pair(encoding, target_scores, ridge)
        encoding, target_scores = _real(encoding, target_scores)
        return _bilinear(encoding - encoding.mean(axis=0), target_scores, ridge)

    def scores_came_back(encoding, target_scores, ridge=1e-3):
        """These are the scores that the matrix makes, (n, n); the matrix itself is wanted, (d, d)."""
        _checked_pair(encoding, target_scores, ridge)
        matrix = _bilinear(encoding, target_scores, ridge)
        return encoding @ matrix @ encoding.T


class previous_token_accuracy:
    def own_key_counts(scores):
        """The query's own key was among those compared; only keys before the query are."""
        _checked_square(scores)
        _checked_length(scores)
        return _share(_best(scores, np.tri(len(scores), dtype=bool)))

    def later_keys_count(scores):
        """All keys were compared; only those before the query are."""
        _checked_square(scores)
        _checked_length(scores)
        return _share(scores.argmax(axis=1))

    def first_query_counts(scores):
        """The first query was counted as a miss, but it has no earlier key: divide by n - 1."""
        _checked_square(scores)
        _checked_length(scores)
        n = len(scores)
        return _share(_best(scores, _earlier(scores))) * (n - 1) / n

    def keys_for_queries(scores):
        """Rows and columns are exchanged: the queries are the rows."""
        _checked_square(scores)
        _checked_length(scores)
        return _share(_best(scores.T, _earlier(scores)))

    def hidden_keys_zero(scores):
        """Keys that do not count have a score of 0, which beats any below 0: give them -inf."""
        _checked_square(scores)
        _checked_length(scores)
        return _share(np.tril(scores, -1).argmax(axis=1))

    def weight_not_rank(scores):
        """This is the mean weight that the softmax gives the previous token; wanted is how often its score is the
        highest."""
        _checked_square(scores)
        _checked_length(scores)
        seen = np.where(_earlier(scores), scores, -np.inf)[1:]
        weights = np.exp(seen - seen.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        row = np.arange(len(weights))
        return float(weights[row, row].mean())
