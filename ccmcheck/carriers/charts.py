"""Where the upstream chart is named with its version, so that the CCM's release is known.

Flux's HelmRelease, Argo CD's Application, the HelmChart of k3s and RKE2, Cluster API's HelmChartProxy, k0s's charts,
helmfile's releases, Kustomize's ``helmCharts`` and a Chart.yaml's dependencies all have one mapping that says both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.images import CCM, is_ccm_chart, release_of, release_of_chart
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.carriers.search import Around
    from ccmcheck.yamlio import Node

_CHART_KEYS = ("chart", "chartname", "chartName")
_BESIDE_A_NAME = ("repository", "repo", "appVersion")
"""What stands beside ``name`` where that is a chart's; anything may have a name and a version."""

_VERSION_KEYS = ("version", "targetRevision")


def find(around: Around, values: Mapping[str, Node]) -> None:
    """Look at one mapping with a version in it.

    Args:
        around: The text that it is in, and the object that it belongs to.
        values: Its values by their keys.
    """
    keys = [key for key in _CHART_KEYS if key in values]
    if not keys and any(key in values for key in _BESIDE_A_NAME):
        keys = ["name"]
    if not any(is_ccm_chart(_said(around, values, key)) for key in keys):
        return
    version = _said(around, values, *_VERSION_KEYS)
    release = release_of(f"{CCM}:{_said(around, values, 'appVersion')}") or release_of_chart(version)
    holder = around.holder
    said = f"chart {CCM} {version}".rstrip()
    around.search.pods.append(
        CcmPod(
            around.search.path,
            f"{holder.subject} ({said})" if holder.subject else said,
            _said(around, values, "targetNamespace", "namespace") or holder.namespace,
            release=release,
        )
    )


def _said(around: Around, values: Mapping[str, Node], *keys: str) -> str:
    """The text of the first key that has one, its template marks as written."""
    for key in keys:
        node = values.get(key)
        if isinstance(node, Scalar):
            return around.level.said(node)
    return ""
