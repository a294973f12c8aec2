"""Wrong answers to 91_position_probe; each docstring is what the learner is told."""
import numpy as np


def _solved(gram, right):
    """The system solved, or, where a mistake has made it singular, the shortest solution."""
    try:
        return np.linalg.solve(gram, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(gram, right, rcond=None)[0]


def _reader(rows, ridge):
    return _solved(rows.T @ rows + ridge * np.eye(rows.shape[1]), rows.T)          # (d, n)


def _with_ones(features):
    return np.column_stack([features, np.ones(len(features))])  # (n, d + 1)


def _with_bias(weights, features, targets):
    return np.append(weights, targets.mean() - features.mean(axis=0) @ weights)    # (d + 1,)


def _linear(features, targets, ridge):
    return _with_bias(_reader(features - features.mean(axis=0), ridge) @ targets, features, targets)


def _bilinear(encoding, target_scores, ridge):
    reader = _reader(encoding, ridge)
    return reader @ target_scores @ reader.T


def _share(best):
    """The share of the queries from 1 on whose best key is the one before."""
    return float(np.mean(best[1:] == np.arange(len(best) - 1)))


def _best(scores, seen):
    return np.where(seen, scores, -np.inf).argmax(axis=1)


def _earlier(scores):
    return np.tri(len(scores), k=-1, dtype=bool)


class probe_positions:
    def bias_left_out(features, weights):
        """The bias is missing: the last of the weights is added to every row."""
        return features @ weights[:-1]

    def bias_added_for_every_column(features, weights):
        """The bias was added before the sum over the columns, so it counts once per column: add it once per row."""
        return (features * weights[:-1] + weights[-1]).sum(axis=1)

    def bias_read_first(features, weights):
        """The first of the weights was taken for the bias; it is the last."""
        return features @ weights[1:] + weights[0]

    def bias_from_the_end_of_the_rows(features, weights):
        """The last weight belongs to no column, so add it as it is; here it was multiplied with the last column
        as well."""
        return features @ weights[:-1] + features[:, -1] * weights[-1]

    def rounded_to_positions(features, weights):
        """What is read was rounded to whole positions; it is wanted as it is, so that one sees how near it comes."""
        return np.rint(features @ weights[:-1] + weights[-1])

    def not_below_zero(features, weights):
        """Whatever was read below 0 became 0. A probe reads any number, so leave it as it is."""
        return np.maximum(features @ weights[:-1] + weights[-1], 0.0)


class fit_linear_probe:
    def bias_penalised(features, targets, ridge=1e-6):
        """The bias costs as much as a weight, so what is read is drawn towards 0: leave the last entry of the
        diagonal without ridge, or take the means off first and fit the bias afterwards."""
        return _reader(_with_ones(features), ridge) @ targets

    def bias_left_at_zero(features, targets, ridge=1e-6):
        """The probe was fitted without a bias, and a 0 put in its place: it then has to pass through the origin.
        Take off the means, or add a column of ones."""
        return np.append(_reader(features, ridge) @ targets, 0.0)

    def bias_left_out(features, targets, ridge=1e-6):
        """The bias is missing: there are d + 1 numbers, and the last of them is the bias."""
        return _linear(features, targets, ridge)[:-1]

    def bias_first(features, targets, ridge=1e-6):
        """The bias comes first; it has to be the last of the d + 1 numbers."""
        return np.roll(_linear(features, targets, ridge), 1)

    def bias_is_the_mean_target(features, targets, ridge=1e-6):
        """The bias is the mean of the targets, which is right for centred features only: take off what the weights
        make of the features' means."""
        return np.append(_linear(features, targets, ridge)[:-1], targets.mean())

    def weights_of_features_as_they_are(features, targets, ridge=1e-6):
        """The weights were fitted to features with their means, without a bias, and the bias was added afterwards:
        take off the means before you fit the weights."""
        return _with_bias(_reader(features, ridge) @ targets, features, targets)

    def one_mean_for_all_columns(features, targets, ridge=1e-6):
        """One mean of all numbers was taken off; every column has a mean of its own, `features.mean(axis=0)`."""
        mean = features.mean()
        weights = _reader(features - mean, ridge) @ (targets - targets.mean())
        return np.append(weights, targets.mean() - mean * weights.sum())

    def ridge_on_every_entry(features, targets, ridge=1e-6):
        """The ridge was added to every entry of the matrix; it belongs on the diagonal: ridge * np.eye(d)."""
        centred = features - features.mean(axis=0)
        return _with_bias(_solved(centred.T @ centred + ridge, centred.T @ targets), features, targets)

    def ridge_squared(features, targets, ridge=1e-6):
        """The ridge works squared: rows appended below the features need its square root on their diagonal, since
        least squares squares them."""
        return _linear(features, targets, ridge**2)

    def ridge_halved(features, targets, ridge=1e-6):
        """The ridge counts half: the squared errors are summed as they are, without a factor of 1/2 before them."""
        return _linear(features, targets, ridge / 2)

    def errors_averaged(features, targets, ridge=1e-6):
        """The squared errors were averaged over the rows, so the ridge counts n times: they are summed."""
        return _linear(features, targets, ridge * len(features))

    def ridge_without_effect(features, targets, ridge=1e-6):
        """These are plain least squares: the ridge has no effect. Add ridge times the squared weights to what is
        made small."""
        return np.linalg.lstsq(_with_ones(features), targets, rcond=None)[0]

    def ridge_fixed(features, targets, ridge=1e-6):
        """The ridge is written into the code as a millionth: use the argument `ridge`."""
        return _linear(features, targets, 1e-6)

    def columns_standardised(features, targets, ridge=1e-6):
        """The columns were divided by their standard deviations before the fit, so a weight costs by another
        measure: the ridge is on the weights of the features as they are."""
        scale = features.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        weights = _linear(features / scale, targets, ridge)
        weights[:-1] /= scale
        return weights

    def ridge_cut_to_a_whole_number(features, targets, ridge=1e-6):
        """With whole-number features the ridge lost its fraction: what you write into an array of integers is cut
        to integers. Make the features floats first."""
        whole = features.dtype.kind in "iu"
        return _linear(features, targets, int(ridge) if whole else ridge)

    def centred_in_place(features, targets, ridge=1e-6):
        """`features -= mean` changes the caller's features; `features - mean` makes new ones."""
        weights = _linear(features, targets, ridge)
        if features.flags.writeable and features.dtype.kind == "f":
            features -= features.mean(axis=0)
        return weights


class fit_bilinear_probe:
    def one_side_transposed(encoding, target_scores, ridge=1e-3):
        """The matrix is transposed: queries are the rows of the scores, so A stands in front and A^T behind."""
        return _bilinear(encoding, target_scores.T, ridge)

    def divided_on_one_side(encoding, target_scores, ridge=1e-3):
        """Only the queries' side has the inverse of P^T P + ridge I; the keys' side needs it as well."""
        return _reader(encoding, ridge) @ target_scores @ encoding

    def products_alone(encoding, target_scores, ridge=1e-3):
        """This is P^T Y P, without the inverse of P^T P + ridge I; both sides need it."""
        return encoding.T @ target_scores @ encoding

    def no_ridge(encoding, target_scores, ridge=1e-3):
        """The pseudoinverse stands where A should: the ridge has no effect."""
        inverse = np.linalg.pinv(encoding)                      # (d, n)
        return inverse @ target_scores @ inverse.T

    def ridge_fixed(encoding, target_scores, ridge=1e-3):
        """The ridge is written into the code as a thousandth: use the argument `ridge`."""
        return _bilinear(encoding, target_scores, 1e-3)

    def ridge_on_every_entry(encoding, target_scores, ridge=1e-3):
        """The ridge was added to every entry of P^T P; it belongs on the diagonal: ridge * np.eye(d)."""
        reader = _solved(encoding.T @ encoding + ridge, encoding.T)
        return reader @ target_scores @ reader.T

    def ridge_cut_to_a_whole_number(encoding, target_scores, ridge=1e-3):
        """With a whole-number encoding the ridge lost its fraction: what you write into an array of integers is cut
        to integers. Make the encoding floats first."""
        whole = encoding.dtype.kind in "iu"
        return _bilinear(encoding, target_scores, int(ridge) if whole else ridge)

    def divided_twice_from_the_left(encoding, target_scores, ridge=1e-3):
        """The inverse of P^T P + ridge I stands twice in front of P^T Y P; one belongs in front, the other behind."""
        cost = ridge * np.eye(encoding.shape[1])
        gram = encoding.T @ encoding + cost
        return _solved(gram, _solved(gram, encoding.T @ target_scores @ encoding))

    def ridge_on_all_products(encoding, target_scores, ridge=1e-3):
        """This is a ridge regression on all products of two columns; here each side has a ridge of its own:
        A Y A^T."""
        values, vectors = np.linalg.eigh(encoding.T @ encoding)
        turned = encoding @ vectors                             # (n, d)
        inner = turned.T @ target_scores @ turned / (np.multiply.outer(values, values) + ridge)
        return vectors @ inner @ vectors.T

    def columns_centred(encoding, target_scores, ridge=1e-3):
        """The means of the columns were taken off; there is no bias here, so the encoding stays as it is."""
        return _bilinear(encoding - encoding.mean(axis=0), target_scores, ridge)

    def made_symmetric(encoding, target_scores, ridge=1e-3):
        """The matrix was made symmetric. A query and a key play different parts, so entry [a, b] may differ from
        [b, a]."""
        matrix = _bilinear(encoding, target_scores, ridge)
        return (matrix + matrix.T) / 2

    def scores_came_back(encoding, target_scores, ridge=1e-3):
        """These are the scores that the matrix makes, (n, n); the matrix itself is wanted, (d, d)."""
        matrix = _bilinear(encoding, target_scores, ridge)
        return encoding @ matrix @ encoding.T


class previous_token_accuracy:
    def own_key_counts(scores):
        """The query's own key was among those compared; only keys before the query are."""
        return _share(_best(scores, np.tri(len(scores), dtype=bool)))

    def later_keys_count(scores):
        """All keys were compared; only those before the query are."""
        return _share(scores.argmax(axis=1))

    def first_query_counts(scores):
        """The first query was counted as a miss, but it has no earlier key: divide by n - 1."""
        n = len(scores)
        return _share(_best(scores, _earlier(scores))) * (n - 1) / n

    def hits_counted(scores):
        """This is how many queries prefer the key before them; divide it by their number, n - 1."""
        return _share(_best(scores, _earlier(scores))) * (len(scores) - 1)

    def keys_for_queries(scores):
        """Rows and columns are exchanged: the queries are the rows."""
        return _share(_best(scores.T, _earlier(scores)))

    def lowest_score_taken(scores):
        """The lowest score was taken for the best; the highest one is."""
        return _share(_best(-scores, _earlier(scores)))

    def hidden_keys_zero(scores):
        """Keys that do not count have a score of 0, which beats any below 0: give them -inf."""
        return _share(np.tril(scores, -1).argmax(axis=1))

    def neighbours_compared(scores):
        """Only the two keys before a query were compared; compare the one just before it with all earlier ones."""
        n = len(scores)
        return _share(_best(scores, _earlier(scores) & ~np.tri(n, k=-3, dtype=bool)))

    def weight_not_rank(scores):
        """This is the mean weight that the softmax gives the previous token; wanted is how often its score is the
        highest."""
        seen = np.where(_earlier(scores), scores, -np.inf)[1:]
        weights = np.exp(seen - seen.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        row = np.arange(len(weights))
        return float(weights[row, row].mean())
