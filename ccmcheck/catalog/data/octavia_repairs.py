"""What corrects a load balancer that differs from its Service: the CCM at its next sync, at a node change, or nothing.

The service controller has no timer for Services that did not change: a sync follows a change of the Service, such as of an
annotation, or a start of the CCM (kubernetes/cloud-provider controllers/service/controller.go, needsUpdate; #1597, #2962). A
node change calls UpdateLoadBalancer, which looks at pools, members, monitors and the managed security group alone.

Source: kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go, read at every tag since 1.19; line numbers are
those of v1.36.0. ``sync`` and ``node_change`` are behaviours of `ccmcheck.catalog.data.behaviour`, or ALWAYS, or NEVER.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple

ALWAYS, NEVER = "always", "never"


class Repair(NamedTuple):
    """One field.

    Attributes:
        title: The field, for people.
        sync: The behaviour with which the next sync corrects it.
        node_change: The behaviour with which a node change corrects it; a sync does so as well.
        otherwise: What a person does where nothing corrects it.
        source: Where that can be read.
        aside: What changes it nevertheless; empty for nothing.
    """

    title: str
    sync: str
    node_change: str
    otherwise: str
    source: str
    aside: str = ""


REPAIRS: dict[str, Repair] = {name: Repair(*fields) for name, *fields in read_table(__file__, "octavia_repairs.tsv")}
"""From the name of a difference to what corrects it."""
