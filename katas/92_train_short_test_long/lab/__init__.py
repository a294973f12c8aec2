"""The lab of kata 92. __main__.py says how to run it and what its files are."""
