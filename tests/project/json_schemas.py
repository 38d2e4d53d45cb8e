"""Writes the JSON Schemas of all JSON outputs from the types of their records: ``python tests/project/json_schemas.py``.

A record gives its fields, their types and what its docstring says of them; `json_shapes` has what commands put around
the records. The schemas are shipped, and ``ccmcheck config schema NAME`` prints them.
"""

from __future__ import annotations

import ast
import enum
import inspect
import json
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "ccmcheck" / "docs" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]
_ATTRIBUTE = re.compile(r"^        (\w+): (.*(?:\n            .*)*)", re.MULTILINE)
_SCALARS: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


@cache
def _names(module: types.ModuleType) -> dict[str, Any]:
    """The names of a module, with those that it imports for type checkers alone."""
    known = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for statement in node.body:
                exec(compile(ast.Module([statement], []), module.__name__, "exec"), known)  # noqa: S102 - our own imports
    return known


def fields_of(record: type) -> dict[str, tuple[Any, str]]:
    """The fields of a record: their types, and what the docstring says of each."""
    module = sys.modules[record.__module__]
    tree = ast.parse(inspect.getsource(module))
    (node,) = (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == record.__name__)
    said = {
        name: " ".join(text.split())
        for name, text in _ATTRIBUTE.findall(f"        {ast.get_docstring(node, clean=False) or ''}")
    }
    return {
        item.target.id: (eval(ast.unparse(item.annotation), _names(module)), said.get(item.target.id, ""))  # noqa: S307 - ours
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }


class Generator:
    """Makes schemas; records become definitions.

    Args:
        special: The shapes of records that are not written field by field, by their types.
    """

    def __init__(self, special: Mapping[Any, Any]) -> None:
        self._special = special
        self.definitions: dict[str, Schema] = {}

    def schema(self, shape: Any) -> Schema:
        """The schema of a shape: a type, a record, or a mapping of names to shapes, where a ``?`` ends optional ones."""
        if isinstance(shape, dict):
            return self._object({name: (inner, "") for name, inner in shape.items()})
        if isinstance(shape, list):
            return {"type": "array", "items": self.schema(shape[0])}
        if shape in _SCALARS:
            return {"type": _SCALARS[shape]}
        if isinstance(shape, Union):
            return self._any(shape.shapes)
        if shape in self._special:
            return self._defined(shape.__name__, self._special[shape])
        if isinstance(shape, type) and issubclass(shape, enum.Enum):
            return {"enum": [getattr(one, "word", one.value) for one in shape]}
        if isinstance(shape, type) and hasattr(shape, "_fields"):
            return self._defined(shape.__name__, shape)
        return self._generic(shape)

    def _generic(self, shape: Any) -> Schema:
        origin, inside = typing.get_origin(shape), typing.get_args(shape)
        if origin in (typing.Union, types.UnionType):
            return self._any(inside)
        if origin is typing.Literal:
            return {"enum": list(inside)}
        if isinstance(origin, type) and issubclass(origin, tuple) and Ellipsis not in inside:
            return {"type": "array", "prefixItems": [self.schema(one) for one in inside], "items": False}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inside[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.schema(inside[0])}
        if origin is not None and hasattr(origin, "_fields"):
            return self.schema(origin)
        return {}

    def _any(self, shapes: Sequence[Any]) -> Schema:
        made = [self.schema(one) for one in shapes]
        return {} if {} in made else {"anyOf": made}

    def _defined(self, name: str, shape: Any) -> Schema:
        if name not in self.definitions:
            self.definitions[name] = {}
            is_record = isinstance(shape, type) and hasattr(shape, "_fields")
            made = self._object(fields_of(shape)) if is_record else self.schema(shape)
            about = (inspect.getdoc(shape) or "").partition("\n")[0] if is_record else ""
            self.definitions[name] = {**({"description": about} if about else {}), **made}
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, fields: Mapping[str, tuple[Any, str]]) -> Schema:
        made = {}
        for name, (shape, about) in fields.items():
            schema = self.schema(shape)
            made[name.removesuffix("?")] = {"description": about, **schema} if about else schema
        return {"type": "object", "properties": made, "required": [one for one in fields if not one.endswith("?")]}


class Union:
    """One of several shapes."""

    def __init__(self, *shapes: Any) -> None:
        self.shapes = shapes


def made(name: str) -> Schema:
    """The schema of one output, by its name."""
    from json_shapes import DOCUMENTS, SPECIAL

    title, shape, special = DOCUMENTS[name]
    generator = Generator({**SPECIAL, **special})
    schema = generator.schema(shape)
    definitions = {"$defs": dict(sorted(generator.definitions.items()))} if generator.definitions else {}
    return {"$schema": DIALECT, "title": title, **schema, **definitions}


def strict(schema: Any) -> Any:
    """The same schema where no object may have a name that it does not tell."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: strict(one) for name, one in schema.items()}
    return (
        {**inner, "additionalProperties": False} if "properties" in inner and inner.get("type") == "object" else inner
    )


def text_of(name: str) -> str:
    """The file of one schema."""
    return json.dumps(made(name), indent=1) + "\n"


def write() -> None:
    """Write all of them."""
    from json_shapes import DOCUMENTS

    FOLDER.mkdir(exist_ok=True)
    for name in DOCUMENTS:
        (FOLDER / f"{name}.json").write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    import json_schemas  # whose Union is that of the shapes

    json_schemas.write()
