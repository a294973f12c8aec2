"""The similarities of the rows of a sinusoidal table, and of a table whose later rows are longer."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def table(width):
        angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, width, 2) / width))      # (48, width / 2)
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, width)       # (48, width)

    def with_the_first(width):
        return lambda: kata.cosine_similarity(table(width))[0]                              # (48,)

    growing = table(64) * np.linspace(0.5, 1.5, 48)[:, None]                                # (48, 64)
    key = "position of the other row (tokens)"
    return [
        heatmap("Cosines of sinusoidal rows, width 16", lambda: kata.cosine_similarity(table(16)),
                x=key, y="position (tokens)", colour="cosine"),
        Curves("Cosine with position 0: it falls and rises",
               {f"width {width}": with_the_first(width) for width in (16, 512)},
               x=key, y="cosine", over=np.arange(48)),
        heatmap("Dot products when later rows are longer", lambda: kata.dot_similarity(growing),
                x=key, y="position (tokens)", colour="dot product"),
        heatmap("Cosines of the same rows", lambda: kata.cosine_similarity(growing),
                x=key, y="position (tokens)", colour="cosine"),
    ]
