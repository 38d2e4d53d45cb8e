"""The absolute paths of many files."""

# the oracle is os.path:

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.paths import AbsolutePaths

PARTS = st.sampled_from(["", ".", "..", "a", "b.yaml", " ", "<stdin>", "\u00e9"])
PATHS = st.builds(
    lambda root, parts: root + "/".join(parts), st.sampled_from(["", "/", "//"]), st.lists(PARTS, max_size=5)
)


@given(st.lists(PATHS, max_size=6))
def test_they_are_those_of_the_system(paths: list[str]) -> None:
    absolute = AbsolutePaths()
    for path in (*paths, *paths):
        assert absolute(path) == os.path.abspath(path)
        assert absolute.folder_of(path) == os.path.dirname(os.path.abspath(path))


@given(PATHS)
def test_they_start_from_a_root(path: str) -> None:
    assert AbsolutePaths("/top/of")(path) == os.path.abspath(os.path.join("/top/of", path))


def test_a_folder_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    absolute = AbsolutePaths()
    first = absolute("deploy/a.yaml")

    def fail() -> str:
        raise AssertionError

    monkeypatch.setattr(os, "getcwd", fail)
    assert absolute("deploy/b.yaml") == first.replace("a.yaml", "b.yaml")
