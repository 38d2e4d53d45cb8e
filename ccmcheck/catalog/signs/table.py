"""The signs by which a text is known for an OpenStack cloud.conf or for another program's file: names and patterns.

The CCM's own sections and keys are in the catalogue; here is what they weigh. Names are separated by blanks and compared
as `ccmcheck.base.suggest.fold_name` does: without case, hyphens and underscores.

Sources:
* Octavia: etc/octavia.conf and octavia/common/config.py (openstack/octavia 0e6ea11c2).
* OpenStack services: the oslo libraries' option groups (oslo.messaging, oslo.policy, keystonemiddleware), and the sample
  configuration of nova, neutron, cinder, magnum, heat, barbican, kuryr-kubernetes and tempest.
* vSphere: kubernetes/cloud-provider-vsphere pkg/common/config, docs/book/cloud_config.md, and the CSI driver's
  csi-vsphere.conf; k8s.io/legacy-cloud-providers vsphere.
* AWS: kubernetes/cloud-provider-aws pkg/providers/v1/config/config.go. GCE: k8s.io/cloud-provider-gcp
  providers/gce/gce.go. CloudStack: apache/cloudstack-kubernetes-provider cloudstack.go. Photon, Rackspace and oVirt:
  kubernetes v1.9 pkg/cloudprovider/providers. Rackspace: rackspace-spot/cloud-provider-rackspace
  pkg/cloudprovider/providers/openstack/openstack.go and manifests/cloud-config, too. IBM: IBM-Cloud/cloud-provider-ibm ibm/ibm.go.
* FlexVolume: cloud-provider-openstack before 1.16, pkg/flexvolume, cluster/images/flex-volume-driver/cinder.conf.default.
* Huawei: kubernetes-sigs/cloud-provider-huaweicloud pkg/config/config.go; huaweicloud/huaweicloud-csi-driver, whose [Vpc]
  Flexible Engine and others took over. EdgeCenter: Edge-Center/edgecenter-ccm README.md. KubeStack: Hypernetes' network
  provider, later harmonystack and Stackube's.
* Azure: kubernetes-sigs/cloud-provider-azure pkg/provider/config. Alibaba: kubernetes/cloud-provider-alibaba-cloud
  pkg/config. Nutanix: nutanix-cloud-native/cloud-provider-nutanix.
* Exoscale: exoscale/exoscale-cloud-controller-manager exoscale/config.go. KubeVirt: kubevirt/cloud-provider-kubevirt
  pkg/provider/cloud.go. OCI: oracle/oci-cloud-controller-manager pkg/cloudprovider/providers/oci/config.
* Encrypted files: ansible-vault's documentation; getsops/sops README; C2SP age.md; RFC 9580; AGWA/git-crypt
  util.cpp and commands.cpp.
* cloud-init: its documentation's module reference. TOML: toml.io v1.0.0, arrays and inline tables.
* Samba smb.conf(5), pip's configuration guide, fio(1), ceph.conf (doc/rados/configuration), php-fpm.conf, my.cnf,
  systemd.network(5), systemd.service(5), setup.cfg (setuptools), git-config(1).
* What is said of how people write: mistakes in public repositories, see tests/wild/README.md.
"""

from __future__ import annotations

from enum import Enum

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.base.records import NamedTuple


class KnownBy(Enum):
    """What calls a text a cloud.conf before anybody looks into it."""

    NOTHING = "nothing, it was found in a folder"
    FILE = "its file's name"
    OBJECT = "the key of an object that holds it"
    USER = "the user, who names it"


NAMED = (KnownBy.FILE, KnownBy.OBJECT, KnownBy.USER)

LEAST: dict[KnownBy, int] = {KnownBy.NOTHING: 2, KnownBy.FILE: 1, KnownBy.OBJECT: -1, KnownBy.USER: -1}
"""The weight that makes a text a cloud.conf; in a folder, beside a key that only the CCM has."""

ALONE: dict[KnownBy, int] = {KnownBy.FILE: 2, KnownBy.OBJECT: 1, KnownBy.USER: 1}
"""The weight of one sign that is enough whatever else a text has, but for another program's signs."""

DECISIVE = 10_000
"""The weight of what decides whatever else a text has."""
FORMAT = 5_000
"""The weight of another form of what the CCM needs: more than every doubt."""
WEAK = 1
"""The weight of what people write into a cloud.conf as well."""


class Sign(NamedTuple):
    """One sign.

    Attributes:
        names: The names, separated by blanks; empty where the catalogue has them.
        weight: How much it weighs for the program whose it is, or for a cloud.conf; below 0 against it.
        example: A text that has it, where the names show none.
        says: What it is called in an answer, where its names are not.
        form: What is looked for, see ``programs.txt``; ``format`` by its name in `ccmcheck.catalog.foreign_format`.
        known_by: Where it counts.
    """

    names: str
    weight: int = 2
    example: str = ""
    says: str = ""
    form: str = ""
    known_by: tuple[KnownBy, ...] = NAMED


OWN_KEY = Sign("", 2, "[LoadBalancer]\nlb-provider = ovn\n")
"""A key that no other program has, or that is almost it, in its section."""
MISPLACED_KEY = Sign("", 1, "[Global]\nlb-provider = ovn\n")
"""The same in another section or none, with a hyphen, as other programs seldom write it."""
GENERIC_KEY = Sign(
    """
    region username password cloud token enabled keyring endpoint user-id domain-id domain-name subnet-id network-id
    availability-zone flavor-id ca-file cert-file key-file key-id request-timeout node-selector secret-name
    secret-namespace kubeconfig-path trust-id tenant-id router-id
    """,
    1,
    "[Global]\nregion = R\n",
)
"""A key of cloud.conf that many other programs have, too: it proves nothing outside its section."""
OWN_LOGIN = Sign("region secret-name", 2, "[Global]\nregion = R\nsecret-name = s\n", "region with secret-name", "login")
"""Keys of [Global] that, beside no name of another program, only OpenShift's files for OpenStack have together."""
OWN_SECTION = Sign("LoadBalancer LoadBalancerClass BlockStorage", 1, "[BlockStorage]\n")
"""A section that few other programs have."""
SECTION = Sign("", 0, "[Global]\n")
"""Any other section of cloud.conf, or one that is almost it: a name that proves nothing, and is something."""
UNKNOWN_KEY = Sign("", -1, "[Global]\ncolour = red\n", "unknown key")
UNKNOWN_SECTION = Sign("", -1, "[colours]\n", "unknown section")
NO_INI = Sign("", -1, "[Global]\nlb1 host=192.0.2.1\n", "other line")
TOML = Sign("", -2, '[Global]\nhosts = ["a"]\n', "TOML value")

_CONTENT = (KnownBy.OBJECT, KnownBy.USER)
CLOUD_CONF: tuple[Sign, ...] = (
    *(Sign(name, FORMAT, form="format") for name in ("a clouds.yaml", "the chart's values")),
    *(Sign(name, FORMAT, form="format", known_by=_CONTENT) for name in ("an openrc file", "a Kubernetes manifest")),
    *(Sign(name, FORMAT, form="format", known_by=(KnownBy.OBJECT,)) for name in ("PEM", "YAML", "JSON")),
    Sign("an encoded cloud.conf", FORMAT, "W0dsb2JhbF0KYXV0aC11cmw9eAo=\n", form="encoded"),
    Sign("a template of the whole", FORMAT, "${CLOUD_CONF}\n", form="marks"),
)
"""Other forms of what the CCM needs, in the place of a cloud.conf."""

ENCRYPTED_BY = "a text encrypted by "
"""How a text is called that is unknown as a whole."""
SEALED = f"{ENCRYPTED_BY}Sealed Secrets"


_FORMS: dict[str, tuple[str, int]] = {
    **{form: (form, DECISIVE) for form in ("login", "host", "json", "yaml", "begins")},
    "sole": ("section", DECISIVE),
    "section": ("section", 2),
    "key": ("key", 2),
    "weak": ("key", WEAK),
}


def _programs() -> dict[str, tuple[Sign, ...]]:
    programs: dict[str, tuple[Sign, ...]] = {}
    for row in read_paragraphs(__file__, "programs.txt"):
        (name,) = row.pop("program")
        programs[name] = ()
        for form, lines in row.items():
            kind, weight = _FORMS[form]
            names = "\n".join(lines).replace("\\0", "\0") if form == "begins" else " ".join(lines)
            programs[name] += (Sign(names, weight, "", "", kind),)
    return programs


PROGRAMS: dict[str, tuple[Sign, ...]] = _programs()
"""The programs with their signs, in the order in which a draw is decided."""
