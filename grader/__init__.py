"""The machinery behind conftest.py; each file has one job and is named for it."""
import os

# Before NumPy is imported: more threads do nothing for arrays as small as these, but waiting for work they use a core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
