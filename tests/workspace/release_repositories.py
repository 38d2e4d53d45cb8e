"""Repositories with workloads, charts and kustomizations of many releases, and what is found in them."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from ccmcheck.conf.target_release import FoundRelease
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch, search_around

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers.base import CcmPod


IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"


def workload(tag: str, name: str = "ccm") -> str:
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {name}, namespace: kube-system}}\nspec:\n"
        f"  template:\n    spec:\n      containers:\n      - name: ccm\n        image: {IMAGE}:{tag}\n"
    )


def chart(version: str, values: str = "") -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm, namespace: kube-system}\n"
        "spec:\n  chart:\n    spec:\n      chart: openstack-cloud-controller-manager\n"
        f"      version: {version}\n{values}"
    )


def kustomization(*resources: str, tag: str = "") -> str:
    listed = "".join(f"- {resource}\n" for resource in resources)
    images = f"images:\n- name: {IMAGE}\n  newTag: {tag}\n" if tag else ""
    return f"resources:\n{listed}{images}"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(folder: Path, path: str) -> FoundRelease:
    with chdir(folder):
        return ReleaseFinder(search_around([path], DiscoverOptions())).of(path)


def release_of(folder: Path, path: str) -> str:
    release = found(folder, path).release
    return release.name if release is not None else ""


class Files:
    """A repository's files by their paths, and the searches that were made."""

    top = "/r"

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files
        self.searches: list[tuple[str, ...]] = []

    def holding(self, texts: Sequence[str]) -> list[str]:
        self.searches.append(tuple(texts))
        return [path for path, content in self._files.items() if any(one in content for one in texts)]

    def read(self, path: str) -> bytes | None:
        return self._files[path].encode() if path in self._files else None

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        return map(self.read, paths)


def finder_of(tree: Files, *pods: CcmPod, covered: tuple[str, ...] = ()) -> ReleaseFinder:
    return ReleaseFinder(ReleaseSearch(tree_of=lambda _folder: tree, covered=covered, root="/r"), pods)
