"""Kubernetes' own tools read what is rendered: the very text comes out of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest
from rendering_aids import Folder, carried
from test_yaml_string import TRAPS

from ccmcheck.base.yaml_string import yaml_string
from ccmcheck.render import TEMPLATES, RenderRequest, render

kubectl = pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")

TRAP = "  1e3: #'\"\\ \t\u2028 ü ~\n\x85 yes "


def objects(whole: str) -> list[dict[str, Any]]:
    """The objects of a text as kubectl reads them, without a cluster."""
    done = subprocess.run(
        ["kubectl", "label", "--local", "-f", "-", "read=back", "-o", "json"],
        input=whole, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = []
    decoder = json.JSONDecoder()
    rest = done.stdout.strip()
    while rest:
        one, end = decoder.raw_decode(rest)
        found += one["items"] if one["kind"] == "List" else [one]
        rest = rest[end:].strip()
    return found


@kubectl
@pytest.mark.parametrize("indent", [0, 4])
def test_kubectl_gets_every_trap(indent: int) -> None:
    lines = "".join(f"  k{number}: {yaml_string(text, indent)}\n" for number, text in enumerate(TRAPS))
    (found,) = objects(f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: traps\ndata:\n{lines}")
    assert found["data"] == {f"k{number}": text for number, text in enumerate(TRAPS)}


def _conf(folder: Folder, trap: str = TRAP) -> tuple[RenderRequest, str]:
    """A request with everything that is hard to write, and the cloud.conf that it comes to."""
    folder.write("home/.keep", "")
    assignments = ("Global.auth-url=https://k/v3", f"Global.password={trap}", f"floating-subnet-tags={trap}")
    request = RenderRequest("cloud.conf", assignments=assignments, name="yes", namespace="1e3")
    text = render(request).text
    assert carried("cloud.conf", text)[0]["Global"]["password"] == trap
    return request, text


@kubectl
def test_the_secret(bare: Folder) -> None:
    request, text = _conf(bare)
    (secret,) = objects(render(request._replace(template="secret")).text)
    assert secret["stringData"] == {"cloud.conf": text}
    assert (secret["metadata"]["name"], secret["metadata"]["namespace"]) == ("yes", "1e3")


@kubectl
def test_the_config_map(bare: Folder) -> None:
    request, text = _conf(bare)
    (found,) = objects(render(request._replace(template="configmap")).text)
    assert found["data"] == {"config": text[text.index("[LoadBalancer]") :]}


@kubectl
def test_the_cluster_resource_set_and_what_it_holds(bare: Folder) -> None:
    request, text = _conf(bare)
    whole = render(request._replace(template="cluster-resource-set", variables={"cluster": "on"})).text
    resource_set, outer = objects(whole)
    assert resource_set["kind"] == "ClusterResourceSet"
    assert resource_set["spec"]["resources"] == [{"kind": "Secret", "name": outer["metadata"]["name"]}]
    assert resource_set["metadata"]["namespace"] == outer["metadata"]["namespace"]
    assert outer["type"] == "addons.cluster.x-k8s.io/resource-set"
    (inner,) = objects(outer["stringData"]["cloud-config.yaml"])
    assert inner["stringData"] == {"cloud.conf": text}
    assert (inner["metadata"]["name"], inner["metadata"]["namespace"]) == ("yes", "1e3")


@kubectl
def test_the_cluster_class_patch_and_its_secret(bare: Folder) -> None:
    jsonpatch = pytest.importorskip("jsonpatch")
    request, text = _conf(bare)
    whole = render(request._replace(template="clusterclass-patch")).text
    first, second = whole.split("---\n")
    (secret,) = objects(first)
    assert secret["stringData"] == {"cloud.conf": text}
    # kubectl takes no fragment, so that the fragment gets a head
    (holder,) = objects("apiVersion: x/v1\nkind: X\nmetadata: {name: x}\n" + second)
    (definition,) = holder["patches"][0]["definitions"]
    assert definition["selector"]["kind"] == "KubeadmControlPlaneTemplate"
    template = {"spec": {"template": {"spec": {"kubeadmConfigSpec": {"files": [{"path": "/other"}]}}}}}
    patched = jsonpatch.apply_patch(template, definition["jsonPatches"])
    added = patched["spec"]["template"]["spec"]["kubeadmConfigSpec"]["files"][1]
    assert added["path"] == "/etc/kubernetes/cloud.conf"
    assert added["permissions"] == "0600"
    assert added["contentFrom"] == {"secret": {"name": secret["metadata"]["name"], "key": "cloud.conf"}}


@kubectl
@pytest.mark.parametrize("existing", [False, True])
def test_kustomize_builds_the_secret(existing: bool, bare: Folder) -> None:
    request, text = _conf(bare, TRAP.replace("\x85", ""))  # its own output loses that one
    kustomization = render(request._replace(template="kustomize", name="cloud-config", namespace="kube-system")).text
    if existing:
        start, end = kustomization.index("secretGenerator:"), kustomization.index("patches:")
        kustomization = f"{kustomization[:start]}resources: [secret.yaml]\n{kustomization[end:]}"
        old = render(RenderRequest("secret", assignments=("Global.auth-url=https://old", "Global.token=x"))).text
        bare.write("k/secret.yaml", old)
    bare.write("k/kustomization.yaml", kustomization)
    done = subprocess.run(["kubectl", "kustomize", "k"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (secret,) = objects(done.stdout)
    assert secret["stringData"] == {"cloud.conf": text}
    assert secret["metadata"] == {"name": "cloud-config", "namespace": "kube-system", "labels": {"read": "back"}}
    assert secret["type"] == "Opaque"


@kubectl
@pytest.mark.parametrize("classes", [False, True])
def test_helm_values(classes: bool, bare: Folder) -> None:
    more = ("LoadBalancerClass.on.floating-subnet=x",) if classes else ()
    password = "a: #\t'\"\\ 1e3"
    assignments = ("Global.auth-url=https://k/v3", f"Global.password={password}", "max-shared-lb=1", *more)
    request = RenderRequest("helm-values", assignments=assignments, name="no")
    (found,) = objects("apiVersion: x/v1\nkind: X\nmetadata: {name: x}\n" + render(request).text)
    assert found["secret"] == {"enabled": True, "create": True, "name": "no"}
    if classes:
        assert found["cloudConfigContents"] == render(request._replace(template="cloud.conf")).text
    else:
        assert found["cloudConfig"]["global"] == {"auth-url": "https://k/v3", "password": password}
        assert found["cloudConfig"]["loadBalancer"]["max-shared-lb"] == "1"
        assert all(isinstance(value, str) for held in found["cloudConfig"].values() for value in held.values())
    assert bare.path.is_dir()
    assert set(TEMPLATES) >= {"helm-values"}
