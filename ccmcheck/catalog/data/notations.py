"""Other tools' names for what is in a cloud.conf: from which of their variables and fields they write which key.

Sources: kubernetes-sigs/kubespray roles/kubernetes-apps/external_cloud_controller/openstack
(templates/external-openstack-cloud-config.j2, defaults/main.yml); kubernetes/kops upup/pkg/fi/cloudup/openstack/openstackcloudconfig/cloudconfig.go
(MakeCloudConfig) and pkg/apis/kops/cluster.go; rancher/rke types/rke_types.go (the ini tags of OpenstackCloudProvider,
CustomCloudProvider) and cloudprovider/openstack/openstack.go; rancher/terraform-provider-rke
rke/schema_rke_cluster_cloud_provider_openstack.go; ansible-collections/community.general plugins/modules/ini_file.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.deployments import RKE, RKE_BLOCKS, RKE_MAP, RKE_SECTIONS

_CCM = ("ccm",)
_IN_TREE = ("legacy-in-tree",)


class Notation(NamedTuple):
    """How a tool writes what becomes a cloud.conf.

    Attributes:
        name: What it is called, for people.
        readers: Who reads the cloud.conf.
        prefix: How its variables begin; empty where it has a map.
        maps: The names of its map, each with the fields around it, outermost first.
        switch: A variable of another name that decides whether any of them is used.
        keys: By the rest of a variable's name, or the path in the map, the section and the key.
        sections: Maps in the map whose fields are keys by their own names.
        needs: Variables that are read only where another one is set.
        also: What a field of the map adds, by its path: each with the section, the key, and the value where no field
            in it sets that.
        omits_zero: Whether values that are empty, zero or false are left out.
        is_whole: Whether nothing else adds to the cloud.conf.
        own: Keys by whose fields the tool itself goes, so that none of them is superfluous.
    """

    name: str
    readers: tuple[str, ...]
    prefix: str = ""
    switch: str = ""
    maps: tuple[tuple[str, ...], ...] = ()
    keys: Mapping[str, tuple[str, str]] = {}
    sections: Mapping[str, str] = {}
    needs: Mapping[str, str] = {}
    also: Mapping[str, tuple[tuple[str, str, str], ...]] = {}
    omits_zero: bool = False
    is_whole: bool = False
    own: frozenset[str] = frozenset()


def _keys(tool: str) -> dict[str, tuple[str, str]]:
    rows = read_table(__file__, "notation_keys.tsv")
    return {name: (section, key) for of, name, section, key in rows if of == tool}


KUBESPRAY = Notation(
    "Kubespray variables",
    _CCM,
    prefix="external_openstack_",
    switch="external_cloud_provider",
    keys=_keys("kubespray"),
    needs={"lbaas_member_subnet_id": "lbaas_subnet_id"},
)
KOPS = Notation(
    "kOps",
    _CCM,
    maps=(("cloudProvider", "openstack"), ("cloudConfig", "openstack")),
    keys=_keys("kops"),
    needs=dict.fromkeys(("monitor.delay", "monitor.timeout", "monitor.maxRetries"), "loadbalancer"),
    # MakeCloudConfig writes all four, what is not set with nothing behind the equals sign
    also={
        "monitor": (
            ("LoadBalancer", "create-monitor", "true"),
            ("LoadBalancer", "monitor-delay", ""),
            ("LoadBalancer", "monitor-timeout", ""),
            ("LoadBalancer", "monitor-max-retries", "0"),
        )
    },
    own=frozenset(("use-octavia",)),  # upup/pkg/fi/cloudup/openstack/cloud.go: its own load balancers and groups
)
RKE_NOTATION = Notation(
    RKE,
    _IN_TREE,
    maps=((RKE_MAP,), *((name,) for name in RKE_BLOCKS)),
    sections={**RKE_SECTIONS, "loadBalancer": "LoadBalancer", "blockStorage": "BlockStorage"},
    omits_zero=True,
    is_whole=True,
)
NOTATIONS = (KUBESPRAY, KOPS, RKE_NOTATION)

CUSTOM_PROVIDER = "customCloudProvider"
"""RKE's field with the whole text of the file that Kubernetes' own processes read; an external provider reads it where
``name`` beside it is ``external``."""

INI_TASK = "ini_file"
"""The end of the name of Ansible's module that sets one key of an INI file."""
INI_TASKS = "Ansible ini_file"
"""What such tasks are called, for people."""

OWN_KEYS = {notation.name: notation.own for notation in NOTATIONS}
PARTIAL = frozenset((INI_TASKS, *(notation.name for notation in NOTATIONS if not notation.is_whole)))
"""What sets a part of a cloud.conf alone."""
