"""Modules that are loaded at their first use, where most runs need nothing of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """Stands for a module in its package, until something of the module is asked for.

    Args:
        name: The module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self._name), name)
