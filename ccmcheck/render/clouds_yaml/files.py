"""The files that a cloud is put together from: where they are looked for, and what stands in them.

Source: openstacksdk 4.22 openstack/config/loader.py (CONFIG_SEARCH_PATH, _load_yaml_json_file); PyYAML's safe_load.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ccmcheck.base.errors import BadYaml, InputError, WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import LineIndex, decode
from ccmcheck.redact.run_secrets import hide_those_of
from ccmcheck.workspace import discover
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents, kubernetes_scalar

_SUFFIXES = (".yaml", ".yml", ".json")
_MERGE_KEY = "<<"

# What YAML 1.1 takes for base 60 and for dates, and YAML 1.2 does not.
_ONLY_IN_1_1 = lazy_regex(r"[-+]?[0-9][0-9_]*+(?::[0-5]?[0-9])++(?:\.[0-9_]*+)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?!\d).*")
_ONLY_LETTERS = frozenset({"y", "n"})
"""Booleans to Kubernetes, and to nobody who reads a clouds.yaml."""
_SWITCHES = {**dict.fromkeys(("true", "yes", "on"), True), **dict.fromkeys(("false", "no", "off"), False)}


class LocatedNode(NamedTuple):
    """A node and the file that it is in."""

    path: str
    node: YamlNode

    @property
    def place(self) -> str:
        """Where it is, ``clouds.yaml:3:7``."""
        line, column = LineIndex(self.node.document.text).position(self.node.content.start)
        return f"{self.path}:{line}:{column}"

    @property
    def entries(self) -> dict[str, LocatedNode]:
        """What it holds where it is a mapping, by keys that are written with ``_``."""
        return {key.replace("-", "_"): LocatedNode(self.path, node) for key, node in _entries(self.node).items()}

    @property
    def items(self) -> list[LocatedNode] | None:
        """What it holds where it is a list; None where it is none."""
        return [LocatedNode(self.path, item) for item in self.node.items] if isinstance(self.node, Sequence) else None


def search_path() -> list[str]:
    """The folders where openstacksdk looks for its files, the first first."""
    home = os.path.join("~", ".config")
    parents = dict.fromkeys((os.environ.get("XDG_CONFIG_HOME") or home, home, "/etc/xdg", "/etc"))
    return [os.curdir, *(os.path.join(os.path.expanduser(parent), "openstack") for parent in parents)]


def find(stem: str, variable: str = "", beside: Iterable[str] = ()) -> str | None:
    """The first file of a kind that may be read.

    Args:
        stem: ``clouds``, ``secure`` or ``clouds-public``.
        variable: The environment's variable that may name one.
        beside: Folders to look in before the `search_path`.
    """
    override = os.environ.get(variable) if variable else None
    places = [os.path.join(folder, stem + suffix) for folder in (*beside, *search_path()) for suffix in _SUFFIXES]
    for path in [override, *places] if override else places:
        if os.path.exists(path) and os.access(path, os.R_OK):
            return path.removeprefix(os.curdir + os.sep)
    return None


def clouds(path: str, key: str = "clouds") -> dict[str, LocatedNode]:
    """The clouds of a file, by name; none where it has no such key.

    Args:
        path: The file.
        key: The key that they stand below.

    Raises:
        InputError: It cannot be read.
    """
    data = discover.read(discover.Target(path, explicit=True))
    if isinstance(data, Failure):
        raise InputError(f"{path}: {data.message}", data.hint)
    text = decode(data or b"").text
    hide_those_of((text,))
    for document in documents(text):
        if isinstance(document, BadYaml):
            line, column = LineIndex(text).position(document.offset)
            raise InputError(f"{path}:{line}:{column}: not YAML: {document.message}")
        found = _entries(_entries(document.root).get(key))
        return {name: LocatedNode(path, node) for name, node in found.items() if isinstance(node, Mapping)}
    return {}


def union(values: Iterable[LocatedNode]) -> dict[str, LocatedNode]:
    """The entries of several mappings, the last one's winning."""
    found: dict[str, LocatedNode] = {}
    for value in values:
        found |= value.entries
    return found


def text(value: LocatedNode | None) -> str:
    """A scalar's text; empty for null, and where there is none.

    Raises:
        WrongUse: It is no scalar, or a plain one that readers take for different things: ``0123`` is 83 to openstacksdk
            and 0123 to gophercloud.
    """
    if value is None:
        return ""
    node = value.node
    if not isinstance(node, Scalar):
        raise WrongUse(f"{value.place}: a text is needed here.")
    meant = kubernetes_scalar(node)
    if meant is None:
        return ""
    if _is_doubtful(node, meant):
        raise WrongUse(
            f"{value.place}: some readers take this for a number, a date or a boolean, others for a text.",
            "Put quotes around it.",
        )
    return node.value


def _is_doubtful(node: Scalar, meant: str | float | bool) -> bool:
    if isinstance(meant, bool):
        return node.value.lower() not in _ONLY_LETTERS
    if not isinstance(meant, str):
        return str(meant) != node.value
    return node.style == "plain" and _ONLY_IN_1_1.fullmatch(node.value) is not None


def switch(value: LocatedNode | None, *, default: bool) -> bool:
    """A boolean.

    Args:
        value: The scalar; None for the default.
        default: What null means, too.

    Raises:
        WrongUse: It is anything else.
    """
    if value is None:
        return default
    node = value.node
    if isinstance(node, Scalar) and node.style == "plain":
        if kubernetes_scalar(node) is None:
            return default
        if node.value.lower() in _SWITCHES:
            return _SWITCHES[node.value.lower()]
    raise WrongUse(f"{value.place}: this must be true or false.")


def _entries(node: YamlNode | None) -> dict[str, YamlNode]:
    """A mapping's entries with those of its merge keys, each mapping once; of two equal keys the last counts."""
    found: dict[str, YamlNode] = {}
    waiting = [node]
    seen: set[YamlNode] = set()
    while waiting:
        yaml_node = waiting.pop()
        if not isinstance(yaml_node, Mapping) or yaml_node in seen:
            continue
        seen.add(yaml_node)
        own: dict[str, YamlNode] = {}
        merged: list[YamlNode] = []
        for key, value in yaml_node.items:
            if key.value == _MERGE_KEY and key.style == "plain":
                merged += value.items if isinstance(value, Sequence) else [value]
            else:
                own[key.value] = value
        found = own | found
        waiting += reversed(merged)
    return found
