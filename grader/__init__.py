"""What conftest.py plugs into pytest; each module has one job and is named for it."""
