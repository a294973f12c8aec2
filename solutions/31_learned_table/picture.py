"""The rows of a learned table that get gradients, and the rows that a padded batch reads."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn, without a new table, whose numbers may differ."""
    lengths = np.array([128] * 9 + [512])                                                   # (10,) tokens, as for BERT
    padded = np.array([[1] * 8, [0] * 3 + [1] * 5, [1] * 6 + [0] * 2, [0] * 5 + [1] * 3])   # (4, 8)

    def gradients(texts):
        def ask():
            mask = (np.arange(512) < lengths[:texts, None]).astype(int)                     # (texts, 512)
            ids = kata.position_ids(mask)                                                   # (texts, 512)
            return kata.table_gradient(ids, mask[:, :, None].astype(float), 512)[:, 0]      # (512,)
        return ask

    return [
        Curves("Rows that no text reaches get no gradient", {
                   "all ten texts": gradients(10), "nine short texts": gradients(9),
               }, x="row of the table (index)", y="gradients (count)", over=np.arange(512)),
        heatmap("A padded batch: the row each place reads", lambda: kata.position_ids(padded),
                x="place (index)", y="text (index)", colour="row of the table (index)"),
    ]
