"""The machinery behind conftest.py; each file has one job and is named for it."""
import importlib.util
import os
import sys

# Before NumPy is imported: more threads do nothing for arrays as small as these, but waiting for work they use a core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Most often this is a new terminal where nobody has activated the environment: that deserves a line, not a traceback.
if importlib.util.find_spec("numpy") is None:
    activate = r".venv\Scripts\activate" if os.name == "nt" else ". .venv/bin/activate"
    print(f"ERROR: NumPy is missing in {sys.executable}. In the folder of the katas, this switches to the Python that "
          f"has it: {activate}", file=sys.stderr)
    raise SystemExit(4)
