"""The similarities of a sinusoidal table and of one whose rows grow, and one row of the matrix."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, 64, 2) / 64))                # (48, 32)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 64)             # (48, 64)
    growing = table * np.linspace(0.5, 1.5, 48)[:, None]                                    # (48, 64)
    key = "position of the other row (tokens)"
    return [
        heatmap("Dot products of a sinusoidal table's rows", lambda: kata.dot_similarity(table),
                x=key, y="position (tokens)", colour="dot product (no unit)"),
        heatmap("Dot products when later rows are longer", lambda: kata.dot_similarity(growing),
                x=key, y="position (tokens)", colour="dot product (no unit)"),
        heatmap("Cosines of those same longer rows", lambda: kata.cosine_similarity(growing),
                x=key, y="position (tokens)", colour="cosine (no unit)"),
        Curves("One row of the cosines: position 20 against all", {
                   "sinusoidal": lambda: kata.cosine_similarity(table)[20],
               }, x=key, y="cosine (no unit)", over=np.arange(48)),
    ]
