"""ConfigMaps: ``data`` as it is, ``binaryData`` in base64.

OpenShift keeps the cloud.conf in one named ``cloud-provider-config`` under the key ``config``; its cloud controller
manager operator rewrites it before the CCM reads it (openshift/cluster-cloud-controller-manager-operator,
pkg/cloud/openstack/openstack.go).
"""

from __future__ import annotations

from ccmcheck.carriers import other_controllers
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.secret import search_maps
from ccmcheck.yamlio import Mapping, text_of

_OPENSHIFT_NAME = "cloud-provider-config"
_OPENSHIFT_NAMESPACES = ("", "openshift-config")


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search a ConfigMap."""
    if obj.name == _OPENSHIFT_NAME and obj.namespace in _OPENSHIFT_NAMESPACES:
        carrier = carrier._replace(dialect="openshift")
    data = obj.at("data")
    for key, text in data.items if isinstance(data, Mapping) else ():
        other_controllers.find_file(obj, carrier, key.value, text_of(text) or "")
    search_maps(obj, carrier, {"data": "", "binaryData": "base64"})
