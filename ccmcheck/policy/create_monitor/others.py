"""What others set for create-monitor and its timers, each with the file that sets it."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class Setter(NamedTuple):
    """What one distribution or deployer sets.

    Attributes:
        name: Who.
        value: True, False, or None where it is left out, and so false.
        timers: ``15s/10s/3``: delay, timeout, max-retries; empty where they are left to the CCM.
        source: Where it is set.
        upstream: Whether it is the CCM's own default or example, not set by anyone for a cluster.
    """

    name: str
    value: bool | None
    timers: str
    source: str
    upstream: bool = False


_PROVIDER = "cloud-provider-openstack"

SETTERS: tuple[Setter, ...] = (
    Setter(
        "CCM, 1.18 and newer", False, "5s/3s/1", f"{_PROVIDER} pkg/openstack/openstack.go ReadConfig", upstream=True
    ),
    Setter(
        "CCM up to 1.17, and in-tree",
        False,
        "",
        "pkg/openstack/openstack.go checkOpenStackOpts; timers must be set with true",
        upstream=True,
    ),
    Setter(
        "CCM's documentation, example of classes",
        True,
        "60s/30s/1",
        f"{_PROVIDER} docs/openstack-cloud-controller-manager/using-openstack-cloud-controller-manager.md",
        upstream=True,
    ),
    Setter(
        "CCM's Helm chart",
        None,
        "",
        f"{_PROVIDER} charts/openstack-cloud-controller-manager/values.yaml",
        upstream=True,
    ),
    Setter(
        "SCS k8s-cluster-api-provider, amphora",
        None,
        "",
        "k8s-cluster-api-provider terraform/files/template/cloud.conf.tmpl, R1 to R6",
    ),
    Setter(
        "SCS k8s-cluster-api-provider, OVN", True, "", "k8s-cluster-api-provider terraform/files/bin/handle_ovn_lb.sh"
    ),
    Setter("SCS openstack-csp-helper", True, "", "openstack-csp-helper templates/_helpers.tpl"),
    Setter("SCS cluster stack scs2", None, "", "cluster-stacks providers/openstack/scs2"),
    Setter("SCS training scripts", True, "", "scs-training-kaas-scripts 07-cluster-secret.sh, _11-fixup-ovn-lb.sh"),
    Setter("OpenShift (CCCMO)", None, "", "cluster-cloud-controller-manager-operator pkg/cloud/openstack/openstack.go"),
    Setter("OpenShift's documentation, Local", True, "10s/10s/1", "openshift-docs nw-osp-loadbalancer-etp-local"),
    Setter("kOps", True, "15s/10s/3", "kops upup/pkg/fi/cloudup/new_cluster.go"),
    Setter("Kubespray, in-tree", True, "1m/30s/3", "kubespray roles/kubespray_defaults/defaults/main/main.yml"),
    Setter("Kubespray, external CCM", None, "", "kubespray external-openstack-cloud-config.j2"),
    Setter("Magnum (Heat)", True, "1m/30s/3", "magnum write-kube-os-config.sh; label octavia_lb_healthcheck"),
    Setter("magnum-cluster-api", True, "", "vexxhost/magnum-cluster-api, the label's default"),
    Setter("magnum-capi-helm", True, "", "openstack/magnum-capi-helm, the label's default"),
    Setter("capi-helm-charts", None, "", "azimuth-cloud/capi-helm-charts"),
    Setter(
        "Gardener, since 2020-01",
        True,
        "20s/30s/2",
        "gardener-extension-provider-openstack charts/internal/cloud-provider-config (#594): timeout above delay",
    ),
    Setter("kubernikus (SAP), f5", True, "1m/30s/3", "sapcc/kubernikus"),
    Setter("Giant Swarm", True, "", "giantswarm/cloud-provider-openstack-app"),
    Setter("KKP, KubeOne", None, "", "kubermatic/kubermatic#8010, #15460; change #15483 is open"),
    Setter(
        "genestack, k0rdent (documentation)",
        True,
        "",
        "their documentation of cloud.conf; with provider-requires-serial-api-calls, which breaks Local",
    ),
)
"""In the order of a table for people; a value that is left out comes to false."""


def counted(setters: tuple[Setter, ...] = SETTERS) -> tuple[int, int]:
    """How many of those who deploy clusters set ``true``, and how many there are."""
    deployers = [one for one in setters if not one.upstream]
    return sum(one.value is True for one in deployers), len(deployers)
