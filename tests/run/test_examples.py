"""`--examples` runs a README's examples on the file that is graded, and prints differences as doctest does."""
import pytest

PLACE = "katas/21_positional_formula"
RIGHT = "21_positional_formula: 6 of 6 examples print what the README says.\n"
RETURN = "    return table\n"


def test_all_examples_of_a_right_answer_agree(project):
    project.write("positional_formula", project.solution("positional_formula"))
    result = project.run("--examples", "21")
    assert result.stdout == f"\n{RIGHT}"
    assert result.returncode == 0
    assert project.run("--examples", "--solutions", "21").stdout == f"\n{RIGHT}"


def test_a_stub_says_what_is_not_written_and_how_many_examples_need_it(project):
    result = project.run("--examples", "21")
    assert "`frequencies` is not written yet: 3 examples need it." in result.stdout
    assert "`positional_encoding` is not written yet: 3 examples need it." in result.stdout
    assert "2 examples need an earlier example that gave no result." in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode == 1


def test_a_difference_is_printed_as_doctest_does(project):
    project.write("positional_formula", project.solution("positional_formula").replace(RETURN, "    return -table\n"))
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


@pytest.mark.parametrize(("line", "said"), [
    ("    return table[max_len]\n", "Raised:\n    IndexError: index 6 is out of bounds"),
    ("    while True: pass\n", "Raised:\n    it took longer than 0.3 s"),
    ("    return None\n", "Raised:\n    `positional_encoding` returned None. Did you forget the `return`?"),
])
@pytest.mark.parametrize("isolated", [[], ["--isolated"]])
def test_an_example_without_a_result_says_why(project, line, said, isolated):
    project.write("positional_formula", project.solution("positional_formula").replace(RETURN, line))
    result = project.run("--examples", "--time-limit=0.3", *isolated, "21")
    assert said in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_examples_compare_values(project):
    line = "    return np.asfortranarray((table + 1e-13).astype('>f8'))\n"
    project.write("positional_formula", project.solution("positional_formula").replace(RETURN, line))
    assert project.run("--examples", "21").stdout == f"\n{RIGHT}"


def test_examples_work_on_a_folder_of_ones_own_elsewhere_and_with_xdist(project, tmp_path):
    project.run(f"--start={tmp_path / 'mine'}")
    mine = tmp_path / "mine" / "positional_formula.py"
    mine.write_text(project.solution("positional_formula"), encoding="utf-8")
    assert project.run(f"--work={tmp_path / 'mine'}", "--examples", "21").stdout == f"\n{RIGHT}"
    assert project.run(f"--submission={tmp_path / 'mine'}", "--examples", "21").stdout == f"\n{RIGHT}"
    options = [f"--work={tmp_path / 'mine'}", "--examples"]
    assert RIGHT in project.run(*options, "positional_formula", cwd=project.root / "katas").stdout
    assert RIGHT in project.run(*options, project.root, "21", cwd=tmp_path).stdout
    assert project.run(*options, "-n", "2", "katas/21").stdout == f"\n{RIGHT}"


def test_a_file_that_does_not_load_is_described_for_every_example(project):
    project.write("positional_formula", "def frequencies(:\n")
    result = project.run("--examples", "21")
    assert "SyntaxError in line 1" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
