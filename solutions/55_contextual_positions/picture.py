"""What the last token counts with three kinds of scores, and its logits; the positions of sentences, and weights."""
import numpy as np

from grader.course.panels import Curves, heatmap

STOPS = np.isin(np.arange(32), [7, 15, 23])                            # the full stops of 32 tokens
SCORES = {"full stops count": np.where(STOPS, 20.0, -20.0), "all tokens count": np.full(32, 20.0),
          "scores of 0": np.zeros(32)}


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    table = np.zeros((513, 64))
    table[2] = 0.125                                                   # a query of ones makes 8 of this row

    def positions(scores):
        return kata.gated_positions(np.tile(scores, (32, 1)))

    def back(scores):
        return lambda: positions(scores)[-1, ::-1]                     # (32,) by distance

    def logits(scores):
        return lambda: kata.position_logits(np.ones((32, 64)), table, positions(scores))[-1, ::-1]      # (32,)

    def weights():
        k = np.where(STOPS, 0.2, -0.2)[:, None] * np.ones((32, 64))
        return kata.contextual_attention(np.ones((32, 64)), k, np.eye(32), table)

    return [
        Curves("Positions that the last token counts", {name: back(s) for name, s in SCORES.items()},
               x="distance back to the key (tokens)", y="position (counted tokens)", over=np.arange(32)),
        Curves("Position logits: row 2 matches", {name: logits(s) for name, s in SCORES.items()},
               x="distance back to the key (tokens)", y="position logit (logits)", over=np.arange(32)),
        heatmap("Positions in a text with four sentences", lambda: positions(SCORES["full stops count"]),
                x="key (position)", y="query (position)", colour="position (full stops)"),
        heatmap("Weights of queries that look for row 2", weights,
                x="key (position)", y="query (position)", colour="weight"),
    ]
