"""The way tutorials, notebooks and translations of the papers' code write each function in NumPy.

Right, and checked to be before it is timed. None refuses bad input, which costs nothing worth measuring.
"""
import numpy as np


def _softmax(scores):
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)


def _angles(positions, d, base=10000.0):
    return positions[:, np.newaxis] * (1.0 / base ** (np.arange(0, d, 2) / d))


def positional_encoding(max_len, d_model, base=10000.0):
    """A loop over positions and columns takes minutes here; this is the loop over positions."""
    table = np.zeros((max_len, d_model))
    columns = np.arange(0, d_model, 2)
    for position in range(max_len):
        table[position, 0::2] = np.sin(position / base ** (columns / d_model))
        table[position, 1::2] = np.cos(position / base ** (columns / d_model))
    return table


def build_position_table(kind, max_len, d_model, seed=0):
    """Only for "sinusoidal", where there is something to compare."""
    return positional_encoding(max_len, d_model)


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / np.sqrt(q.shape[-1]).astype(q.dtype)
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-1e9))
    return _softmax(scores) @ v


def cosine_similarity(encoding):
    lengths = np.linalg.norm(encoding, axis=1)
    return encoding @ encoding.T / np.outer(lengths, lengths)


def nearest_positions(encoding, position, k):
    similarity = cosine_similarity(encoding)[position]
    similarity[position] = -np.inf
    return np.argsort(-similarity.round(9), kind="stable")[:k]


def offset_distances(encoding, offset):
    return np.sqrt(np.sum((encoding[offset:] - encoding[: len(encoding) - offset]) ** 2, axis=1))


def similarity_at_offset(offsets, d_model, base=10000.0):
    return np.cos(_angles(offsets, d_model, base)).sum(axis=-1)


def shift_matrix(offset, d_model, base=10000.0):
    matrix = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        angle = offset / base ** (i / d_model)
        matrix[i : i + 2, i : i + 2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    return matrix


def shift_encoding(encoding, offset, base=10000.0):
    return encoding @ shift_matrix(offset, encoding.shape[-1], base).T


def embed(token_ids, token_table, encoding, scale=True):
    return token_table[token_ids] * np.float32(np.sqrt(token_table.shape[1])) + encoding[: token_ids.shape[-1]]


def table_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), upstream.dtype)
    np.add.at(gradient, ids, upstream)
    return gradient


def interpolate_table(table, new_len):
    """np.interp takes one column at a time."""
    old_len = len(table)
    places = (np.arange(new_len) + 0.5) * old_len / new_len - 0.5
    columns = [np.interp(places, np.arange(old_len), table[:, c]) for c in range(table.shape[1])]
    return np.stack(columns, axis=1).astype(table.dtype)


def interpolate_grid(table, old_height, old_width, new_height, new_width):
    grid = table.reshape(old_height, old_width, -1)
    y = np.clip((np.arange(new_height) + 0.5) * old_height / new_height - 0.5, 0, old_height - 1)
    x = np.clip((np.arange(new_width) + 0.5) * old_width / new_width - 0.5, 0, old_width - 1)
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    bottom, right = np.minimum(top + 1, old_height - 1), np.minimum(left + 1, old_width - 1)
    down, along = (y - top)[:, None, None].astype(table.dtype), (x - left)[None, :, None].astype(table.dtype)
    upper = grid[top][:, left] * (1 - along) + grid[top][:, right] * along
    lower = grid[bottom][:, left] * (1 - along) + grid[bottom][:, right] * along
    return (upper * (1 - down) + lower * down).reshape(new_height * new_width, -1)


def hierarchical_table(table, new_len, alpha=0.4):
    n = len(table)
    base = (table - alpha * table[:1]) / (1 - alpha)
    return np.stack([alpha * base[m // n] + (1 - alpha) * base[m % n] for m in range(new_len)])


def embedding_layer(token_ids, token_table, position_table, dropout=0.0, seed=None):
    """Without dropout, which draws other numbers here and there."""
    return token_table[token_ids] + position_table[np.arange(token_ids.shape[-1])]


def relative_distances(n_queries, n_keys=None):
    queries, keys = np.meshgrid(np.arange(n_queries), np.arange(n_queries), indexing="ij")
    return keys - queries


def relative_index(n_queries, n_keys, max_distance):
    return np.clip(relative_distances(n_queries), -max_distance, max_distance) + max_distance


def gather_relative(table, n_queries, n_keys=None):
    return table[relative_index(n_queries, n_queries, len(table) // 2)]


def shaw_scores(q, k, key_table):
    rows = gather_relative(key_table, q.shape[-2])
    return (q @ k.swapaxes(-1, -2) + np.einsum("...id,ijd->...ij", q, rows)) / np.float32(np.sqrt(q.shape[-1]))


def shaw_attention(q, k, v, key_table, value_table, mask=None):
    weights = _softmax(np.where(mask, shaw_scores(q, k, key_table), np.float32(-1e9)))
    return weights @ v + np.einsum("...ij,ijc->...ic", weights, gather_relative(value_table, q.shape[-2]))


def skew(products):
    n = products.shape[-1]
    padded = np.pad(products, [(0, 0)] * (products.ndim - 1) + [(1, 0)])
    shifted = padded.reshape(*products.shape[:-2], n + 1, n)[..., 1:, :]
    return shifted * np.tri(n, dtype=products.dtype)


def relative_logits(q, table):
    return skew(np.einsum("...id,md->...im", q, table))


def transformer_xl_scores(q, k, r, u, v):
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    content = np.einsum("...id,...jd->...ij", q + u, k)
    position = np.einsum("...id,md->...im", q + v, r[::-1])
    padded = np.pad(position, [(0, 0)] * (position.ndim - 1) + [(1, 0)])
    position = padded.reshape(*q.shape[:-2], n_keys + 1, n_queries)[..., 1:, :].reshape(position.shape)
    future = np.triu(np.ones((n_queries, n_keys), bool), k=1 + n_keys - n_queries)
    return np.where(future, np.float32(-np.inf), (content + position) / np.float32(np.sqrt(q.shape[-1])))


def alibi_bias(n_heads, n_queries, n_keys=None, causal=True):
    """For a power of two of heads."""
    slopes = 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)
    bias = slopes[:, None, None] * -np.abs(relative_distances(n_queries))
    return np.where(np.tril(np.ones((n_queries, n_queries))) == 0, -np.inf, bias)


def alibi_attention(q, k, v, causal=True):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    scores = scores + alibi_bias(len(q), q.shape[1])
    return (_softmax(scores) @ v).astype(q.dtype)


def relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    half, exact = num_buckets // 2, num_buckets // 4
    bucket = (relative_position > 0) * half
    distance = np.abs(relative_position)
    with np.errstate(divide="ignore"):
        large = exact + (np.log(distance / exact) / np.log(max_distance / exact) * (half - exact)).clip(0).astype(int)
    return bucket + np.where(distance < exact, distance, np.minimum(large, half - 1))


def t5_bias(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
    buckets = relative_position_bucket(relative_distances(n_queries), True, len(table), max_distance)
    return table[buckets].transpose(2, 0, 1)


def sandwich_bias(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
    table = positional_encoding(n_queries, d_bar, base)
    factors = n_heads / (8 * np.arange(1, n_heads + 1))
    return (table @ table.T - d_bar / 2) * factors[:, None, None]


def apply_rope(x, positions, base=10000.0):
    angles = _angles(positions, x.shape[-1], base)
    cosine, sine = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = even * cosine - odd * sine
    turned[..., 1::2] = even * sine + odd * cosine
    return turned


def rope_scores(q, k, q_positions, k_positions, base=10000.0):
    return apply_rope(q, q_positions, base) @ apply_rope(k, k_positions, base).swapaxes(-1, -2)


def apply_rope_half(x, positions, base=10000.0):
    angles = _angles(positions, x.shape[-1], base)
    angles = np.concatenate([angles, angles], axis=-1)
    first, second = np.split(x, 2, axis=-1)
    rotated = np.concatenate([-second, first], axis=-1)
    return x * np.cos(angles).astype(x.dtype) + rotated * np.sin(angles).astype(x.dtype)


def apply_rope_complex(x, positions, base=10000.0):
    points = x[..., 0::2] + 1j * x[..., 1::2]
    turned = points * np.exp(1j * _angles(positions, x.shape[-1], base))
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape).astype(x.dtype)


def interleaved_to_half(x):
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def half_to_interleaved(x):
    d = x.shape[-1]
    result = np.empty_like(x)
    result[..., 0::2], result[..., 1::2] = x[..., : d // 2], x[..., d // 2 :]
    return result


def permute_projection(w, n_heads):
    return w.reshape(n_heads, -1, 2, w.shape[1]).transpose(0, 2, 1, 3).reshape(w.shape)


def rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
    n = x.shape[-2]

    def heads(w):
        return (x @ w).reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)

    q, k = (apply_rope(heads(w), np.arange(n), base) for w in (w_q, w_k))
    scores = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(q.shape[-1]))
    scores = np.where(np.tril(np.ones((n, n))) == 0, np.float32(-1e9), scores)
    return (_softmax(scores) @ heads(w_v)).swapaxes(-2, -3).reshape(*x.shape[:-1], -1) @ w_o


def decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
    t, d_head = np.array([len(k_cache)]), k_cache.shape[-1]
    q, k, v = ((x_new @ w).reshape(-1, 1, d_head) for w in (w_q, w_k, w_v))          # (heads, 1, d_head)
    k_cache = np.concatenate([k_cache, apply_rope(k, t, base).swapaxes(0, 1)])
    v_cache = np.concatenate([v_cache, v.swapaxes(0, 1)])
    scores = np.einsum("hqd,thd->hqt", apply_rope(q, t, base), k_cache) / np.float32(np.sqrt(d_head))
    return np.einsum("hqt,thd->qhd", _softmax(scores), v_cache).reshape(-1) @ w_o, k_cache, v_cache


def rotary_tables(max_len, d_head, base=10000.0):
    angles = np.repeat(_angles(np.arange(max_len), d_head, base), 2, axis=-1)
    return np.cos(angles), np.sin(angles)


def apply_rotary(x, cos, sin, seq_axis=-2):
    rotated = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    n = x.shape[-2]
    return (x * cos[:n] + rotated * sin[:n]).astype(x.dtype)


def packed_mask(lengths, window=None):
    texts = np.repeat(np.arange(len(lengths)), lengths)
    return np.logical_and(texts[:, np.newaxis] == texts, np.tril(np.ones((len(texts), len(texts)), bool)))


def packed_attention(q, k, v, lengths, window=None, base=10000.0):
    positions = np.concatenate([np.arange(length) for length in lengths])
    scores = rope_scores(q, k, positions, positions, base) / np.float32(np.sqrt(q.shape[-1]))
    return _softmax(np.where(packed_mask(lengths), scores, np.float32(-1e9))) @ v


def layer_mask(kind, n_queries, n_keys=None, size=None):
    """Only for "window": two triangles of ones."""
    return np.triu(np.tril(np.ones((n_queries, n_queries))), 1 - size) == 1


def is_relative(scores, atol=1e-9):
    n = scores.shape[-1]
    return all(
        np.ptp(np.diagonal(matrix, offset)) <= atol
        for matrix in scores for offset in range(1 - n, n)
    )


def mean_attention_distance(weights):
    distance = np.abs(relative_distances(weights.shape[-1]))
    return (weights * distance).sum(axis=-1).mean(axis=-1)


def attention(x, weights, layer, config, positions):
    n, d_head, group = len(x), config["head_dim"], config["num_attention_heads"] // config["num_key_value_heads"]
    w_q, w_k, w_v, w_o = (weights[f"model.layers.{layer}.self_attn.{name}_proj.weight"] for name in "qkvo")
    q, k, v = ((x @ w.T).reshape(n, -1, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v))
    q, k = apply_rope_half(q, positions), apply_rope_half(k, positions)
    k, v = np.repeat(k, group, axis=0), np.repeat(v, group, axis=0)
    mask = np.triu(np.full((n, n), -np.inf, np.float32), k=1)
    scores = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(d_head)) + mask
    return (_softmax(scores) @ v).transpose(1, 0, 2).reshape(n, -1) @ w_o.T


def feed_forward(x, weights, layer):
    gate, up, down = (weights[f"model.layers.{layer}.mlp.{name}_proj.weight"] for name in ("gate", "up", "down"))
    z = x @ gate.T
    return (z * (1 / (1 + np.exp(-z))) * (x @ up.T)) @ down.T
