"""Reads documents with PyYAML, without ccmcheck: the cloud.confs in them, and everything else."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml's where it is there: Kubernetes' own parser is a port of it."""
_SAFE_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TARGET = "\0target"
COPY = "copy.conf"
"""A key whose value is an alias of the cloud.conf, and changes with it."""


class Target(NamedTuple):
    """Where a cloud.conf is.

    Attributes:
        document: The number of its YAML document.
        path: Keys and indices from the document on; empty for a plain file.
        ways: How the text there is to be opened: ``base64``, ``gzip``, ``yaml`` for a document with a target of its own,
            ``values`` for a mapping that is no text.
        inner: That target.
    """

    document: int
    path: tuple[str | int, ...]
    ways: tuple[str, ...]
    inner: Target | None = None


def documents(path: str, text: str) -> list[Any]:
    """The documents of a file, every scalar as its text; those without content count.

    Args:
        path: The file's name.
        text: Its text.
    """
    if path.endswith(".json"):
        return [json.loads(text.removeprefix("\ufeff"))]
    return [one for one in yaml.load_all(text, _LOADER) if one not in (None, "")]


def typed(text: str) -> list[Any]:
    """The same with numbers and booleans, as a cluster would get them.

    Args:
        text: The file's text.
    """
    return [one for one in yaml.load_all(text, _SAFE_LOADER) if one is not None]


def texts(path: str, text: str, targets: Sequence[Target]) -> list[bytes]:
    """The cloud.conf at each target; empty for values.

    Args:
        path: The file's name.
        text: Its text.
        targets: Where they are.
    """
    if targets and not targets[0].path:
        return [text.removeprefix("\ufeff").encode("utf-8", "surrogateescape")]
    read = documents(path, text)
    return [_at(read, target) for target in targets]


def _at(read: list[Any], target: Target) -> bytes:
    value = _value(read, target)
    if target.ways == ("values",):
        return b""
    if not isinstance(value, str):
        raise TypeError(value)
    data = value.encode("utf-8", "surrogateescape")
    for way in target.ways:
        if way == "base64":
            data = base64.b64decode(data)
        elif way == "gzip":
            data = gzip.decompress(data)
        elif way == "yaml":
            assert target.inner is not None
            return texts("inner.yaml", data.decode(), [target.inner])[0]
    return data


def _value(read: list[Any], target: Target) -> Any:
    value = read[target.document]
    for step in target.path:
        value = value[step]
    return value


def around(path: str, text: str, targets: Sequence[Target]) -> list[Any]:
    """Everything in the file but its targets, as data.

    Args:
        path: The file's name.
        text: Its text.
        targets: What to leave out; in a document within a document, only its own target is left out.
    """
    read = documents(path, text)
    for target in targets:
        inner = target.inner
        left = TARGET
        if inner is not None:
            value = _value(read, target)
            decoded = base64.b64decode(value).decode() if "base64" in target.ways else value
            left = json.dumps(around("inner.yaml", decoded, [inner]))
        if target.ways == ("values",):
            left = TARGET
        parent = read[target.document]
        for step in target.path[:-1]:
            parent = parent[step]
        parent[target.path[-1]] = left
        if isinstance(parent, dict) and COPY in parent:
            parent[COPY] = TARGET
    return read


def pieces(text: str, targets: Sequence[Target]) -> list[str]:
    """The text of a YAML file between its targets, comments and all.

    Args:
        text: The file's text.
        targets: What to leave out.
    """
    roots = [node for node in yaml.compose_all(text, yaml.SafeLoader) if getattr(node, "value", "") != ""]
    spans = sorted(_span(roots[target.document], target.path) for target in targets)
    found, at = [], 0
    for start, end in spans:
        found.append(text[at:start])
        at = end
    return [*found, text[at:]]


def _span(node: Any, path: Sequence[str | int]) -> tuple[int, int]:
    for step in path:
        if isinstance(step, int):
            node = node.value[step]
        else:
            node = next(value for key, value in node.value if key.value == step)
    return node.start_mark.index, node.end_mark.index


def merged(before: Any, patch: Any) -> Any:
    """A JSON merge patch applied, by RFC 7386.

    Args:
        before: The object.
        patch: The patch.
    """
    if not isinstance(patch, dict):
        return patch
    after = dict(before) if isinstance(before, dict) else {}
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        else:
            after[key] = merged(after.get(key), value)
    return after


def objects(roots: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The objects of a file, a list's items each for itself.

    Args:
        roots: Its documents.
    """
    for root in roots:
        if (
            isinstance(root, dict)
            and str(root.get("kind", "")).endswith("List")
            and isinstance(root.get("items"), list)
        ):
            yield from objects(root["items"])
        elif isinstance(root, dict):
            yield root
