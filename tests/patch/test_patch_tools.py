"""The tools that patches are for give the same object, and the same file, as ``fix --write``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden
import jsonpatch
import pytest
import yaml
from rule_cases import bad
from tools import SECONDS, git, kustomize, needs, run, tool

from ccmcheck.base.text import decode
from ccmcheck.fix.patch.formats import Patch, files_of, patches, text_of
from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, changes, read_plain
from ccmcheck.rules import GROUP_OF

CASES = golden.cases()


def texts(case: golden.Case) -> tuple[str, str]:
    return decode(case.before).text, decode(case.after).text


def changed(case: golden.Case) -> list[ObjectChange]:
    try:
        return changes(case.file, *texts(case))[0]
    except CannotPatch:
        return []


def patched(format_name: str) -> list[Any]:
    """Each object that a format has a patch for, with what the patch is made from."""
    return [
        pytest.param(change, patch, id=f"{case.name}-{change.before.kind}")
        for case in CASES
        for patch in patches(format_name, case.file, *texts(case))[0]
        for change in changed(case)
        if change.before.subject == patch.subject
    ]


def read(text: bytes) -> Plain:
    return read_plain(text.decode())


@needs("kubectl")
@pytest.mark.parametrize(
    ("format_name", "change", "patch"),
    [
        pytest.param(name, *one.values, id=f"{name}-{one.id}")
        for name in ("json", "merge", "strategic")
        for one in patched(name)
    ],
)
def test_kubectl_patch(format_name: str, change: ObjectChange, patch: Patch, tmp_path: Path) -> None:
    (tmp_path / "object.json").write_text(json.dumps(change.before.data), encoding="utf-8")
    (text,) = files_of(format_name, [patch]).values()
    done = run("kubectl", "patch", "--local", "-f", "object.json", "--type", format_name, "-p", text, "-o", "json", folder=tmp_path)  # fmt: skip
    assert json.loads(done) == change.after.data


@needs("kubectl")
def test_kubectl_refuses_what_differs(tmp_path: Path) -> None:
    """A JSON patch tests before it changes."""
    (case,) = [case for case in CASES if case.name == "configmap"]
    (change,) = changed(case)
    other = json.dumps(change.before.data).replace("create-monitor = true", "create-monitor = false")
    (tmp_path / "object.json").write_text(other, encoding="utf-8")
    patch = (case.patch("json") or b"").decode()
    with pytest.raises(pytest.fail.Exception, match="test"):
        run("kubectl", "patch", "--local", "-f", "object.json", "--type", "json", "-p", patch, "-o", "json", folder=tmp_path)  # fmt: skip


@needs("kubectl")
@pytest.mark.parametrize("format_name", ["json", "merge", "strategic"])
def test_kubectl_takes_no_masked_patch(format_name: str, tmp_path: Path) -> None:
    """A mask must never get into a cluster."""
    (case,) = [case for case in CASES if case.name == "secret-stringdata"]
    (change,) = changed(case)
    (tmp_path / "object.json").write_text(json.dumps(change.before.data), encoding="utf-8")
    patch = (case.patch(format_name, shown=True) or b"").decode()
    with pytest.raises(pytest.fail.Exception, match=r"unable to parse|did not find|invalid|error converting"):
        run("kubectl", "patch", "--local", "-f", "object.json", "--type", format_name, "-p", patch, "-o", "json", folder=tmp_path)  # fmt: skip


def kustomization(case: golden.Case, folder: Path, patch: bytes) -> None:
    """A folder with the case's file as its resource."""
    shutil.copy(case.folder / case.file, folder / "resource.yaml")
    (folder / "patches").mkdir(exist_ok=True)
    (folder / "patches" / "kustomization.yaml").write_bytes(patch)
    (folder / "kustomization.yaml").write_text("resources: [resource.yaml]\ncomponents: [patches]\n", encoding="utf-8")


@pytest.mark.skipif(kustomize() is None, reason="there is no kustomize here that knows patches with a target")
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name) for case in CASES if case.patch("kustomize") is not None]
)
def test_kustomize(case: golden.Case, tmp_path: Path) -> None:
    kustomization(case, tmp_path, case.patch("kustomize") or b"")
    built = run(*(kustomize() or ()), ".", folder=tmp_path)
    assert sorted(map(json_of, objects_of(built))) == sorted(map(json_of, objects_of(case.after)))


def json_of(data: Plain) -> str:
    return json.dumps(data, sort_keys=True)


def objects_of(text: bytes) -> Iterator[Plain]:
    """The documents of a file, a list's items each for itself, read by another reader than ccmcheck's."""
    for document in yaml.safe_load_all(text.decode()):
        yield from document["items"] if document.get("kind") == "List" else [document]


@needs("git")
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_git_apply(case: golden.Case, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / case.file).write_bytes(case.before)
    patch = case.patch("git")
    assert patch is not None
    git(tmp_path, "apply", "--whitespace=error-all" if case.name != "windows" else "--verbose", "-", stdin=patch)
    assert (tmp_path / case.file).read_bytes() == case.after


@needs("git")
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_git_takes_no_masked_difference(case: golden.Case, tmp_path: Path) -> None:
    shown = case.patch("git", shown=True)
    assert shown is not None
    git(tmp_path, "init", "--quiet")
    (tmp_path / case.file).write_bytes(case.before)
    if shown == case.patch("git"):
        git(tmp_path, "apply", "--check", "-", stdin=shown)
    else:
        with pytest.raises(pytest.fail.Exception, match=r"masked\): No such file"):
            git(tmp_path, "apply", "--check", "-", stdin=shown)


# Cluster API


@pytest.mark.parametrize(("change", "patch"), patched("clusterclass"))
def test_clusterclass_operations(change: ObjectChange, patch: Patch) -> None:
    """By RFC 6902's own package, and by the rules of Cluster API's webhook."""
    body: Any = patch.body
    (definition,) = body["definitions"]
    assert definition["selector"]["kind"] == change.before.kind
    assert definition["selector"]["apiVersion"] == change.before.api_version
    for operation in definition["jsonPatches"]:
        assert operation["op"] in {"add", "replace", "remove"}
        assert operation["path"].startswith("/spec/")
        assert not any(part.lstrip("+-").isdecimal() for part in operation["path"].split("/"))
    assert jsonpatch.apply_patch(change.before.data, definition["jsonPatches"]) == change.after.data


INFRASTRUCTURE = """\
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackClusterTemplate
metadata: {name: cluster, namespace: default}
spec: {template: {spec: {}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: machine, namespace: default}
spec: {template: {spec: {flavor: small}}}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: prod, namespace: default}
spec:
  topology:
    class: openstack
    version: v1.31.2
    controlPlane: {replicas: 1}
    workers: {machineDeployments: [{class: default-worker, name: workers, replicas: 1}]}
"""


def plans_topologies() -> bool:
    """Whether there is a clusterctl that renders a ClusterClass without a cluster; it lost that in its release 1.11."""
    path = tool("clusterctl")
    if path is None:
        return False
    said = subprocess.run(
        [path, "alpha", "topology", "plan", "--help"], capture_output=True, check=False, timeout=SECONDS
    )
    return b"--output-directory" in said.stdout


@needs("clusterctl")
@pytest.mark.skipif(not plans_topologies(), reason="this clusterctl has no `alpha topology plan`")
def test_clusterctl_topology_plan(tmp_path: Path) -> None:
    """Cluster API's own validation and rendering: the machines get what ``fix --write`` would put into the templates."""
    (case,) = [case for case in CASES if case.name == "cluster-class"]
    documents: list[Any] = list(yaml.safe_load_all(case.before))
    (class_spec,) = [document["spec"] for document in documents if document["kind"] == "ClusterClass"]

    def reference(kind: str, name: str) -> dict[str, dict[str, str]]:
        return {"ref": {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": kind, "name": name}}

    class_spec["infrastructure"] = reference("OpenStackClusterTemplate", "cluster")
    class_spec["controlPlane"]["machineInfrastructure"] = reference("OpenStackMachineTemplate", "machine")
    class_spec["workers"]["machineDeployments"][0]["template"]["infrastructure"] = reference("OpenStackMachineTemplate", "machine")  # fmt: skip
    class_spec |= yaml.safe_load(case.patch("clusterclass") or b"")
    (tmp_path / "in.yaml").write_text(yaml.safe_dump_all(documents) + INFRASTRUCTURE, encoding="utf-8")
    (tmp_path / "out").mkdir()
    plan = ("alpha", "topology", "plan", "-f", "in.yaml", "-o", "out")
    run("clusterctl", *plan, folder=tmp_path, CLUSTERCTL_DISABLE_VERSIONCHECK="true")
    made: dict[str, Any] = {}
    for path in (tmp_path / "out" / "created").iterdir():
        document = yaml.safe_load(path.read_bytes())
        made[document["kind"]] = document.get("spec")
    templates = {document["kind"]: document["spec"]["template"]["spec"] for document in yaml.safe_load_all(case.after) if "template" in document["spec"]}  # fmt: skip
    wanted = templates["KubeadmControlPlaneTemplate"]["kubeadmConfigSpec"]["files"]
    assert made["KubeadmControlPlane"]["kubeadmConfigSpec"]["files"] == wanted
    assert made["KubeadmConfigTemplate"]["template"]["spec"]["files"] == templates["KubeadmConfigTemplate"]["files"]


# Helm


@needs("helm")
def test_helm_reads_the_fixed_values(tmp_path: Path) -> None:
    """Values that a difference for git has changed render as ``fix --write`` means them."""
    (case,) = [case for case in CASES if case.name == "helm-values"]
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: ccm\nversion: 0.1.0\n", encoding="utf-8")
    (chart / "templates" / "conf.yaml").write_text(
        "{{ range $section, $keys := .Values.cloudConfig }}{{ range $key, $value := $keys }}"
        "{{ $section }}.{{ $key }}: {{ $value | quote }}\n{{ end }}{{ end }}",
        encoding="utf-8",
    )
    git(tmp_path, "init", "--quiet")
    (tmp_path / case.file).write_bytes(case.before)
    git(tmp_path, "apply", "-", stdin=case.patch("git") or b"")
    rendered: Any = yaml.safe_load(run("helm", "template", "chart", "-f", case.file, folder=tmp_path))
    conf = yaml.safe_load(case.after)["cloudConfig"]
    meant = {f"{section}.{key}": value for section, keys in conf.items() for key, value in keys.items()}
    assert rendered["loadBalancer.monitor-delay"] == "3s"
    assert rendered == {name: "true" if value is True else value for name, value in meant.items()}


def test_every_object_format_is_judged() -> None:
    for name in ("json", "merge", "strategic", "kustomize", "clusterclass"):
        assert patched(name)
    assert read(text_of("merge", [patched("merge")[0].values[1]], with_secrets=True).encode())


# what fixes of objects change, beyond the texts that they hold

API = {"DaemonSet": "apps/v1", "Deployment": "apps/v1", "Secret": "v1", "ConfigMap": "v1", "Service": "v1"}


def object_fixes() -> Iterator[Any]:
    """Every case of a rule about objects of Kubernetes' own, with its fix."""
    for name in GROUP_OF:
        for index, case in enumerate(bad(name)):
            found = re.search(r"^kind: (\w+)$", case.text, re.MULTILINE)
            if case.fixed is None or case.template or found is None or found[1] not in API or "\n---" in case.text:
                continue
            head = "" if "apiVersion:" in case.text else f"apiVersion: {API[found[1]]}\n"
            yield pytest.param(head + case.text, head + case.fixed, id=f"{name}-{index}")


@pytest.mark.part(of=5)
@needs("kubectl")
@pytest.mark.parametrize("format_name", ["json", "merge", "strategic"])
@pytest.mark.parametrize(("before", "after"), list(object_fixes()))
def test_fixes_of_objects(before: str, after: str, format_name: str, tmp_path: Path) -> None:
    (change,), _ = changes("case.yaml", before, after)
    made, refused = patches(format_name, "case.yaml", before, after)
    if not change.before.named_as(change.after):
        assert made == []
        assert "another name" in refused[0].message
        return
    (patch,) = made
    (text,) = files_of(format_name, [patch]).values()
    (tmp_path / "object.json").write_text(json.dumps(change.before.data), encoding="utf-8")
    if (unread := untyped(change.before.data, tmp_path)) is not None:
        # there is no such object in any cluster; what the patch makes of the data is judged by its library alone
        assert "cannot unmarshal" in unread
        assert format_name != "json" or jsonpatch.apply_patch(change.before.data, text) == change.after.data
        return
    done = run("kubectl", "patch", "--local", "-f", "object.json", "--type", format_name, "-p", text, "-o", "json", folder=tmp_path)  # fmt: skip
    assert json.loads(done) == change.after.data


def untyped(data: Any, folder: Path) -> str | None:
    """Why kubectl cannot read an object at all, as one with a number for an annotation; None where it can."""
    annotations = data["metadata"].get("annotations", {}).values()
    if all(isinstance(value, str) for value in annotations):
        return None
    path = tool("kubectl")
    assert path is not None
    (folder / "untyped.json").write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(
        [path, "annotate", "--local", "-f", "untyped.json", "a=b"],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
        timeout=SECONDS,
    )
    return done.stderr


def test_there_are_fixes_of_lists() -> None:
    assert any("containers:" in one.values[0] for one in object_fixes())


# a literal block at the end of a file without a line end

UNENDED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-config
data:
  cloud.conf: |
    [LoadBalancer]
    monitor-delay = 3"""


@needs("kubectl")
@pytest.mark.parametrize("format_name", ["json", "merge", "strategic"])
def test_kubectl_reads_a_line_end_at_the_end_of_the_file(format_name: str, tmp_path: Path) -> None:
    (tmp_path / "object.yaml").write_text(UNENDED, encoding="utf-8")
    (tmp_path / "after.yaml").write_text(UNENDED + "s", encoding="utf-8")
    (patch,), _ = patches(format_name, "object.yaml", UNENDED, UNENDED + "s")
    text = text_of(format_name, [patch], with_secrets=True)
    patched = run("kubectl", "patch", "--local", "-f", "object.yaml", "--type", format_name, "-p", text, "-o", "json", folder=tmp_path)  # fmt: skip
    written = run("kubectl", "label", "--local", "-f", "after.yaml", "none-", "-o", "json", folder=tmp_path)
    assert json.loads(patched)["data"] == json.loads(written)["data"] == {"cloud.conf": "[LoadBalancer]\nmonitor-delay = 3s\n"}  # fmt: skip


@pytest.mark.skipif(kustomize() is None, reason="there is no kustomize here that knows patches with a target")
def test_kustomize_reads_none(tmp_path: Path) -> None:
    (tmp_path / "resource.yaml").write_text(UNENDED, encoding="utf-8")
    (patch,), _ = patches("kustomize", "resource.yaml", UNENDED, UNENDED + "s")
    (tmp_path / "patches").mkdir()
    (tmp_path / "patches" / "kustomization.yaml").write_text(
        text_of("kustomize", [patch], with_secrets=True), encoding="utf-8"
    )
    (tmp_path / "kustomization.yaml").write_text(
        "resources: [resource.yaml]\ncomponents: [patches]\n", encoding="utf-8"
    )
    (built,) = objects_of(run(*(kustomize() or ()), ".", folder=tmp_path))
    assert built == yaml.safe_load(UNENDED + "s")


@pytest.mark.skipif(kustomize() is None, reason="there is no kustomize here that knows patches with a target")
def test_patches_alone_render_to_nothing_and_say_what_to_do(tmp_path: Path) -> None:
    (patch,), _ = patches("kustomize", "resource.yaml", UNENDED, UNENDED + "s")
    for text in (text_of("kustomize", [patch], with_secrets=True), *files_of("kustomize", [patch]).values()):
        (tmp_path / "kustomization.yaml").write_text(text, encoding="utf-8")
        assert run(*(kustomize() or ()), ".", folder=tmp_path).strip() == b""
        assert text.startswith("# List this file's folder under `components` of the kustomization that has these")
