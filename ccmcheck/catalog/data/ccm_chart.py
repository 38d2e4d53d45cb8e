"""The CCM's own chart by its versions: its default values, and what its templates make of values.

Source: kubernetes/cloud-provider-openstack charts/openstack-cloud-controller-manager (values.yaml, templates/daemonset.yaml,
secret.yaml, clusterrole.yaml, _helpers.tpl) at the tags ``openstack-cloud-controller-manager-1.0.0`` to ``-2.36.0``.
"""

from __future__ import annotations

from ccmcheck.catalog.data.deployments import CCM

TURNS: dict[str, tuple[str, ...]] = {
    "cluster.name": ("1.3.0",),
    "cloudConfigContents": ("1.4.0", "2.24.0", "2.25.0"),
    "cloudConfig.route": ("2.29.2", "2.29.3", "2.30.0"),
    "values are quoted": ("1.4.0", "2.24.0", "2.25.0"),
    "extraVolumes": ("1.2.0",),
    "podSecurityContext": ("1.3.0",),
    "extraEnv": ("2.29.0-alpha.5",),
    "secret.enabled": ("2.28.0-alpha.5",),
    "nodes of the control plane": ("2.29.0-alpha.2",),
    "certificates of the host": ("1.0.0", "1.4.0", "2.24.0", "2.25.0"),
    "registry.k8s.io": ("2.24.0",),
    "driver reads /etc/config": ("2.33.0",),
    "clusterRoleName": (
        "2.26.5",
        "2.27.0-alpha.0",
        "2.27.6",
        "2.28.0-alpha.1",
        "2.28.2",
        "2.29.0-alpha.0",
        "2.29.0-alpha.1",
    ),
    "accounts of their own": ("1.0.0", "2.30.0"),
    "serviceaccounts/token": ("1.0.2",),
    "services/status": ("1.3.0",),
}
"""By what the chart does or reads: the version that it begins with, the one that it ends with, and so on by turns.

Backports to older branches make the turns; so 2.29.3 lacks what 2.29.2 has.
"""

_PKI = ("k8s-certs", "/etc/kubernetes/pki")
_FLEXVOLUME = ("flexvolume-dir", "/usr/libexec/kubernetes/kubelet-plugins/volume/exec")
_CERTIFICATES = ("ca-certs", "/etc/ssl/certs")
HOST_FOLDERS = ((_FLEXVOLUME, ""), (_CERTIFICATES, "certificates of the host"), (_PKI, ""))
"""The folders of the host that the container has by default, each with what decides whether it has it."""

CONTROL_PLANE = "node-role.kubernetes.io/control-plane"
DEFAULTS: dict[str, object] = {
    "image": {"repository": f"registry.k8s.io/provider-os/{CCM}"},
    "secret": {"enabled": True, "create": True, "name": "cloud-config"},
    "cluster": {"name": "kubernetes"},
    "clusterRoleName": "system:cloud-controller-manager",
    "enabledControllers": ["cloud-node", "cloud-node-lifecycle", "route", "service"],
    "podSecurityContext": {"runAsUser": 1001},
    "nodeSelector": {CONTROL_PLANE: ""},
    "tolerations": [
        {"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "true", "effect": "NoSchedule"},
        {"key": CONTROL_PLANE, "effect": "NoSchedule"},
    ],
    "extraVolumes": [],
    "extraVolumeMounts": [],
}
"""The values of the newest version that its templates of the workload and the Secret read."""

ROLE = (
    ("coordination.k8s.io", "leases", "get create update"),
    ("", "events", "create patch update"),
    ("", "nodes", "*"),
    ("", "nodes/status", "patch"),
    ("", "services", "list patch update watch"),
    ("", "services/status", "patch"),
    ("", "serviceaccounts/token", "create"),
    ("", "serviceaccounts", "create get"),
    ("", "persistentvolumes", "*"),
    ("", "endpoints", "create get list watch update"),
    ("", "configmaps", "get list watch"),
    ("", "secrets", "list get watch"),
)
"""The rules of its ClusterRole: the group, the resource, the verbs; a resource of `TURNS` by its versions."""

OLD_ROLE = f"system:{CCM}"
"""What the role is called where no value names it."""
OLD_REPOSITORY = f"docker.io/k8scloudprovider/{CCM}"
MOUNTED_AT = "/etc/config"
CONF_KEY = "cloud.conf"
FIXED = {
    "extraVolumes": "extraVolumes",
    "extraVolumeMounts": "extraVolumes",
    "podSecurityContext": "podSecurityContext",
    "clusterRoleName": "clusterRoleName",
}
"""Values that the first versions do not read, each with what begins when they do."""

DRIVER_CHARTS = ("openstack-cinder-csi", "cinder-csi-plugin")
"""The Cinder CSI driver's chart and its folder.

Source: kubernetes/cloud-provider-openstack charts/cinder-csi-plugin (values.yaml, templates/controllerplugin-deployment.yaml)
at v1.26.0 to v1.36.0.
"""
DRIVER_FOLDERS = {False: "/etc/kubernetes", True: "/etc/config"}
"""Where it mounts the cloud.conf, by whether it does so in the newest versions."""
DRIVER_DEFAULTS: dict[str, object] = {"secret": {"enabled": False, "hostMount": True, "filename": "cloud.conf"}}
DRIVER_CACERT = "/etc/cacert"
"""The folder of the host that its containers have by default."""
