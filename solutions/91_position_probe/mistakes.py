"""Wrong answers to 91_position_probe; each docstring is what the learner is told."""
import numpy as np


def _solved(gram, right):
    """The solution of the system, or the shortest one where a mistake makes the system singular."""
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
    """The share of the queries from 1 on whose best key is the key before."""
    return float(np.mean(best[1:] == np.arange(len(best) - 1)))


def _best(scores, seen):
    return np.where(seen, scores, -np.inf).argmax(axis=1)


def _earlier(scores):
    return np.tri(len(scores), k=-1, dtype=bool)


class probe_positions:
    def bias_left_out(features, weights):
        """You leave out the bias: add the last of the weights to the result of each row."""
        return features @ weights[:-1]

    def bias_added_for_every_column(features, weights):
        """You add the bias before the sum over the columns, so it counts once per column. Add it after the sum."""
        return (features * weights[:-1] + weights[-1]).sum(axis=1)

    def bias_read_first(features, weights):
        """You use the first of the weights as the bias, but the bias is the last: use weights[-1]."""
        return features @ weights[1:] + weights[0]

    def bias_from_the_end_of_the_rows(features, weights):
        """You multiply the last weight by the last column. It is the bias and belongs to no column, so add it without a
        factor."""
        return features @ weights[:-1] + features[:, -1] * weights[-1]

    def rounded_to_positions(features, weights):
        """You round the result to whole positions. Do not round: the distance to the true position shows how good the
        probe is."""
        return np.rint(features @ weights[:-1] + weights[-1])

    def not_below_zero(features, weights):
        """You replace negative results by 0. A probe may read any number, so keep them."""
        return np.maximum(features @ weights[:-1] + weights[-1], 0.0)


class fit_linear_probe:
    def bias_penalised(features, targets, ridge=1e-6):
        """You put the ridge on the bias too, which pulls the predictions towards 0. Leave the ridge out of its diagonal
        entry, or subtract the means first and add the bias afterwards."""
        return _reader(_with_ones(features), ridge) @ targets

    def bias_left_at_zero(features, targets, ridge=1e-6):
        """You fit the probe without a bias and return a bias of 0, so a row of zeros always reads 0. Subtract the
        means, or add a column of ones."""
        return np.append(_reader(features, ridge) @ targets, 0.0)

    def bias_left_out(features, targets, ridge=1e-6):
        """You leave out the bias: return d + 1 numbers, the bias last."""
        return _linear(features, targets, ridge)[:-1]

    def bias_first(features, targets, ridge=1e-6):
        """You put the bias first, but it has to be the last of the d + 1 numbers."""
        return np.roll(_linear(features, targets, ridge), 1)

    def bias_is_the_mean_target(features, targets, ridge=1e-6):
        """You use the mean of the targets as the bias, which is right only for centred features. Subtract the means of
        the columns times the weights from it."""
        return np.append(_linear(features, targets, ridge)[:-1], targets.mean())

    def weights_of_features_as_they_are(features, targets, ridge=1e-6):
        """You fit the weights to uncentred features without a bias, and add the bias afterwards. Subtract the means
        before you fit the weights."""
        return _with_bias(_reader(features, ridge) @ targets, features, targets)

    def one_mean_for_all_columns(features, targets, ridge=1e-6):
        """You subtract one mean of all numbers, but every column has its own: `features.mean(axis=0)`."""
        mean = features.mean()
        weights = _reader(features - mean, ridge) @ (targets - targets.mean())
        return np.append(weights, targets.mean() - mean * weights.sum())

    def ridge_on_every_entry(features, targets, ridge=1e-6):
        """You add the ridge to every entry of the matrix, but it belongs on the diagonal. Add ridge * np.eye(d)."""
        centred = features - features.mean(axis=0)
        return _with_bias(_solved(centred.T @ centred + ridge, centred.T @ targets), features, targets)

    def ridge_squared(features, targets, ridge=1e-6):
        """You use the squared ridge instead of the ridge. If you append rows below the features, put the square root of
        the ridge on their diagonal, because least squares squares it."""
        return _linear(features, targets, ridge**2)

    def ridge_halved(features, targets, ridge=1e-6):
        """You use half of the ridge. Add the whole ridge: the sum of the squared errors has no factor of 1/2."""
        return _linear(features, targets, ridge / 2)

    def errors_averaged(features, targets, ridge=1e-6):
        """You average the squared errors over the rows, so the ridge counts n times as much. Sum them instead."""
        return _linear(features, targets, ridge * len(features))

    def ridge_without_effect(features, targets, ridge=1e-6):
        """You ignore the ridge: this is plain least squares. Add ridge times the squared weights to the sum that you
        minimise."""
        return np.linalg.lstsq(_with_ones(features), targets, rcond=None)[0]

    def ridge_fixed(features, targets, ridge=1e-6):
        """You always use a ridge of a millionth. Use the argument `ridge`."""
        return _linear(features, targets, 1e-6)

    def columns_standardised(features, targets, ridge=1e-6):
        """You divide the columns by their standard deviations before the fit, which changes the price of each weight.
        Only subtract the means: the ridge is on the weights of the unscaled features."""
        scale = features.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        weights = _linear(features / scale, targets, ridge)
        weights[:-1] /= scale
        return weights

    def ridge_cut_to_a_whole_number(features, targets, ridge=1e-6):
        """If the features are whole numbers, the ridge loses its fraction: an array of integers cuts it off. Convert
        the features to floats first."""
        whole = features.dtype.kind in "iu"
        return _linear(features, targets, int(ridge) if whole else ridge)

    def centred_in_place(features, targets, ridge=1e-6):
        """You change the caller's features in place, as `features -= mean` does. Write `features - mean`, which makes a
        new array."""
        weights = _linear(features, targets, ridge)
        if features.flags.writeable and features.dtype.kind == "f":
            features -= features.mean(axis=0)
        return weights


class fit_bilinear_probe:
    def one_side_transposed(encoding, target_scores, ridge=1e-3):
        """You return the transposed matrix. Queries are the rows of the scores: return A Y A^T, not A Y^T A^T."""
        return _bilinear(encoding, target_scores.T, ridge)

    def mean_of_products(encoding, target_scores, ridge=1e-3):
        """You divide P^T P by n, which makes the ridge n times as strong. Add the ridge to the plain product."""
        return _bilinear(encoding, target_scores, ridge * len(encoding))

    def divided_on_one_side(encoding, target_scores, ridge=1e-3):
        """You apply the inverse of P^T P + ridge I on the side of the queries only. The side of the keys needs it too:
        multiply by A^T from the right."""
        return _reader(encoding, ridge) @ target_scores @ encoding

    def products_alone(encoding, target_scores, ridge=1e-3):
        """You return P^T Y P. Both sides also need the inverse of P^T P + ridge I."""
        return encoding.T @ target_scores @ encoding

    def no_ridge(encoding, target_scores, ridge=1e-3):
        """You ignore the ridge, as if A were the pseudoinverse of P. Add ridge * I to P^T P before you invert it."""
        inverse = np.linalg.pinv(encoding)                      # (d, n)
        return inverse @ target_scores @ inverse.T

    def ridge_fixed(encoding, target_scores, ridge=1e-3):
        """You always use a ridge of a thousandth. Use the argument `ridge`."""
        return _bilinear(encoding, target_scores, 1e-3)

    def ridge_on_every_entry(encoding, target_scores, ridge=1e-3):
        """You add the ridge to every entry of P^T P, but it belongs on the diagonal. Add ridge * np.eye(d)."""
        reader = _solved(encoding.T @ encoding + ridge, encoding.T)
        return reader @ target_scores @ reader.T

    def ridge_cut_to_a_whole_number(encoding, target_scores, ridge=1e-3):
        """If the encoding has whole numbers, the ridge loses its fraction: an array of integers cuts it off. Convert
        the encoding to floats first."""
        whole = encoding.dtype.kind in "iu"
        return _bilinear(encoding, target_scores, int(ridge) if whole else ridge)

    def divided_twice_from_the_left(encoding, target_scores, ridge=1e-3):
        """You apply the inverse of P^T P + ridge I twice on the left of P^T Y P. Apply it once on the left and once on
        the right."""
        cost = ridge * np.eye(encoding.shape[1])
        gram = encoding.T @ encoding + cost
        return _solved(gram, _solved(gram, encoding.T @ target_scores @ encoding))

    def ridge_on_all_products(encoding, target_scores, ridge=1e-3):
        """You fit one ridge regression on all products of two columns. In this task each side has its own ridge: return
        A Y A^T."""
        values, vectors = np.linalg.eigh(encoding.T @ encoding)
        turned = encoding @ vectors                             # (n, d)
        inner = turned.T @ target_scores @ turned / (np.multiply.outer(values, values) + ridge)
        return vectors @ inner @ vectors.T

    def columns_centred(encoding, target_scores, ridge=1e-3):
        """You centre the columns, but a bilinear probe has no bias. Use the encoding without subtracting means."""
        return _bilinear(encoding - encoding.mean(axis=0), target_scores, ridge)

    def made_symmetric(encoding, target_scores, ridge=1e-3):
        """You make the matrix symmetric, but queries and keys differ, so entry [a, b] may differ from [b, a]. Return A
        Y A^T as it is."""
        matrix = _bilinear(encoding, target_scores, ridge)
        return (matrix + matrix.T) / 2

    def scores_came_back(encoding, target_scores, ridge=1e-3):
        """You return the scores that the matrix makes, (n, n). Return the matrix, (d, d)."""
        matrix = _bilinear(encoding, target_scores, ridge)
        return encoding @ matrix @ encoding.T


class previous_token_accuracy:
    def own_key_counts(scores):
        """You compare the query's own key too. Compare only keys before the query."""
        return _share(_best(scores, np.tri(len(scores), dtype=bool)))

    def later_keys_count(scores):
        """You compare all keys. Compare only those before the query."""
        return _share(scores.argmax(axis=1))

    def first_query_counts(scores):
        """You count the first query as a miss, but it has no earlier key. Leave it out and divide by n - 1."""
        n = len(scores)
        return _share(_best(scores, _earlier(scores))) * (n - 1) / n

    def hits_counted(scores):
        """You return the number of queries that prefer the key before them. Divide it by n - 1."""
        return _share(_best(scores, _earlier(scores))) * (len(scores) - 1)

    def keys_for_queries(scores):
        """You swap rows and columns. The queries are the rows: compare along each row."""
        return _share(_best(scores.T, _earlier(scores)))

    def lowest_score_taken(scores):
        """You look for the lowest score. Take the highest."""
        return _share(_best(-scores, _earlier(scores)))

    def hidden_keys_zero(scores):
        """You give keys that do not count a score of 0, which beats every negative score. Give them -inf instead."""
        return _share(np.tril(scores, -1).argmax(axis=1))

    def neighbours_compared(scores):
        """You compare only the two keys before a query. Compare the key just before it with all earlier keys."""
        n = len(scores)
        return _share(_best(scores, _earlier(scores) & ~np.tri(n, k=-3, dtype=bool)))

    def weight_not_rank(scores):
        """You return the mean weight that the softmax gives to the previous token. Count how often the score of that
        token is the highest instead."""
        seen = np.where(_earlier(scores), scores, -np.inf)[1:]
        weights = np.exp(seen - seen.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        row = np.arange(len(weights))
        return float(weights[row, row].mean())
