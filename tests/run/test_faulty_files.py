"""A learner's file that is at fault or talks a lot: its kata gets its line, and the other katas go on."""
KATA = "positional_formula"
RETURN = "    return table\n"


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


def test_an_endless_loop_is_a_timeout_and_the_rest_goes_on(project):
    kata, _ = rows(project, exchanged(project, RETURN, "    while True: pass\n"), "--time-limit=0.3")
    outcomes = {c["outcome"] for c in kata["checks"] if c["function"] == "positional_encoding"}
    assert outcomes == {"timeout"}
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "frequencies"} == {"passed"}


def test_a_loop_that_swallows_exceptions_is_a_timeout_too(project):
    loop = "    while True:\n        try:\n            len('')\n        except BaseException:\n            pass\n"
    kata, _ = rows(project, exchanged(project, RETURN, loop), "--time-limit=0.2")
    assert "timeout" in {c["outcome"] for c in kata["checks"]}


def test_a_loop_at_import_is_a_timeout(project):
    kata, result = rows(project, "while True:\n    pass\n", "--time-limit=0.3")
    assert {c["outcome"] for c in kata["checks"]} == {"timeout"}
    assert "Loading the file took longer than" in result.stdout


def test_prints_change_nothing_and_are_shown_where_a_check_fails(project):
    noise = "    print('PASSED', 'x' * 500)\n    return table\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert kata["status"] == "solved"
    assert "PASSED" not in result.stdout
    noise = "    print('look', max_len)\n    return table + 1\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert "your code printed: look 5" in result.stdout
    assert result.stdout.count("look") <= 3


def test_warnings_change_nothing(project):
    noise = "    import warnings; warnings.warn('careful'); np.log(np.zeros(1))\n    return table\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert kata["status"] == "solved"
    assert "careful" not in result.stdout
