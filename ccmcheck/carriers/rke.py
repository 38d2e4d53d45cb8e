"""RKE's ``openstackCloudProvider``: the map of a ``cluster.yml``, or Rancher's form of it, that becomes a cloud.conf.

RKE writes it for the in-tree provider: five sections, whose keys have the names of cloud.conf's, in an INI file
without the values that are empty, zero or false (rancher/rke types/rke_types.go, the ini tags of
OpenstackCloudProvider, and cloudprovider/openstack/openstack.go). Rancher's API has the sections in camel case;
Terraform's providers have them and the keys in snake case, see `ccmcheck.carriers.embedded.hcl_maps`.
"""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.chart_map import ChartMap
from ccmcheck.carriers.chart_templates import ChartMapping
from ccmcheck.catalog.data.deployments import RKE, RKE_SECTIONS
from ccmcheck.yamlio import Mapping

_MAPPING = ChartMapping(
    {**RKE_SECTIONS, "loadBalancer": "LoadBalancer", "blockStorage": "BlockStorage"}, omits_zero=True
)


class RkeMap(ChartMap):
    """An ``openstackCloudProvider`` map; see `ChartMap`."""

    __slots__ = ()
    kind = RKE


def find(carrier: Carrier, settings: Mapping, where: str) -> None:
    """Collect the cloud.conf that RKE writes from a map.

    Args:
        carrier: The file or object, with the text that the map is in.
        settings: The map.
        where: Where it is in the object, for people.
    """
    layer = RkeMap(carrier.source.text, settings, _MAPPING)
    if not layer.pieces:
        return
    source = carrier.source
    marks = [
        Span(piece.start, piece.end)
        for piece in layer.pieces
        if piece.key is not None and (piece.unknown or source.has_mark(piece.node))
    ]
    inner = source._replace(
        stack=source.stack.push(layer), written=layer.text, marks=tuple(marks), depth=source.depth + 1
    )
    subject = carrier.subject or RKE
    carrier._replace(source=inner, kind=RKE, subject=subject, consumers=(IN_TREE,)).collect(where)
