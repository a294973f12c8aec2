"""The lab of kata 94. __main__.py says how to run it and what its files are."""
