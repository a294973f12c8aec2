"""Whatever a learner's file does, it gets a fair row and a sentence, and the other katas go on."""
import pytest

KATA = "positional_formula"
PLACE = "katas/21_positional_formula"


def rows(project, source, *options):
    """Grade a source text in the first kata; return its part of the report, and the run."""
    project.write(KATA, source)
    submission, result = project.report(*options)
    assert "INTERNALERROR" not in result.stdout
    assert submission["katas"][1]["status"] == "todo"       # the neighbour is graded all the same
    return submission["katas"][0], result


def exchanged(project, line, replacement):
    """The right answer with one line changed."""
    source = project.solution(KATA)
    assert source.count(line) == 1
    return source.replace(line, replacement)


def test_a_syntax_error_breaks_its_kata_and_no_other(project):
    kata, result = rows(project, "def frequencies(d_model, base=10000.0):\n    return base **\n")
    assert kata["status"] == "broken"
    assert {c["outcome"] for c in kata["checks"]} == {"error"}
    assert "SyntaxError in line 2" in result.stdout
    assert "broken" in result.stdout


@pytest.mark.parametrize("source", ["import no_such_module\n", "1 / 0\n", "raise SystemExit(0)\n", "\0", "\xff"])
def test_a_file_that_does_not_import_is_broken(project, source):
    kata, _ = rows(project, source)
    assert kata["status"] == "broken"
    assert {c["outcome"] for c in kata["checks"]} == {"error"}


def test_a_file_with_a_byte_order_mark_is_read(project):
    kata, _ = rows(project, "\ufeff" + project.solution(KATA))
    assert kata["status"] == "solved"


def test_an_empty_file_is_told_which_function_it_lacks(project):
    kata, result = rows(project, "")
    assert kata["passed"] == 0
    assert kata["status"] == "started"
    assert "defines no function `frequencies`" in result.stdout


def test_a_renamed_function_is_told_by_name(project):
    kata, _ = rows(project, project.solution(KATA).replace("def positional_encoding(", "def encode("))
    messages = {" ".join(c["message"].split()) for c in kata["checks"] if c["outcome"] == "error"}
    assert any("no function `positional_encoding`; it defines frequencies, encode" in m for m in messages)
    assert 0 < kata["passed"] < kata["total"]


def test_a_missing_file_counts_as_todo(project):
    project.kata(KATA).stub.unlink()
    submission, result = project.report()
    assert submission["katas"][0]["file"] is None
    assert submission["katas"][0]["status"] == "todo"
    assert "no file for this kata" in result.stdout


def test_nothing_returned_is_said_so(project):
    kata, _ = rows(project, exchanged(project, "    return table\n", "    table\n"))
    messages = [c["message"] for c in kata["checks"] if c["outcome"] == "failed"]
    assert messages
    assert all("Did you forget the `return`?" in m for m in messages if "returned None" in m)
    assert any("returned None" in m for m in messages)


def test_a_list_instead_of_an_array_is_said_so(project):
    kata, _ = rows(project, exchanged(project, "    return table\n", "    return table.tolist()\n"))
    messages = [c["message"] for c in kata["checks"] if c["outcome"] == "failed"]
    assert any("got a list" in m for m in messages)


def test_a_wrong_shape_is_said_so(project):
    kata, _ = rows(project, exchanged(project, "    return table\n", "    return table[None]\n"))
    assert {c["pattern"] for c in kata["checks"] if c["outcome"] == "failed"} >= {"reshaped"}


def test_an_exception_is_an_error_with_its_line(project):
    kata, result = rows(project, exchanged(project, "    return table\n", "    return table[99999]\n"))
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "positional_encoding"} == {"error"}
    assert "IndexError" in result.stdout
    assert "return table[99999]" in result.stdout
    assert "grader" not in result.stdout


def test_an_endless_loop_is_a_timeout_and_the_rest_goes_on(project):
    kata, _ = rows(project, exchanged(project, "    return table\n", "    while True: pass\n"), "--time-limit=0.3")
    outcomes = {c["outcome"] for c in kata["checks"] if c["function"] == "positional_encoding"}
    assert outcomes == {"timeout"}
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "frequencies"} == {"passed"}


def test_a_loop_that_swallows_exceptions_is_a_timeout_too(project):
    loop = "    while True:\n        try:\n            len('')\n        except BaseException:\n            pass\n"
    kata, _ = rows(project, exchanged(project, "    return table\n", loop), "--time-limit=0.2")
    assert "timeout" in {c["outcome"] for c in kata["checks"]}


def test_a_loop_at_import_is_a_timeout(project):
    kata, result = rows(project, "while True:\n    pass\n", "--time-limit=0.3")
    assert {c["outcome"] for c in kata["checks"]} == {"timeout"}
    assert "Loading the file took longer than" in result.stdout


def test_an_exit_in_a_call_is_an_error(project):
    kata, _ = rows(project, exchanged(project, "    return table\n", "    raise SystemExit(0)\n"))
    assert "error" in {c["outcome"] for c in kata["checks"]}


def test_prints_change_nothing_and_are_shown_where_a_check_fails(project):
    noise = "    print('PASSED', 'x' * 500)\n    return table\n"
    kata, result = rows(project, exchanged(project, "    return table\n", noise))
    assert kata["status"] == "solved"
    assert "PASSED" not in result.stdout
    noise = "    print('look', max_len)\n    return table + 1\n"
    kata, result = rows(project, exchanged(project, "    return table\n", noise))
    assert "your code printed: look 5" in result.stdout
    assert result.stdout.count("look") <= 3


def test_warnings_change_nothing(project):
    noise = "    import warnings; warnings.warn('careful'); np.log(np.zeros(1))\n    return table\n"
    kata, result = rows(project, exchanged(project, "    return table\n", noise))
    assert kata["status"] == "solved"
    assert "careful" not in result.stdout


def test_a_todo_inside_a_helper_of_the_same_file_is_todo(project):
    line = "    return base ** ("
    source = exchanged(project, line, f"    raise NotImplementedError\n{line}")
    kata, _ = rows(project, source)
    assert {c["outcome"] for c in kata["checks"]} == {"todo"}


def test_a_not_implemented_from_elsewhere_is_an_error(project):
    line = "    return table\n"
    kata, _ = rows(project, exchanged(project, line, f"    import asyncio; asyncio.AbstractEventLoop().time()\n{line}"))
    assert "error" in {c["outcome"] for c in kata["checks"]}


@pytest.mark.parametrize("way", ["copy", "link", "import"])
def test_the_reference_itself_is_not_an_answer(project, way):
    stub = project.kata(KATA).stub
    reference = project.root / "solutions" / "21_positional_formula" / "positional_formula.py"
    if way == "link":
        stub.unlink()
        stub.symlink_to(reference)
    elif way == "copy":
        stub.write_bytes(reference.read_bytes().replace(b"\n", b"\r\n"))
    else:
        stub.write_text(
            "import importlib\n"
            f"positional_encoding = importlib.import_module('solutions.{reference.parent.name}.{KATA}')"
            ".positional_encoding\n", encoding="utf-8")
    submission, result = project.report()
    assert submission["katas"][0]["passed"] == 0
    assert {c["outcome"] for c in submission["katas"][0]["checks"]} == {"failed"}
    assert "the reference solution" in result.stdout
    assert result.returncode == 1


@pytest.mark.parametrize("place", ["21_positional_formula/{}", "positional_formula/{}", "{}"])
def test_a_submission_is_found_in_each_of_its_places(project, tmp_path, place):
    file = tmp_path / "work" / place.format("positional_formula.py")
    file.parent.mkdir(parents=True)
    file.write_text(project.solution(KATA), encoding="utf-8")
    submission, result = project.report(f"--submission={tmp_path / 'work'}")
    assert submission["submission"] == "work"
    assert [k["status"] for k in submission["katas"]] == ["solved", "todo"]
    assert submission["katas"][0]["file"] == str(file)
    assert str(file.relative_to(tmp_path)) in result.stdout.replace("\\", "/")


def test_the_first_place_of_a_submission_counts(project, tmp_path):
    for place, text in (("21_positional_formula", project.solution(KATA)), (".", "1 / 0\n")):
        (tmp_path / "work" / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / place / f"{KATA}.py").write_text(text, encoding="utf-8")
    submission, _ = project.report(f"--submission={tmp_path / 'work'}", "katas/21_positional_formula")
    assert submission["katas"][0]["status"] == "solved"


def test_a_submission_stands_without_the_files_beside_it(project, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "helper.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "work" / "conftest.py").write_text("raise SystemExit('loaded')\n", encoding="utf-8")
    (tmp_path / "work" / f"{KATA}.py").write_text("import helper\n" + project.solution(KATA), encoding="utf-8")
    submission, _ = project.report(f"--submission={tmp_path / 'work'}", cwd=project.root)
    assert submission["katas"][0]["status"] == "broken"


def test_a_submission_may_be_named_relative_to_where_one_stands(project, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / f"{KATA}.py").write_text(project.solution(KATA), encoding="utf-8")
    result = project.run("--submission=work", project.root / PLACE, cwd=tmp_path)
    assert result.returncode == 0


def test_hints_advance_one_by_one_and_move_on_with_the_work(project):
    for number in (1, 2, 3, 3):
        assert f"Hint {number} of 3" in project.run("--hint", PLACE).stdout
    project.write(KATA, exchanged(project, "    return table\n", "    raise NotImplementedError\n"))
    result = project.run("--hint", PLACE)
    assert "task 2" in result.stdout
    assert "Hint 1 of 3" in result.stdout
    project.write(KATA, project.solution(KATA))
    assert "all tasks are solved" in project.run("--hint", PLACE).stdout.lower()


def test_all_hints_come_at_once_and_are_not_counted(project):
    result = project.run("--all-hints", PLACE)
    assert [line for line in result.stdout.splitlines() if line.startswith("Hint ")] == [
        "Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    assert "Hint 1 of 3" in project.run("--hint", PLACE).stdout


def test_hints_work_without_a_cache(project):
    result = project.run("--hint", "-p", "no:cacheprovider", PLACE)
    assert "Hint 1 of 3" in result.stdout


STRANGE = (
    "[[1, 2], [3]]", "object()", "np.array([object()])", "{'a': 1}", "(1, 2)", "'text'", "float('nan')",
    "np.matrix('1 2')", "np.ma.masked_array([1.0], [True])", "np.zeros((0, 3))", "np.array('x')", "iter([])", "type",
    "np.array([('a', 1)], dtype=[('n', 'U1'), ('v', int)])", "np.datetime64('2020-01-01')", "10 ** 400", "[None]",
    "np.array([1 + 2j])", "np.longdouble(1)", "b'bytes'", "np.array(None)",
)


@pytest.mark.parametrize("result", STRANGE)
def test_a_strange_result_is_wrong_and_stops_nothing(project, result):
    kata, run = rows(project, exchanged(project, "    return table\n", f"    return {result}\n"))
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "frequencies"} == {"passed"}
    assert kata["passed"] < kata["total"]
    assert "Traceback" not in run.stdout


def test_a_fault_of_the_grader_is_not_reported_as_the_learners(project):
    diagnosis = project.root / "grader" / "verdict" / "diagnosis.py"
    start = "    def diagnose(self, calls, failure):\n"
    text = diagnosis.read_text(encoding="utf-8")
    assert start in text
    diagnosis.write_text(text.replace(start, f"{start}        1 / 0\n"), encoding="utf-8")
    project.write(KATA, exchanged(project, "    return table\n", "    return -table\n"))
    plain, verbose = project.run("21").stdout, project.run("-v", "21").stdout
    assert "ZeroDivisionError" not in plain
    assert "started" in plain
    assert "A fault of the grader, not of your code, in test_position_zero_is_zeros_and_ones:" in verbose
    assert "ZeroDivisionError: division by zero" in verbose
