"""Opens every file, tag and symbol that the package cites, at its release, where a Go module or a PyPI package can be had.

A citation is a path such as ``pkg/openstack/loadbalancer.go``, with the names behind it, in any text of the package: rules,
keys, behaviours, matrix rows, migrations. One with a release is looked up there; one without in all releases at hand, where
one that has it is enough. What no module or package holds is counted, and listed with ``--verbose``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from root import ROOT

from ccmcheck.catalog.data.releases import LAST_PATCH

SKIPPED = 77
CPO, LEGACY = "k8s.io/cloud-provider-openstack", "k8s.io/legacy-cloud-providers"
RELEASES: dict[str, tuple[str, ...]] = {
    CPO: ("v1.36.0", "v1.31.2", "v1.28.1", "v1.26.0", "v1.24.6", "v1.20.2", "v1.17.0"),
    LEGACY: ("v0.20.15", "v0.25.16"),
    "k8s.io/cloud-provider": ("v0.36.0", "v0.31.2", "v0.26.0"),
    "k8s.io/kubernetes": ("v1.36.0", "v1.9.0"),
    "k8s.io/kops": ("v1.36.2",),
    "sigs.k8s.io/cluster-api": ("v1.11.0",),
    "gopkg.in/gcfg.v1": ("v1.2.3",),
    "github.com/rancher/rke": ("v1.5.0",),
    "go.universe.tf/metallb": ("v0.15.2",),
    "octavia": ("19.0.0",),
    "ovn-octavia-provider": ("11.0.0",),
    "neutron": ("29.0.0",),
    "neutron-lib": ("4.1.0",),
    "keystone": ("29.0.0",),
    "keystonemiddleware": ("12.0.0",),
    "barbican": ("22.0.0",),
    "openstacksdk": ("4.17.0",),
    "magnum": ("20.0.0",),
    "magnum-capi-helm": ("1.4.0",),
    "magnum-cluster-api": ("0.38.1",),
}
"""What is opened where a citation names no release."""

PREFIXES = {
    "pkg/cloud/": "", "pkg/utils/": "",  # Cluster API's provider
    "pkg/proxy/": "k8s.io/kubernetes", "pkg/registry/": "k8s.io/kubernetes", "pkg/features/": "k8s.io/kubernetes",
    "test/utils/image/": "k8s.io/kubernetes",
    "pkg/apis/kops/": "k8s.io/kops", "upup/": "k8s.io/kops", "pkg/apis/": "",
    "pkg/": CPO, "cmd/openstack": CPO, "docs/openstack-cloud": CPO, "docs/cinder": CPO, "manifests/": CPO,
    "charts/openstack-cloud": CPO, "openstack/openstack": LEGACY,
    "controllers/keepalived": "", "controllers/utils": "", "controllers/": "k8s.io/cloud-provider",
    "app/": "k8s.io/cloud-provider", "names/": "k8s.io/cloud-provider", "options/": "k8s.io/cloud-provider",
    "api/well_known": "k8s.io/cloud-provider",
    "api/bootstrap/": "sigs.k8s.io/cluster-api", "internal/webhooks/": "sigs.k8s.io/cluster-api",
    "docs/book/src/developer/": "sigs.k8s.io/cluster-api", "docs/book/src/tasks/": "sigs.k8s.io/cluster-api",
    "scanner/": "gopkg.in/gcfg.v1", "types/rke": "github.com/rancher/rke", "types/": "gopkg.in/gcfg.v1",
    "speaker/": "go.universe.tf/metallb", "internal/k8s/": "go.universe.tf/metallb",
    "octavia/octavia_driver": "", "octavia/": "octavia", "amphora_driver/": "octavia", "combined_listeners/": "octavia",
    "ovn_octavia_provider/": "ovn-octavia-provider",
    "neutron/": "neutron", "neutron_lib/": "neutron-lib", "keystone/": "keystone", "auth_token/": "keystonemiddleware",
    "barbican/": "barbican", "openstack/config/": "openstacksdk", "magnum/": "magnum",
    "magnum_capi_helm/": "magnum-capi-helm", "magnum_cluster_api/": "magnum-cluster-api",
}  # fmt: skip
"""Where a path is from, by how it begins: the first that fits."""
FOREIGN = re.compile(
    r"(?:kubernetes/kubernetes|openshift|kubermatic|k8s\.io/(?!cloud-provider-openstack|legacy)|/kops|gardener|\bhelm |istio|k3s|vmware"
    r"|cloud-(?:controller-manager-operator|provider-(?!openstack\b))|cluster-api-provider-openstack|#93456)"
)
"""What stands before a path of another repository."""

_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+[\w.-]+\.(?:go|py|j2|sh|md|yaml|tpl|rst)\b")
_NAMES = re.compile(r"(?:[ ,]|\(|``)*((?:[A-Za-z_][\w.]*(?:\(\))?(?:, | and )?)+)")
_NAME = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]+)\b")
_OWN = re.compile(r"(?:ServiceAnnotation|loadbalancer_\w+)$")
"""A prefix of constants, and another file that a citation goes on with."""
_BESIDE = re.compile(r"[@ ](v[01]\.\d+\.\d+) ?\0|\0 \(?(v[01]\.\d+\.\d+)\b")
"""A release right before or behind a path, of which the text has a NUL in its place."""


class Citation(NamedTuple):
    """A file that the package cites.

    Attributes:
        place: Where it is cited.
        source: The module or package; empty for one that cannot be had.
        path: The file in it.
        tags: The releases that are named beside it.
        names: The symbols that are named behind it.
    """

    place: str
    source: str
    path: str
    tags: tuple[str, ...]
    names: tuple[str, ...]


def citations() -> Iterator[Citation]:
    """All citations of the package, in the order of its files."""
    for file in sorted((ROOT / "ccmcheck").rglob("*")):
        if file.suffix not in (".py", ".toml", ".tsv", ".txt", ".ini", ".json", ".md") or "sources" in file.parts:
            continue
        place = file.relative_to(ROOT).as_posix()
        # strings and comments that go over several lines are one text
        text = re.sub(r"\"?\\?\s*\n\s*(?:#|f?\")?\s*", " ", file.read_text(encoding="utf-8"))
        for found in _PATH.finditer(text):
            before, path = text[max(0, found.start() - 60) : found.start()], found.group()
            source = next((one for prefix, one in PREFIXES.items() if path.startswith(prefix)), "")
            foreign = FOREIGN.search(before.rpartition(". ")[2])
            if foreign and source in (CPO, LEGACY):
                source = "k8s.io/kubernetes" if foreign.group() == "kubernetes/kubernetes" else ""
            if "import" in before[-12:]:
                source = ""
            behind = _NAMES.match(text, found.end())
            names = [one for one in _NAME.findall(behind.group()[:120] if behind else "") if not _OWN.search(one)]
            tags = _BESIDE.findall(f"{before[-24:]}\0{text[found.end() : found.end() + 12]}")
            yield Citation(place, source, path, tuple(filter(None, sum(tags, ()))), tuple(names))


@cache
def folder(source: str, release: str) -> Path | None:
    """Where a module or package lies; None where it cannot be had."""
    if "/" not in source:
        return _package(source, release)
    done = subprocess.run(
        ["go", "mod", "download", "-json", f"{source}@{release}"],
        capture_output=True, text=True, cwd=tempfile.gettempdir(), check=False, env={**os.environ, "GOFLAGS": "-mod=mod"},
    )  # fmt: skip
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Path(found["Dir"]) if found.get("Dir") else None


def _package(name: str, release: str) -> Path | None:
    into = Path(tempfile.gettempdir()) / "ccmcheck-sources" / f"{name}-{release}"
    if not into.exists():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--target",
            str(into),
            f"{name}=={release}",
        ]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            shutil.rmtree(into, ignore_errors=True)
            return None
    return into


@cache
def _files(folder: Path, path: str) -> tuple[Path, ...]:
    """The files that a path means, which may leave out how it begins."""
    direct = folder / path
    return (direct,) if direct.is_file() else tuple(folder.rglob(path))


def wrong(citation: Citation) -> str | None:
    """What is wrong with a citation; empty for nothing, None where it cannot be opened."""
    known = {f"v{branch}.{patch}" for branch, last in LAST_PATCH.items() for patch in range(last + 1)}
    if citation.source == CPO:
        missing = [
            tag
            for tag in citation.tags
            if tag not in known and tag.split(".")[1] in {b.split(".")[1] for b in LAST_PATCH}
        ]
        if missing:
            return f"there is no tag {', '.join(missing)}"
    folders = [there for tag in citation.tags or RELEASES[citation.source] if (there := folder(citation.source, tag))]
    files = [file for there in folders for file in _files(there, citation.path)]
    texts = [file.read_text(encoding="utf-8") for file in files]
    if not folders:
        return None
    if not texts:
        return "there is no such file"
    missing = [name for name in citation.names if not any(re.search(rf"\b{name}\b", text) for text in texts)]
    return f"it has no {', '.join(missing)}" if missing else ""


def main() -> int:
    """Open all, and print what is wrong; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for flag in ("--sample", "--record", "--verbose"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    if shutil.which("go") is None:
        print("skipped: go is missing")
        return SKIPPED
    passed, failed, closed = 0, 0, []
    for citation in dict.fromkeys(citations()):
        found = wrong(citation) if citation.source else None
        if found is None:
            closed.append(citation)
        elif found:
            failed += 1
            print(f"{citation.place}: {citation.path} {' '.join(citation.tags)}: {found}")
        else:
            passed += 1
    print(f"not opened: {len(closed)} citations of {len({one.path for one in closed})} files (--verbose lists them)")
    for one in sorted({f"{one.path} ({one.place})" for one in closed}) if arguments.verbose else ():
        print(f"  {one}")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
