"""What a newcomer meets: from the clone to the second solved kata, in narrow and plain terminals, in an editor."""
import json
import re
from xml.etree import ElementTree

import pytest

from grader.course.katas import all_katas
from grader.verdict.wrapping import lines_of, paragraph
from tests.helpers.project import Project

HALVES = ("    return table\n", "    both = table[:, 0::2], table[:, 1::2]\n    return np.concatenate(both, axis=1)\n")
PLACE = "katas/21_positional_formula"


def halves(project):
    """Put all sines before all cosines, in the learner's file."""
    project.write("positional_formula", project.solution("positional_formula").replace(*HALVES))


def test_from_the_clone_to_the_second_solved_kata_every_step_names_the_next(project_with):
    project = project_with("order_blindness", "naive_positions")
    first, second = "katas/11_order_blindness", "katas/12_naive_positions"
    printed = project.run().stdout
    assert printed.index(f"Start:  {first}/README.md") < printed.index(f"Edit:   {first}/order_blindness.py")
    assert "Check:  pytest 11\n" in printed

    right = project.solution("order_blindness")
    project.write("order_blindness", right.replace("powers.sum(axis=-1, keepdims=True)", "powers.sum(axis=-1)"))
    printed = project.run(first).stdout
    assert "use keepdims=True" in printed
    assert "Start:" not in printed                               # it has begun
    assert "Hint:   pytest --hint 11\n" in printed
    assert "Hint 1 of 3" in project.run("--hint", "11").stdout

    project.write("order_blindness", right)
    printed = project.run(first).stdout
    assert printed.rstrip().endswith(
        f"All selected katas are solved.\nSee:    pytest --compare 11\n"
        f"More:   {first}/MORE.md\nNext:   {second}/README.md")
    printed = project.run().stdout
    assert "1 of 2 solved" in printed
    assert f"Start:  {second}/README.md" in printed              # untouched, so there is something to read first
    assert f"Edit:   {second}/naive_positions.py" in printed

    project.write("naive_positions", project.solution("naive_positions"))
    result = project.run()
    assert result.returncode == 0
    assert result.stdout.rstrip().endswith("All selected katas are solved.")


def test_without_numpy_a_line_says_which_environment_to_activate(project, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numpy'] = None\n", encoding="utf-8")
    result = project.run(PYTHONPATH=str(tmp_path), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert result.returncode == 4
    (line,) = (result.stdout + result.stderr).strip().splitlines()
    assert line.startswith("ERROR: NumPy is missing in ")
    assert "activate" in line


# Terminals

def fits(line, width=60):
    """Whether a line fits, or is a path or a command, which stay whole so that they can be copied."""
    return len(line) <= width or re.match(r"(Edit|Check|Hint|Start):  |Next hint: |test_\w+ \w+$", line)


@pytest.mark.parametrize("arguments", [[], ["--all-hints", PLACE]], ids=" ".join)
def test_sixty_columns_say_the_same_as_eighty(project, arguments):
    halves(project)
    wide = project.run(*arguments).stdout
    narrow = project.run(*arguments, COLUMNS="60").stdout
    assert all(fits(line) for line in narrow.splitlines())
    same = re.sub(r"(katas/\w+)/\w+\.py", r"\1", wide)             # a long path of the table gives way to its folder
    assert re.sub(r"(katas/\w+)/\w+\.py", r"\1", narrow).split() == same.split()


def test_the_table_of_all_katas_fits_sixty_columns(tmp_path):
    lines = Project(tmp_path).run(COLUMNS="60").stdout.splitlines()
    assert len(lines) > len(all_katas())
    assert all(fits(line) for line in lines)


def test_a_picture_that_is_too_wide_loses_whole_columns_and_says_so():
    head = "  . right  x wrong      " + "".join(f"{c:3d}" for c in range(16))
    row = "               row 0    " + "  ." * 15 + "  x"
    drawing = ["\n".join([head, row, "  first wrong: [0, 15]"])]
    for width in range(40, 72):
        top, below, last, told = lines_of([drawing], width)
        assert len(top) <= width
        assert len(below) <= width
        assert head.startswith(top)
        assert head[len(top)] == " "                              # no number is cut
        assert len(top.split()) - 4 == len(below.split()) - 2        # as many numbers as marks
        assert "wider terminal" in told
        assert last == "  first wrong: [0, 15]"


def test_code_stays_on_one_line_where_it_fits():
    text = "Here the words of a hint go on for a while, and then there is `np.arange(0, d_model, 2)` in it."
    assert any("`np.arange(0, d_model, 2)`" in line for line in paragraph(text, 60, "  ", "  "))


@pytest.mark.parametrize("option", [[], ["--all-hints"]], ids=" ".join)
def test_a_plain_terminal_gets_the_same_text(project, option):
    halves(project)
    project.run(PLACE)                                           # only this one says that task 1 is newly solved
    wanted = project.run(*option, PLACE)
    for environment in ({"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"},
                        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        result = project.run(*option, PLACE, **environment)
        assert result.stdout == wanted.stdout
        assert result.stdout.isascii()
        assert not result.stderr


def test_a_folder_beyond_ascii_is_shown_in_a_terminal_that_has_only_ascii(project, tmp_path):
    result = project.run(project.root, cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert result.stdout.isascii()
    assert "0 of 2 solved" in result.stdout
    assert not result.stderr


# Editors

ADAPTER = '''
import json
import pytest

seen, results = [], {}


def pytest_collection_finish(session):
    seen.extend([item.nodeid, item.name, item.originalname, item.location[0]] for item in session.items)


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_report_teststatus(report, config):
    if report.when == "call":
        results.setdefault(report.nodeid, []).append([report.outcome, report.longreprtext, report.location[2]])
    yield


def pytest_exception_interact(node, call, report):
    results[node.nodeid].append(["interact", report.longreprtext, call.excinfo.typename])


def pytest_sessionfinish(session):
    with open("seen.json", "w", encoding="utf-8") as file:
        json.dump([seen, results], file)
'''


def test_discovery_lists_one_readable_id_per_check_and_no_scoreboard(tmp_path):
    project = Project(tmp_path)
    result = project.run("--collect-only", "-q")
    assert result.returncode == 0
    assert "solved" not in result.stdout
    *ids, _, _ = result.stdout.splitlines()
    assert len(set(ids)) == len(ids) > 40 * len(all_katas()) // 2
    for name in ids:
        assert re.fullmatch(r"katas/(\d\d_(\w+))/test_\2\.py::test_[a-z0-9_]+", name)
        assert len(name) < 160


def test_a_panel_that_reads_reports_gets_one_result_per_check_with_its_message(project, tmp_path):
    (tmp_path / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    halves(project)
    result = project.run("-p", "adapter", f"--rootdir={project.root}", "--no-header", "--no-summary", "-q",
                         PYTHONPATH=str(tmp_path))
    assert result.returncode == 1
    seen, results = json.loads((project.root / "seen.json").read_text(encoding="utf-8"))
    assert [node for node, *_ in seen] == list(results)
    for node, name, original, file in seen:
        assert name == original == node.split("::")[1]
        assert file.replace("\\", "/") == node.split("::")[0]
        outcome, text, _ = results[node][0]
        assert len(results[node]) == (1 if outcome == "passed" else 2)
        assert bool(text) == (outcome == "failed")
        assert {other for _, other, _ in results[node]} == {text}
    texts = {node.split("::")[1]: found[0][1] for node, found in results.items()}
    assert "all sines first, then all cosines" in texts["test_position_zero_is_zeros_and_ones"]
    assert any(text.endswith("is not written yet") for text in texts.values())


def test_a_file_for_other_programs_has_a_case_per_check_with_its_message(project):
    halves(project)
    project.run("--junitxml=results.xml", PLACE)
    cases = list(ElementTree.parse(project.root / "results.xml").iter("testcase"))
    assert len(cases) == len({case.get("name") for case in cases}) == 20
    failures = [case.find("failure") for case in cases if case.find("failure") is not None]
    assert any("all sines first, then all cosines" in " ".join(f.text.split()) for f in failures)
    assert not list(ElementTree.parse(project.root / "results.xml").iter("error"))


def test_a_run_without_a_terminal_grades_and_refuses_files_of_its_own(project):
    halves(project)
    result = project.run("-p", "no:terminal", "--junitxml=results.xml", PLACE)
    assert result.returncode == 1
    assert "INTERNALERROR" not in result.stdout + result.stderr
    assert len(list(ElementTree.parse(project.root / "results.xml").iter("testcase"))) == 20
    result = project.run("-p", "no:terminal", "--report=report.json")
    assert result.returncode == 4
    assert "no:terminal" in result.stdout + result.stderr
