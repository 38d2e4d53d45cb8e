"""Cluster API's kubeadm objects and kubeadm's own: the extra arguments of each Kubernetes component, in both notations.

They are a mapping up to Cluster API's ``v1beta1`` and kubeadm's ``v1beta3``, and a sequence of names and values after that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit
from ccmcheck.base.text import has_one
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import KUBEADM_PATHS
from ccmcheck.catalog.data.deployments import KUBERNETES_AROUND
from ccmcheck.catalog.signs.release_texts import kubernetes_versions_in
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.once import once
from ccmcheck.rules._support.yaml_fixes import Tree
from ccmcheck.rules.views.manifest import Manifest, looks_like_cloud_conf
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, field

CONTROL_PLANES = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate")
_PARTS = {
    "ClusterConfiguration": "clusterConfiguration",
    "InitConfiguration": "initConfiguration",
    "JoinConfiguration": "joinConfiguration",
}
"""kubeadm's own documents, and the part of Cluster API's objects that each is alone (kubeadm.k8s.io)."""
OWN_KINDS = tuple(_PARTS)

PROVIDER = "cloud-provider"
CONFIG = "cloud-config"
EXTERNAL = "external"

API_SERVER = ("clusterConfiguration", "apiServer", "extraArgs")
CONTROLLER_MANAGER = ("clusterConfiguration", "controllerManager", "extraArgs")
INIT = _PARTS["InitConfiguration"]
JOIN = _PARTS["JoinConfiguration"]
_KUBELET = ("nodeRegistration", "kubeletExtraArgs")
COMPONENTS: tuple[tuple[str, ...], ...] = (API_SERVER, CONTROLLER_MANAGER, (INIT, *_KUBELET), (JOIN, *_KUBELET))
"""The paths to the arguments of every component that had the in-tree provider."""

_OWN = "kubeadm.k8s.io/"
_OPENSTACK = ("penStack", "penstack")
_OTHER_CLOUD = lazy_regex(r"kind: (?<![^\n]kind: )(?!OpenStack)\w+?(?:Cluster|Machine)(?:Template)?[ \t]*+(?:\r?\n|\Z)")
"""An object of another provider of infrastructure."""


class Machines(NamedTuple):
    """One kubeadm object.

    Attributes:
        manifest: The object.
        path: The keys that lead to the kubeadm configuration.
        spec: The kubeadm configuration.
        part: The one part of it that the object is alone; empty where it has all.
    """

    manifest: Manifest
    path: tuple[str, ...]
    spec: Mapping
    part: str = ""

    def at(self, *path: str) -> YamlNode | None:
        """The node at a path in the kubeadm configuration."""
        return field(self.spec, *self.below(path)) if not self.part or path[0] == self.part else None

    def below(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """A path in the kubeadm configuration, from `spec` on."""
        return path[1:] if self.part else path


class Argument(NamedTuple):
    """One argument of a component.

    Attributes:
        name: The node of its name.
        value: The node of its value; None where that is not a scalar.
        position: Its index in a sequence of arguments; -1 in a mapping.
    """

    name: Scalar
    value: Scalar | None
    position: int = -1


@once
def machines(manifest: Manifest) -> Machines | None:
    """Read an object of `KUBEADM_PATHS`, or one of kubeadm's own; several rules ask for the same one.

    Returns:
        None for a reference without a configuration, and for machines that no file shows to be OpenStack's.
    """
    part = _PARTS.get(manifest.kind, "")
    path = () if part else KUBEADM_PATHS[manifest.kind]
    spec = manifest.at(*path)
    if not isinstance(spec, Mapping) or (part and not manifest.text_at("apiVersion").startswith(_OWN)):
        return None
    is_ours = is_for_openstack(manifest) or (part and _is_beside_ccm(manifest))
    return Machines(manifest, path, spec, part) if is_ours else None


def _is_beside_ccm(manifest: Manifest) -> bool:
    """Whether a CCM or its cloud.conf is in the folder."""
    return bool(manifest.nearby(manifest.pods) or manifest.nearby(manifest.run_context.confs.get(manifest.path, ())))


def is_for_openstack(manifest: Manifest) -> bool:
    """Whether an object is about OpenStack: by its own file, or by an OpenStackCluster in its folder.

    A kustomization may build the classes of several clouds into one file: then only the object itself says whose it is.
    """
    bundles, text = manifest.run_context.builds.bundles, manifest.text
    whole = manifest.path if manifest.path in bundles else text
    if manifest.answer_of_file(
        (_OTHER_CLOUD, whole), lambda: _OTHER_CLOUD.search(bundles.get(manifest.path, text)) is not None
    ):
        own = manifest.object.source.text[slice(*manifest.node.content)]
        return has_one(own, _OPENSTACK)
    return (
        manifest.answer_of_file((_OPENSTACK, text), lambda: has_one(text, _OPENSTACK))
        or manifest.answer_of_file(
            looks_like_cloud_conf, lambda: any(looks_like_cloud_conf(item.text) for item in manifest.confs_of_file)
        )
        or bool(manifest.nearby(manifest.run_context.clusters))
    )


def uses_external_provider(manifest: Manifest) -> bool:
    """Whether a component of the file's machines has an external cloud provider.

    Where kubeadm's own configuration gives it to the kubelet of one node only, the others need it, too. Where it gives it
    to no kubelet, their service may: its units and `/etc/default/kubelet` are seldom among the files.
    """
    return manifest.answer_of_file(_is_external, lambda: _is_external(manifest))


def _is_external(manifest: Manifest) -> bool:
    for item in manifest.neighbours:
        for path in filter(None, (_from_root(item.kind, path) for path in COMPONENTS)):
            if item.kind in OWN_KINDS and path[-1] != _KUBELET[-1]:
                continue
            given = argument(item.at(*path), PROVIDER)
            if given is not None and given.value is not None and given.value.value == EXTERNAL:
                return True
    return False


def _from_root(kind: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """A path in the kubeadm configuration, from the root of an object of a kind on; empty where it is not there."""
    if kind in KUBEADM_PATHS:
        return (*KUBEADM_PATHS[kind], *path)
    return path[1:] if _PARTS.get(kind) == path[0] else ()


def kubernetes_version(manifest: Manifest) -> str:
    """The Kubernetes version of an object's machines; empty where unknown.

    The version of its own control plane, else the only one that the file has, else that of ``--kubernetes-version``.
    """
    if manifest.kind == "KubeadmControlPlane":
        version = manifest.text_at("spec", "version")
        return version if version[:1] in ("v", "1") else manifest.run_context.facts.kubernetes_version
    versions = manifest.answer_of_file(_versions, lambda: _versions(manifest))
    known = [version for version in versions if version[:1] in ("v", "1")]
    return known[0] if len(known) == 1 else manifest.run_context.facts.kubernetes_version


def version_around(manifest: Manifest) -> str:
    """The version of Kubernetes: that of the run, else the only one that the file names, else that of those around it."""
    given = manifest.run_context.facts.kubernetes_version
    names = [given or kubernetes_version(manifest), *(name for name, _ in kubernetes_versions_in(manifest.text))]
    own = {minor_of(name): name for name in names[: 1 if given else None] if name}
    if own:
        return next(iter(own.values())) if len(own) == 1 else ""
    around: Callable[[], str] = manifest.answer_of_file(KUBERNETES_AROUND, lambda: str)
    return around()


def _versions(manifest: Manifest) -> set[str]:
    """What the file's control planes and kubeadm's own configurations have as their version."""
    places = {"KubeadmControlPlane": ("spec", "version"), "ClusterConfiguration": ("kubernetesVersion",)}
    return {item.text_at(*places[item.kind]) for item in manifest.neighbours if item.kind in places}


def argument(node: YamlNode | None, name: str) -> Argument | None:
    """Look for an argument in a component's extra arguments, in either notation."""
    if isinstance(node, Mapping):
        key = node.key(name)
        value = node.get(name)
        return Argument(key, value if isinstance(value, Scalar) else None) if key is not None else None
    if isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            own = field(item, "name")
            if isinstance(own, Scalar) and own.value == name:
                value = field(item, "value")
                return Argument(own, value if isinstance(value, Scalar) else None, index)
    return None


def names_argument(node: YamlNode | None, name: str) -> bool:
    """Whether a component has an argument of a name."""
    return node.key(name) is not None if isinstance(node, Mapping) else argument(node, name) is not None


def without(machine_config: Machines, path: tuple[str, ...], names: list[str]) -> list[Edit | None]:
    """Remove arguments, all of which are set, of one of `COMPONENTS`; a component without other content goes as a whole."""
    manifest, node = machine_config.manifest, machine_config.at(*path)
    if isinstance(node, (Mapping, Sequence)) and len(node.items) == len(names):
        whole = (*machine_config.path, *machine_config.below(path))
        return [yaml_fixes.delete(manifest, *whole, keep=len(whole) - len(path) + 1)]
    if isinstance(node, Mapping):
        return [yaml_fixes.delete_entry(manifest, node, name) for name in names]
    if isinstance(node, Sequence):
        return [
            yaml_fixes.delete_item(manifest, node, given.position)
            for name in names
            if (given := argument(node, name)) is not None
        ]
    return [None]


def added(machine_config: Machines, registration: str) -> Edit | None:
    """Add kubelet's argument for an external cloud provider to `INIT` or `JOIN`, in the object's notation."""
    manifest = machine_config.manifest
    item: dict[str, Tree] = {"name": PROVIDER, "value": EXTERNAL}
    tree: Tree = [item] if _is_listed(machine_config) else {PROVIDER: EXTERNAL}
    node: YamlNode = machine_config.spec
    path = machine_config.below((registration, *_KUBELET))
    for number, name in enumerate(path):
        below = field(node, name)
        if below is None:
            for missing in reversed(path[number + 1 :]):
                tree = {missing: tree}
            return yaml_fixes.insert_entry(manifest, node, name, tree) if isinstance(node, Mapping) else None
        node = below
    if isinstance(node, Sequence):
        return yaml_fixes.insert_item(manifest, node, item)
    return yaml_fixes.insert_entry(manifest, node, PROVIDER, EXTERNAL) if isinstance(node, Mapping) else None


def _is_listed(machine_config: Machines) -> bool:
    """Whether arguments are a sequence: as in the object's other components, else by its API version."""
    for path in COMPONENTS:
        node = machine_config.at(*path)
        if node is not None:
            return isinstance(node, Sequence)
    version = machine_config.manifest.text_at("apiVersion")
    return version.endswith("v1beta4" if machine_config.part else "v1beta2")
