"""Objects that install a Helm chart: what they say of its version, and the values they give it.

Flux's HelmRelease, Argo CD's Application, the HelmChart of k3s and RKE2, Cluster API's HelmChartProxy, k0s's Chart.
Their values stand in them as a map or as a text, and are looked through like any other document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers import anything
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.images import CCM, release_of_chart
from ccmcheck.yamlio import Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.objects import Object


def find(found: Object) -> None:
    """Search an object that installs a chart.

    Args:
        found: The object.
    """
    for chart, version in _charts(found):
        if CCM in chart:
            release = release_of_chart(version)
            said = f"{found.subject} (chart {CCM} {version}".rstrip() + ")"
            namespace = found.said("spec", "targetNamespace") or found.namespace
            found.search.pods.append(CcmPod(found.search.path, said, namespace, "", release))
    anything.find(found)


def _charts(found: Object) -> Iterator[tuple[str, str]]:
    """The chart's name and version, as each kind writes them."""
    if found.kind == "HelmRelease":
        yield found.said("spec", "chart", "spec", "chart"), found.said("spec", "chart", "spec", "version")
    elif found.kind == "Application":
        yield found.said("spec", "source", "chart"), found.said("spec", "source", "targetRevision")
        several = found.at("spec", "sources")
        for source in several.items if isinstance(several, Sequence) else ():
            yield text_of(field(source, "chart")) or "", text_of(field(source, "targetRevision")) or ""
    else:
        yield found.said("spec", "chartName") or found.said("spec", "chart"), found.said("spec", "version")
