"""The samples for newcomers hold what they are meant to show."""

from __future__ import annotations

from pathlib import Path

from ccmcheck.base import text
from ccmcheck.carriers import find

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CARRIERS = {
    "ccm.yaml": [],
    "cloud.conf": ["file"],
    "cloud.conf.tmpl": ["file"],
    "cluster-resource-set.yaml": ["Secret"],
    "good/cloud.conf": ["file"],
    "good/secret.yaml": ["Secret"],
    "helm-values.yaml": ["Helm values"],
    "kubeadm-control-plane.yaml": ["KubeadmControlPlane"],
    "secret.yaml": ["Secret"],
}


def whole(name: str) -> str:
    return text.decode((SAMPLES / name).read_bytes()).text


def test_every_sample_is_known() -> None:
    files = [path for path in SAMPLES.iterdir() if path.is_file()]
    unknown = [path.name for path in files if find(path.name, whole(path.name)).carried and path.name not in CARRIERS]
    others = {"old-cloud.conf", "old-secret.yaml"}  # of the guide to upgrades
    assert not set(unknown) - others, f"add these samples with their carriers to CARRIERS: {unknown}"


def test_every_carrier() -> None:
    found = {name: [one.carrier for one in find(name, whole(name)).carried] for name in CARRIERS}
    assert found == CARRIERS


def test_the_same_mistakes_everywhere() -> None:
    for name in ("secret.yaml", "cluster-resource-set.yaml", "kubeadm-control-plane.yaml"):
        (carried,) = find(name, whole(name)).carried
        assert carried.text == "".join(
            line for line in whole("cloud.conf").splitlines(keepends=True) if not line.startswith("#")
        )


def test_confs_without_mistakes_are_the_same() -> None:
    (carried,) = find("good/secret.yaml", whole("good/secret.yaml")).carried
    assert carried.text == whole("good/cloud.conf")


def test_the_release() -> None:
    assert [pod.release for pod in find("ccm.yaml", whole("ccm.yaml")).pods] == ["v1.31.2"]
