"""Names from other vocabularies that people write into cloud.conf, and what the CCM calls the same thing.

Sources: kubernetes/cloud-provider-openstack pkg/client/client.go (keys of [Global]); python-openstackclient's and
os-client-config's variables and clouds.yaml words; the cloud.conf formats of the vSphere, AWS, GCE and CloudStack providers;
mistakes found in public repositories.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

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

OPENRC: dict[str, str] = dict(read_table(__file__, "openrc_names.tsv"))
"""Words of openrc files, the openstack command and clouds.yaml, to the key of [Global]; empty where there is none."""

ALIASES: dict[tuple[str, str], str] = {
    (section, name): key for section, name, key in read_table(__file__, "key_aliases.tsv")
}
"""Keys too far from the one that is meant for counting letters."""

SECTION_ALIASES: dict[str, str] = dict(read_table(__file__, "section_aliases.tsv"))
"""The same for sections."""

TOLERATED: frozenset[tuple[str, str]] = frozenset(
    {
        # charts write a checksum there on purpose, to restart the CCM when the rest changes
        ("Metadata", "hash")
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
