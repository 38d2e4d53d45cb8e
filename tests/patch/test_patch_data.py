"""Objects as Kubernetes reads them, the patches of each format in detail, YAML that reads back, and what is a secret."""

from __future__ import annotations

import base64
from typing import Any

import jsonpatch
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.fix.patch import clusterclass, json_patch, kustomize, merge, strategic
from ccmcheck.fix.patch.formats import patches, text_of
from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, canonical, changes, read_plain
from ccmcheck.fix.patch.secrecy import holds_secret, masked
from ccmcheck.fix.patch.yaml_text import write
from ccmcheck.redact.masker import MASK


def change(before: str, after: str) -> ObjectChange:
    (found,), others = changes("file.yaml", before, after)
    assert others == []
    return found


# reading


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: yes\nb: 0o17\nc: 017\nd: 1e3\ne: '1'\nf: ~\n", {"a": True, "b": 15, "c": 15, "d": 1000.0, "e": "1", "f": None}),
        ("a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n", {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}),
        ("a: &x {b: 1}\nd:\n  <<: [*x, {b: 3, f: 4}]\n  b: 5\n", {"a": {"b": 1}, "d": {"b": 5, "f": 4}}),
        ("1: a\ntrue: b\n2024-01-01: c\n", {"1": "a", "true": "b", "2024-01-01": "c"}),
        ('{"a": [1, null, "\\u00e9"]}', {"a": [1, None, "é"]}),
    ],
)  # fmt: skip
def test_read_plain(text: str, data: Plain) -> None:
    assert canonical(read_plain(text)) == canonical(data)


BOMB = "a: &b0 [x, x, x, x, x, x, x, x]\n" + "".join(f"b{n}: &b{n} [{f'*b{n - 1}, ' * 8}]\n" for n in range(1, 9))


@pytest.mark.parametrize(
    "text",
    ["a: 1\na: 2\n", "{[a]: b}\n", "a: .inf\n", "a: b\n---\nc: d\n", "a: [", "", "a: \udcff\n", "- " * 120 + "x\n", BOMB],
)  # fmt: skip
def test_what_kubernetes_would_not_take(text: str) -> None:
    with pytest.raises(CannotPatch):
        read_plain(text)


CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1'}\n"


def test_only_what_differs() -> None:
    other = CONFIG_MAP.replace("name: a", "name: b")
    found, others = changes("f", f"{CONFIG_MAP}---\n{other}", f"{CONFIG_MAP}---\n# why\n{other.replace('1', '2')}")
    assert [one.before.subject for one in found] == ["ConfigMap b"]
    assert others == []


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_what_json_and_yaml_read_differently(sign: str) -> None:
    before = f'{{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "a"}}, "data": {{"x": "1", "y": "a{sign}b"}}}}'
    for text in (before, f"\ufeff\n{before}"):
        with pytest.raises(CannotPatch, match="its readers disagree"):
            changes("f", text, text.replace('"1"', '"2"'))
    assert patches("git", "f", before, before.replace('"1"', '"2"'))[0]


def test_one_is_not_true() -> None:
    before = "apiVersion: x/v1\nkind: X\nmetadata: {name: a}\nspec: {x: 1}\n"
    assert merge.make(change(before, before.replace("1}", "true}"))) == {"spec": {"x": True}}


def test_parts_that_are_no_objects() -> None:
    found, others = changes("f", f"x: 1\n---\n{CONFIG_MAP}", f"x: 2\n---\n{CONFIG_MAP.replace('1', '2')}")
    assert [one.before.subject for one in found] == ["ConfigMap a"]
    assert others == ["a part of f that changes is no Kubernetes object"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("x: 1\n", "x: 2\n", "there is no Kubernetes object in f to patch"),
        ("[Global]\nx = 1\n", "[Global]\nx = 2\n", "there is no Kubernetes object in f to patch"),
        (CONFIG_MAP, f"{CONFIG_MAP}---\n{CONFIG_MAP}", "f would get or lose a document"),
        (f"{CONFIG_MAP}---\n{{{{ x }}: [\n", f"{CONFIG_MAP}---\n{{{{ y }}: [\n", "a part of f is not YAML"),
        (CONFIG_MAP, CONFIG_MAP.replace("name: a", "name: b"), "ConfigMap a would get another name"),
        (CONFIG_MAP, f"# why\n{CONFIG_MAP}", "the change of f is none to its objects"),
    ],
)
def test_no_patch(before: str, after: str, message: str) -> None:
    made, refused = patches("merge", "f", before, after)
    assert made == []
    assert message in refused[0].message
    assert "--patch git" in refused[0].hint


# merge


def test_merge_cannot_say_null() -> None:
    with pytest.raises(CannotPatch, match="`x` would be null"):
        merge.make(change(CONFIG_MAP, CONFIG_MAP.replace("'1'", "null")))
    with pytest.raises(CannotPatch, match="`x` would be null"):
        merge.make(change(CONFIG_MAP, CONFIG_MAP.replace("'1'", "{y: ~}")))
    assert merge.make(change(CONFIG_MAP, CONFIG_MAP.replace("'1'", "[~]"))) == {"data": {"x": [None]}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "/", "~1", "é"]),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "/", "~", "0"]), below, max_size=3)
    ),
    max_leaves=8,
)


def merged(target: Any, patch: Any) -> Any:
    """RFC 7386's own algorithm."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merged(target.get(key), value)
    return target


def objects(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "apiVersion": "x/v1",
        "kind": "X",
        "metadata": {"name": "a"},
        **draw(st.dictionaries(st.sampled_from(["spec", "data", "z"]), JSON)),
    }


@st.composite
def object_changes(draw: st.DrawFn) -> ObjectChange:
    before, after = objects(draw), objects(draw)
    found, _ = changes(
        "f", write(before), write(after) if canonical(before) != canonical(after) else write({**before, "new": 1})
    )
    return found[0]


@settings(max_examples=150)
@given(object_changes())
def test_json_and_merge_patches_give_the_object_after(one: ObjectChange) -> None:
    operations: Any = json_patch.make(one)
    assert canonical(jsonpatch.apply_patch(one.before.data, operations)) == canonical(one.after.data)
    for at, operation in enumerate(operations):
        if operation["op"] in {"replace", "remove"}:
            assert operations[at - 1] == {"op": "test", "path": operation["path"], "value": operations[at - 1]["value"]}
    try:
        patch = merge.make(one)
    except CannotPatch:
        assert "null" in canonical(one.after.data)
    else:
        assert canonical(merged(one.before.data, patch)) == canonical(one.after.data)


@settings(max_examples=100)
@given(object_changes())
def test_clusterclass_operations_give_the_object_after(one: ObjectChange) -> None:
    template = one._replace(before=one.before._replace(kind="KubeadmConfigTemplate"))
    try:
        body: Any = clusterclass.make(template)
    except CannotPatch:
        (old, was), (new, now) = (
            (data.pop("spec", None), canonical(data)) for data in (one.before.data, one.after.data)
        )
        assert was != now or not (isinstance(old, dict) and isinstance(new, dict)) or "0" in {*old, *new}
        return
    operations = body["definitions"][0]["jsonPatches"]
    assert canonical(jsonpatch.apply_patch(one.before.data, operations)) == canonical(one.after.data)
    for operation in operations:
        assert operation["path"].startswith("/spec/")
        assert not {"0"} & set(operation["path"].split("/"))


# JSON


def secret(data: str) -> str:
    return f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{data}"


def test_a_moved_or_removed_secret_is_not_shown() -> None:
    before = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata:\n  old: |\n    password = geheim77\n  x: y\n"
    assert json_patch.make(change(before, before.replace("old", "new"))) == [
        {"op": "move", "from": "/data/old", "path": "/data/new"}
    ]
    gone = before.replace("  old: |\n    password = geheim77\n", "")
    assert json_patch.make(change(before, gone)) == [{"op": "remove", "path": "/data/old"}]


def test_what_a_cluster_holds_otherwise_is_not_tested() -> None:
    lines = secret("data:\n  c: |\n    YWFh\n    YWFh\n")
    assert [
        one["op"] for one in json_patch.operations(change(lines, lines.replace("YWFh\n    YWFh", "YWFh\n    YWFi")))
    ] == ["replace"]
    string = secret("stringData: {c: a}\n")
    found = change(string, string.replace("c: a", "c: b"))
    assert [one["op"] for one in json_patch.operations(found)] == ["replace"]
    assert "for a Secret in a cluster use --patch merge" in json_patch.notes(found)[0]
    plain = secret("data: {c: YWFh}\n")
    found = change(plain, plain.replace("YWFh", "YWFi"))
    assert [one["op"] for one in json_patch.operations(found)] == ["test", "replace"]
    assert json_patch.notes(found) == []


# strategic

POD = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ccm, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/ccm:v1.31.2
        args: [--a, --b]
        env: [{name: A, value: x}, {name: B, value: y}]
        volumeMounts: [{name: v, mountPath: /etc/config}]
      - name: other
        image: x
"""


@pytest.mark.parametrize(
    ("old", "new", "containers"),
    [
        ("v1.31.2", "v1.32.0", [{"name": "ccm", "image": "registry.k8s.io/ccm:v1.32.0"}]),
        ("--b]", "--c]", [{"name": "ccm", "args": ["--a", "--c"]}]),
        ("value: y", "value: z", [{"name": "ccm", "env": [{"name": "B", "value": "z"}]}]),
        ("mountPath: /etc/config", "mountPath: /etc/config, readOnly: true", [{"name": "ccm", "volumeMounts": [{"mountPath": "/etc/config", "readOnly": True}]}]),
        (", {name: B, value: y}", "", [{"name": "ccm", "env": [{"$patch": "replace"}, {"name": "A", "value": "x"}]}]),
    ],
)  # fmt: skip
def test_strategic_lists(old: str, new: str, containers: Plain) -> None:
    assert strategic.make(change(POD, POD.replace(old, new))) == {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "ccm", "namespace": "kube-system"},
        "spec": {"template": {"spec": {"containers": containers}}},
    }


def test_strategic_is_for_kubernetes_own_kinds() -> None:
    before = "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a}\nspec: {x: 1}\n"
    with pytest.raises(CannotPatch, match="Cluster is a custom resource"):
        strategic.make(change(before, before.replace("x: 1", "x: 2")))
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a, labels: {x: y}}\nrules: []\n"
    assert strategic.make(change(role, role.replace("x: y", "x: z"))) == {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "a", "labels": {"x": "z"}},
    }


# kustomize, ClusterClass


def test_kustomize_names_are_patterns() -> None:
    before = CONFIG_MAP.replace("name: a", "name: a.b$x, namespace: kube")
    body: Any = kustomize.make(change(before, before.replace("1'", "2'")))
    assert body["target"] == {"version": "v1", "kind": "ConfigMap", "name": "a\\.b\\$x", "namespace": "kube"}
    nameless = CONFIG_MAP.replace("name: a", "generateName: a")
    with pytest.raises(CannotPatch, match="has no name"):
        kustomize.make(change(nameless, nameless.replace("1'", "2'")))


WORKER = "apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\nkind: KubeadmConfigTemplate\nmetadata: {name: w}\nspec: {template: {spec: {files: [{path: a, content: b}]}}}\n"
CLASS = "---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: ClusterClass\nmetadata: {name: c}\nspec:\n  workers:\n    machineDeployments:\n    - class: one\n      bootstrap: {templateRef: {kind: KubeadmConfigTemplate, name: w}}\n    - class: two\n      bootstrap: {templateRef: {kind: KubeadmConfigTemplate, name: x}}\n"


@pytest.mark.parametrize(("beside", "names"), [("", ["*"]), (CLASS, ["one"])])
def test_the_classes_of_workers(beside: str, names: list[str]) -> None:
    found = change(WORKER + beside, WORKER.replace("content: b", "content: c") + beside)
    body: Any = clusterclass.make(found)
    assert body["definitions"][0]["selector"]["matchResources"] == {"machineDeploymentClass": {"names": names}}
    assert len(clusterclass.notes(found)) == (2 if names == ["*"] else 1)


def test_a_clusterclass_patches_specs_of_templates() -> None:
    with pytest.raises(CannotPatch, match="is no KubeadmControlPlaneTemplate or"):
        clusterclass.make(change(CONFIG_MAP, CONFIG_MAP.replace("1'", "2'")))
    with pytest.raises(CannotPatch, match="not below its spec"):
        clusterclass.make(change(WORKER, WORKER.replace("name: w", "name: w, labels: {a: b}")))


# YAML

TRAPS = ["yes", "no", "on", "y", "~", "null", "", " ", "0x10", "010", "1e3", "1_000", ".5", "-", "- a", "a: b", "a:", "#x", "a #b", "'a'", '"a"', "{a}",
         "[a]", "&a", "*a", "!a", "%a", "@a", "`a`", "|", ">", "?", "? a", ",", "a\n", "a\n\n", "\n", "\na", " a\nb", "a\n b\n", "a \nb", "a\tb", "\ta",
         "a\r\nb", "a\x85b", "a\u2028b", "\ufeffa", "\x07", "a\x00b", "<<", "=", "2024-01-01", "12:30:45", "é\n😀\n", "---", "...\n", "a\n---\nb", "a" * 500,
         "x " * 200 + "\n" + "y " * 200, "${X}", "{{ x }}", "1.0", ".inf", "TRUE", "a\\n"]  # fmt: skip


@pytest.mark.parametrize("text", TRAPS, ids=[ascii(text)[:30] for text in TRAPS])
def test_yaml_traps(text: str) -> None:
    data: Plain = {"key": text, "list": [text, {"a": text}], text or "empty": 1}
    written = write(data)
    assert read_plain(written) == data
    assert written.endswith("\n")
    if "\x85" not in text and "\u2028" not in text:  # PyYAML alone ends lines there
        assert yaml.safe_load(written) == data


@settings(max_examples=200)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.lists(st.sampled_from(["a", " b", "c ", "", "\t"])).map("\n".join)
)
def test_any_text_reads_back(text: str) -> None:
    assert read_plain(write([text])) == [text]


# secrets

CONF = "[Global]\npassword = geheim77\n"


@pytest.mark.parametrize(
    "data",
    [
        {"stringData": {"cloud.conf": CONF}},
        {"data": {"cloud.conf": base64.b64encode(CONF.encode()).decode()}},
        {"data": {"cloud.conf": base64.encodebytes(CONF.encode() * 4).decode()}},
        {"spec": {"password": "geheim77"}},
        {"spec": {"clouds": [{"auth": {"password": "geheim77"}}]}},
        [{"op": "replace", "path": "/spec/password", "value": "geheim77"}],
        [{"op": "add", "path": "/spec", "value": {"token": "geheim77"}}],
        {"env": [{"name": "OS_PASSWORD", "value": "geheim77"}]},
        {"args": ["--password=geheim77"]},
        {"url": "https://admin:geheim77@keystone.example.org"},
    ],
)  # fmt: skip
def test_secrets_are_masked(data: Plain) -> None:
    assert holds_secret(data)
    shown = masked(data)
    assert MASK in canonical(shown)
    assert "geheim77" not in canonical(shown)
    assert not holds_secret(shown)


@pytest.mark.parametrize(
    "data",
    [
        {"data": {"cloud.conf": base64.b64encode(b"[LoadBalancer]\ncreate-monitor = true\n").decode()}},
        {"env": [{"name": "CLOUD_CONFIG", "value": "/etc/config/cloud.conf"}]},
        [{"op": "test", "path": "/spec/template/spec/kubeadmConfigSpec/files/12345/content", "value": 3}],
        {"metadata": {"name": "a" * 63}, "enabled": True, "secretName": "cloud-config"},
    ],
)
def test_the_rest_is_not(data: Plain) -> None:
    assert not holds_secret(data)
    assert masked(data) == data


def test_a_patch_does_not_show_its_body() -> None:
    before = secret("stringData: {c: 'password = geheim77'}\n")
    (made,), _ = patches("merge", "f", before, before.replace("c: '", "c: 'x\n\n  "))
    assert "geheim77" not in repr(made)
    assert "geheim77" not in text_of("merge", [made], with_secrets=False)
