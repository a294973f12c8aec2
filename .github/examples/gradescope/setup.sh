#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder. The zip file that is uploaded has
# setup.sh and run_autograder at its top and, beside them, of this project: conftest.py, pyproject.toml, grader/,
# katas/ and solutions/.
set -euo pipefail

apt-get update -qq
apt-get install -qq -y python3 python3-venv
python3 -m venv /autograder/venv
/autograder/venv/bin/python -m pip install --quiet "numpy>=1.26" "pytest>=8"
