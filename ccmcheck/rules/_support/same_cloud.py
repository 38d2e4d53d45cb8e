"""Whether two clusters are in the same project of the same cloud, as far as their cloud.confs say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import fold
from ccmcheck.gcfg import parse
from ccmcheck.rules._support.ignored import GLOBAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import NearbyConf

_KEYS = ("auth-url", "tenant-id", "tenant-name", "tenant-domain-id", "tenant-domain-name", "domain-id", "domain-name")
_PROJECT = _KEYS[1:3]
_REGION = "region"
_VERSION = lazy_regex(r"v?\d+[._-]\d+", re.ASCII)
_VERSIONED_URL = lazy_regex(r"/*(?:v3/*)?\Z")
_NOT_CLUSTERS = frozenset(
    {"base", "example", "examples", "template", "templates", "old", "new", "backup", "test", "tests"}
)
"""Folders whose files are usually another state of the same cluster."""


class Cloud(NamedTuple):
    """One project.

    Attributes:
        values: The values of the keys that name it, and of the region; empty where a file does not set one.
    """

    values: tuple[str, ...]


def cloud_of(confs: Sequence[NearbyConf]) -> Cloud | None:
    """The project that a cluster's only cloud.conf names.

    Args:
        confs: The cloud.confs nearest to its CCM.

    Returns:
        None where there are several, or none says which project it is: clouds.yaml, a credential or a template does.
    """
    if len(confs) != 1 or confs[0].broken:
        return None
    conf = confs[0]
    values: dict[str, str] = {}
    for section in parse(conf.text).sections:
        if fold(section.name) != fold(GLOBAL) or section.subsection is not None:
            continue
        for entry in section.entries:
            name = fold(entry.key)
            if name not in (*_KEYS, _REGION):
                continue
            if not entry.sound or any(mark.start < entry.end and mark.end > entry.key_start for mark in conf.marks):
                return None
            values[name] = entry.value or ""
    if not values.get("auth-url") or not any(values.get(key) for key in _PROJECT):
        return None
    values["auth-url"] = _VERSIONED_URL.sub("", values["auth-url"].lower())
    return Cloud(tuple(values.get(key, "") for key in (*_KEYS, _REGION)))


def is_sibling(path: str, other: str) -> bool:
    """Whether two files are of two clusters: of one name, in folders that differ in one place, and not by a version."""
    own, others = path.replace("\\", "/").split("/"), other.replace("\\", "/").split("/")
    if len(own) != len(others) or own[-1] != others[-1]:
        return False
    differing = [pair for pair in zip(own, others, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    return not any(_VERSION.search(folder) or folder.lower() in _NOT_CLUSTERS for folder in differing[0])
