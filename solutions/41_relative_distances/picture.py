"""Distances between queries and keys, and the row of a table for each distance."""
from grader.course.panels import heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    axes = {"x": "key (position)", "y": "query (position)"}
    return [
        heatmap("Distance: key minus query", lambda: kata.relative_distances(16), **axes,
                colour="distance (positions)"),
        heatmap("Row of the table: distances clipped at 4", lambda: kata.relative_index(16, 16, 4), **axes,
                colour="row of the table (index)"),
        heatmap("Six queries, sixteen keys: the last six rows", lambda: kata.relative_index(6, 16, 4),
                x="key (position)", y="query (position)", colour="row of the table (index)", first=(10, 0)),
    ]
