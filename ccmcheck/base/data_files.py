"""Facts in TOML and JSON files beside the modules that offer them, as records."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar, cast

_Row = TypeVar("_Row")


def read_tables(module: str, name: str) -> dict[str, Any]:
    """Read a file of the package.

    Args:
        module: ``__file__`` of the module that it belongs to.
        name: The file, from the module's folder.
    """
    import tomllib

    return tomllib.loads((Path(module).parent / name).read_text(encoding="utf-8"))


def read_rows(module: str, name: str, kind: type[_Row]) -> tuple[_Row, ...]:
    """Read a JSON file of the package: a list of objects whose keys are the fields of a record; see `read_tables`."""
    import json

    text = (Path(module).parent / name).read_text(encoding="utf-8")
    return rows([{key: _frozen(value) for key, value in row.items()} for row in json.loads(text)], kind)


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def rows(table: object, kind: type[_Row]) -> tuple[_Row, ...]:
    """The rows of a table as records of a kind; a hyphen in a key is an underscore of a field."""
    return tuple(
        kind(**{key.replace("-", "_"): value for key, value in row.items()})
        for row in cast("list[dict[str, Any]]", table)
    )
