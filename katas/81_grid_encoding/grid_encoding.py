"""Sinusoids for the patches of an image: half of the columns are for the row, the other half for the column."""
import numpy as np


def grid_positions(height, width):
    """Return the row and the column of every patch.

    Parameters
    ----------
    height, width : int
        Number of patches from top to bottom and from left to right.

    Returns
    -------
    ndarray of int, shape (height * width, 2)
        Row and column of each patch, counted from 0. The patches are numbered row by row, from left to right.

    Source: He et al. 2022, "Masked autoencoders are scalable vision learners".
    """
    # TODO 1: the row and the column of every patch, row by row        (height * width, 2)
    raise NotImplementedError("grid_positions")


def grid_encoding(height, width, d_model, base=10000.0):
    """Return one row of sines and cosines per patch.

    Parameters
    ----------
    height, width : int
        As in `grid_positions`.
    d_model : int
        Number of columns of the table, a multiple of 4.
    base : float, default 10000.0
        Frequency ``i`` is ``base ** (-i / (d_model / 4))`` radians per patch, for i = 0 .. d_model / 4 - 1.

    Returns
    -------
    ndarray of float64, shape (height * width, d_model)
        Four quarters of columns, each with one column per frequency: sines of the row, cosines of the row, sines of
        the column, cosines of the column. The patches are numbered as in `grid_positions`.

    Source: He et al. 2022, "Masked autoencoders are scalable vision learners"; its released code has the halves of the
    table the other way round.
    """
    # TODO 2: angles of the rows and of the columns                    (height * width, d_model / 4) each
    #         sines and cosines of both, side by side                  (height * width, d_model)
    raise NotImplementedError("grid_encoding")


def similarity_map(encoding, row, column, height, width):
    """Return how similar each patch of the image is to one of them.

    Parameters
    ----------
    encoding : ndarray, shape (height * width, d)
        One row per patch, numbered as in `grid_positions`.
    row, column : int
        The place of the patch in the grid, counted from 0.
    height, width : int
        As in `grid_positions`.

    Returns
    -------
    ndarray, shape (height, width)
        Dot products of the row of `encoding` for this patch with the row of every patch, laid out as the image.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", which shows such maps of a learned table.
    """
    # TODO 3: dot products with the row of this patch                  (height * width,)
    #         laid out as the image                                    (height, width)
    raise NotImplementedError("similarity_map")
