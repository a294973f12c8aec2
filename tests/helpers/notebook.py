"""Notebooks for tests."""
import json


def notebook(*cells):
    """The bytes of a notebook with these cells of code; a pair names another kind of cell first."""
    cells = [cell if isinstance(cell, tuple) else ("code", cell) for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": kind, "metadata": {}, "source": source, **({"outputs": []} if kind == "code" else {})}
        for kind, source in cells
    ]}).encode("utf-8")
