"""What others set for create-monitor and its timers, each with the file, the commit and the date that set it.

Read in the projects' histories. A date is that on which the commit that wrote the setting was committed; where that
commit moved or imported a file, the row names the older one.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple

UPSTREAM, SET, OPTION, UNSET, ADVICE, PAST = "upstream", "set", "option", "unset", "advice", "past"
KINDS: dict[str, str] = {
    UPSTREAM: "the CCM's own default or example",
    SET: "written into every cloud.conf",
    OPTION: "the default of an option of its own",
    UNSET: "left out: the CCM's default applies",
    ADVICE: "documentation or training, not a deployment",
    PAST: "code that is gone, or that the same organisation has replaced",
}
"""What a row says, by its kind."""


class Setter(NamedTuple):
    """What one project sets.

    Attributes:
        name: Who.
        value: True, False, or None where it is left out, and so false.
        timers: ``15s/10s/3``: delay, timeout, max-retries; empty where they are left to the CCM.
        kind: One of `KINDS`.
        repository: On GitHub, ``owner/name``.
        path: The file in it.
        commit: The commit that set it, or the one it was read at where its history is not known.
        date: Of that commit: ``2022-01-12``, or the month alone.
        note: What else is to be known; may be empty.
    """

    name: str
    value: bool | None
    timers: str
    kind: str
    repository: str
    path: str
    commit: str
    date: str
    note: str = ""

    @property
    def source(self) -> str:
        """File, commit and date."""
        return f"{self.repository} {self.path} ({self.commit}, {self.date})"

    @property
    def url(self) -> str:
        """The file at that commit."""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{self.path}"


_CPO = "kubernetes/cloud-provider-openstack"
_CPO_CODE = "pkg/cloudprovider/providers/openstack/openstack.go"
_SCS = "SovereignCloudStack"

SETTERS: tuple[Setter, ...] = (
    Setter("CCM, 1.18 and newer", False, "5s/3s/1", UPSTREAM, _CPO, _CPO_CODE, "8c02748fab09", "2020-03-26"),
    Setter(
        "CCM up to 1.17, and in-tree",
        False,
        "",
        UPSTREAM,
        _CPO,
        _CPO_CODE,
        "b9904dd5eed3",
        "2017-07-07",
        "the zero value is older; from this commit on it does not start with true and a timer missing",
    ),
    Setter(
        "CCM's documentation, example of classes",
        True,
        "60s/30s/1",
        UPSTREAM,
        _CPO,
        "docs/openstack-cloud-controller-manager/expose-applications-using-loadbalancer-type-service.md",
        "a5e2b9333bf4",
        "2020-10-30",
        "the example is of 2019-05-29 (7f1127e54587); this commit moved the file",
    ),
    Setter(
        "CCM's Helm chart",
        None,
        "",
        UPSTREAM,
        _CPO,
        "charts/openstack-cloud-controller-manager/values.yaml",
        "37ba02c5656f",
        "2021-04-15",
        "its README calls health checks optional",
    ),
    Setter(
        "SCS k8s-cluster-api-provider",
        None,
        "",
        PAST,
        f"{_SCS}/k8s-cluster-api-provider",
        "doc/LoadBalancer-ExtTrafficLocal.md",
        "c2d2fc37c912",
        "2023-03-07",
        "decided against monitors by default; true on OVN (terraform/files/bin/handle_ovn_lb.sh) and by annotation on "
        "its ingress",
    ),
    Setter(
        "SCS openstack-csp-helper",
        True,
        "",
        PAST,
        f"{_SCS}/cluster-stacks",
        "providers/openstack/alpha/1-28/csp-helper-chart/templates/_helpers.tpl",
        "76015e6bb147",
        "2024-02-29",
        "a repository of its own since 2024-04-16 (e3a0959f3f64, an import)",
    ),
    Setter(
        "SCS cluster-stacks, scs2",
        None,
        "",
        UNSET,
        f"{_SCS}/cluster-stacks",
        "providers/openstack/scs2/cluster-addon/ccm/values.yaml",
        "f5f9a4260d32",
        "2025-09-26",
    ),
    Setter(
        "SCS training scripts",
        True,
        "",
        ADVICE,
        f"{_SCS}/scs-training-kaas-scripts",
        "_11-fixup-ovn-lb.sh",
        "f5074cf769c2",
        "2025-07-18",
        "patches the Secret and restarts the CCM",
    ),
    Setter(
        "OpenShift (CCCMO)",
        None,
        "",
        UNSET,
        "openshift/cluster-cloud-controller-manager-operator",
        "pkg/cloud/openstack/openstack.go",
        "552eb6a8f94f",
        "2022-03-14",
    ),
    Setter(
        "OpenShift's documentation, Local",
        True,
        "10s/10s/1",
        ADVICE,
        "openshift/openshift-docs",
        "modules/installation-osp-setting-cloud-provider-options.adoc",
        "06cdc737252c",
        "2022-06",
        "asks for it with Local since #46245; timeout as long as the delay",
    ),
    Setter(
        "kOps",
        True,
        "15s/10s/3",
        SET,
        "kubernetes/kops",
        "upup/pkg/fi/cloudup/new_cluster.go",
        "49807cca8cc1",
        "2022-01-12",
        "1m/30s/3 before",
    ),
    Setter(
        "Kubespray",
        None,
        "",
        UNSET,
        "kubernetes-sigs/kubespray",
        "roles/kubernetes-apps/external_cloud_controller/openstack/templates/external-openstack-cloud-config.j2",
        "9a72de54de84",
        "2023-05-10",
        "its in-tree provider, gone since 2024-10-15, had true and 1m/30s/3",
    ),
    Setter(
        "Magnum (Heat)",
        True,
        "1m/30s/3",
        PAST,
        "openstack/magnum",
        "magnum/drivers/common/templates/kubernetes/fragments/write-kube-os-config.sh",
        "5af49aa2fac6",
        "2022-05-03",
        "label octavia_lb_healthcheck; the timers are of 2015-06-15 (6d051efc); the driver was removed on 2026-05-26",
    ),
    Setter(
        "magnum-cluster-api",
        True,
        "",
        OPTION,
        "vexxhost/magnum-cluster-api",
        "magnum_cluster_api/utils.py",
        "46e435709c94",
        "2024-11-15",
        "label octavia_lb_healthcheck; its commit takes true for the CCM's default",
    ),
    Setter(
        "magnum-capi-helm",
        True,
        "",
        OPTION,
        "openstack/magnum-capi-helm",
        "magnum_capi_helm/driver.py",
        "cc32aafc560f",
        "2024-04-11",
        "label octavia_lb_healthcheck",
    ),
    Setter(
        "capi-helm-charts",
        None,
        "",
        UNSET,
        "azimuth-cloud/capi-helm-charts",
        "charts/cluster-addons/values.yaml",
        "2f906a37e96d",
        "2022-10-12",
        "an example in its README has true",
    ),
    Setter(
        "Gardener",
        True,
        "20s/30s/2",
        SET,
        "gardener/gardener-extension-provider-openstack",
        "charts/internal/cloud-provider-config/values.yaml",
        "b4936dea26da",
        "2023-03-29",
        "timeout above delay; the link shows the timers; true is of 2019-05-29 (gardener-attic/gardener-extensions "
        "ae9c1c004b84)",
    ),
    Setter(
        "kubernikus (SAP), f5",
        True,
        "1m/30s/3",
        SET,
        "sapcc/kubernikus",
        "charts/kube-master/templates/_openstack-ccmanager.config.tpl",
        "f9f758b1b11a",
        "2020-12-01",
        "true and the timers since 2017-04-26 (2cca28f11ad0)",
    ),
    Setter(
        "Giant Swarm",
        True,
        "",
        OPTION,
        "giantswarm/cloud-provider-openstack-app",
        "helm/cloud-provider-openstack-app/values.yaml",
        "6458a756f104",
        "2022-01-24",
    ),
    Setter(
        "KKP",
        None,
        "",
        UNSET,
        "kubermatic/kubermatic",
        "pkg/resources/cloudconfig/openstack/cloudconfig.go",
        "db36dbe1818f",
        "2024-08-23",
        "the code can write it and nothing sets it (#8010, #15460, change #15483 is open); this commit moved the code",
    ),
)
"""In the order of a table for people, one row for each project; a value that is left out comes to false."""


class Count(NamedTuple):
    """How the projects that deploy clusters decided.

    Attributes:
        set_on: They write ``true`` into every cloud.conf.
        option_on: Their own option has the default ``true``.
        unset: They leave it to the CCM, and so off.
        all: All of them.
    """

    set_on: int
    option_on: int
    unset: int
    all: int

    @property
    def on(self) -> int:
        """Those whose clusters have monitors unless somebody switches them off."""
        return self.set_on + self.option_on


def counted(setters: tuple[Setter, ...] = SETTERS) -> Count:
    """Count the projects that deploy clusters: each organisation once, without documentation and what is gone."""
    deployers = [setter for setter in setters if setter.kind in {SET, OPTION, UNSET}]
    return Count(
        sum(setter.kind == SET and setter.value is True for setter in deployers),
        sum(setter.kind == OPTION and setter.value is True for setter in deployers),
        sum(setter.kind == UNSET for setter in deployers),
        len(deployers),
    )
