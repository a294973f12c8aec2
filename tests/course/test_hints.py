"""Hints come one by one, or all at once."""
KATA = "positional_formula"
NO_MORE = "You have seen all hints for this task. This was the last one:"


def test_hints_advance_one_by_one_and_move_on_with_the_work(project):
    printed = project.run("--all-hints", "21").stdout                     # these are not counted
    assert [line for line in printed.splitlines() if line.startswith("Hint ")] == [
        "Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    for number in (1, 2, 3):
        printed = project.run("--hint", "21").stdout
        assert f"Hint {number} of 3" in printed
        assert NO_MORE not in printed
    before, _, after = project.run("--hint", "21").stdout.partition(f"\n\n{NO_MORE}\n\nHint 3 of 3\n  ")
    assert "Hint" not in before
    assert after.endswith("\n\nAll hints: pytest --all-hints 21\n")
    assert "That was the last hint" not in after
    assert NO_MORE not in project.run("--all-hints", "21").stdout
    project.write(KATA, project.solution(KATA).replace("    return table\n", "    raise NotImplementedError\n"))
    printed = project.run("--hint", "21").stdout
    assert "task 2" in printed
    assert "Hint 1 of 3" in printed
    project.write(KATA, project.solution(KATA))
    assert "all tasks are solved" in project.run("--hint", "21").stdout.lower()


def test_hints_work_without_a_cache(project):
    assert "Hint 1 of 3" in project.run("--hint", "-p", "no:cacheprovider", "21").stdout
