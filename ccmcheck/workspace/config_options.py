"""The one table of the options of ``ccmcheck.toml``: what is read, what the JSON Schema says, where each may stand."""

from __future__ import annotations

from enum import Enum
from typing import Final

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple


class Kind(Enum):
    """What an option takes."""

    TEXT = "text"
    TEXTS = "texts"
    COUNT = "count"
    SIZE = "size"
    RULES = "rules"
    PATTERNS = "patterns"
    SWITCH = "switch"
    SEVERITY = "severity"
    FORMAT = "format"
    COLOR = "color"
    RULE_SEVERITIES = "rule severities"
    PATTERN_RULES = "pattern rules"
    FORMAT_PATHS = "format paths"
    NAMED_TEXTS = "named texts"


class ConfigOption(NamedTuple):
    """One option.

    Attributes:
        name: As it is written.
        kind: What it takes.
        meaning: For people.
        whole_run: Whether it concerns a whole run, so that only the configuration at the place of invocation has it.
        in_override: Whether ``[[override]]`` takes it, too.
    """

    name: str
    kind: Kind
    meaning: str
    whole_run: bool = False
    in_override: bool = False


TABLE: Final = tuple(
    ConfigOption(name, Kind(kind), meaning, place == "whole run", place == "override")
    for name, kind, place, meaning in read_table(__file__, "config_options.tsv")
)

EXTEND: Final = "extend"
"""Names the configuration that this one adds to."""
OVERRIDE: Final = "override"
"""Tables with settings for some paths."""
PATHS: Final = "paths"
"""The patterns of an override."""

OPTIONS: Final = tuple(option.name for option in TABLE)
WRITABLE: Final = (*OPTIONS, EXTEND, OVERRIDE)
"""All names that a configuration may have."""
WHOLE_RUN: Final = tuple(option.name for option in TABLE if option.whole_run)
IN_OVERRIDE: Final = tuple(option.name for option in TABLE if option.in_override)
REMOVED: Final = {"consumers": "It had no effect; --consumer NAME judges by another program."}
"""Options of earlier releases, and what to do without them."""
COLORS: Final = ("auto", "always", "never")
OFF: Final = "off"
