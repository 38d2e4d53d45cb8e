"""Facts in files beside the modules that offer them: tables, paragraphs, TOML and JSON.

Tables and paragraphs are read without a library, because starts need them: `json` takes 1.5 ms to import, a table of
150 rows 0.1 ms to read. In both, a line that begins with ``#`` is a comment, which names the source of what follows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

_Row = TypeVar("_Row")

_KINDS: Mapping[str, Callable[[list[str]], object]] = {
    "bool": lambda values: values[-1] == "true",
    "bool | None": lambda values: values[-1] == "true",
    "int": lambda values: int(values[-1]),
    "tuple[str, ...]": tuple,
}


def read_table(module: str, name: str) -> list[list[str]]:
    """Read a table: a line a row, its cells between tabs.

    Args:
        module: ``__file__`` of the module that it belongs to.
        name: The file, from the module's folder.
    """
    return [line.split("\t") for line in read_text(module, name).split("\n") if line and line[0] != "#"]


def read_paragraphs(module: str, name: str) -> list[dict[str, list[str]]]:
    """Read paragraphs of lines ``field: value``, as Debian's control files have them; a field may come several times.

    Args:
        module: ``__file__`` of the module that they belong to.
        name: The file, from the module's folder.
    """
    return paragraphs(read_text(module, name))


def paragraphs(text: str) -> list[dict[str, list[str]]]:
    """The paragraphs of a text; see `read_paragraphs`."""
    found = []
    for part in text.split("\n\n"):
        fields: dict[str, list[str]] = {}
        for line in part.split("\n"):
            if line and line[0] != "#":
                field, _, value = line.partition(":")
                fields.setdefault(field, []).append(value.strip())
        if fields:
            found.append(fields)
    return found


def records(rows: list[dict[str, list[str]]], kind: type[_Row], **others: Any) -> tuple[_Row, ...]:  # noqa: ANN401
    """Paragraphs as records of a kind, each field by its type.

    Args:
        rows: See `read_paragraphs`.
        kind: A `ccmcheck.base.records.NamedTuple` of texts, numbers, truth values and tuples of texts.
        others: For fields of another type: what makes it of its values.
    """
    makers = {name: others.get(name) or _KINDS.get(of) for name, of in kind.__annotations__.items()}
    return tuple(
        [
            kind(**{name: make(values) if (make := makers[name]) else values[-1] for name, values in row.items()})
            for row in rows
        ]
    )


def read_tables(module: str, name: str) -> dict[str, Any]:
    """Read a TOML file of the package; see `read_table`."""
    import tomllib

    return tomllib.loads(read_text(module, name))


def read_rows(module: str, name: str, kind: type[_Row]) -> tuple[_Row, ...]:
    """Read a JSON file of the package: a list of objects whose keys are the fields of a record; see `read_table`."""
    import json

    parsed = json.loads(read_text(module, name))
    return rows([{key: _frozen(value) for key, value in row.items()} for row in parsed], kind)


def read_text(module: str, name: str) -> str:
    """Read a text of the package; see `read_table`."""
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return file.read()


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def rows(table: object, kind: type[_Row]) -> tuple[_Row, ...]:
    """The rows of a table as records of a kind; a hyphen in a key is an underscore of a field."""
    return tuple(
        kind(**{key.replace("-", "_"): value for key, value in row.items()})
        for row in cast("list[dict[str, Any]]", table)
    )
