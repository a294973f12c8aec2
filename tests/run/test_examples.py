"""`--examples` runs a README's examples on the file that is graded, and prints differences as doctest does."""
import pytest

PLACE = "katas/21_positional_formula"
RIGHT = "21_positional_formula: 5 of 5 examples print what the README says.\n"
RETURN = "    return table\n"


@pytest.fixture
def written(project):
    """A function that solves the kata, with another last line."""
    return lambda line: project.write(
        "positional_formula", project.solution("positional_formula").replace(RETURN, line))


def test_examples_compare_values(project, written):
    written("    return np.asfortranarray((table + 1e-13).astype('>f8'))\n")
    for options in ([], ["--solutions"]):
        result = project.run("--examples", *options, "21")
        assert result.stdout == f"\n{RIGHT}"
        assert result.returncode == 0


def with_more_examples(project, *lines):
    """The README of the copy, with other examples at its end."""
    with project.kata("positional_formula").readme.open("a", encoding="utf-8") as readme:
        readme.write("\n" + "".join(f"    {line}\n" for line in lines))


def test_a_stub_says_what_is_not_written_and_how_many_examples_need_it(project):
    with_more_examples(project, ">>> table = positional_encoding(40, 16)", ">>> table.shape", "(40, 16)",
                       ">>> len(table)", "40")
    result = project.run("--examples", "21")
    assert "`frequencies` is not written yet: 3 examples need it." in result.stdout
    assert "`positional_encoding` is not written yet: 3 examples need it." in result.stdout
    assert "2 examples need an earlier example that gave no result." in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode == 1


def test_a_difference_is_printed_as_doctest_does(project, written):
    written("    return -table\n")
    printed = project.run("--examples", "21").stdout
    lines = (project.root / PLACE / "README.md").read_text(encoding="utf-8").splitlines()
    number = lines.index("    >>> positional_encoding(6, 4)[5].round(3)") + 1
    assert printed.startswith(f"""
File "{PLACE}/README.md", line {number}
Failed example:
    positional_encoding(6, 4)[5].round(3)
Expected:
    array([-0.959,  0.284,  0.05 ,  0.999])
Got:
    array([ 0.959, -0.284, -0.05 , -0.999])

""")


@pytest.mark.parametrize("isolated", [[], ["--isolated"]])
def test_an_example_without_a_result_says_why(project, written, isolated):
    with_more_examples(project, ">>> positional_encoding(40, 16).shape", "(40, 16)")
    written("    if max_len == 2:\n        return None\n    while max_len == 40: pass\n    return table[max_len]\n")
    result = project.run("--examples", "--time-limit=0.3", *isolated, "21")
    for said in ("IndexError: index 6 is out of bounds", "it took longer than 0.3 s",
                 "`positional_encoding` returned None. Did you forget the `return`?"):
        assert f"Raised:\n    {said}" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_examples_work_on_other_folders_from_elsewhere_and_with_xdist(project, written, tmp_path):
    written("    return table  # mine\n")
    project.kata("positional_formula").stub.rename(tmp_path / "positional_formula.py")
    for options in (["--submission=.", project.root], [f"--work={tmp_path}", "-n", "2", project.root]):
        assert project.run("--examples", *options, "21", cwd=tmp_path).stdout == f"\n{RIGHT}"
    printed = project.run("--examples", f"--work={tmp_path}", "positional_formula", cwd=project.root / "katas").stdout
    assert RIGHT in printed


def test_a_file_that_does_not_load_is_described_for_every_example(project):
    project.write("positional_formula", "def frequencies(:\n")
    result = project.run("--examples", "21")
    assert "SyntaxError in line 1" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
