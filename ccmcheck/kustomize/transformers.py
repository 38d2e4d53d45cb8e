"""What a kustomization does to all its objects: namespace, names, labels, annotations, images, replicas."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ccmcheck.base.model import Span
from ccmcheck.kustomize.limits import MADE_A_STEP, BuildWork
from ccmcheck.kustomize.resource_list import Resources
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, at, made, text_at

_UNNAMED = frozenset({"CustomResourceDefinition", "APIService", "Namespace"})
"""Kinds that get no prefix and no suffix."""
_WORKLOADS = frozenset({"Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "ReplicationController"})
_TEMPLATES: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(_WORKLOADS, (("spec", "template", "metadata"),)),
    "Job": (("spec", "template", "metadata"),),
    "CronJob": (("spec", "jobTemplate", "metadata"), ("spec", "jobTemplate", "spec", "template", "metadata")),
}
_SELECTORS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Service": (("spec", "selector"),),
    "ReplicationController": (("spec", "selector"),),
    **dict.fromkeys(("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"), (("spec", "selector", "matchLabels"),)),
}
_SELECTORS_THERE: dict[str, tuple[tuple[str, ...], ...]] = {
    "Job": (("spec", "selector", "matchLabels"),),
    "CronJob": (("spec", "jobTemplate", "spec", "selector", "matchLabels"),),
    "PodDisruptionBudget": (("spec", "selector", "matchLabels"),),
    "NetworkPolicy": (("spec", "podSelector", "matchLabels"),),
}
_PODS = (("spec",), ("spec", "template", "spec"), ("spec", "jobTemplate", "spec", "template", "spec"))


def set_namespace(resources: Resources, namespace: Leaf) -> None:
    """Put all objects into a namespace."""
    for resource in resources:
        if resource.kind == "Namespace":
            _set(resource.tree, ("metadata",), "name", namespace)
        elif not resource.is_cluster_wide:
            _set(resource.tree, ("metadata",), "namespace", namespace)
        resources.note(resource)


def add_affix(resources: Resources, affix: Leaf, *, before: bool) -> None:
    """Add a prefix or a suffix to all names."""
    for resource in resources:
        metadata = resource.tree.get("metadata")
        name = at(metadata, "name")
        if resource.kind in _UNNAMED or not isinstance(metadata, Map) or not isinstance(name, Leaf):
            continue
        text = affix.text + name.text if before else name.text + affix.text
        resources.work.step(len(text) // MADE_A_STEP)
        metadata["name"] = made(text, name.place)
        resources.note(resource)


def add_labels(resources: Resources, labels: Map, *, selectors: bool, templates: bool) -> None:
    """Add labels to all objects, to their selectors and to the templates of their pods."""
    for resource in resources:
        kind, tree = resource.kind, resource.tree
        targets = [_ensured(tree, ("metadata", "labels"), labels.place)]
        if selectors or templates:
            targets += [_ensured(tree, (*path, "labels"), labels.place) for path in _TEMPLATES.get(kind, ())]
        claims = at(tree, "spec", "volumeClaimTemplates")
        if kind == "StatefulSet" and (selectors or templates) and isinstance(claims, List):
            targets += [
                _ensured(claim, ("metadata", "labels"), labels.place) for claim in claims if isinstance(claim, Map)
            ]
        if selectors:
            targets += [_ensured(tree, path, labels.place) for path in _SELECTORS.get(kind, ())]
        for path in _SELECTORS_THERE.get(kind, ()) if selectors else ():
            there = at(tree, *path)
            targets.append(there if isinstance(there, Map) else None)
        if selectors and kind in ("Deployment", "StatefulSet"):
            targets += _pod_selectors(tree)
        _extend_all(tree, [target for target in targets if target is not None], labels, resources.work)


def _extend_all(tree: Map, targets: Sequence[Map], pairs: Map, work: BuildWork) -> None:
    """Set pairs in several mappings of an object as kustomize does.

    A pair that it adds to several mappings at once is one node of its tree: where it sets one later, all change.
    """
    work.step(len(pairs) * len(targets))
    everywhere = list(_pairs_of(tree))
    for name, value in pairs.items():
        if not isinstance(value, Leaf):
            continue
        shared = value.clone()
        for target in targets:
            old = target.get(name)
            if old is None:
                target.put(name, shared, pairs.names.get(name))
                continue
            new = value.clone()
            work.step(len(everywhere))
            for other in [other for other in everywhere if other.get(name) is old]:
                other[name] = new
            target[name] = new


def _pairs_of(tree: Map) -> Iterator[Map]:
    """All mappings of an object that labels and annotations are added to."""
    paths: list[tuple[str, ...]] = [("metadata", "labels"), ("metadata", "annotations")]
    kind = text_at(tree, "kind")
    paths += [(*path, name) for path in _TEMPLATES.get(kind, ()) for name in ("labels", "annotations")]
    for path in (*paths, *_SELECTORS.get(kind, ()), *_SELECTORS_THERE.get(kind, ())):
        found = at(tree, *path)
        if isinstance(found, Map):
            yield found
    yield from _pod_selectors(tree)


def _pod_selectors(tree: Map) -> Iterator[Map]:
    """The selectors of pods in a workload's rules of where its pods run."""
    pod = at(tree, "spec", "template", "spec")
    terms: list[Tree | None] = []
    for name in ("podAffinity", "podAntiAffinity"):
        preferred = at(pod, "affinity", name, "preferredDuringSchedulingIgnoredDuringExecution")
        required = at(pod, "affinity", name, "requiredDuringSchedulingIgnoredDuringExecution")
        terms += [at(one, "podAffinityTerm") for one in preferred] if isinstance(preferred, List) else []
        terms += list(required) if isinstance(required, List) else []
    spread = at(pod, "topologySpreadConstraints")
    terms += list(spread) if isinstance(spread, List) else []
    for term in terms:
        found = at(term, "labelSelector", "matchLabels")
        if isinstance(found, Map):
            yield found


def add_annotations(resources: Resources, annotations: Map) -> None:
    """Add annotations to all objects and to the templates of their pods."""
    for resource in resources:
        paths = [("metadata", "annotations"), *((*path, "annotations") for path in _TEMPLATES.get(resource.kind, ()))]
        targets = [_ensured(resource.tree, path, annotations.place) for path in paths]
        _extend_all(resource.tree, [target for target in targets if target is not None], annotations, resources.work)


def set_replicas(resources: Resources, entries: Iterable[Map]) -> None:
    """Set the numbers of pods of workloads, each entry those of one name."""
    by_name = _by_name(entries)
    for resource in resources if by_name else ():
        if resource.kind not in ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"):
            continue
        names = {identity.name for identity in resource.known}
        counts = dict(pair for name in names for pair in by_name.get(name, ()))
        resources.work.step(len(counts))
        for number in sorted(counts):
            count = counts[number].get("count")
            if isinstance(count, Leaf):
                _set(resource.tree, ("spec",), "replicas", count)


def set_images(resources: Resources, entries: Iterable[Map]) -> None:
    """Change images, each entry those of one name, in turn."""
    by_name = _by_name(entry for entry in entries if text_at(entry, "name"))
    for resource in resources if by_name else ():
        if resource.kind == "CustomResourceDefinition":
            continue
        groups = [at(resource.tree, *path, group) for path in _PODS[:2] for group in ("containers", "initContainers")]
        for container in chain.from_iterable(group for group in groups if isinstance(group, List)):
            image = at(container, "image")
            resources.work.step()
            if isinstance(container, Map) and isinstance(image, Leaf) and not image.unknown:
                container["image"] = _through(image, by_name, resources.work)


def _by_name(entries: Iterable[Map]) -> dict[str, list[tuple[int, Map]]]:
    """Entries with their numbers, by the names that they are about."""
    found: dict[str, list[tuple[int, Map]]] = {}
    for number, entry in enumerate(entries):
        found.setdefault(text_at(entry, "name"), []).append((number, entry))
    return found


def _through(image: Leaf, by_name: dict[str, list[tuple[int, Map]]], work: BuildWork) -> Leaf:
    """What entries make of an image: one may give it the name that a later one is about."""
    number = -1
    while True:
        work.step()
        name = _split(image.text)[0]
        entries = by_name.get(name, [])
        place = bisect_right(entries, number, key=_number)
        if place == len(entries):
            return image
        number, entry = entries[place]
        image = _image(image, name, entry)
        work.step(len(image.text) // MADE_A_STEP)


def _number(pair: tuple[int, Map]) -> int:
    return pair[0]


def _image(image: Leaf, name: str, entry: Map) -> Leaf:
    _, tag, digest = _split(image.text)
    new_name, new_tag, new_digest = (text_at(entry, one) for one in ("newName", "newTag", "digest"))
    suffix = text_at(entry, "tagSuffix")
    source = next((entry[one] for one in ("newTag", "digest", "tagSuffix", "newName") if text_at(entry, one)), None)
    if new_tag and new_digest:
        tag, digest = new_tag, new_digest
    elif new_tag:
        tag, digest = new_tag, ""
    elif new_digest:
        tag, digest = "", new_digest
    elif suffix:
        tag, digest = tag + suffix, ""
    text = (new_name or name) + (f":{tag}" if tag else "") + (f"@{digest}" if digest else "")
    if text == image.text or source is None:
        return image
    return made(text, source.place)


def _split(image: str) -> tuple[str, str, str]:
    """The name, the tag and the digest of an image."""
    rest, _, digest = image.partition("@")
    slash = rest.rfind("/")
    colon = rest.find(":", slash + 1)
    if slash >= 0 and colon < 0:
        return rest, "", digest
    return (rest[:colon], rest[colon + 1 :], digest) if colon >= 0 else (rest, "", digest)


def _set(tree: Map, path: tuple[str, ...], name: str, value: Leaf) -> None:
    mapping = _ensured(tree, path, value.place)
    if mapping is not None:
        mapping.put(name, value, value.place)


def _ensured(tree: Map, path: tuple[str, ...], place: Span) -> Map | None:
    """The mapping at a path, made where it is not there; None where something else is."""
    for name in path:
        below = tree.get(name)
        if below is None or (isinstance(below, Leaf) and below.value is None and not below.unknown):
            below = Map(place)
            tree.put(name, below)
        if not isinstance(below, Map):
            return None
        tree = below
    return tree
