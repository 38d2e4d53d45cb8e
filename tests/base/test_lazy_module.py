"""Modules that are loaded at their first use."""

from __future__ import annotations

import sys

import pytest

from ccmcheck.base.lazy_module import LazyModule

NAME = "this"
"""A module of Python's own that nothing else needs."""


@pytest.fixture(autouse=True)
def not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, NAME, raising=False)


def test_it_is_loaded_when_something_of_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    module = LazyModule(NAME)
    assert NAME not in sys.modules
    assert module.d["A"] == "N"
    assert NAME in sys.modules
    assert capsys.readouterr().out


def test_looking_at_it_does_not_load_it() -> None:
    module = LazyModule(NAME)
    assert not hasattr(module, "__wrapped__")
    assert not hasattr(module, "__path__")
    assert NAME not in sys.modules


def test_what_the_module_does_not_have_is_named() -> None:
    with pytest.raises(AttributeError, match="module 'json' has no attribute 'nothing'"):
        _ = LazyModule("json").nothing


def test_what_is_replaced_in_the_module_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    module = LazyModule("json")
    monkeypatch.setattr("json.dumps", str)
    assert module.dumps is str
