"""How soon a token arrives, how far stacks of layers reach, and the factor of the queries."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def masks(local, n_layers, period):
        kinds = ["full" if full else local for full in kata.global_layers(n_layers, period)]
        return np.stack([kata.layer_mask(kind, 32, size=4) for kind in kinds])           # (n_layers, 32, 32)

    def layers_that_have_it():
        stack = masks("window", 4, 4)                                                    # (4, 32, 32)
        return sum(np.asarray(kata.reachable(stack[:n])).astype(int) for n in range(1, 5))

    def tokens_of_the_last_row(local, period):
        def tokens():
            stack = masks(local, 8, period)                                              # (8, 32, 32)
            return [np.sum(kata.reachable(stack[:n])[-1]) for n in range(1, 9)]
        return tokens

    return [
        heatmap("After how many of 4 layers a row has a token", layers_that_have_it,
                x="token (position)", y="row (position)", colour="layers (number)"),
        Curves("Tokens that the last of 32 rows has", {
                   "windows": tokens_of_the_last_row("window", 9), "chunks": tokens_of_the_last_row("chunk", 9),
                   "chunks, 2 global": tokens_of_the_last_row("chunk", 4),
               }, x="layers (number)", y="tokens (number)", over=np.arange(1, 9)),
        Curves("The factor of the queries in Llama 4", {
                   "factor": lambda: kata.query_scale(np.arange(0, 131072, 256)),
               }, x="position (tokens)", y="factor", over=np.arange(0, 131072, 256)),
    ]
