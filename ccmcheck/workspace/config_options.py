"""The one table of the options of ``ccmcheck.toml``: what is read, what the JSON Schema says, where each may stand."""

from __future__ import annotations

from enum import Enum
from typing import Final

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


TABLE: Final = (
    ConfigOption("release", Kind.TEXTS, "CCM releases to judge by", in_override=True),
    ConfigOption("octavia-release", Kind.TEXT, "the cloud's Octavia release"),
    ConfigOption("kubernetes-version", Kind.TEXT, "the cluster's Kubernetes version"),
    ConfigOption("nodes", Kind.COUNT, "how many nodes the cluster has"),
    ConfigOption("profile", Kind.TEXTS, "profiles: built-in names, or files", in_override=True),
    ConfigOption("format", Kind.FORMAT, "format of lint for standard output", whole_run=True),
    ConfigOption("output-file", Kind.FORMAT_PATHS, "further formats of lint and their files", whole_run=True),
    ConfigOption("fail-on", Kind.SEVERITY, "severity for the exit code of lint and predict", whole_run=True),
    ConfigOption("color", Kind.COLOR, "when the output of every command is coloured", whole_run=True),
    ConfigOption("select", Kind.RULES, "the only rules or groups to run"),
    ConfigOption("ignore", Kind.RULES, "rules or groups not to run"),
    ConfigOption(
        "severity",
        Kind.RULE_SEVERITIES,
        "severities that replace the rules' own; off disables a rule",
        in_override=True,
    ),
    ConfigOption("per-path-ignores", Kind.PATTERN_RULES, "rules not to run on some paths"),
    ConfigOption("exclude", Kind.PATTERNS, "paths that are not read"),
    ConfigOption(
        "default-exclude", Kind.SWITCH, "whether examples and test data are left out of folders, by their names"
    ),
    ConfigOption("baseline", Kind.TEXT, "file with the findings that are not reported"),
    ConfigOption("max-file-size", Kind.SIZE, "larger files are not read"),
    ConfigOption("vars", Kind.NAMED_TEXTS, "values of template variables"),
    ConfigOption("env-file", Kind.TEXTS, "files with values of template variables"),
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
