"""Kustomizations on the command line: built objects are judged, each finding at the file and line that sets the value."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import put, run

from ccmcheck.layers.composed import Composed

PREFIX = "loadbalancer.openstack.org/"
BASE = f"""\
apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    {PREFIX}keep-floatingip: "yes"
    {PREFIX}enable-health-monitor: "true"
spec:
  type: LoadBalancer
  selector: {{app: web}}
  ports:
  - port: 80
"""
PATCH = f"""\
apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    {PREFIX}enable-health-monitor: maybe
"""
CONF = "[Global]\nauth-url = https://x/v3\nusername = u\npassword = s3cr3tpassw0rd\ndomain-name = d\ntenant-name = t\n[LoadBalancer]\ncreate-monitor = {}\n"
TREE: dict[str, str | bytes] = {
    "base/kustomization.yaml": "resources: [service.yaml]\n",
    "base/service.yaml": BASE,
    "prod/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n",
    "prod/patch.yaml": PATCH,
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a base and an overlay."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    put(tmp_path, TREE)
    return tmp_path


def findings(folder: Path, *arguments: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and rule of every finding."""
    done = run(folder, "lint", "--format=json", *arguments)
    return [(one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]]


BOTH = [("base/service.yaml", 6, 49, "svc-annotation-value"), ("prod/patch.yaml", 6, 55, "svc-annotation-value")]


def test_a_finding_is_in_the_file_that_sets_the_value(repository: Path) -> None:
    assert findings(repository) == BOTH
    assert findings(repository, "prod") == BOTH
    assert findings(repository, "base") == BOTH[:1]


def test_what_a_patch_sets_aside_is_not_judged(repository: Path) -> None:
    put(repository, {"prod/patch.yaml": PATCH.replace("enable-health-monitor: maybe", 'keep-floatingip: "true"')})
    assert findings(repository) == []
    put(repository, {"dev/kustomization.yaml": "resources: [../base]\n"})
    assert findings(repository) == BOTH[:1]


def test_a_patch_alone_is_not_judged_as_an_object(repository: Path) -> None:
    put(repository, {"prod/patch.yaml": PATCH.replace("maybe", '"true"') + "spec:\n  externalTrafficPolicy: Local\n"})
    assert findings(repository, "prod/patch.yaml") == []
    put(repository, {"prod/patch.yaml": PATCH})
    assert findings(repository, "prod/patch.yaml") == BOTH[1:]
    assert findings(repository, str(repository / "prod" / "patch.yaml"))[0][1:] == BOTH[1][1:]


def test_a_patch_of_an_object_that_is_not_there_still_says_what_it_sets(repository: Path) -> None:
    """A script puts the object there later, under another name of the file that lies beside the kustomization."""
    local = BASE.replace("  type", "  externalTrafficPolicy: Local\n  type").replace(
        f'    {PREFIX}enable-health-monitor: "true"\n', ""
    )
    put(repository, {"cloud.conf": CONF.format("false"), "base/service.yaml": local})
    put(repository, {"base/kustomization.yaml": "resources: [current.yaml]\n"})
    put(repository, {"prod/patch.yaml": PATCH.replace("maybe", '"true"')})
    assert "svc-local-no-monitor" not in [one[3] for one in findings(repository)]
    (repository / "prod/patch.yaml").unlink()
    assert "svc-local-no-monitor" in [one[3] for one in findings(repository)]


def test_fix_makes_no_fix_that_lint_does_not_report(repository: Path) -> None:
    """What is left out of a folder is for whoever names it."""
    crs = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: ccm}\ntype: addons.cluster.x-k8s.io/resource-set\nstringData:\n"
        f"  c.yaml: |\n    kind: Secret\n    metadata: {{name: cloud-config}}\n    stringData:\n      cloud.conf: |\n"
        f"        {CONF.format('true').replace(chr(10), chr(10) + '        ')}\n"
        "---\napiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: ccm}\nspec:\n"
        "  resources:\n  - {kind: Secret, name: ccm}\n  strategy: ApplyOnce\n"
    )
    put(repository, {"tests/kustomization.yaml": "resources: [crs.yaml]\n", "tests/crs.yaml": crs})
    advice = "capi-crs-apply-once"
    assert advice not in {rule for *_, rule in findings(repository)}
    assert "Reconcile" not in run(repository, "fix", "--unsafe", ".").out
    for path in ("tests", "tests/crs.yaml"):
        assert advice in {rule for *_, rule in findings(repository, path)}
        assert "Reconcile" in run(repository, "fix", "--unsafe", path).out


def test_findings_that_overlays_have_in_common_are_reported_once(repository: Path) -> None:
    put(
        repository,
        {f"o{number}/kustomization.yaml": f"resources: [../base]\nnamePrefix: o{number}-\n" for number in range(5)},
    )
    assert findings(repository) == BOTH
    reported = json.loads(run(repository, "lint", "--format=json").out)["findings"]
    every = ["prod/kustomization.yaml", *(f"o{number}/kustomization.yaml" for number in range(5))]
    assert [sorted(one["deployments"]) for one in reported] == [sorted(every), ["prod/kustomization.yaml"]]


def test_what_overlays_differ_in_does_not_count_twice(repository: Path) -> None:
    """The worst of what a rule says of one place is reported; a baseline of it holds for more overlays."""
    images = "images: [{name: registry.k8s.io/provider-os/openstack-cloud-controller-manager, newTag: %s}]\n"
    put(
        repository,
        {
            f"o{number}/kustomization.yaml": f"resources: [../base]\n{images % tag}"
            for number, tag in enumerate(("v1.25.0", "v1.31.2"))
        },
    )
    assert findings(repository) == BOTH


def test_a_comment_where_the_value_is_set_suppresses(repository: Path) -> None:
    put(
        repository,
        {"base/service.yaml": BASE.replace('"yes"', '"yes"  # ccmcheck: ignore[svc-annotation-value] wanted')},
    )
    done = run(repository, "lint", "--format=json")
    assert [one["path"] for one in json.loads(done.out)["findings"]] == ["prod/patch.yaml"]


def test_excluded_files_stay_silent(repository: Path) -> None:
    assert findings(repository, "--exclude=base/**") == BOTH[1:]


def test_fix_changes_the_file_that_sets_the_value(repository: Path) -> None:
    done = run(repository, "fix", "--unsafe", "--write")
    assert done.code == 0, done.err
    assert (repository / "base/service.yaml").read_text() == BASE.replace('"yes"', '"true"')
    assert (repository / "prod/patch.yaml").read_text() == PATCH


def written(tree: Any, step: int, dash: int, column: int = 0) -> str:
    """A tree as YAML with so many spaces per level, and before dashes."""
    lines = ""
    for key, value in tree.items():
        lines += f"{' ' * column}{key}:"
        if isinstance(value, dict):
            lines += f"\n{written(value, step, dash, column + step)}"
        elif isinstance(value, list):
            below = column + dash
            items = (written(item, step, dash, below + 2)[below + 2 :] for item in value)
            lines += "\n" + "".join(f"{' ' * below}- {item}" for item in items)
        else:
            lines += f" {value}\n"
    return lines


@pytest.mark.parametrize(
    "present", [{}, {"key": "a"}, {"key": "a", "effect": "NoSchedule"}], ids=["none", "one", "two"]
)
@pytest.mark.parametrize(("step", "dash"), [(2, 0), (2, 2), (4, 0), (4, 2), (4, 4), (3, 1)])
@pytest.mark.parametrize("is_last", [True, False])
def test_items_are_added_where_the_file_has_its_dashes(
    step: int, dash: int, present: dict[str, str], is_last: bool, tmp_path: Path
) -> None:
    """What is built has another indentation than the files; a file that is no YAML any more has no finding, either."""
    name = "openstack-cloud-controller-manager"
    pod: dict[str, Any] = {"containers": [{"name": name, "image": f"registry.k8s.io/provider-os/{name}:v1.31.0"}]}
    own = {"tolerations": [present]} if present else {"hostNetwork": "true"}
    pod = {**pod, **own} if is_last else {**own, **pod}
    ccm = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": name, "namespace": "kube-system"}}
    text = written({**ccm, "spec": {"template": {"spec": pod}}}, step, dash)
    put(tmp_path, {"base/kustomization.yaml": "resources: [ccm.yaml]\n", "base/ccm.yaml": text})
    put(tmp_path, {"dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\n"})
    assert "ccm-tolerations" in {rule for *_, rule in findings(tmp_path)}
    done = run(tmp_path, "fix", "--write", "--select=ccm-tolerations")
    assert "1 finding fixed in 1 file." in done.err
    fixed = yaml.safe_load((tmp_path / "base/ccm.yaml").read_text())["spec"]["template"]["spec"]
    before = yaml.safe_load(text)["spec"]["template"]["spec"]
    new = {"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "true", "effect": "NoSchedule"}
    assert new in fixed["tolerations"]
    assert fixed["tolerations"][: len(before.get("tolerations", []))] == before.get("tolerations", [])
    assert {**fixed, "tolerations": 0} == {**before, "tolerations": 0}
    assert "ccm-tolerations" not in {rule for *_, rule in findings(tmp_path)}


def test_a_fix_after_which_a_file_is_no_yaml_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is none, nothing is built of it, so that no finding is left that would tell."""
    name = "openstack-cloud-controller-manager"
    container = {"name": name, "image": f"registry.k8s.io/provider-os/{name}:v1.31.0"}
    pod = {"tolerations": [{"key": "a"}], "containers": [container]}
    ccm = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": name, "namespace": "kube-system"}}
    text = written({**ccm, "spec": {"template": {"spec": pod}}}, 2, 2)
    put(tmp_path, {"kustomization.yaml": "resources: [ccm.yaml]\n", "ccm.yaml": text})
    monkeypatch.setattr(Composed, "_outer_indent", lambda _self, indent, *_, **__: indent)
    done = run(tmp_path, "fix", "--write", "--select=ccm-tolerations")
    assert "ccm-tolerations not fixed: add the toleration: ccm.yaml would not be YAML any more." in done.err
    assert (tmp_path / "ccm.yaml").read_text() == text


def test_a_refused_fix_that_overlays_have_in_common_is_left_once(tmp_path: Path) -> None:
    """An alias cannot carry a change; three builds of the same file have one finding of it."""
    conf = f"{CONF.format('true')}monitor-delay = 3\n".replace("\n", "\n    ").rstrip()
    secret = (
        f"kind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  x: &conf |\n    {conf}\n  cloud.conf: *conf\n"
    )
    put(
        tmp_path,
        {"base/kustomization.yaml": "resources: [secret.yaml]\n", "base/secret.yaml": f"apiVersion: v1\n{secret}"},
    )
    for number in range(3):
        put(tmp_path, {f"o{number}/kustomization.yaml": f"resources: [../base]\nnamePrefix: o{number}-\n"})
    wrong = [one for one in findings(tmp_path) if one[3] == "duration-bad"]
    done = run(tmp_path, "fix", "--select=duration-bad")
    assert len(wrong) == 1
    assert done.err.count("duration-bad not fixed") == 1
    assert "0 findings would be fixed in 0 files, 1 left to do by hand." in done.err
    document = json.loads(run(tmp_path, "fix", "--select=duration-bad", "--format=json").out)
    assert document["summary"]["by_hand"] == sum(len(file["not_fixed"]) for file in document["files"]) == 1


@pytest.mark.parametrize(
    "generator",
    [
        "  files: [cloud.conf]\n",
        "  files: [cloud.conf=openstack.ini]\n",
        "  literals:\n  - |\n    cloud.conf=" + CONF.format("flase").replace("\n", "\n    ").rstrip() + "\n",
    ],
)
def test_a_generated_cloud_conf_is_judged_where_it_is_written(repository: Path, generator: str) -> None:
    name = "openstack.ini" if "openstack.ini" in generator else "cloud.conf"
    kustomization = f"secretGenerator:\n- name: cloud-config\n  namespace: kube-system\n{generator}"
    put(repository, {"ccm/kustomization.yaml": kustomization, f"ccm/{name}": CONF.format("flase")})
    if "literals" in generator:
        (repository / "ccm" / name).unlink()
        expected = ("ccm/kustomization.yaml", kustomization.split("\n").index("    create-monitor = flase") + 1, 22)
    else:
        expected = (f"ccm/{name}", 8, 18)
    assert [one[:3] for one in findings(repository, "ccm") if one[3] == "bool-bad"] == [expected]
    put(repository, {"prod/kustomization.yaml": "resources: [../base, ../ccm]\n"})
    assert [one[:3] for one in findings(repository) if one[3] == "bool-bad"] == [expected]


def test_the_image_of_an_overlay_is_the_release(repository: Path) -> None:
    image = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
    ccm = (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\nspec:\n  template:\n    spec:\n"
        f"      containers:\n      - name: ccm\n        image: {image}:v1.20.0\n"
    )
    put(repository, {"base/ccm.yaml": ccm, "base/kustomization.yaml": "resources: [service.yaml, ccm.yaml]\n"})
    put(
        repository, {"prod/kustomization.yaml": f"resources: [../base]\nimages: [{{name: {image}, newTag: v1.31.2}}]\n"}
    )
    done = run(repository, "lint", "prod")
    assert "v1.31.2" in done.out + done.err
    assert "v1.20" not in done.out + done.err
    assert "v1.31.2" in run(repository, "predict", "prod").out


def test_the_release_is_said_at_the_line_of_the_file_that_sets_it(tmp_path: Path) -> None:
    chart = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm}\nspec:\n  chart:\n    spec:\n"
        "      chart: openstack-cloud-controller-manager\n      version: 2.31.1\n"
        "  values: {cluster: {name: prod}, secret: {create: false}}\n"
    )
    files: dict[str, str | bytes] = {
        "ccm/kustomization.yaml": "namespace: kube-system\nresources:\n- release.yaml\n",
        "ccm/release.yaml": chart,
        "cloud.conf": CONF.format("true"),
    }
    put(tmp_path, files)
    for folder, above in ((tmp_path, ""), (tmp_path / "ccm", "../")):
        (conf,) = json.loads(run(folder, "list", "--format=json", above or ".").out)["cloud_confs"]
        assert conf["release_source"] == f"{above}ccm/release.yaml:8"
    assert run(tmp_path, "lint", ".").out.rstrip().endswith("judged as CCM v1.31.1 (from ccm/release.yaml).")


def test_so_it_is_where_an_address_says_it(tmp_path: Path) -> None:
    address = "https://github.com/kubernetes/cloud-provider-openstack//manifests/controller-manager?ref=v1.31.0"
    kustomization = f"namespace: kube-system\nresources:\n- web.yaml\n- {address}\n"
    put(tmp_path, {"ccm/kustomization.yaml": kustomization, "ccm/web.yaml": BASE, "cloud.conf": CONF.format("true")})
    (conf,) = json.loads(run(tmp_path, "list", "--format=json", ".").out)["cloud_confs"]
    assert conf["release_source"] == "ccm/kustomization.yaml:4"


def test_the_image_of_a_file_that_is_built_is_not_one_of_its_text(tmp_path: Path) -> None:
    image = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
    workload = (
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ccm, namespace: kube-system}\nspec:\n  template:\n"
        f"    spec:\n      containers:\n      - name: ccm\n        image: {image}:v1.28.0\n"
    )
    kustomization = f"resources: [ccm.yaml]\nimages:\n- name: {image}\n  newTag: v1.31.2\n"
    put(tmp_path, {"ccm/ccm.yaml": workload, "ccm/kustomization.yaml": kustomization, "web.yaml": BASE})
    assert "judged as CCM v1.31.2 (from ccm/kustomization.yaml)." in run(tmp_path, "lint", ".").out


def test_predict_and_review_use_what_is_built(repository: Path) -> None:
    predicted = run(repository, "predict", "prod").out
    assert "prod/kustomization.yaml" in predicted
    assert predicted.count("Service default/web") == 1
    for arguments in (["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e@e", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    put(repository, {"prod/patch.yaml": PATCH + "spec:\n  externalTrafficPolicy: Local\n"})
    reviewed = run(repository, "review", "--git", "HEAD").out
    assert "of one Service" in reviewed
    assert "prod/kustomization.yaml" in reviewed


def test_no_path_leaves_the_repository(tmp_path: Path) -> None:
    put(tmp_path, {"secret/service.yaml": BASE, "secret/kustomization.yaml": "resources: [service.yaml]\n"})
    inside = tmp_path / "repository"
    inside.mkdir()
    subprocess.run(["git", "init", "-q", str(inside)], check=True)
    put(inside, {"kustomization.yaml": "resources: [../secret, ../secret/service.yaml, link.yaml, loop]\n"})
    (inside / "link.yaml").symlink_to(tmp_path / "secret" / "service.yaml")
    (inside / "loop").symlink_to(inside)
    assert findings(inside) == []
    assert findings(inside, "kustomization.yaml") == []


def test_no_secret_is_shown(repository: Path) -> None:
    secret = "s3cr3tpassw0rd"
    kustomization = (
        "secretGenerator:\n- name: cloud-config\n  namespace: kube-system\n  literals:\n  - |\n    cloud.conf="
        + CONF.format("flase").replace("\n", "\n    ").rstrip()
        + "\n  - password=other-s3cr3tpassw0rd\n"
    )
    put(
        repository,
        {"ccm/kustomization.yaml": kustomization, "prod/kustomization.yaml": "resources: [../base, ../ccm]\n"},
    )
    for arguments in (["lint"], ["lint", "--format=json"], ["fix", "--unsafe"], ["predict"], ["lint", "-vv"]):
        done = run(repository, *arguments)
        assert done.out
        assert secret not in done.out + done.err, arguments


@pytest.mark.parametrize(
    "text", ["", "[]", "resources: 1", "resources: [[a]]", "{{ x }}", "a: [", "\x1e\x1f", "patches: [{}]", "kind: 3"]
)
def test_a_broken_kustomization_is_no_crash(repository: Path, text: str) -> None:
    put(repository, {"prod/kustomization.yaml": text})
    done = run(repository, "lint", "--format=json")
    assert "internal error" not in done.out
    assert BOTH[0] in [
        (one["path"], one["line"], one["column"], one["rule"]) for one in json.loads(done.out)["findings"]
    ]


def test_without_git_nothing_above_the_current_folder_is_read(tmp_path: Path) -> None:
    put(tmp_path, {"base/service.yaml": BASE, "base/kustomization.yaml": "resources: [service.yaml]\n"})
    put(tmp_path, {"here/kustomization.yaml": "resources: [../base]\n"})
    assert os.environ.get("GIT_DIR") is None
    assert findings(tmp_path / "here") == []
    assert findings(tmp_path, "here") == BOTH[:1]


def test_a_kustomization_above_counts_from_wherever_ccmcheck_is_started(repository: Path) -> None:
    put(repository, {"prod/kustomization.yaml": "resources: [../base]\npatches:\n- path: patches/one.yaml\n"})
    put(repository, {"prod/patches/one.yaml": PATCH})
    assert [one[1:] for one in findings(repository / "prod" / "patches", "one.yaml")] == [BOTH[1][1:]]
    assert [one[1:] for one in findings(repository / "base", "../prod/patches/one.yaml")] == [BOTH[1][1:]]


def test_the_version_of_a_cluster_is_at_the_line_of_the_file_that_sets_it(repository: Path) -> None:
    machine = "spec:\n  kubeadmConfigSpec:\n    clusterConfiguration: {controllerManager: {extraArgs: {cloud-provider: openstack}}}\n"
    head = "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: one}\n"
    conf = "    files:\n    - path: /etc/kubernetes/cloud.conf\n      content: |\n        [Global]\n        auth-url=https://k/v3\n"
    put(
        repository,
        {
            "plane/plane.yaml": f"{head}{machine}{conf}",
            "plane/version.yaml": f"{head}spec:\n  version: v1.22.5\n",
            "plane/kustomization.yaml": "resources: [plane.yaml]\npatches:\n- path: version.yaml\n",
        },
    )
    listed = json.loads(run(repository, "list", "--format=json", "plane").out)["cloud_confs"]
    assert [(one["reader"], one["releases"], one["release_source"]) for one in listed] == [
        ("legacy-in-tree", ["v1.22.5"], "plane/version.yaml:5")
    ]


PATCH_OF_BASE = """\
apiVersion: v1
kind: Service
metadata:
  name: ingress-nginx-controller
  annotations:
    loadbalancer.openstack.org/proxy-protocoll: "true"
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
"""


@pytest.mark.parametrize("base", ["https://u:CANARY@example.com/base?ref=v1", "generated.yaml", "../not-there"])
@pytest.mark.parametrize("field", ["patchesStrategicMerge:\n- web.yaml\n", "patches:\n- path: web.yaml\n"])
def test_a_patch_of_what_is_not_here_is_no_service(tmp_path: Path, base: str, field: str) -> None:
    put(
        tmp_path,
        {
            "over/kustomization.yaml": f"resources:\n- {base}\n{field}",
            "over/web.yaml": PATCH_OF_BASE,
            "cloud.conf": CONF.format("true"),
        },
    )
    predicted = run(tmp_path, "predict", ".")
    assert "Kubernetes refuses" not in predicted.out
    done = run(tmp_path, "lint", "-v", ".")
    assert "over/web.yaml:6:5  warning  svc-annotation-unknown" in done.out
    assert "over/kustomization.yaml: a remote base or a file is not here" in done.out + done.err
    assert "CANARY" not in done.out + done.err


def test_a_patch_beside_a_whole_build_is_said_nothing_of(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "over/kustomization.yaml": "resources:\n- base.yaml\npatches:\n- path: web.yaml\n",
            "over/base.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n",
            "over/web.yaml": PATCH_OF_BASE,
            "cloud.conf": CONF.format("true"),
        },
    )
    done = run(tmp_path, "lint", "-v", ".")
    assert "is not here" not in done.out + done.err
