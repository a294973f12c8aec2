#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder. The zip file that is uploaded has
# setup.sh and run_autograder at its top and, beside them, of this project: conftest.py, pyproject.toml, grader/,
# katas/ and solutions/.
set -euo pipefail

apt-get update -qq
apt-get install -qq -y python3 python3-venv
python=python3
if ! python3 -c "import sys; sys.exit(sys.version_info < (3, 11))"; then    # as in Ubuntu 22.04
    apt-get install -qq -y python3.11 python3.11-venv
    python=python3.11
fi
$python -m venv /autograder/venv
/autograder/venv/bin/python -m pip install --quiet "numpy>=1.26" "pytest>=8"
