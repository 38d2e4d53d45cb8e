"""What Cluster API's kubeadm objects tell their machines: the arguments of each component, in both shapes.

Up to ``v1beta1`` of Cluster API the extra arguments are a mapping, since ``v1beta2`` a sequence of names and values.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ccmcheck.objects.manifest import looks_like_cloud_conf
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, text_of

if TYPE_CHECKING:
    from ccmcheck.base.model import Edit
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.rules._support.yaml_fixes import Tree
    from ccmcheck.yamlio import Node

CONTROL_PLANES = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate")
KINDS = (*CONTROL_PLANES, "KubeadmConfig", "KubeadmConfigTemplate")

_WAYS = {
    "KubeadmControlPlane": ("spec", "kubeadmConfigSpec"),
    "KubeadmControlPlaneTemplate": ("spec", "template", "spec", "kubeadmConfigSpec"),
    "KubeadmConfig": ("spec",),
    "KubeadmConfigTemplate": ("spec", "template", "spec"),
}

PROVIDER = "cloud-provider"
CONFIG = "cloud-config"
EXTERNAL = "external"

API_SERVER = ("clusterConfiguration", "apiServer", "extraArgs")
CONTROLLER_MANAGER = ("clusterConfiguration", "controllerManager", "extraArgs")
INIT = "initConfiguration"
JOIN = "joinConfiguration"
_KUBELET = ("nodeRegistration", "kubeletExtraArgs")
COMPONENTS: tuple[tuple[str, ...], ...] = (
    API_SERVER,
    CONTROLLER_MANAGER,
    (INIT, *_KUBELET),
    (JOIN, *_KUBELET),
)
"""The ways to the arguments of every component that knew the in-tree provider."""

_SIGNS = ("penStack", "penstack")


class Machines(NamedTuple):
    """One object.

    Attributes:
        manifest: The same.
        way: The keys that lead to what machines are told.
        spec: What they are told.
    """

    manifest: Manifest
    way: tuple[str, ...]
    spec: Mapping


class Argument(NamedTuple):
    """One argument of a component.

    Attributes:
        name: Where its name stands.
        value: Where its value stands; None where that is no text.
        place: Its number in a sequence of arguments; -1 in a mapping.
    """

    name: Scalar
    value: Scalar | None
    place: int = -1


@lru_cache(maxsize=1)
def machines(manifest: Manifest) -> Machines | None:
    """Read one; several rules ask for the same object in a row, hence the one-element cache.

    Args:
        manifest: Any object of `KINDS`.

    Returns:
        It; None for a mere reference, and for machines that are none of OpenStack's.
    """
    way = _WAYS[manifest.kind]
    spec = manifest.at(*way)
    return Machines(manifest, way, spec) if isinstance(spec, Mapping) and is_for_openstack(manifest) else None


def is_for_openstack(manifest: Manifest) -> bool:
    """Whether anything says that an object is about OpenStack: its own file, or an OpenStackCluster in its folder."""
    return (
        any(sign in manifest.text for sign in _SIGNS)
        or any(looks_like_cloud_conf(one.text) for one in manifest.confs_of_file)
        or bool(manifest.beside(manifest.bundle.clusters))
    )


def says_external(manifest: Manifest) -> bool:
    """Whether any component of the file's machines waits for a CCM."""
    for one in manifest.neighbours:
        spec = one.at(*_WAYS[one.kind]) if one.kind in _WAYS else None
        for way in COMPONENTS if spec is not None else ():
            given = argument(field(spec, *way), PROVIDER)
            if given is not None and given.value is not None and given.value.value == EXTERNAL:
                return True
    return False


def kubernetes_version(manifest: Manifest) -> str:
    """The version that an object's machines run, as far as anybody says; empty where nobody does.

    Its own control plane's version comes first, then the one of the file's control planes, then the user's.
    """
    if manifest.kind == "KubeadmControlPlane":
        said = manifest.said("spec", "version")
        return said if said[:1] in ("v", "1") else manifest.bundle.facts.kubernetes_version
    versions = {one.text_at("spec", "version") for one in manifest.neighbours if one.kind == "KubeadmControlPlane"}
    known = [said for said in versions if said[:1] in ("v", "1")]
    return known[0] if len(known) == 1 else manifest.bundle.facts.kubernetes_version


def argument(node: Node | None, name: str) -> Argument | None:
    """Look for one argument.

    Args:
        node: A component's extra arguments, in either shape.
        name: The argument's name.
    """
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


def names_argument(node: Node | None, name: str) -> bool:
    """Whether a component's arguments have one of a name."""
    return node.key(name) is not None if isinstance(node, Mapping) else argument(node, name) is not None


def without(found: Machines, way: tuple[str, ...], names: list[str]) -> list[Edit | None]:
    """Take arguments of one component out; nothing is left of the component where that is all it has.

    Args:
        found: The object.
        way: A way of `COMPONENTS`.
        names: The arguments' names; each is there.
    """
    manifest, node = found.manifest, field(found.spec, *way)
    if isinstance(node, (Mapping, Sequence)) and len(node.items) == len(names):
        return [yaml_fixes.delete(manifest, *found.way, *way, keep=len(found.way) + 1)]
    if isinstance(node, Mapping):
        return [yaml_fixes.delete_entry(manifest, node, name) for name in names]
    if isinstance(node, Sequence):
        return [
            yaml_fixes.delete_item(manifest, node, one.place)
            for name in names
            if (one := argument(node, name)) is not None
        ]
    return [None]


def added(found: Machines, registration: str) -> Edit | None:
    """Tell kubelet that the cloud provider is an external one, in the shape that the object has.

    Args:
        found: The object.
        registration: `INIT` or `JOIN`.
    """
    manifest = found.manifest
    item: dict[str, Tree] = {"name": PROVIDER, "value": EXTERNAL}
    tree: Tree = [item] if _is_listed(found) else {PROVIDER: EXTERNAL}
    node: Node = found.spec
    way = (registration, *_KUBELET)
    for number, name in enumerate(way):
        below = field(node, name)
        if below is None:
            for missing in reversed(way[number + 1 :]):
                tree = {missing: tree}
            return yaml_fixes.insert_entry(manifest, node, name, tree) if isinstance(node, Mapping) else None
        node = below
    if isinstance(node, Sequence):
        return yaml_fixes.insert_item(manifest, node, item)
    return yaml_fixes.insert_entry(manifest, node, PROVIDER, EXTERNAL) if isinstance(node, Mapping) else None


def _is_listed(found: Machines) -> bool:
    """Whether arguments are a sequence here: as the object's other ones are, else by its version."""
    for way in COMPONENTS:
        node = field(found.spec, *way)
        if node is not None:
            return isinstance(node, Sequence)
    return (text_of(found.manifest.node.get("apiVersion")) or "").endswith("v1beta2")
