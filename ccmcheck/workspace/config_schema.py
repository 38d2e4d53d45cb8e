"""The JSON Schema of ``ccmcheck.toml``, made from the table of its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.workspace.config_options import COLORS, EXTEND, OFF, OVERRIDE, PATHS, TABLE, ConfigOption, Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ccmcheck.workspace.config import KnownNames

Schema = dict[str, object]

_TEXT: Schema = {"type": "string", "minLength": 1}


def schema(known: KnownNames) -> Schema:
    """The schema of one file; for pyproject.toml, that of the table ``tool.ccmcheck``.

    Args:
        known: The names that a configuration may use.
    """
    override: Schema = {
        PATHS: {**_some(_TEXT), "description": "patterns of the files that the table is for"},
        **_properties((option for option in TABLE if option.in_override), known),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ccmcheck.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            EXTEND: {**_TEXT, "description": "the configuration that this one adds to"},
            **_properties(TABLE, known),
            OVERRIDE: {
                "description": "settings for some files; a later table wins",
                "type": "array",
                "items": {"type": "object", "additionalProperties": False, "required": [PATHS], "properties": override},
            },
        },
    }


def _properties(options: Iterable[ConfigOption], known: KnownNames) -> Schema:
    return {option.name: {"description": _meaning(option), **_kind(option.kind, known)} for option in options}


def _meaning(option: ConfigOption) -> str:
    where = "; only in the configuration of the folder that ccmcheck is started in" if option.whole_run else ""
    return option.meaning + where


def _kind(kind: Kind, known: KnownNames) -> Schema:
    """What an option of a kind takes."""
    rules = _one_of(known.rules)
    severities = [severity.word for severity in Severity]
    kinds: dict[Kind, Schema] = {
        Kind.TEXT: _TEXT,
        Kind.TEXTS: _one_or_more(_TEXT),
        Kind.COUNT: {"type": "integer", "minimum": 1},
        Kind.SIZE: {
            "anyOf": [
                {"type": "integer", "minimum": 1},
                {"type": "string", "pattern": r"^\s*0*[1-9][0-9]*\s*(B|[kMG]B|[KMG]iB)?\s*$"},
            ]
        },
        Kind.RULES: _one_or_more(_one_of(None if known.rules is None else (*known.rules, *known.groups))),
        Kind.PATTERNS: _one_or_more(_TEXT),
        Kind.SWITCH: {"type": "boolean"},
        Kind.SEVERITY: _one_of(severities),
        Kind.FORMAT: _one_of(known.formats),
        Kind.COLOR: _one_of(COLORS),
        Kind.RULE_SEVERITIES: _table(_one_of((*severities, OFF)), rules),
        Kind.PATTERN_RULES: _table(_one_or_more(rules)),
        Kind.FORMAT_PATHS: _table({"type": "string"}, _one_of(known.formats)),
        Kind.NAMED_TEXTS: _table({"type": "string"}),
    }
    return kinds[kind]


def _one_of(names: Collection[str] | None) -> Schema:
    return _TEXT if names is None else {"enum": sorted(names)}


def _some(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def _one_or_more(item: Schema) -> Schema:
    """One value, or a list of values."""
    return {"anyOf": [item, {"type": "array", "items": item}]}


def _table(value: Schema, keys: Schema | None = None) -> Schema:
    found: Schema = {"type": "object", "additionalProperties": value}
    return found if keys is None else {**found, "propertyNames": keys}
