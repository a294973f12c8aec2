"""Tables: a row for every position is added to the embeddings."""
import numpy as np

from lab.schemes.base import Scheme


class Sinusoidal(Scheme):
    uses = ("positional_encoding",)

    def rows(self, params, n):
        return self.once("rows", n, lambda n: self.functions.positional_encoding(n, self.config.width))


class Learned(Scheme):
    """A table with a row for each training position; for longer texts it is stretched, as in kata 32."""

    uses = ("init_table", "look_up", "table_gradient", "interpolate_table")

    def shapes(self):
        return {"positions": (self.config.train_length, self.config.width)}

    def initial(self, seed):
        # Another seed than the model's, which would give the numbers of the token embeddings
        return {"positions": self.functions.init_table(*self.shapes()["positions"], seed=seed + 1_000_000)}

    def rows(self, params, n):
        table = params["positions"]
        if n > len(table):
            return self.narrowed(self.functions.interpolate_table(table, n))
        return self.narrowed(self.functions.look_up(table, n))

    def rows_backward(self, grads, upstream):
        b, n, _ = upstream.shape
        ids = np.tile(np.arange(n), (b, 1))                                                # (b, n)
        grads["positions"][...] = self.functions.table_gradient(ids, upstream, len(grads["positions"]))
