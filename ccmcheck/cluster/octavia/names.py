"""What the names, tags and descriptions that the CCM writes say: the cluster, the namespace and the Service.

A name is split from the right: namespaces and Services are DNS labels, so only the cluster's name may hold ``_``; the
prefix ``kube_service_dev_`` would match the load balancers of cluster ``dev_2`` too.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go GetLoadBalancerName, getLoadBalancerLegacyName,
createOctaviaLoadBalancer, ensureFloatingIP; loadbalancer_sg.go getSecurityGroupName.
"""

from __future__ import annotations

import re

from ccmcheck.cluster.access.documents import text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, lazy_regex

PREFIX = "kube_service_"
LONGEST = 255
"""Names are cut here, so that one of this length may lack its end."""

_LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_NAME = lazy_regex(rf"{PREFIX}(.*)_({_LABEL})_({_LABEL})\Z")
_LEGACY = lazy_regex(r"a[0-9a-f]{31}\Z")
_UID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_GROUP = lazy_regex(rf"lb-sg-({_UID})-")
BALANCER_TEXT = lazy_regex(rf"Kubernetes external service ({_LABEL})/({_LABEL}) from cluster (.*)\Z")
FLOATING_TEXT = lazy_regex(rf"Floating IP for Kubernetes external service ({_LABEL})/({_LABEL}) from cluster (.*)\Z")
GROUP_TEXT = lazy_regex(rf"Security Group for ({_LABEL})/({_LABEL}) Service LoadBalancer in cluster (.*)\Z")


class OwnerName(NamedTuple):
    """A Service of a cluster, as a name, a tag or a description has it.

    Attributes:
        cluster: The cluster's name.
        namespace: The Service's namespace.
        service: Its name.
    """

    cluster: str
    namespace: str
    service: str

    @property
    def title(self) -> str:
        """``shop/web``."""
        return f"{self.namespace}/{self.service}"


def of_name(name: str) -> OwnerName | None:
    """The Service in the name or a tag of a load balancer; None where there is none, or the name is cut."""
    match = _NAME.match(name) if len(name) < LONGEST else None
    return OwnerName(match[1], match[2], match[3]) if match is not None else None


def is_cut(name: str) -> bool:
    """Whether a name was made by the CCM and may lack its end."""
    return name.startswith(PREFIX) and len(name) >= LONGEST


def is_legacy(name: str) -> bool:
    """Whether a load balancer has the older form of name: ``a`` and 31 digits of the Service's UID."""
    return _LEGACY.match(name) is not None


def legacy_name(uid: str) -> str:
    """The older form of a load balancer's name."""
    return f"a{uid.replace('-', '')}"[:32]


def described(what: re.Pattern[str], found: Document) -> OwnerName | None:
    """The Service in the description of an object, which a renamed one keeps.

    Args:
        what: How the CCM describes such objects.
        found: The object.
    """
    match = what.match(text(found.get("description")))
    return OwnerName(match[3], match[1], match[2]) if match is not None else None


def group_uid(name: str) -> str:
    """The Service's UID in the name of a security group; empty without one."""
    match = _GROUP.match(name)
    return match[1] if match is not None else ""
