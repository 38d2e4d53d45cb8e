"""Names from other vocabularies that people write into cloud.conf, and what the CCM calls the same thing.

Sources: kubernetes/cloud-provider-openstack pkg/client/client.go (keys of [Global]); python-openstackclient's and
os-client-config's variables and clouds.yaml words; the cloud.conf formats of the vSphere, AWS, GCE and CloudStack providers;
mistakes found in public repositories.
"""

from __future__ import annotations

_CLOUDS = """
    alibaba alicloud aws azure baiducloud brightbox civo cloudstack digitalocean do equinix exoscale gce gcp
    hcloud hetzner huawei huaweicloud ibm ibmcloud kubevirt linode nutanix oci oracle otc packet proxmox
    rackspace scaleway stackit tencent upcloud vsphere vultr yandex
"""
OTHER_CLOUDS = frozenset(_CLOUDS.split())
"""Clouds with a cloud-controller-manager of their own, as its name has them: ``aws-cloud-controller-manager``.

Source: kubernetes.io "Developing Cloud Controller Manager" and "Cloud Controller Manager Administration", their examples;
repositories of that name
"""

OPENRC: dict[str, str] = {
    "project-id": "tenant-id",
    "project-name": "tenant-name",
    "project-domain-id": "tenant-domain-id",
    "project-domain-name": "tenant-domain-name",
    "user-name": "username",
    "insecure": "tls-insecure",
    "cacert": "ca-file",
    "cert": "cert-file",
    "region-name": "region",
    "interface": "os-endpoint-type",
    "endpoint-type": "os-endpoint-type",
    "os-auth-url": "auth-url",
    "os-username": "username",
    "os-user-id": "user-id",
    "os-password": "password",
    "os-token": "token",
    "os-tenant-id": "tenant-id",
    "os-tenant-name": "tenant-name",
    "os-project-id": "tenant-id",
    "os-project-name": "tenant-name",
    "os-domain-id": "domain-id",
    "os-domain-name": "domain-name",
    "os-user-domain-id": "user-domain-id",
    "os-user-domain-name": "user-domain-name",
    "os-project-domain-id": "tenant-domain-id",
    "os-project-domain-name": "tenant-domain-name",
    "os-trust-id": "trust-id",
    "os-region-name": "region",
    "os-region": "region",
    "os-cacert": "ca-file",
    "os-cert": "cert-file",
    "os-key": "key-file",
    "os-insecure": "tls-insecure",
    "os-interface": "os-endpoint-type",
    "os-cloud": "cloud",
    "os-application-credential-id": "application-credential-id",
    "os-application-credential-name": "application-credential-name",
    "os-application-credential-secret": "application-credential-secret",
    # the CCM detects these
    "auth-type": "",
    "os-auth-type": "",
    "identity-api-version": "",
    "os-identity-api-version": "",
}
"""Words of openrc files, the openstack command and clouds.yaml, to the key of [Global]; empty where there is none."""

ALIASES: dict[tuple[str, str], str] = {
    ("LoadBalancer", "monitor-retries"): "monitor-max-retries",
    ("LoadBalancer", "max-retries"): "monitor-max-retries",
    ("LoadBalancer", "retries-down"): "monitor-max-retries-down",
    ("LoadBalancer", "health-monitor"): "create-monitor",
    ("LoadBalancer", "create-health-monitor"): "create-monitor",
    ("LoadBalancer", "provider"): "lb-provider",
    ("LoadBalancer", "method"): "lb-method",
    ("LoadBalancer", "manage-security-group"): "manage-security-groups",
    ("LoadBalancer", "security-groups"): "manage-security-groups",
    ("LoadBalancer", "enable-monitor"): "create-monitor",
    ("Networking", "external-network-name"): "public-network-name",  # Neutron's word is external, the CCM's is public
    ("Global", "user"): "username",
    ("Global", "ca-cert"): "ca-file",
    ("Global", "cacert-file"): "ca-file",
    ("Global", "ca-cert-file"): "ca-file",
    ("Global", "tls-skip-verify"): "tls-insecure",
}
"""Keys too far from the one that is meant for counting letters."""

SECTION_ALIASES: dict[str, str] = {
    "Network": "Networking",
    "LB": "LoadBalancer",
    "Octavia": "LoadBalancer",
    "Routes": "Route",
    "Routing": "Route",
}
"""The same for sections."""

TOLERATED: frozenset[tuple[str, str]] = frozenset(
    {
        # charts write a checksum there on purpose, to restart the CCM when the rest changes
        ("Metadata", "hash"),
    }
)
"""Keys without a reader that are not mistakes."""

OPENSHIFT: frozenset[str] = frozenset({"secret-name", "secret-namespace", "kubeconfig-path"})
"""Keys of [Global] that OpenShift's operator takes out before the CCM sees the file."""

OPENSHIFT_ALONE: frozenset[str] = frozenset({"kubeconfig-path"})
"""Those of them that OpenShift writes for OpenStack alone: vSphere's file has the Secret's name, too.

Source: openshift/cluster-cloud-controller-manager-operator pkg/cloud/openstack/openstack.go;
openshift/openstack-cinder-csi-driver-operator pkg/controllers/config/configsync.go
"""
