"""Who reads the cloud.confs of a file that no object's name tells of: what else is in the file says so."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE

YAWOL = "yawol"
"""Another controller of load balancers, whose file is called like the CCM's and has keys of its own."""

_FLAG = "cloud-provider"
_IN_TREE = lazy_regex(r"cloud-provider[\"']?[ \t]*+[=:][ \t]*+[\"']?openstack\b(?![\w./-])")
_EXTERNAL = lazy_regex(r"cloud-provider[\"']?[ \t]*+[=:][ \t]*+[\"']?external\b")
_CCM = "openstack-cloud-controller-manager"


def readers_of(text: str) -> tuple[str, ...]:
    """The programs that a file's text tells of; empty where the CCM is among them, or nothing tells.

    Args:
        text: The whole file. Kubernetes' own processes read its cloud.conf where one of them gets the flag
            ``--cloud-provider=openstack``, as an argument or by kubeadm's ``extraArgs``.
    """
    if _CCM in text:
        return ()
    if _FLAG in text and _IN_TREE.search(text) is not None and _EXTERNAL.search(text) is None:
        return (IN_TREE,)
    return (YAWOL,) if "yawol-cloud-controller" in text else ()
