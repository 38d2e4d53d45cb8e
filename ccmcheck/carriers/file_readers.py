"""Who reads the cloud.confs of a file that no object's name tells of: what else is in the file says so."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE

YAWOL = "yawol"
"""Another controller of load balancers, whose file is called like the CCM's and has keys of its own."""

_FLAG = "cloud-provider"
_IN_TREE = lazy_regex(r"cloud-provider[\"']?[ \t]*+[=:][ \t]*+[\"']?openstack\b(?![\w./-])")
_EXTERNAL = lazy_regex(r"cloud-provider[\"']?[ \t]*+[=:][ \t]*+[\"']?external\b")
_CCM = "openstack-cloud-controller-manager"
_DRIVER = "cinder-csi-plugin"
_DRIVER_IMAGE = lazy_regex(r"image[\"']?[ \t]*+:[ \t]*+[\"']?[^\s\"']*?\bcinder-csi-plugin\b")
_OF_THE_CCM = lazy_regex(r"^[ \t]*+\[[ \t]*+(?i:loadbalancer|networking|route)", re.MULTILINE)
_VOLUME = lazy_regex(
    r"(?:secret|configMap)[\"']?[ \t]*+:\s*+[\"']?(secretName|name)[\"']?[ \t]*+:[ \t]*+[\"']?([\w.-]++)"
)
"""A volume of a Secret or a ConfigMap, with the object's name as its first field."""


def driver_of(text: str, subject: str, conf: str) -> tuple[str, ...]:
    """The Cinder CSI driver, where a file's text has its workload mount one object; empty where it does not.

    Args:
        text: The whole file; where it has the CCM, nobody knows which of the two mounts the object.
        subject: The object, ``Secret kube-system/cloud-config``.
        conf: Its cloud.conf; with a section that only the CCM reads the driver is not the only reader.
    """
    kind, _, name = subject.partition(" ")
    name = name.rpartition("/")[2]
    if not name or _DRIVER not in text or _CCM in text or _DRIVER_IMAGE.search(text) is None:
        return ()
    if _OF_THE_CCM.search(conf) is not None:
        return ()
    field = {"Secret": "secretName", "ConfigMap": "name"}.get(kind)
    mounted = field is not None and any(match[1] == field and match[2] == name for match in _VOLUME.finditer(text))
    return (_DRIVER,) if mounted else ()


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
