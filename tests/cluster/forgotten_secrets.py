"""For tests that log in without a command: the secrets of a run are those of its process, and theirs would be every test's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccmcheck.redact import run_secrets


@pytest.fixture(autouse=True)
def forgotten_secrets() -> Iterator[None]:
    """What a test registers as a secret is forgotten behind it."""
    token = run_secrets._SECRETS.set(run_secrets._SECRETS.get())
    yield
    run_secrets._SECRETS.reset(token)
