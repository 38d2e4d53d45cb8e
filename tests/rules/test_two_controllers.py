"""Other controllers of load balancers in a repository beside the CCM: which Services both handle."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Finding, Severity
from ccmcheck.carriers.base import NearbyConf, OtherController, RunContext
from ccmcheck.workspace.affected_files import affected_services

CONF = "[LoadBalancer]\nlb-provider = amphora\ncreate-monitor = true\n"
WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  selector: {app: web}
  ports: [{port: 80}]
"""
WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: controller, namespace: system}}
spec:
  template:
    spec:
      containers:
      - name: helper
        image: registry.example.org/helper:1
      - name: controller
        image: {}
"""
METALLB = WORKLOAD.format("quay.io/metallb/controller:v0.14.9") + "        args: [--port=7472, --log-level=info]\n"
L2 = """\
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addresses: [192.0.2.0/24]}
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: lan, namespace: metallb-system}
"""
BGP = L2.replace("L2Advertisement", "BGPAdvertisement")
CILIUM = """\
apiVersion: cilium.io/v2
kind: CiliumLoadBalancerIPPool
metadata: {name: lan}
spec: {blocks: [{cidr: 192.0.2.0/24}]}
"""
CALICO = """\
apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: lan}
spec: {cidr: 192.0.2.0/24, allowedUses: [LoadBalancer]}
"""
KUBE_VIP = """\
apiVersion: v1
kind: Pod
metadata: {name: kube-vip, namespace: kube-system}
spec:
  containers:
  - name: kube-vip
    image: ghcr.io/kube-vip/kube-vip:v0.8.7
    args: [manager]
    env:
    - {name: vip_arp, value: "true"}
    - {name: svc_enable, value: "true"}
"""
VIP_CLOUD = WORKLOAD.format("ghcr.io/kube-vip/kube-vip-cloud-provider:v0.0.10@sha256:" + "a" * 64)
KEEPALIVED = WORKLOAD.format("quay.io/redhat-cop/keepalived-operator:latest")
KURYR = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: kuryr-config, namespace: kube-system}
data:
  kuryr.conf: |
    [DEFAULT]
    debug = true
    [kubernetes]
    endpoints_driver_octavia_provider = ovn
    enabled_handlers = vif,endpoints,service,kuryrloadbalancer,kuryrport
    [neutron]
    auth_url = https://keystone.example.org/v3
"""
YAWOL = WORKLOAD.format("ghcr.io/stackitcloud/yawol/yawol-cloud-controller:v0.25.0")
OVN_KUBERNETES = WORKLOAD.format("ghcr.io/ovn-kubernetes/ovn-kubernetes/ovn-kube-ubuntu:master")


def annotated(name: str, value: str) -> str:
    return WEB.replace("namespace: shop", f'namespace: shop, annotations: {{{name}: "{value}"}}')


def with_spec(line: str) -> str:
    return f"{WEB}  {line}\n"


def found(folder: Path, files: dict[str, str]) -> list[Finding]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    result = check_paths([str(folder)], LintOptions(select=("svc-two-controllers",)))
    assert result.failures == []
    return list(result.findings)


SHARED = {
    "MetalLB, L2": ("MetalLB", WEB, {"metallb/controller.yaml": METALLB, "metallb/pools.yaml": L2}),
    "MetalLB, BGP": ("MetalLB", WEB, {"metallb/controller.yaml": METALLB, "metallb/pools.yaml": BGP}),
    "MetalLB, asked for": ("MetalLB", annotated("metallb.io/address-pool", "lan"), {"metallb.yaml": METALLB}),
    "kube-vip": ("kube-vip", with_spec("loadBalancerIP: 192.0.2.7"), {"kube-vip/pod.yaml": KUBE_VIP}),
    "kube-vip's cloud provider": ("kube-vip", WEB, {"kube-vip/cloud.yaml": VIP_CLOUD}),
    "keepalived-operator": (
        "keepalived-operator",
        annotated("keepalived-operator.redhat-cop.io/keepalivedgroup", "a/b"),
        {"operator.yaml": KEEPALIVED},
    ),
    "Kuryr, configuration": ("Kuryr", WEB, {"kuryr/config.yaml": KURYR}),
    "Kuryr, controller": ("Kuryr", WEB, {"kuryr.yaml": WORKLOAD.format("docker.io/kuryr/controller:latest")}),
    "yawol": ("yawol", WEB, {"yawol/manifests/controller.yaml": YAWOL}),
}


@pytest.mark.parametrize(("name", "pool"), [("MetalLB", L2), ("Cilium LB IPAM", CILIUM), ("Calico", CALICO)])
def test_a_pool_shows_a_controller_and_not_how_it_is_started(tmp_path: Path, name: str, pool: str) -> None:
    (one,) = found(tmp_path, {"cluster/cloud.conf": CONF, "cluster/web.yaml": WEB, "cluster/pool.yaml": pool})
    assert one.severity is Severity.INFO
    assert one.label.startswith(f"{name} acts on this Service as well as the CCM")


@pytest.mark.parametrize(("name", "service", "files"), SHARED.values(), ids=SHARED)
def test_both_handle_a_service_without_a_class(tmp_path: Path, name: str, service: str, files: dict[str, str]) -> None:
    (one,) = found(tmp_path, {"cluster/cloud.conf": CONF, "cluster/apps/web.yaml": service} | _below(files))
    assert one.label.startswith(f"{name} acts on this Service as well as the CCM")
    assert one.place.path.endswith("web.yaml")
    assert "`enabled = false` into [LoadBalancer]" in one.help


@pytest.mark.parametrize(("name", "service", "files"), SHARED.values(), ids=SHARED)
def test_the_ccm_leaves_a_service_to_the_other_one(
    tmp_path: Path, name: str, service: str, files: dict[str, str]
) -> None:
    classed = f"{service}  loadBalancerClass: example.org/other\n"
    assert found(tmp_path, {"cluster/cloud.conf": CONF, "cluster/web.yaml": classed} | _below(files)) == [], name
    off = {"cluster/cloud.conf": f"{CONF}enabled = false\n", "cluster/web.yaml": service}
    assert found(tmp_path, off | _below(files)) == []


@pytest.mark.parametrize(("name", "service", "files"), SHARED.values(), ids=SHARED)
def test_another_cluster_of_the_repository_is_not_meant(
    tmp_path: Path, name: str, service: str, files: dict[str, str]
) -> None:
    beside = {f"metal/{path}": text for path, text in files.items()}
    assert found(tmp_path, {"cloudy/cloud.conf": CONF, "cloudy/web.yaml": service} | beside) == [], name
    assert found(tmp_path, {"cloudy/web.yaml": "", "web.yaml": service} | beside) == [], name


@pytest.mark.parametrize(
    ("service", "files"),
    [
        (WEB, {"metallb.yaml": METALLB.replace("--port", "--lb-class=metallb.io/metallb, --port")}),
        (WEB, {"metallb.yaml": METALLB, "pool.yaml": L2.replace("spec: {", "spec: {autoAssign: false, ")}),
        (WEB, {"metallb.yaml": METALLB, "pool.yaml": L2.replace("spec: {", "spec: {serviceAllocation: {}, ")}),
        (WEB, {"a.yaml": METALLB.replace("--port", "--lb-class=metallb.io/metallb, --port"), "pool.yaml": L2}),
        (WEB, {"pool.yaml": CILIUM.replace("spec: {", "spec: {serviceSelector: {}, ")}),
        (WEB, {"pool.yaml": CILIUM.replace("spec: {", "spec: {disabled: true, ")}),
        (WEB, {"pool.yaml": CALICO.replace("LoadBalancer", "Workload")}),
        (WEB, {"pool.yaml": CALICO.replace("spec: {", "spec: {assignmentMode: Manual, ")}),
        (with_spec("loadBalancerClass: io.cilium/l2-announcer"), {"pool.yaml": CILIUM}),
        (WEB, {"kube-vip.yaml": KUBE_VIP}),
        (with_spec("loadBalancerIP: 192.0.2.7"), {"vip.yaml": KUBE_VIP.replace("svc_enable", "cp_enable")}),
        (with_spec("loadBalancerIP: 192.0.2.7"), {"vip.yaml": KUBE_VIP.replace("vip_arp", "lb_class_only")}),
        (
            WEB,
            {"vip.yaml": f'{VIP_CLOUD}        env: [{{name: KUBEVIP_ENABLE_LOADBALANCERCLASS, value: "true"}}]\n'},
        ),
        (WEB, {"operator.yaml": KEEPALIVED}),
        (WEB, {"kuryr.yaml": KURYR.replace("endpoints,service,kuryrloadbalancer,", "")}),
        (WEB, {"yawol.yaml": f"{YAWOL}        args: [-classname=yawol]\n"}),
        (WEB, {"ovn.yaml": OVN_KUBERNETES}),
        (annotated("load-balancer.hetzner.cloud/name", "x"), {"metallb.yaml": METALLB}),
        (WEB.replace("LoadBalancer", "ClusterIP"), {"metallb.yaml": METALLB}),
    ],
)
def test_one_of_them_leaves_the_service_alone(tmp_path: Path, service: str, files: dict[str, str]) -> None:
    assert found(tmp_path, {"cluster/cloud.conf": CONF, "cluster/web.yaml": service} | _below(files)) == []


def test_what_local_means_is_said_for_local_alone(tmp_path: Path) -> None:
    files = {"cloud.conf": CONF, "metallb.yaml": METALLB, "web.yaml": WEB}
    (cluster,) = found(tmp_path, files)
    (local,) = found(tmp_path, files | {"web.yaml": with_spec("externalTrafficPolicy: Local")})
    text = "In layer 2 mode one node with a ready pod gets all traffic of the address"
    assert text in local.detail
    assert text not in cluster.detail


def test_a_configuration_of_kuryr_is_no_cloud_conf(tmp_path: Path) -> None:
    (tmp_path / "kuryr.yaml").write_text(KURYR)
    (tmp_path / "kuryr.conf").write_text(
        "[DEFAULT]\ndebug = true\n[kubernetes]\napi_root = x\n[neutron]\nauth_url = x\n"
    )
    result = check_paths([str(tmp_path)], LintOptions())
    assert (list(result.findings), result.failures) == ([], [])


def test_no_secret_of_a_configuration_is_shown(tmp_path: Path) -> None:
    secret = "Canary7Zq9xWv"
    kuryr = KURYR.replace("    auth_url", f"    password = {secret}\n    auth_url")
    (one,) = found(tmp_path, {"cloud.conf": CONF, "web.yaml": WEB, "kuryr.yaml": kuryr})
    assert secret not in repr(one)
    assert secret not in repr(check_paths([str(tmp_path)], LintOptions()))


@pytest.mark.parametrize("deletes", [False, True])
def test_a_pool_that_a_patch_deletes_is_not_there(tmp_path: Path, *, deletes: bool) -> None:
    patch = ("$patch: delete\n" if deletes else "") + CILIUM
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: cilium}\nspec:\n  patches:\n"
    )
    flux += "  - patch: |\n" + "".join(f"      {line}\n" for line in patch.splitlines())
    assert bool(found(tmp_path, {"cloud.conf": CONF, "web.yaml": WEB, "cilium.yaml": flux})) is not deletes


def test_a_changed_controller_concerns_unchanged_services() -> None:
    run_context = RunContext(
        confs={"web.yaml": (NearbyConf("cloud.conf", "cloud.conf", ""),)},
        controllers=(OtherController("metallb.yaml", 0, "Deployment controller"),),
    )
    assert list(affected_services(run_context, {"metallb.yaml"})) == ["web.yaml"]
    assert list(affected_services(run_context, {"other.yaml"})) == []


def _below(files: dict[str, str]) -> dict[str, str]:
    return {f"cluster/{path}": text for path, text in files.items()}
