"""Every kata keeps its promises: solution and variants pass, mistakes are rejected and named, the stub is all todo."""
import pytest

from grader.alternatives import alternatives
from grader.katas import all_katas
from tests.harness import grade, source_of

KATAS = all_katas()
ids = [k.folder.name for k in KATAS]
for_each_kata = pytest.mark.parametrize("kata", KATAS, ids=ids)


def cases(attribute):
    """One parameter per kata and alternative."""
    return [
        pytest.param(kata, other, id=f"{kata.folder.name}-{other.replaces}-{other.name}")
        for kata in KATAS
        for other in alternatives(getattr(kata, attribute), kata.solution)
    ]


@pytest.mark.parametrize(("kata", "variant"), cases("variants"))
def test_a_variant_passes_every_check(kata, variant, tmp_path):
    result = grade(kata, source_of(kata, kata.variants, variant), tmp_path)
    assert [(c["check"], c["message"]) for c in result["checks"] if c["outcome"] != "passed"] == []
    assert result["status"] == "solved"


@pytest.mark.parametrize(("kata", "mistake"), cases("mistakes"))
def test_a_mistake_is_rejected_and_named(kata, mistake, tmp_path):
    result = grade(kata, source_of(kata, kata.mistakes, mistake), tmp_path)
    named = {c["mistake"] for c in result["checks"] if c["outcome"] != "passed"}
    assert mistake.name in named
    assert result["status"] == "started"
