"""What the tests of every room share, also where one room's run alone."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# a busy machine is no fault of what is tested; what grows with its input is held by counts, in tests/perf
settings.register_profile(
    "any-machine",
    settings(),  # what the mutants' run has set before
    deadline=None,
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("any-machine")


def pytest_configure() -> None:
    """Programs write for no terminal: pytest-xdist tells its workers of 80 columns, by which texts would be broken."""
    os.environ.pop("COLUMNS", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Hand out whole files and groups where ``make test`` asks for groups."""
    if config.getoption("dist") != "loadgroup":
        return None
    from by_file import ByFile

    return ByFile(config, log)
