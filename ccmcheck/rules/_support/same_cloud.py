"""Whether two clusters are in the same project of the same cloud, as far as their files say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import NearbyConf

_VERSION = lazy_regex(r"v?\d+[._-]\d+", re.ASCII)
_NOT_CLUSTERS = frozenset(
    {"base", "example", "examples", "template", "templates", "old", "new", "backup", "test", "tests"}
)
"""Folders whose files are usually another state of the same cluster."""


def project_of(confs: Sequence[NearbyConf]) -> tuple[str, ...]:
    """The project that a cluster's only cloud.conf names; empty where there are several, or it does not say.

    Args:
        confs: The cloud.confs nearest to its CCM.
    """
    return confs[0].project if len(confs) == 1 and not confs[0].broken else ()


def is_sibling(path: str, other: str) -> bool:
    """Whether two files are of two clusters: of one name, in folders that differ in one place, and not by a version."""
    own, others = path.replace("\\", "/").split("/"), other.replace("\\", "/").split("/")
    if len(own) != len(others) or own[-1] != others[-1]:
        return False
    differing = [pair for pair in zip(own, others, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    return not any(_VERSION.search(folder) or folder.lower() in _NOT_CLUSTERS for folder in differing[0])
