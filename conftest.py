"""How grading runs, and where to look.

A check calls the learner's functions through the `kata` fixture (grader/calling/). Its outcome becomes a row with an
explanation (grader/verdict/), and the rows become the scoreboard (grader/run/) and the files (grader/output/). Code
from other people runs in a process of its own (grader/isolation/), for a whole folder of submissions as well
(grader/cohort/). grader/course/ has what the author of a kata works with. .github/ARCHITECTURE.md shows the way.
"""

pytest_plugins = ["grader.run.plugin"]
collect_ignore = ["tests"]              # they have settings of their own: tests/pytest.ini
