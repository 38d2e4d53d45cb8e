"""ClusterRoles of a CCM by the accounts that its bindings name."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

CCM = """apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: ccm, namespace: kube-system}}
spec:
  template:
    spec:
      serviceAccountName: {account}
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:{release}
          args: [--cloud-provider=openstack, --use-service-account-credentials={own}{flags}]
"""
ROLE = """---
kind: ClusterRole
metadata: {{name: {name}}}
rules: [{{apiGroups: ["", coordination.k8s.io], resources: [{resources}], verbs: ["*"]}}]
"""
BINDING = """---
kind: {kind}
metadata: {{name: {role}, namespace: kube-system}}
roleRef: {{kind: ClusterRole, name: {role}}}
subjects: [{{kind: {of}, name: {subject}, namespace: {namespace}}}]
"""
MANAGER, NODES = "system:cloud-controller-manager", "system:cloud-node-controller"
ALL = "leases, nodes, services, services/status, events, serviceaccounts/token"
NO_NODES = "leases, services, services/status, events"
OWN = {"account": "cloud-controller-manager", "own": "false", "release": "v1.35.0", "flags": ""}
EACH = {**OWN, "own": "true", "account": "openstack-cloud-controller-manager"}


def role(name: str = MANAGER, resources: str = ALL) -> str:
    return ROLE.format(name=name, resources=resources)


def bound(subject: str, to: str = MANAGER, **others: str) -> str:
    given = {"kind": "ClusterRoleBinding", "of": "ServiceAccount", "namespace": "kube-system", **others}
    return BINDING.format(role=to, subject=subject, **given)


def said(folder: Path, ccm: dict[str, str], rbac: str, other: str = "") -> str:
    """What lint says of the roles."""
    (folder / "ccm.yaml").write_text(CCM.format(**ccm))
    (folder / "rbac.yaml").write_text(rbac)
    (folder / "more.yaml").write_text(other or "a: 1\n")
    return " ".join(run(folder, "lint", "--select", "ccm-role", ".").out.split())


LEADER = """---
kind: Role
metadata: {name: leader, namespace: kube-system}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}]
---
kind: RoleBinding
metadata: {name: leader, namespace: kube-system}
roleRef: {kind: Role, name: leader}
subjects: [{kind: ServiceAccount, name: cloud-controller-manager, namespace: kube-system}]
"""
ADDED = """---
kind: ClusterRole
metadata: {name: ccm}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {of: ccm}}]}
"""
BY_NODE_ACCOUNT = role(resources=NO_NODES) + role(NODES, "nodes") + bound("cloud-node-controller", NODES)
OF_CHART = role() + bound("openstack-cloud-controller-manager")


@pytest.mark.parametrize(
    ("ccm", "rbac", "named"),
    [
        (EACH, OF_CHART, f"Name `kube-system/cloud-controller-manager` in the subjects of a binding of `{MANAGER}`"),
        ({**EACH, "release": "v1.28.0"}, OF_CHART, "does not allow the CCM `patch` of `services` It"),
        (OWN, BY_NODE_ACCOUNT + bound("cloud-controller-manager"), f"Name `kube-system/cloud-controller-manager` in the subjects of a binding of `{NODES}`"),
        (OWN, role() + bound("cloud-controller-manager", namespace="openstack"), "does not allow the CCM `patch` of `services/status`"),
        (OWN, role(resources=ALL.replace("leases, ", "")) + bound("cloud-controller-manager"), "does not allow the CCM `get` of `leases`"),
    ],
)  # fmt: skip
def test_a_role_is_bound_to_another_account(tmp_path: Path, ccm: dict[str, str], rbac: str, named: str) -> None:
    assert named in said(tmp_path, ccm, rbac)


@pytest.mark.parametrize(
    ("ccm", "rbac", "other"),
    [
        pytest.param(OWN, BY_NODE_ACCOUNT.replace(NO_NODES, ALL) + bound("cloud-controller-manager"), "", id="upstream's own manifests"),
        pytest.param({**EACH, "account": "cloud-controller-manager"}, role() + bound("cloud-controller-manager"), "", id="one account for all"),
        pytest.param(EACH, OF_CHART + bound("cloud-controller-manager"), "", id="two bindings"),
        pytest.param(EACH, OF_CHART, bound("cloud-controller-manager")[4:], id="bound in another file"),
        pytest.param(EACH, OF_CHART, bound("cloud-controller-manager", "cluster-admin")[4:], id="another role"),
        pytest.param(EACH, OF_CHART, bound("system:serviceaccounts", of="Group")[4:], id="a group"),
        pytest.param({**EACH, "release": "v1.23.0"}, OF_CHART, "", id="an account of another name"),
        pytest.param(EACH, role(), "", id="no binding here"),
        pytest.param({**OWN, "account": "'{{ .Values.account }}'"}, role() + bound("x"), "", id="a template"),
        pytest.param(OWN, role() + bound("cloud-controller-manager", kind="RoleBinding"), "", id="by namespace"),
        pytest.param({**OWN, "flags": ", --controllers=service"}, role(resources=NO_NODES + ", nodes"), "", id="Services alone"),
        pytest.param({**OWN, "flags": ", --leader-elect=false"}, role(resources=ALL.replace("leases, ", "")) + bound("cloud-controller-manager"), "", id="no leader"),
        pytest.param(OWN, role(resources=ALL.replace("leases, ", "")) + bound("cloud-controller-manager"), bound("cloud-controller-manager", "leader-election", kind="RoleBinding")[4:], id="leases by a Role"),
        pytest.param(OWN, role(resources=ALL.replace("leases, ", "")) + bound("cloud-controller-manager") + LEADER, "", id="leases by a Role of the same file"),
        pytest.param(OWN, role().replace("services/status", '"*/status"') + bound("cloud-controller-manager"), "", id="a part of all resources"),
        pytest.param(OWN, role(resources=NO_NODES) + ADDED + bound("cloud-controller-manager", "ccm"), "", id="aggregated"),
        pytest.param({**OWN, "flags": ", --kubeconfig=/etc/kubernetes/ccm.conf"}, role() + bound("x"), "", id="a user"),
        pytest.param(OWN, role() + bound("x"), bound("'cloud-controller-manager'", "cluster-admin")[4:], id="a name in quotes"),
    ],
)  # fmt: skip
def test_a_role_that_is_right_for_its_account(tmp_path: Path, ccm: dict[str, str], rbac: str, other: str) -> None:
    assert "ccm-role" not in said(tmp_path, ccm, rbac, other)


@pytest.mark.parametrize("namespace", ["openstack", "kube-system"])
@pytest.mark.parametrize("written", [True, False])
def test_kustomize_sets_the_namespace_of_the_account(tmp_path: Path, namespace: str, *, written: bool) -> None:
    (tmp_path / "kustomization.yaml").write_text(f"namespace: {namespace}\nresources: [ccm.yaml, rbac.yaml]\n")
    rbac = role() + bound("cloud-controller-manager")
    account = "---\nkind: ServiceAccount\nmetadata: {name: cloud-controller-manager, namespace: kube-system}\n"
    assert "ccm-role" not in said(
        tmp_path, OWN, (rbac if written else rbac.replace("r, namespace: kube-system}]", "r}]")) + account
    )
    assert "ccm-role" in said(tmp_path, OWN, role() + bound("x") + account)


@pytest.mark.parametrize(
    "ccm", [{**OWN, "release": "v1.27.3"}, OWN, EACH], ids=["1.27", "1.35", "accounts of their own"]
)
def test_events_that_come_again(tmp_path: Path, ccm: dict[str, str]) -> None:
    """The CCM works without them: information, and none beside a right whose lack is an error."""
    roles = role(resources=ALL.replace(" events,", "")) + "".join(
        bound(ccm["account"], to) for to in (MANAGER, "events")
    )
    roles += bound("cloud-controller-manager") + bound("cloud-controller-manager", "events")

    def events(verbs: str) -> str:
        return roles + role("events", "events").replace('"*"', verbs)

    lacking = said(tmp_path, ccm, events("create"))
    assert "does not allow the CCM `patch` of `events`" in lacking
    assert "1 finding (1 info)" in lacking
    assert "`patch`" not in said(tmp_path, ccm, events("create, patch"))
    neither = said(tmp_path, ccm, events("list"))
    assert "`create` of `events`" in neither
    assert "`patch`" not in neither
