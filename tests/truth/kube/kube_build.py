"""The programs of a cluster, each built once with Go from the public module proxy and kept.

The control plane is a program of ours around kube-apiserver, its controllers, the scheduler and etcd; the CCM and kwok are
the published commands.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reader_build import NotAvailableError, default_work_dir, go, write_module
from reader_releases import buildable

HERE = Path(__file__).resolve().parent

RELEASE = "v1.36.3"
KWOK = "v0.8.0"
CCM = "openstack-cloud-controller-manager"
SOURCE = HERE / "oracle" / "kube.go"
STAGES = ("node/fast/node-initialize", "pod/fast/pod-ready", "pod/fast/pod-complete", "pod/fast/pod-delete")
"""Leases alone keep nodes ready: the stage for their status, every ten minutes, takes their addresses away."""
_KWOK_MODULE = f"sigs.k8s.io/kwok@{KWOK}"
_CCM_MODULE = "k8s.io/cloud-provider-openstack"


def control_plane() -> Path:
    """etcd and kube-apiserver, kube-controller-manager, and kube-scheduler in one program; six minutes to build.

    Raises:
        NotAvailableError: Go or a module cannot be had.
    """
    digest = hashlib.sha256(SOURCE.read_bytes() + RELEASE.encode()).hexdigest()[:12]
    built = default_work_dir("kube") / f"kube-{RELEASE}-{digest}"
    with _building(built, f"kube-apiserver {RELEASE}, six minutes") as (folder, unfinished):
        if folder is not None:
            (folder / "main.go").write_bytes(SOURCE.read_bytes())
            (folder / "go.mod").write_text("module ccmcheck.test/kube\n")
            (folder / "go.mod").write_text(_control_plane_module(folder))
            go(["mod", "tidy"], folder)
            values = {"gitVersion": RELEASE, "gitMajor": "1", "gitMinor": RELEASE.split(".")[1]}
            named = [f"-X k8s.io/component-base/version.{name}={value}" for name, value in values.items()]
            _build(folder, unfinished, named, ".", "-trimpath")
    return built


def ccm(tag: str) -> Path:
    """The CCM of a release, with its published name, which is also the name of its field manager; five minutes to build.

    Args:
        tag: Such as ``v1.36.0``.

    Raises:
        NotAvailableError: Go or a module cannot be had.
    """
    release = buildable(tag)
    digest = hashlib.sha256(repr(release).encode()).hexdigest()[:12]
    built = default_work_dir("kube") / f"ccm-{tag}-{digest}" / CCM
    with _building(built, f"the CCM {tag}, five minutes") as (folder, unfinished):
        if folder is not None:
            write_module(release, folder)
            (folder / "ccm.go").write_text("// Package oracle makes the CCM a requirement.\npackage oracle\n")
            _build(
                folder, unfinished, [f"-X {_CCM_MODULE}/pkg/version.Version={tag}"], f"{_CCM_MODULE}/cmd/{CCM}",
                "-mod=mod", "-trimpath",
            )  # fmt: skip
    return built


def kwok() -> Path:
    """kwok, which makes nodes and pods ready; four minutes to build.

    Raises:
        NotAvailableError: Go or a module cannot be had.
    """
    built = default_work_dir("kube") / f"kwok-{KWOK}"
    with _building(built, f"kwok {KWOK}, four minutes") as (folder, unfinished):
        if folder is not None:
            got = json.loads(go(["mod", "download", "-json", _KWOK_MODULE], folder))
            # built inside the module, as `go install` does, with the versions of its own go.mod
            _build(Path(got["Dir"]), unfinished, [], "./cmd/kwok")
    return built


def kwok_stages() -> list[Path]:
    """What kwok does to nodes and pods: files of its module."""
    got = json.loads(go(["mod", "download", "-json", _KWOK_MODULE], Path()))
    return [Path(got["Dir"]) / "kustomize" / "stage" / f"{name}.yaml" for name in STAGES]


def _build(folder: Path, unfinished: Path, named: list[str], package: str, *flags: str) -> None:
    linked = " ".join(["-s -w", *named])
    go(["build", *flags, "-ldflags", linked, "-o", str(unfinished), package], folder)


@contextmanager
def _building(built: Path, what: str) -> Iterator[tuple[Path | None, Path]]:
    """A folder to build in and the name to build as; no folder where the program is there already.

    Only one of several processes builds; the others wait for it.
    """
    unfinished = built.with_name(f"{built.name}.new")
    if built.exists():
        yield None, unfinished
        return
    built.parent.mkdir(parents=True, exist_ok=True)
    with built.with_name(f"{built.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if built.exists():
            yield None, unfinished
            return
        folder = built.with_name(f"{built.name}.src")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        print(f"building {what}", flush=True)
        yield folder, unfinished
        unfinished.replace(built)
        shutil.rmtree(folder)


def _control_plane_module(folder: Path) -> str:
    """The go.mod of a program that imports k8s.io/kubernetes: its staging modules by their published versions."""
    got = json.loads(go(["mod", "download", "-json", f"k8s.io/kubernetes@{RELEASE}"], folder))
    theirs = Path(got["GoMod"]).read_text()
    staging = "v0." + RELEASE.removeprefix("v1.")
    staged = re.findall(r"^\s+(k8s\.io/\S+) v0\.0\.0$", theirs, re.MULTILINE)
    etcd = re.search(r"go\.etcd\.io/etcd/server/v3 (\S+)", theirs)
    language = re.search(r"^go (\S+)", theirs, re.MULTILINE)
    assert etcd is not None
    assert language is not None
    lines = [
        "module ccmcheck.test/kube",
        f"go {language[1]}",
        f"require k8s.io/kubernetes {RELEASE}",
        f"require go.etcd.io/etcd/server/v3 {etcd[1]}",
        *(f"replace {name} => {name} {staging}" for name in staged),
    ]
    return "\n".join(lines) + "\n"


__all__ = ["NotAvailableError", "ccm", "control_plane", "kwok", "kwok_stages"]
