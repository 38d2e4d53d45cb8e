"""What a namespace, or Talos, does not let start; what nobody shows is no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity

WORKLOAD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: a, namespace: openstack}
spec:
  template:
    spec:
      hostNetwork: true
      containers:
        - {name: c, image: 'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.34.0'}
"""
PLUGIN = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: a, namespace: openstack}
spec:
  template:
    spec:
      containers:
        - name: cinder-csi-plugin
          image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.34.0
          securityContext: {privileged: true}
      volumes: [{name: cacert, hostPath: {path: /etc/cacert}}]
"""
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: openstack%s}\n"
LABEL = ", labels: {pod-security.kubernetes.io/enforce: %s}"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {a: b}}\nstatus: {nodeInfo: {osImage: %s}}\n"
PRIVILEGED = NAMESPACE % (LABEL % "privileged")


def found(folder: Path, **files: str) -> list[tuple[Severity, str]]:
    """What the rule says of a folder with files; underscores in their names are dots."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    result = check_paths([str(folder)], LintOptions(select=("pod-security",)))
    assert result.failures == []
    return [(one.severity, f"{one.label} {one.detail} {one.help}") for one in result.findings]


@pytest.mark.parametrize("standard", ["baseline", "restricted"])
@pytest.mark.parametrize(("workload", "wants"), [(WORKLOAD, "`hostNetwork`"), (PLUGIN, "`hostPath`, `privileged`")])
def test_a_standard_that_refuses_the_pods(tmp_path: Path, standard: str, workload: str, wants: str) -> None:
    told = found(tmp_path, a_yaml=workload, n_yaml=NAMESPACE % (LABEL % standard))
    words = f"{standard}`, which refuses {wants}"
    assert [(severity, words in text) for severity, text in told] == [(Severity.ERROR, True)]


@pytest.mark.parametrize(
    "files",
    [
        {"a_yaml": WORKLOAD, "n_yaml": PRIVILEGED},
        {"a_yaml": WORKLOAD, "n_yaml": NAMESPACE % ""},
        {"a_yaml": WORKLOAD},
        {"a_yaml": WORKLOAD, "n_yaml": NAMESPACE.replace("openstack", "other") % (LABEL % "baseline")},
        {"a_yaml": WORKLOAD, "n_yaml": NAMESPACE % (LABEL % "'{{ .Values.level }}'")},
        {"a_yaml": WORKLOAD, "n_yaml": NAMESPACE % (LABEL % "baseline"), "m_yaml": PRIVILEGED},
        {"a_yaml": WORKLOAD.replace("hostNetwork: true", "hostNetwork: false"), "n_yaml": NAMESPACE % (LABEL % "baseline")},
        {"a_yaml": WORKLOAD.replace("hostNetwork: true", "# hostNetwork: true"), "n_yaml": NAMESPACE % (LABEL % "baseline")},
        {"a_yaml": WORKLOAD.replace("openstack-cloud-controller-manager", "fluentd"), "n_yaml": NAMESPACE % (LABEL % "baseline")},
        {"a_yaml": WORKLOAD, "n_yaml": NAMESPACE % "", "o_yaml": NODE % "Ubuntu 24.04"},
        {"a_yaml": WORKLOAD.replace("openstack}", "kube-system}"), "n_yaml": NAMESPACE.replace("openstack", "kube-system") % "", "o_yaml": NODE % "Talos (v1.9.1)"},
        {"a_yaml": WORKLOAD, "n_yaml": PRIVILEGED, "o_yaml": NODE % "Talos (v1.9.1)"},
        {"a_yaml": PLUGIN.replace("/etc/cacert", "/var/lib/cacert"), "o_yaml": NODE % "Talos (v1.9.1)"},
    ],
)  # fmt: skip
def test_right_deployments_are_silent(tmp_path: Path, files: dict[str, str]) -> None:
    assert found(tmp_path, **files) == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a_yaml": WORKLOAD, "n_yaml": NAMESPACE % ""}, "in namespaces without a label, and it refuses `hostNetwork`"),
        ({"a_yaml": PLUGIN, "n_yaml": PRIVILEGED}, "Talos has no folder /etc/cacert"),
    ],
)
def test_talos(tmp_path: Path, files: dict[str, str], words: str) -> None:
    assert found(tmp_path, **files) == []
    told = found(tmp_path, o_yaml=NODE % "Talos (v1.9.1)")
    assert [(severity, words in text) for severity, text in told] == [(Severity.INFO, True)]


def test_no_secret_is_shown(tmp_path: Path) -> None:
    secret = "hunter2-canary"
    told = found(
        tmp_path, a_yaml=WORKLOAD + f"        # {secret}\n", n_yaml=NAMESPACE % (LABEL % "baseline") + f"x: {secret}\n"
    )
    assert all(secret not in text for _, text in told)
    assert told
