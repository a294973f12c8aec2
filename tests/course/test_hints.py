"""Hints come one by one, or all at once."""
KATA = "positional_formula"
PLACE = "katas/21_positional_formula"


def test_hints_advance_one_by_one_and_move_on_with_the_work(project):
    for number in (1, 2, 3, 3):
        assert f"Hint {number} of 3" in project.run("--hint", PLACE).stdout
    project.write(KATA, project.solution(KATA).replace("    return table\n", "    raise NotImplementedError\n"))
    result = project.run("--hint", PLACE)
    assert "task 2" in result.stdout
    assert "Hint 1 of 3" in result.stdout
    project.write(KATA, project.solution(KATA))
    assert "all tasks are solved" in project.run("--hint", PLACE).stdout.lower()


def test_after_the_last_hint_a_run_says_first_that_there_are_no_more(project):
    no_more = "You have seen all hints for this task. This was the last one:"
    for _ in range(3):
        assert no_more not in project.run("--hint", PLACE).stdout
    for _ in range(2):
        before, _, after = project.run("--hint", PLACE).stdout.partition(f"\n\n{no_more}\n\nHint 3 of 3\n  ")
        assert "Hint" not in before
        assert after.endswith("\n\nAll hints: pytest --all-hints 21\n")
        assert "That was the last hint" not in after
    assert no_more not in project.run("--all-hints", PLACE).stdout


def test_all_hints_come_at_once_and_are_not_counted(project):
    result = project.run("--all-hints", PLACE)
    assert [line for line in result.stdout.splitlines() if line.startswith("Hint ")] == [
        "Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    assert "Hint 1 of 3" in project.run("--hint", PLACE).stdout


def test_hints_work_without_a_cache(project):
    result = project.run("--hint", "-p", "no:cacheprovider", PLACE)
    assert "Hint 1 of 3" in result.stdout
