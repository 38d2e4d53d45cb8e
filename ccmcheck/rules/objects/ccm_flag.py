"""Flags of the CCM that its release does not know, or needs, and a cloud.conf that a static pod of Kubernetes does not see."""

from __future__ import annotations

from ccmcheck.base.model import Note, Problem, Problems, Severity
from ccmcheck.catalog import Release, release
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.cluster import PROVIDER_NAME
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.catalog.data.upgrades import FLAGS_GONE
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules._support.workload import Flag, Workload, flag, is_settled, words, workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, mappings, text_of

_IN_TREE = ("kube-controller-manager", "kube-apiserver", "hyperkube")
_CONFIG = "--cloud-config="


def check(manifest: Manifest) -> Problems:
    """Look at the command line of the CCM, or of a static pod of Kubernetes with the in-tree provider."""
    ccm = workload(manifest)
    if ccm is None:
        yield from _unmounted(manifest)
        return
    at, line = known_release(ccm.pod.release), words(ccm)
    if at is None or not any(word.value.startswith("--") for word in line) or not is_settled(manifest, ccm.container):
        return
    is_file = manifest.run_context.live is None  # a running one shows itself
    is_whole = (
        is_file
        and line[0].value.endswith(CCM)
        and not any("$" in word.value for word in line if word.value[:2] != "--")
    )
    if is_whole and behaves("needs-provider-flag", at) and "cloud-provider" not in ccm.pod.flags:
        yield Problem(
            line[0].content,
            f"the CCM {at.name} needs `--cloud-provider={PROVIDER_NAME}`, and ends without it",
            "`--cloud-provider cannot be empty`.",
            f"Add `--cloud-provider={PROVIDER_NAME}`.",
        )
    yield from _gone(manifest, ccm, at)


def _gone(manifest: Manifest, ccm: Workload, at: Release) -> Problems:
    """Flags and values at which the release ends, else those at which a later one does, one problem for all."""
    found: dict[bool, list[tuple[Flag, str, str, str]]] = {True: [], False: []}
    for (name, value), (gone, do) in FLAGS_GONE.items():
        given = flag(manifest, ccm, name)
        if given is not None and (not value or value in given.value.split(",")):
            found[at.at_least(gone)].append((given, f"--{name}{f'={value}' if value else ''}", gone, do))
    for ends, flags in found.items():
        if flags and (ends or not found[True]):
            (given, name, gone, do), *others = sorted(flags, key=lambda one: release(one[2]))
            yield Problem(
                given.span,
                f"the CCM {at.name} ends at `{name}`"
                if ends
                else f"`{name}` is obsolete: CCM {gone} and newer end at it",
                f"It does not take this since {gone}." if ends else "",
                do,
                severity=None if ends else Severity.INFO,
                notes=tuple(Note(one.span, f"`{other}`, since {since}") for one, other, since, _ in others),
            )


def _unmounted(manifest: Manifest) -> Problems:
    """A file of ``--cloud-config`` that no volume of a static pod provides."""
    spec = manifest.at("spec") if manifest.kind == "Pod" else None
    if not isinstance(spec, Mapping) or not is_settled(manifest, spec):
        return
    for container in mappings(spec.get("containers")):
        line = [
            word
            for name in ("command", "args")
            if isinstance(node := container.get(name), Sequence)
            for word in node.items
            if isinstance(word, Scalar)
        ]
        mounts = [
            (text_of(field(one, "mountPath")) or "").rstrip("/") for one in mappings(container.get("volumeMounts"))
        ]
        program = next((name for name in _IN_TREE if any(name in word.value for word in line)), "")
        for word in line if program else ():
            path = word.value.removeprefix(_CONFIG)
            if path != word.value and path[:1] == "/" and not any(f"{path}/".startswith(f"{one}/") for one in mounts):
                yield Problem(
                    word.content,
                    f"no volume of the pod provides {path}",
                    f"{'The program' if program == 'hyperkube' else program} ends: `Couldn't open cloud provider "
                    f"configuration {path}`; the file must be in the pod, not only on the host.",
                    "Add a hostPath volume with this file, and mount it here; with kubeadm by `extraVolumes`.",
                )
                break
