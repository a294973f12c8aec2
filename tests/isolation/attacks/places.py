"""What may stand in the place of a source file, or beside it; each function makes one in an empty folder."""
import os
import socket
import stat

from tests.isolation.attacks.attack import KATA, RIGHT, WRONG

FILE = f"{KATA}.py"
LOADED = "import os\nopen({mark!r}, 'w').close()\n"


def link_to_a_right_answer(folder, right, mark):
    (folder / FILE).symlink_to(right / FILE)


def link_relative_to_a_right_answer(folder, right, mark):
    (folder / FILE).symlink_to(f"../{right.name}/{FILE}")


def linked_folder_of_a_right_answer(folder, right, mark):
    (folder / KATA).symlink_to(right, target_is_directory=True)


def link_to_nowhere(folder, right, mark):
    (folder / FILE).symlink_to(FILE)


def link_to_zeros(folder, right, mark):
    (folder / FILE).symlink_to("/dev/zero")


def folder_for_a_file(folder, right, mark):
    (folder / FILE).mkdir()
    (folder / FILE / "__init__.py").write_text(RIGHT)


def pipe_for_a_file(folder, right, mark):
    os.mkfifo(folder / FILE)


def socket_for_a_file(folder, right, mark):
    here = os.getcwd()
    os.chdir(folder)                     # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(FILE)
    finally:
        os.chdir(here)


def device_for_a_file(folder, right, mark):
    try:
        os.mknod(folder / FILE, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except (PermissionError, AttributeError):
        (folder / FILE).mkdir()          # who is not root cannot make one


def twenty_megabytes_of_source(folder, right, mark):
    (folder / FILE).write_bytes(RIGHT.encode() + b"# more\n" * 3_000_000)


def holes_of_many_megabytes(folder, right, mark):
    with open(folder / FILE, "wb") as file:
        file.write(RIGHT.encode())
        file.truncate(250 * 2**20)


def null_bytes(folder, right, mark):
    (folder / FILE).write_bytes(RIGHT.encode() + b"\0\n")


def other_encoding(folder, right, mark):
    (folder / FILE).write_bytes(RIGHT.encode() + "name = 'ä\x80'\n".encode("latin-1"))


def parentheses(folder, right, mark):
    (folder / FILE).write_text("(" * 100_000)


def operators(folder, right, mark):
    (folder / FILE).write_text("x = " + "-" * 900_000 + "1\n")


def additions(folder, right, mark):
    (folder / FILE).write_text("x = " + "1+" * 200_000 + "1\n")


def files_beside_it(folder, right, mark):
    """None of these may ever be loaded, by whatever name a tool looks for them."""
    for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "numpy.py", "grader.py", "pytest.py",
                 "json.py", "socket.py", "__init__.py", "test_more.py", "setup.py", "plugin.py"):
        (folder / name).write_text(LOADED.format(mark=f"{mark}-{name}"))
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p plugin --no-option\npython_files = *.py\n")
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-p plugin'\n")
    (folder / "tox.ini").write_text("[pytest]\naddopts = -p plugin\n")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "positional_formula.cpython-311.pyc").write_bytes(b"x" * 100)
    (folder / FILE).write_text(WRONG)


def only_an_init(folder, right, mark):
    (folder / KATA).mkdir()
    (folder / KATA / "__init__.py").write_text(RIGHT)


# What each of them fairly gets.
PLACES = {
    link_to_a_right_answer: ("error",), link_relative_to_a_right_answer: ("error",),
    linked_folder_of_a_right_answer: ("error", "todo"), link_to_nowhere: ("error", "todo"),
    link_to_zeros: ("error", "todo"), folder_for_a_file: ("error", "todo"),
    pipe_for_a_file: ("error", "todo"), socket_for_a_file: ("error", "todo"), device_for_a_file: ("error", "todo"),
    twenty_megabytes_of_source: ("error",), holes_of_many_megabytes: ("error",), null_bytes: ("error",),
    other_encoding: ("error",), parentheses: ("error",), operators: ("error", "crashed"),
    additions: ("error", "crashed", "timeout"), files_beside_it: ("failed",), only_an_init: ("todo",),
}
