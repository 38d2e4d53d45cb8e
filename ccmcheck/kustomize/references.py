"""Names of objects in other objects, which follow when a prefix, a suffix or a namespace changes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.data_files import read_table
from ccmcheck.kustomize.resource_list import Resources
from ccmcheck.kustomize.resources import Resource
from ccmcheck.layers.placed_values import Leaf, List, Map, at, made, text_at

HASH = "kustomize.config.k8s.io/name-suffix-hash"
"""Stands for the hash in the names of generated objects."""
_PODS = (("spec",), ("spec", "template", "spec"), ("spec", "jobTemplate", "spec", "template", "spec"))


def follow(resources: Resources) -> None:
    """Give every reference the name that its object has now."""
    renamed: dict[tuple[str, str], list[Resource]] = {}
    for resource in resources:
        resource.remember()
        for identity in resource.known[:-1]:
            if identity.name != resource.name:
                renamed.setdefault((identity.kind, identity.name), []).append(resource)
    if not renamed:
        return
    for resource in resources:
        for mapping, field, kind in _references(resource.tree):
            name = mapping.get(field)
            if not isinstance(name, Leaf):
                continue
            candidates = renamed.get((kind, name.text), ())
            resources.work.step(1 + len(candidates) * len(resource.known))
            targets = [fromkey for fromkey in dict.fromkeys(candidates) if _is_near(fromkey, resource)]
            if len(targets) == 1:
                mapping[field] = made(targets[0].name, name.place)


def note_hashes(resources: Sequence[Resource]) -> None:
    """Note on each template of pods that it changes with what it mounts: the name of that ends with a hash."""
    hashed = {(one.kind, one.name) for one in resources if one.is_hashed}
    for resource in resources if hashed else ():
        template = at(resource.tree, "spec", "template")
        if not isinstance(template, Map):
            continue
        for mapping, field, kind in _references(resource.tree):
            name = mapping.get(field)
            if not isinstance(name, Leaf) or (kind, name.text) not in hashed:
                continue
            metadata = template.setdefault("metadata", Map(name.place))
            annotations = metadata.setdefault("annotations", Map(name.place)) if isinstance(metadata, Map) else None
            if isinstance(annotations, Map):
                annotations.put(HASH, made("generated", name.place))


def _is_near(target: Resource, referrer: Resource) -> bool:
    """Whether an object can mean another: they are in one namespace, now or as they were written."""
    mine = {identity.namespace for identity in referrer.known}
    return any(one.namespace in mine for one in target.known)


_NAMING = [(lists.split("."), field, kind) for lists, field, kind in read_table(__file__, "pod_references.tsv")]


def _references(tree: Map) -> Iterator[tuple[Map, str, str]]:
    """The fields that name a Secret or a ConfigMap, or a service account."""
    for path in _PODS:
        pod = at(tree, *path)
        if not isinstance(pod, Map) or "containers" not in pod:
            continue
        for field in ("serviceAccountName", "serviceAccount"):
            if field in pod:
                yield pod, field, "ServiceAccount"
        for lists, field, kind in _NAMING:
            yield from ((source, field, kind) for source in _below(pod, *lists) if field in source)
    if text_at(tree, "kind") == "StatefulSet":
        spec = tree.get("spec")
        if isinstance(spec, Map) and "serviceName" in spec:
            yield spec, "serviceName", "Service"


def _below(tree: Map, *path: str) -> list[Map]:
    """The mappings at a path, which leads through each item of the lists on it."""
    trees = [tree]
    for name in path:
        found = [at(each, name) for each in trees]
        items = [item for each in found for item in (each if isinstance(each, List) else (each,))]
        trees = [item for item in items if isinstance(item, Map)]
    return trees
