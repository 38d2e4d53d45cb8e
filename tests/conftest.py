"""What the tests of every room share, also where one room's run alone."""

from __future__ import annotations

import os


def pytest_configure() -> None:
    """Programs write for no terminal: pytest-xdist tells its workers of 80 columns, by which texts would be broken."""
    os.environ.pop("COLUMNS", None)
