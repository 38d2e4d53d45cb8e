"""Which release of the CCM runs, which file it reads, and what is mounted where."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import CcmPod, Mount, find
from ccmcheck.carriers.base import Placement
from ccmcheck.catalog.signs.releases import release_of, release_of_chart, release_of_manifests

DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: openstack-cloud-controller-manager
  namespace: kube-system
spec:
  template:
    spec:
      containers:
      - name: sidecar
        image: example.com/other:v1.2.3
      - name: openstack-cloud-controller-manager
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args:
        - /bin/openstack-cloud-controller-manager
        - --cloud-config=$(CLOUD_CONFIG)
        - --cluster-name=prod
        env:
        - name: CLOUD_CONFIG
          value: /etc/config/cloud.conf
        volumeMounts:
        - {mountPath: /etc/config, name: conf, readOnly: true}
        - {mountPath: /etc/ssl/ca.pem, name: ca, subPath: ca.pem}
        - {mountPath: /etc/kubernetes/pki, name: pki}
        - {mountPath: /tmp, name: scratch}
        - {mountPath: /lost, name: nowhere}
      volumes:
      - {name: conf, secret: {secretName: cloud-config}}
      - {name: ca, configMap: {name: ca}}
      - {name: pki, hostPath: {path: /etc/kubernetes/pki}}
      - {name: scratch, emptyDir: {}}
"""


def with_provider(word: str) -> str:
    return DAEMON_SET.replace("        - --cluster-name=prod\n", f"        - --cloud-provider={word}\n")


@pytest.mark.parametrize(
    ("word", "count"), [("openstack", 1), ("external", 1), ("opnstack", 1), ("$(P)", 1), ("linode", 0)]
)
def test_a_fork_that_runs_for_another_cloud_is_not_the_ccm(word: str, count: int) -> None:
    assert len(pods(with_provider(word))) == count


@pytest.mark.parametrize(
    "arguments",
    [
        "--cloud-provider=${PROVIDER}",
        '"--cloud-provider={{ .Values.provider }}"',
        "--cloud-provider=a${B}",
        "--cloud-provider\n        - ${PROVIDER}",
        "--cloud-provider=$(MARKED)",
    ],
)
def test_a_provider_that_a_template_fills_in_may_be_openstack(arguments: str) -> None:
    text = DAEMON_SET.replace("--cluster-name=prod", arguments)
    assert (
        len(pods(text.replace("        env:\n", "        env:\n        - {name: MARKED, value: '${PROVIDER}'}\n"))) == 1
    )


def pods(text: str, path: str = "ccm.yaml") -> list[CcmPod]:
    contents = find(path, text)
    assert contents.broken == []
    return contents.pods


def test_a_daemon_set() -> None:
    assert pods(DAEMON_SET) == [
        CcmPod(
            "ccm.yaml",
            "DaemonSet kube-system/openstack-cloud-controller-manager",
            "kube-system",
            "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2",
            "v1.31.2",
            "/etc/config/cloud.conf",
            (
                Mount("/etc/config", "Secret", "cloud-config"),
                Mount("/etc/ssl/ca.pem", "ConfigMap", "ca", "ca.pem"),
                Mount("/etc/kubernetes/pki", "hostPath", "/etc/kubernetes/pki"),
                Mount("/tmp", "emptyDir", ""),
                Mount("/lost", "", ""),
            ),
            "prod",
            ("cloud-config", "cluster-name"),
            line=13,
            placement=Placement(),
        )
    ]


def test_the_keys_that_a_volume_shows() -> None:
    shown = DAEMON_SET.replace("{secretName: cloud-config}", "{secretName: cloud-config, items: [{key: a, path: b}]}")
    (pod,) = pods(shown)
    assert pod.mounts[0] == Mount("/etc/config", "Secret", "cloud-config", items=(("a", "b"),))


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet"])
def test_other_workloads(kind: str) -> None:
    (pod,) = pods(DAEMON_SET.replace("DaemonSet", kind))
    assert pod.subject == f"{kind} kube-system/openstack-cloud-controller-manager"


def test_a_pod() -> None:
    text = """\
kind: Pod
metadata: {name: ccm}
spec:
  containers:
  - image: k8scloudprovider/openstack-cloud-controller-manager:v1.18.0
    command: [/bin/sh, -c, "exec openstack-cloud-controller-manager --cloud-config '/etc/c.conf' --v=2"]
"""
    (pod,) = pods(text)
    assert (pod.release, pod.cloud_config, pod.namespace) == ("v1.18.0", "/etc/c.conf", "")


def test_other_workloads_run_no_ccm() -> None:
    other = DAEMON_SET.replace("provider-os/openstack-cloud-controller-manager", "provider-aws/ccm")
    assert pods(other.replace("/bin/openstack-cloud-controller-manager", "/bin/aws-cloud-controller-manager")) == []
    assert pods(other.replace("/bin/openstack-cloud", "kubectl rollout restart daemonset/openstack-cloud")) == []


def test_a_mirrored_image_of_another_name_is_known_by_its_program() -> None:
    (pod,) = pods(DAEMON_SET.replace("provider-os/openstack-cloud-controller-manager", "mirror/occm"))
    assert (pod.release, pod.cloud_config) == ("v1.31.2", "/etc/config/cloud.conf")


def test_a_template_mark_in_an_image_is_kept_as_written() -> None:
    text = DAEMON_SET.replace(":v1.31.2", ":${CCM_VERSION}")
    (pod,) = pods(text)
    assert pod.image.endswith(":${CCM_VERSION}")
    assert pod.release == ""


@pytest.mark.parametrize(
    ("image", "release"),
    [
        ("openstack-cloud-controller-manager:v1.31.2", "v1.31.2"),
        ("openstack-cloud-controller-manager:1.31.2", "v1.31.2"),
        ("r:5000/openstack-cloud-controller-manager:v1.26.4@sha256:0123456789abcdef", "v1.26.4"),
        ("openstack-cloud-controller-manager:v1.30", "1.30"),
        ("openstack-cloud-controller-manager:v1.30.0-rc.1", "v1.30.0"),
        ("openstack-cloud-controller-manager:v1.30.0_vendor", "v1.30.0"),
        ("openstack-cloud-controller-manager:latest", ""),
        ("openstack-cloud-controller-manager", ""),
        ("r:5000/openstack-cloud-controller-manager", ""),
        ("openstack-cloud-controller-manager@sha256:0123456789abcdef", ""),
        ("quay.io/openshift/origin-openstack-cloud-controller-manager:4.14", ""),
    ],
)
def test_releases_of_images(image: str, release: str) -> None:
    assert release_of(image) == release


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("2.31.1", "v1.31.1"),
        ("2.34.2", "v1.34.1"),
        ("v2.31.0", "v1.31.0"),
        ("=2.31.0", "v1.31.0"),
        ("2.31.2", "1.31"),  # never published
        ("2.31", "1.31"),
        ("2.31.x", "1.31"),
        ("~2.31.0", "1.31"),
        ("^2.31.0", ""),
        (">=2.31.0", ""),
        ("2.28.0-alpha.3", "v1.27.1"),
        ("2.37.0-alpha.0", ""),
        ("1.4.0", "v1.25.0"),
        ("1.1.1", ""),  # the image's tag was latest
        ("1.5.0", ""),
        ("*", ""),
        ("", ""),
    ],
)
def test_releases_of_charts(version: str, release: str) -> None:
    assert release_of_chart(version) == release


@pytest.mark.parametrize(
    ("ref", "release"),
    [
        ("v1.28.1", "v1.28.1"),
        ("v1.37.0", "v1.37.0"),
        ("v1.31.0", "v1.30.0"),
        ("v1.24.5", "v1.24.2"),
        ("v1.26.0", ""),  # the image's tag is latest
        ("v1.14.0", ""),
        ("release-1.30", "1.30"),
        ("release-1.12", ""),
        ("master", ""),
        ("v1.28", ""),
    ],
)
def test_releases_of_manifests(ref: str, release: str) -> None:
    assert release_of_manifests(ref) == release


def test_the_index_of_a_chart_repository_installs_nothing() -> None:
    entry = "{apiVersion: v1, appVersion: v1.31.1, created: '2024-09-19', name: openstack-cloud-controller-manager,"
    text = f"apiVersion: v1\nentries:\n  ccm:\n  - {entry} urls: [https://example.com/a.tgz], version: 2.31.1}}\n"
    assert pods(text, "index.yaml") == []
    assert [pod.release for pod in pods(text.replace("urls", "home"), "index.yaml")] == ["v1.31.1"]


_RAW = "https://raw.githubusercontent.com/kubernetes/cloud-provider-openstack"
_DAEMON_SET = "manifests/controller-manager/openstack-cloud-controller-manager-ds.yaml"
_ROLES = "manifests/controller-manager/cloud-controller-manager-roles.yaml"
_CLONED = "git clone https://github.com/kubernetes/cloud-provider-openstack.git\ncd cloud-provider-openstack\n"


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        (f"kubectl apply -f {_RAW}/v1.28.1/{_DAEMON_SET}\n", ["v1.28.1"]),
        (f"kubectl apply -f {_RAW}/refs/tags/v1.28.1/{_DAEMON_SET}\n", ["v1.28.1"]),
        (f"kubectl apply -f {_RAW}/release-1.28/{_DAEMON_SET}\n", ["1.28"]),
        (f"kubectl apply -f {_RAW}/master/{_DAEMON_SET}\n", []),
        (f"kubectl apply -f {_RAW}/$TAG/{_DAEMON_SET}\n", [""]),
        (f"kubectl apply -f {_RAW}/$TAG/{_ROLES}\n", []),
        # the CSI driver's and the roles' say nothing about the CCM's image
        (f"kubectl apply -f {_RAW}/v1.28.1/manifests/cinder-csi-plugin/csi-cinder-driver.yaml\n", []),
        (f"kubectl apply -f {_RAW}/v1.28.1/{_ROLES}\n", []),
        ("kubectl apply -k github.com/kubernetes/cloud-provider-openstack//manifests/controller-manager?ref=v1.28.1\n", ["v1.28.1"]),
        (f"{_CLONED}git checkout v1.28.1\nkubectl apply -f {_DAEMON_SET}\n", ["v1.28.1"]),
        (f"{_CLONED.replace('clone', 'clone -b v1.28.1')}kubectl apply -f {_DAEMON_SET}\n", ["v1.28.1"]),
        (f"{_CLONED}git checkout v1.28.1\nkubectl apply -f manifests/cinder-csi-plugin\n", []),
        (f"{_CLONED}git checkout v1.28.1\nkubectl apply -f {_DAEMON_SET}\n{_CLONED}git checkout v1.29.0\nkubectl apply -f x\n", ["v1.28.1"]),
    ],
)  # fmt: skip
def test_manifests_that_a_text_applies_tell_the_release(text: str, releases: list[str]) -> None:
    for path in ("install.sh", "install.md"):
        found = find(path, f"```sh\n{text}```\n" if path.endswith("md") else text).run_context.image_tags
        assert [pod.release for pod in found] == (releases if path.endswith("sh") else [one for one in releases if one])
        assert all(pod.line for pod in found)


@pytest.mark.parametrize(
    "text",
    [
        """\
kind: HelmRelease
metadata: {name: ccm, namespace: flux}
spec:
  targetNamespace: kube-system
  chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.31.2}}
""",
        """\
kind: HelmChart
metadata: {name: ccm, namespace: flux}
spec: {targetNamespace: kube-system, chart: openstack-cloud-controller-manager, version: 2.31.2}
""",
        """\
kind: Application
metadata: {name: ccm, namespace: flux}
spec:
  sources:
  - {chart: openstack-cloud-controller-manager, targetRevision: 2.31.2}
  targetNamespace: kube-system
""",
        """\
kind: HelmChartProxy
metadata: {name: ccm, namespace: flux}
spec: {chartName: openstack-cloud-controller-manager, version: 2.31.2, targetNamespace: kube-system}
""",
    ],
)
def test_charts(text: str) -> None:
    pod, *made = pods(text)
    assert [one.made_by for one in made] == ([] if "sources:" in text else [pod.subject.partition(" (")[0]])
    assert pod.release == "1.31"
    assert pod.namespace == "kube-system"
    assert pod.subject.endswith(" flux/ccm (chart openstack-cloud-controller-manager 2.31.2)")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        (
            """\
apiVersion: v2
name: umbrella
version: 1.0.0
dependencies:
- {name: openstack-cloud-controller-manager, alias: ccm, version: 2.31.2, repository: https://example.com}
""",
            "1.31",
        ),
        ("apiVersion: v2\nname: openstack-cloud-controller-manager\nversion: 2.31.2\nappVersion: v1.31.2\n", "v1.31.2"),
        ("releases:\n- {name: ccm, chart: cpo/openstack-cloud-controller-manager, version: 2.31.2}\n", "1.31"),
        (
            "kind: Kustomization\nhelmCharts:\n- {name: openstack-cloud-controller-manager, version: 2.30.1, repo: x}\n",
            "v1.30.0",
        ),
        (
            """\
kind: ClusterConfig
spec:
  extensions: {helm: {charts: [{name: ccm, version: 2.30.1, chartname: cpo/openstack-cloud-controller-manager}]}}
""",
            "v1.30.0",
        ),
    ],
)
def test_charts_in_lists(text: str, release: str) -> None:
    assert [pod.release for pod in pods(text, "Chart.yaml")] == [release]


def test_other_values_named_like_the_chart() -> None:
    assert pods("name: openstack-cloud-controller-manager\nversion: 2.31.2\n") == []
    assert pods("dependencies:\n- {name: my-openstack-cloud-controller-manager, version: 1.0.0, repository: x}\n") == []


def test_an_image_in_the_chart_s_values() -> None:
    found = pods("image: {tag: v1.27.3}\ncloudConfig:\n  global: {auth-url: x}\n")
    assert [(pod.release, pod.made_by) for pod in found] == [("", "Helm values"), ("v1.27.3", "")]
    found = pods("image: {tag: v1.27.3, repository: example.com/ccm}\ncloudConfig:\n  global: {auth-url: x}\n")
    assert [(pod.image, pod.release) for pod in found] == [("example.com/ccm:v1.27.3", "")]


@pytest.mark.parametrize("name", ["{{ cluster }}", "prod-{{ cluster }}", "${cluster}"])
def test_a_cluster_name_that_a_template_decides_is_unknown(tmp_path: Path, name: str) -> None:
    workload = f"""\
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: ccm, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [--v={{{{ level }}}}, "--cluster-name={name}", --cloud-config=/etc/config/cloud.conf]
"""
    put(tmp_path, {"ccm.yaml.j2": workload, "cloud.conf": "[Global]\nuse-clouds = true\n"})
    assert "cluster unknown: a template decides it" in run(tmp_path, "list", ".").out
    put(tmp_path, {"ccm.yaml.j2": workload.replace(name, "prod")})
    assert "cluster prod, from ccm.yaml.j2" in run(tmp_path, "list", ".").out
