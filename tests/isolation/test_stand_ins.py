"""An import of a package with which people look at results does not keep a file from loading in a worker."""
import sys

import pytest

from grader.calling.in_process import InProcess
from grader.calling.limits import CAN_ISOLATE
from grader.course.katas import all_katas
from grader.isolation import stand_ins
from grader.isolation.stand_ins import StandIn
from tests.helpers.harness import grade

pytestmark = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
(KATA,) = (kata for kata in all_katas() if kata.name == "positional_formula")
IMPORTS = """
import matplotlib.pyplot as plt
import numpy as np
import torch.nn.functional as F
import torch
from IPython.display import display
from matplotlib import cm, pyplot
from torch import nn
from torch.utils.data import *
from tqdm.auto import tqdm
from typing import Optional, Union

"""
ON_TOP = """
torch.manual_seed(0)
plt.rcParams["figure.figsize"] = 8, 4
device = torch.device("cuda" if torch.cuda.device_count() > 0 else "cpu")


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor | None) -> Optional[torch.Tensor]:
        return self.linear(x)


class Both(nn.Module, torch.utils.data.Dataset):
    pass


def table(x: Union[torch.Tensor, np.ndarray, None] = None, device=device):
    return np.ones((3, 2))


figure, axes = plt.subplots()
figure, ((one, other), (third, last)) = plt.subplots(2, 2)
line, *more = axes.plot(table())
for place, name in zip(axes.flat, "ab"):
    place.set_title(name)
for step in tqdm(range(3)):
    print(step)
figure.colorbar(axes.imshow(table(), cmap=cm.viridis), ax=axes)
with torch.no_grad(), plt.style.context("ggplot") as style:
    result = Model(4).to(device)(torch.from_numpy(table())).detach().numpy()[:3]
assert np.allclose(table(), result)
display(figure)
plt.show()
"""
USES = {
    "a name of the package": "plt.plot([1])", "an import": "import matplotlib.pyplot",
    "an import from it": "from matplotlib import cm", "an object": "return kept * 2", "a test": "return bool(kept)",
    "a loop": "return [part for part in kept]", "a comparison": "return kept == 1",
    "a class": "return isinstance(1, plt.Figure)", "a with": "with kept: pass", "NumPy": "return np.sin(kept)",
    "an array": "return np.ones(2) * kept", "an own class": "return Own()",
}


def test_code_that_plots_below_the_functions_is_executed_without_the_package(written):
    answer = written(IMPORTS + ON_TOP).ask("table")
    assert answer.message == ""
    assert answer.value.shape == (3, 2)


@pytest.mark.parametrize("use", USES)
def test_a_function_that_uses_the_package_fails_as_its_import_would_have(written, use):
    answer = written(IMPORTS + f"""
kept = plt.figure()
class Own(plt.Figure):
    pass
def function():
    {USES[use]}
""").ask("function")
    assert answer.error_types[0] == "ModuleNotFoundError"
    assert answer.message == "No module named 'matplotlib'"


def test_a_function_that_the_package_has_changed_is_one_that_uses_it(written):
    answer = written("import torch\n@torch.no_grad()\ndef function():\n    return 1\n").ask("function")
    assert answer.message == "No module named 'torch'"


def test_a_file_that_works_without_the_package_sees_that_it_is_not_there(written):
    submission = written("""
import importlib.util
import matplotlib.pyplot as plt
try:
    import torch
except ImportError:
    torch = None
found = importlib.util.find_spec("scipy")
def outside():
    return torch, found
def inside():
    try:
        import matplotlib
    except ImportError:
        return "not there"
""")
    assert submission.ask("outside").value == (None, None)
    assert submission.ask("inside").value == "not there"


@pytest.mark.parametrize("line", ["int(plt.gcf().number)", "np.array(plt.gcf().get_dpi())", "len(plt.gca().lines)"])
def test_a_stand_in_never_becomes_a_number(written, line):
    submission = written(
        f"import numpy as np\nimport matplotlib.pyplot as plt\nsize = {line}\ndef one(): return size\n")
    assert submission.ask("one").message == "name 'size' is not defined"


def test_a_package_that_is_installed_is_not_there_either(tmp_path, monkeypatch):
    (tmp_path / "torch.py").write_text("raise SystemExit('the package itself')", encoding="utf-8")
    (tmp_path / "code.py").write_text("import torch\ndef one():\n    import torch\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", sys.meta_path)
    monkeypatch.setattr(StandIn, "loading", True)
    module = stand_ins.load(tmp_path / "code.py", None)
    with pytest.raises(ModuleNotFoundError, match="No module named 'torch'"):
        module.one()


def test_in_this_process_a_package_that_is_not_installed_is_missing(tmp_path):
    (tmp_path / "code.py").write_text("import google.colab\ndef one():\n    return 1\n", encoding="utf-8")
    assert InProcess(tmp_path / "code.py").ask("one").outcome == "broken"


# What a learner is told

SOLUTION = KATA.solution.read_text(encoding="utf-8") + "\n# written by a learner\n"
ONLY_NUMPY = "Where submissions are graded, only NumPy and Python's standard library are there."


def first_message(source, folder, isolated):
    """The message of the first check that did not pass, in one line."""
    checks = grade(KATA, source, folder, isolated=isolated)["checks"]
    return " ".join(next(check["message"] for check in checks if check["outcome"] != "passed").split())


def test_who_uses_a_package_is_told_what_is_there(tmp_path):
    used = SOLUTION.replace("    return table\n", "    plt.plot(table)\n    return table\n")
    assert f"No module named 'matplotlib' {ONLY_NUMPY}" in first_message(
        f"import matplotlib.pyplot as plt\n{used}", tmp_path, isolated=True)
    for isolated in True, False:
        assert ONLY_NUMPY in first_message(f"import no_such_package\n{SOLUTION}", tmp_path, isolated)


@pytest.mark.parametrize("isolated", [True, False])
def test_who_calls_input_is_told_that_nobody_answers(tmp_path, isolated):
    told = "Nobody answers input() while your file is graded. Remove it."
    assert told in first_message(f"{SOLUTION}\nsize = int(input('How many? '))\n", tmp_path, isolated)
    inside = SOLUTION.replace("    return table\n", "    input()\n    return table\n")
    assert told in first_message(inside, tmp_path, isolated)
