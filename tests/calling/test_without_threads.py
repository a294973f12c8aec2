"""Where neither a thread nor a process can start, as in Pyodide and JupyterLite, katas are graded all the same."""
import pytest

KATA = "positional_formula"
AS_IN_PYODIDE = """
import os, subprocess, sys, threading

def no_thread(*args, **kwargs):
    raise RuntimeError("can't start new thread")

def no_process(*args, **kwargs):
    raise OSError(52, "Function not implemented")

threading.Thread.start, os.fork, subprocess.Popen = no_thread, no_process, no_process
sys.platform = "emscripten"
"""
ALL_ARE_MISSING = (
    "Not protected from the graded code: this process, memory, the network, files that this user can read.")


@pytest.fixture
def run(project, tmp_path):
    """A function that runs pytest where nothing can be started; the learner has solved kata 21."""
    (tmp_path / "as_in_pyodide.py").write_text(AS_IN_PYODIDE, encoding="utf-8")
    project.write(KATA, project.solution(KATA))

    def run(*arguments):
        result = project.run("-p", "as_in_pyodide", *arguments, PYTHONPATH=str(tmp_path))
        assert "Traceback" not in result.stdout + result.stderr
        return result

    run.project = project
    return run


def test_a_solved_kata_is_solved(run):
    result = run("21")
    assert result.returncode == 0
    assert "All selected katas are solved." in result.stdout


def test_a_mistake_is_named(run):
    right = run.project.solution(KATA)
    swapped = right.replace("= np.sin(angles)", "= np.cos(angles)").replace("= np.cos(angles[", "= np.sin(angles[")
    run.project.write(KATA, swapped)
    result = run("21")
    assert result.returncode == 1
    assert "[cosine_first, task 2]" in result.stdout


def test_an_exit_ends_the_call_and_not_the_run(run):
    ended = "\ndef frequencies(*args, **kwargs):\n    raise SystemExit(0)\n"
    run.project.write(KATA, run.project.solution(KATA) + ended)
    result = run("21")
    assert result.returncode == 1
    assert "SystemExit" in result.stdout


@pytest.mark.parametrize("option", ["--isolated", "--submission=katas", "--cohort={}"])
def test_isolation_is_said_to_be_absent(run, option, tmp_path):
    (tmp_path / "cohort" / "ada").mkdir(parents=True)
    (tmp_path / "cohort" / "ada" / f"{KATA}.py").write_text(run.project.solution(KATA), encoding="utf-8")
    result = run(option.format(tmp_path / "cohort"), "21")
    assert ALL_ARE_MISSING in result.stdout
    assert result.returncode == 0
