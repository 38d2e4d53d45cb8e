"""What the data modules are generated from, and the programs that bring a release in; `make catalog` runs them.

The JSON files are the facts, a key a line, so that a change shows as one line. None of this is in the wheel.
"""
