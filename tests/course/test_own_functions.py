"""Which functions a lab uses."""
import json
import subprocess

import pytest

from grader.course.katas import Kata, katas_by_name
from grader.course.own_functions import choose, load, solved_among

KATA_OF = {"bag_of_words": "order_blindness"}


@pytest.fixture
def kata(tmp_path, monkeypatch) -> Kata:
    """A kata, and an empty folder of the learner's."""
    monkeypatch.setenv("KATAS_WORK", str(tmp_path))
    return katas_by_name()["order_blindness"]


@pytest.mark.parametrize("text", [None, "", "# later\n", "the stub"])
def test_the_suite_is_not_run_for_a_file_that_nobody_has_worked_on(text, kata, tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)                 # whoever would run it now would fail
    if text is not None:
        content = kata.original.read_text() if text == "the stub" else text
        (tmp_path / "order_blindness.py").write_text(content)
    assert solved_among([kata]) == {}
    (source,) = choose(KATA_OF, KATA_OF)
    assert source.line == f"bag_of_words: reference, {kata.number} is not solved yet"
    assert source.path == kata.solution


def test_a_notebook_that_is_solved_is_read_as_its_code(kata, tmp_path):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": kata.solution.read_text() + "\n# mine"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{**cell, "execution_count": None}]}
    (tmp_path / "order_blindness.ipynb").write_text(json.dumps(notebook))
    (source,) = choose(KATA_OF, KATA_OF)
    assert source.own
    assert source.line == f"bag_of_words: your own ({kata.number})"
    assert load([source]).bag_of_words.__doc__
