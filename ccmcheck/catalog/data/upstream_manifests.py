"""Files of cloud-provider-openstack's own folder manifests/, as they are at its tags.

Who keeps a copy of that folder deploys nothing by it; who changes a file means it.
Source: kubernetes/cloud-provider-openstack manifests/ at the tags v1.17.0 to v1.36.0 that are Go modules.
"""

from __future__ import annotations

FOLDERS = ("manifests/controller-manager/", "manifests/cinder-csi-plugin/")

UNCHANGED: dict[str, str] = {
    "cloud-config": """
        4b8b908a5da96f7c 5fdb5955301c0847 8352c3c830fb8e65
    """,
    "csi-secret-cinderplugin.yaml": """
        93c9c60dcd50c019
    """,
    "openstack-cloud-controller-manager-ds.yaml": """
        06018eb4bf2a13a7 1f1f4eef752e2795 89bf743603a14519 8ad78b7cda16a385 c19458b3763db9af c551b9743e5a1c9c
        ce2a8508deeba790 d2abcf99466b1c6a e7a3a271776ef124 e8692b55294f1ec4 ef5c45911b74b758 fcb28f421a537e27
    """,
    "openstack-cloud-controller-manager-pod.yaml": """
        05e7303fb5cb435f 11b7ef1e0453f10e 1f5e4f5f2794fbf6 39b1bd181c481980 4049d904fe352594 5984ab1b1b9fd844
        74697f55f0cc7e80 858a85d85a833660 dbc30dc65cfecb07 f07543010686a954 f99dd8766224aa33 fb141deb80727b39
    """,
}
"""By a file's name, the first half of the SHA-256 of what it holds, without blank ends and with line ends as on Linux."""
