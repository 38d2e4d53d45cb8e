"""The CCM's own chart: what a version of it does, and its default values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ccmcheck.base.data_files import read_tables
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.data import ccm_chart
from ccmcheck.catalog.data.installed_releases import CHART_RELEASES

_VERSION = lazy_regex(r"v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:-alpha\.(\d{1,4}))?(?:\+[\w.-]*)?\Z")
_FINAL = 1_000_000
"""Instead of the number of an alpha version, which all are before."""


def does(what: str, version: str) -> bool:
    """Whether a version of the chart does something.

    Args:
        what: A key of `ccmcheck.catalog.data.ccm_chart.TURNS`.
        version: The version; the newest stands in for one that is none, as a range is.
    """
    return is_on(ccm_chart.TURNS[what], version)


def is_on(turns: Sequence[str], version: str) -> bool:
    """Whether a version is one of some stretches, each from a version on and before another one; as `does`."""
    given = _number(version)
    return (len(turns) if given is None else bisect_right([_number(turn) or () for turn in turns], given)) % 2 == 1


def from_when(what: str) -> str:
    """The version from which on every one does something."""
    return ccm_chart.TURNS[what][-1]


@lru_cache(maxsize=64)
def defaults(version: str) -> dict[str, Any]:
    """The default values of a version; nobody may change them.

    ``image.tag`` is there where it is known: the release that the version installs.
    """
    values = read_tables(ccm_chart.__file__, "ccm_chart_defaults.toml")
    if not does("registry.k8s.io", version):
        values["image"]["repository"] = ccm_chart.OLD_REPOSITORY
    if not does("clusterRoleName", version):
        values["clusterRoleName"] = ccm_chart.OLD_ROLE
    tag = CHART_RELEASES.get(version.removeprefix("v"))
    if tag:
        values["image"]["tag"] = tag
    if not does("nodes of the control plane", version):
        del values["nodeSelector"], values["tolerations"]
    for when, name, path in ccm_chart.HOST_FOLDERS:
        if not when or does(when, version):
            values["extraVolumes"].append({"name": name, "hostPath": {"path": path}})
            values["extraVolumeMounts"].append({"name": name, "mountPath": path, "readOnly": True})
    return values


def _number(version: str) -> tuple[int, ...] | None:
    match = _VERSION.match(version)
    return None if match is None else (*map(int, match.groups()[:3]), int(match[4]) if match[4] else _FINAL)
