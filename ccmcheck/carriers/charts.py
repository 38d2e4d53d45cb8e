"""References to the upstream chart with its version, which give the CCM's release.

Flux's HelmRelease, Argo CD's Application, the HelmChart of k3s and RKE2, Cluster API's HelmChartProxy, k0s's charts,
helmfile's releases, Kustomize's ``helmCharts``, Sveltos's ClusterProfile, Ansible's ``kubernetes.core.helm`` and a
Chart.yaml's dependencies all have one mapping with both.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.catalog.signs.releases import is_ccm_chart, release_of, release_of_chart
from ccmcheck.yamlio import Scalar, YamlNode

_CHART_KEYS = ("chart", "chartname", "chartName", "chart_ref")
_CHART_NAME_SIBLINGS = ("repository", "repo", "appVersion")
"""Keys beside ``name`` that make it a chart's name; anything may have a name and a version."""

VERSION_KEYS = ("version", "targetRevision", "chartVersion", "chart_version")


def find(carrier: Carrier, values: Mapping[str, YamlNode]) -> None:
    """Collect the chart that a mapping with a version in it names, if it is the CCM's."""
    if "urls" in values and "created" in values:
        return  # what the index of a chart repository offers; nobody installs it there
    keys = [key for key in _CHART_KEYS if key in values]
    if not keys and any(key in values for key in _CHART_NAME_SIBLINGS):
        keys = ["name"]
    if not any(is_ccm_chart(_text_at(carrier, values, key)) for key in keys):
        return
    version = _text_at(carrier, values, *VERSION_KEYS)
    release = release_of(f"{CCM}:{_text_at(carrier, values, 'appVersion')}") or release_of_chart(version)
    chart = f"chart {CCM} {version}".rstrip()
    carrier.collector.pods.append(
        CcmPod(
            carrier.collector.path,
            f"{carrier.subject} ({chart})" if carrier.subject else chart,
            _text_at(carrier, values, "targetNamespace", "namespace") or carrier.namespace,
            release=release,
            document=carrier.collector.document,
            line=_line_of(carrier, values),
        )
    )


def _line_of(carrier: Carrier, values: Mapping[str, YamlNode]) -> int:
    node = next((node for key in ("appVersion", *VERSION_KEYS) if isinstance(node := values.get(key), Scalar)), None)
    return carrier.collector.position(carrier.source, node.content.start)[0] if node is not None else 0


def _text_at(carrier: Carrier, values: Mapping[str, YamlNode], *keys: str) -> str:
    """The text of the first key that has one, its template marks as written."""
    for key in keys:
        node = values.get(key)
        if isinstance(node, Scalar):
            return carrier.source.value_of(node)
    return ""
