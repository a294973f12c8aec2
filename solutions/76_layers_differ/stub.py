"""Layers of one model that see different keys: which layers are global, their masks, and what the stack can reach."""
import numpy as np


def global_layers(n_layers, period):
    """Say which layers see the whole text.

    Parameters
    ----------
    n_layers : int
        Number of layers. Layers count from 0.
    period : int
        The last layer of every `period` layers is global.

    Returns
    -------
    ndarray of bool, shape (n_layers,)
        True for layers ``period - 1``, ``2 * period - 1``, ``3 * period - 1``, ...

    Source: the library transformers 5.23, ``layer_types`` in ``configuration_gemma3.py`` (period 6),
    ``configuration_llama4.py`` (4) and ``configuration_gpt_oss.py`` (2).
    """
    # TODO 1: True where the layer is the last of `period` layers                  (n_layers,)
    raise NotImplementedError("global_layers")


def layer_mask(kind, n_queries, n_keys=None, size=None):
    """Return which keys each query of a layer may attend to.

    Parameters
    ----------
    kind : str
        "full": the query's own key and all before it. "window": of these, the ones fewer than `size` positions before
        the query. "chunk": of these, the ones in the query's chunk: positions 0 to ``size - 1`` are the first chunk,
        ``size`` to ``2 * size - 1`` the second, and so on.
    n_queries : int
        Number of queries. They are the last positions of the text.
    n_keys : int, optional
        Number of keys, by default `n_queries`, and never fewer. Key j is at position j.
    size : int, optional
        Positions in a window or in a chunk, at least 1. It has no effect on "full".

    Returns
    -------
    ndarray of bool, shape (n_queries, n_keys)
        True where the query may attend to the key. Query i is at position ``i + n_keys - n_queries``.

    Source: the library transformers 5.23, ``causal_mask_function``, ``sliding_window_causal_mask_function`` and
    ``chunked_causal_mask_function`` in ``masking_utils.py``.
    """
    # TODO 2: positions of queries (the last ones) and keys                        (n_queries, 1) and (n_keys,)
    #         no key after the query, then what the kind leaves of these            (n_queries, n_keys)
    raise NotImplementedError("layer_mask")


def reachable(masks):
    """Return which tokens can have an effect on each row after all layers.

    Parameters
    ----------
    masks : ndarray of bool, shape (n_layers, n, n)
        The mask of every layer, first layer first. ``masks[l, i, k]`` is True where row i attends to row k in layer l.
        Every row attends to at least one row, not necessarily to itself.

    Returns
    -------
    ndarray of bool, shape (n, n)
        Entry [i, j] is True where what token j brings can reach row i after all layers. In each layer, row i gathers
        what the rows that it attends to had gathered before that layer. It keeps what it has, by the residual. At
        the start each row has its own token.

    Source: Beltagy et al. 2020, "Longformer: The Long-Document Transformer", section 3.1, for stacked windows.
    """
    # TODO 3: begin with every row's own token                                      (n, n)
    #         layer by layer, first layer first: keep it, add what the mask brings  (n, n)
    raise NotImplementedError("reachable")


def query_scale(positions, floor_scale=8192, attn_scale=0.1):
    """Return the factor of each query in a layer without rotation.

    Parameters
    ----------
    positions : ndarray of int, shape (...)
        Positions of the queries, at least 0.
    floor_scale : int, default 8192
        Positions per step of the factor, at least 1.
    attn_scale : float, default 0.1
        How much the factor grows.

    Returns
    -------
    ndarray of float64, shape (...)
        ``attn_scale * ln(floor((position + 1) / floor_scale) + 1) + 1``.

    Source: the library transformers 5.23, ``attn_scales`` in ``modeling_llama4.py``.
    """
    # TODO 4: whole steps of floor_scale positions, then the logarithm              (...)
    raise NotImplementedError("query_scale")
