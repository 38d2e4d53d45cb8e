"""ConfigMaps: ``data`` as it is, ``binaryData`` in base64.

OpenShift keeps the cloud.conf in one named ``cloud-provider-config`` under the key ``config``; its cloud controller
manager operator rewrites it before the CCM reads it (openshift/cluster-cloud-controller-manager-operator,
pkg/cloud/openstack/openstack.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.secret import look_at

if TYPE_CHECKING:
    from ccmcheck.carriers.objects import Object

_OPENSHIFT_NAME = "cloud-provider-config"
_OPENSHIFT_NAMESPACES = ("", "openshift-config")


def find(found: Object) -> None:
    """Search a ConfigMap.

    Args:
        found: The object.
    """
    operated = found.name == _OPENSHIFT_NAME and found.namespace in _OPENSHIFT_NAMESPACES
    look_at(found, (("data", ""), ("binaryData", "base64")), "openshift" if operated else "")
