"""Builds a kustomization: its objects as ``kustomize build`` has them, with the place of every value.

What is not built makes what it touches unknown: an object that a transformer of its own, a replacement or a directive
that is not known may change is left out of what is judged. Nothing is fetched.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH120

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadYaml
from ccmcheck.kustomize import transformers
from ccmcheck.kustomize.files import DEEPEST, MOST_BUILT, BuildTooLarge, flattened, joined
from ccmcheck.kustomize.generators import combined, generated
from ccmcheck.kustomize.json_patch import UnknownPatch, apply, is_json_patch
from ccmcheck.kustomize.references import follow
from ccmcheck.kustomize.resources import Resource, Selector, identity_of
from ccmcheck.kustomize.strategic import UnknownDirective, merged, with_texts
from ccmcheck.layers.placed_values import Leaf, List, Map, Reader, at, copied, text_at
from ccmcheck.yamlio import documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Span
    from ccmcheck.kustomize.files import Files
    from ccmcheck.layers.placed_values import Tree

_CHANGES_ANYTHING = ("transformers", "openapi")
"""Fields that may change any object."""
_VARIABLE = "$("


class Build:
    """Builds kustomizations, each for itself.

    Args:
        files: Reads the files.

    Attributes:
        included: The folders of the kustomizations that others include.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._built = 0
        self.included: set[str] = set()

    def root(self, path: str) -> list[Resource]:
        """The objects of a kustomization; none where it cannot be read.

        Args:
            path: The kustomization's file.

        Raises:
            BuildTooLarge: It exceeds a limit.
        """
        resources: list[Resource] = []
        self._accumulate(path, resources, ())
        follow(resources)
        return resources

    def _accumulate(self, path: str, resources: list[Resource], above: tuple[str, ...]) -> None:
        """Add the objects of a kustomization to those of the component's user, or to none."""
        if path in above or len(above) >= DEEPEST:
            return
        read = self._files.documents(path)
        tree = read[0].tree if read and len(read) == 1 else None
        if not isinstance(tree, Map) or not _is_kustomization(tree):
            return
        self._files.use(path)
        folder = os.path.dirname(path)
        chain = (*above, path)
        for field in ("resources", "bases"):
            for entry in _texts(tree.get(field)):
                self._resource(joined(folder, entry.text), entry.text, resources, chain)
        self._generate(tree, folder, path, resources)
        for entry in _texts(tree.get("components")):
            component = self._files.kustomization(joined(folder, entry.text)) if _is_local(entry.text) else None
            if component is not None:
                self.included.add(joined(folder, entry.text))
                self._accumulate(component, resources, chain)
            else:
                _open(resources)
        self._transform(tree, folder, resources)
        if len(resources) > MOST_BUILT:
            raise BuildTooLarge("a kustomization has too many objects")

    def _resource(self, path: str, written: str, resources: list[Resource], chain: tuple[str, ...]) -> None:
        if not _is_local(written):
            return
        inner = self._files.kustomization(path)
        if inner is not None:
            self.included.add(path)
            own: list[Resource] = []
            self._accumulate(inner, own, chain)
            resources += own
            return
        for document in self._files.documents(path) or ():
            objects = flattened(document.tree) if document.tree is not None else []
            if objects:
                self._files.use(path, document.number)
            for tree in objects:
                self._built += 1
                if self._built > MOST_BUILT:
                    raise BuildTooLarge("a kustomization has too many objects")
                resources.append(Resource(tree, path).copy())

    def _generate(self, tree: Map, folder: str, path: str, resources: list[Resource]) -> None:
        options = tree.get("generatorOptions")
        for field, kind in (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")):
            for entry in _maps(tree.get(field)):
                new = generated(kind, entry, options, folder, path, self._files)
                if new is None:
                    continue
                known = [one for one in resources if one.is_known_as(new.known[0])]
                if len(known) == 1 and new.behavior in ("merge", "replace"):
                    combined(known[0], new)
                elif not known:
                    resources.append(new)

    def _transform(self, tree: Map, folder: str, resources: list[Resource]) -> None:
        if any(tree.get(field) for field in _CHANGES_ANYTHING):
            _open(resources)
        for entry in _leaves(tree.get("patchesStrategicMerge")):
            for patch, place in self._patch(
                entry, folder, inline="\n" in entry.text or entry.text.lstrip()[:1] in "{["
            ):
                copy = copied(patch)
                if self._merge(with_texts(copy) if isinstance(copy, Map) else patch, None, resources):
                    self._use(place)
        for one in _maps(tree.get("patches")):
            self._apply(one, folder, resources)
        namespace = tree.get("namespace")
        if isinstance(namespace, Leaf) and namespace.text:
            transformers.set_namespace(resources, namespace)
        for field in ("namePrefix", "nameSuffix"):
            affix = tree.get(field)
            if isinstance(affix, Leaf) and affix.text:
                transformers.add_affix(resources, affix, before=field == "namePrefix")
        self._label(tree, resources)
        for one in _maps(tree.get("patchesJson6902")):
            self._apply(one, folder, resources)
        for entry_map in _maps(tree.get("replicas")):
            transformers.set_replicas(resources, entry_map)
        for entry_map in _maps(tree.get("images")):
            transformers.set_image(resources, entry_map)
        for replacement in _maps(tree.get("replacements")):
            _replace(replacement, resources)
        names = [text_at(one, "name") for one in _maps(tree.get("vars"))]
        for resource in resources if names else ():
            _hide_variables(resource.tree, names)

    def _label(self, tree: Map, resources: list[Resource]) -> None:
        for entry in _maps(tree.get("labels")):
            pairs = entry.get("pairs")
            if "fields" in entry:
                _open(resources)
            if isinstance(pairs, Map):
                selectors = at(entry, "includeSelectors")
                templates = at(entry, "includeTemplates")
                transformers.add_labels(resources, pairs, selectors=_is_on(selectors), templates=_is_on(templates))
        common = tree.get("commonLabels")
        if isinstance(common, Map):
            transformers.add_labels(resources, common, selectors=True, templates=True)
        annotations = tree.get("commonAnnotations")
        if isinstance(annotations, Map):
            transformers.add_annotations(resources, annotations)

    def _apply(self, entry: Map, folder: str, resources: list[Resource]) -> None:
        """One entry of ``patches`` or ``patchesJson6902``."""
        target = entry.get("target")
        selector = Selector(target) if isinstance(target, Map) else None
        inline = entry.get("patch")
        source = inline if isinstance(inline, Leaf) and inline.text.strip() else entry.get("path")
        patches = self._patch(source, folder, inline=source is inline) if isinstance(source, Leaf) else []
        if not patches or (selector is not None and selector.is_unknown):
            if selector is None or selector.is_unknown:
                _open(resources)
            else:
                _open([one for one in resources if selector.selects(one)])
            return
        renames = _is_on(at(entry, "options", "allowNameChange")) or _is_on(at(entry, "options", "allowKindChange"))
        for patch, place in patches:
            if isinstance(patch, List):
                self._use(place)
                for resource in resources if selector is not None else ():
                    if selector is not None and selector.selects(resource):
                        _apply_operations(resource, patch)
            elif self._merge(patch, selector, resources, renames=renames):
                self._use(place)

    def _patch(self, source: Leaf, folder: str, *, inline: bool) -> list[tuple[Tree, tuple[str, int] | None]]:
        """The documents of a patch, inline or in a file, each with its file and number; none that cannot be read."""
        if inline:
            return [(one, None) for one in _inline(source)]
        path = joined(folder, source.text)
        read = self._files.documents(path) if _is_local(source.text) else None
        return [
            (one, (path, document.number))
            for document in read or ()
            if document.tree is not None
            for one in _documents(document.tree)
        ]

    def _use(self, place: tuple[str, int] | None) -> None:
        """Note that a patch is part of the build; one of an object that is not known stays what it is."""
        if place is not None:
            self._files.use(*place)

    def _merge(
        self, patch: Tree, selector: Selector | None, resources: list[Resource], *, renames: bool = False
    ) -> bool:
        """Merge a patch into the objects that it means; False where there is none."""
        if not isinstance(patch, Map):
            return False
        if selector is None:
            targets = [one for one in resources if one.is_known_as(identity_of(patch))]
        else:
            targets = [one for one in resources if selector.selects(one)]
            copy = copied(patch)
            patch = with_texts(copy) if isinstance(copy, Map) else patch
        for resource in targets:
            metadata = resource.tree.get("metadata")
            kept = {name: at(metadata, name) for name in ("name", "namespace")}
            kind = resource.tree.get("kind")
            try:
                found = merged(resource.tree, patch, resource.kind)
            except UnknownDirective:
                resource.is_open = True
                continue
            if not isinstance(found, Map):
                resources.remove(resource)
                continue
            if renames:
                resource.is_open = True
            if kind is not None:
                found["kind"] = kind
            metadata = found.get("metadata")
            for name, value in kept.items():
                if isinstance(metadata, Map):
                    if value is not None:
                        metadata[name] = value
                    else:
                        metadata.pop(name, None)
            resource.tree = found
        return bool(targets)


def _is_kustomization(tree: Map) -> bool:
    """Whether a file of that name is a kustomization, not an object of the same kind that Flux reads."""
    version, kind = text_at(tree, "apiVersion"), text_at(tree, "kind")
    return (not version or version.startswith("kustomize.config.k8s.io/")) and kind in (
        "",
        "Kustomization",
        "Component",
    )


def _apply_operations(resource: Resource, operations: List) -> None:
    resource.remember()
    try:
        resource.tree = apply(resource.tree, operations)
    except UnknownPatch:
        resource.is_open = True
    resource.remember()


def _replace(replacement: Map, resources: list[Resource]) -> None:
    """A replacement writes a value that is not followed: the objects that it selects are unknown."""
    if "path" in replacement:
        _open(resources)
        return
    for target in _maps(replacement.get("targets")):
        select = target.get("select")
        selector = Selector(select) if isinstance(select, Map) else None
        _open([one for one in resources if selector is None or selector.is_unknown or selector.selects(one)])


def _hide_variables(tree: Map | List, names: list[str]) -> None:
    """The values that a variable is a part of are unknown."""
    pairs: list[tuple[str | int, Tree]] = list(tree.items()) if isinstance(tree, Map) else list(enumerate(tree))
    for name, value in pairs:
        if isinstance(value, Leaf):
            if _VARIABLE in value.text and any(f"$({one})" in value.text for one in names):
                hidden = Leaf(value.value, value.text, value.place, value.raw, value.lines, unknown=True)
                tree[name] = hidden  # type: ignore[index]
        else:
            _hide_variables(value, names)


def _open(resources: list[Resource]) -> None:
    for resource in resources:
        resource.is_open = True


def _documents(tree: Tree) -> list[Tree]:
    return [tree] if is_json_patch(tree) else [*flattened(tree)]


def _inline(source: Leaf) -> list[Tree]:
    """The documents of a patch in a text of the kustomization, its places mapped through the text's lines."""
    found: list[Tree] = []
    text = source.text
    for document in documents(text):
        if isinstance(document, BadYaml):
            return []
        if document.root is not None:
            tree = Reader(text).try_read(document.root)
            found += _documents(_moved(tree, source)) if tree is not None else []
    return found


def _moved(tree: Tree, source: Leaf) -> Tree:
    """Values read in a text, with their places in the text around it."""
    if isinstance(tree, Map):
        new = Map(_outer(tree.place, source)[0])
        for name, value in tree.items():
            new[name] = _moved(value, source)
        new.names.update({name: _outer(place, source)[0] for name, place in tree.names.items()})
        return new
    if isinstance(tree, List):
        items = List(_outer(tree.place, source)[0])
        items.extend(_moved(item, source) for item in tree)
        return items
    place, exact = _outer(tree.place, source)
    lines = tuple(
        line._replace(outer=where[0].start)
        for line in tree.lines
        if (where := _outer(tree.place._replace(start=line.outer, end=line.outer + line.end - line.start), source))[1]
    )
    return Leaf(tree.value, tree.text, place, tree.raw if exact else "", lines, unknown=tree.unknown)


def _outer(span: Span, source: Leaf) -> tuple[Span, bool]:
    for line in source.lines:
        if line.start <= span.start <= line.end:
            start = line.outer + span.start - line.start
            end = line.outer + min(span.end, line.end) - line.start
            return span._replace(start=start, end=max(start, end)), span.end <= line.end
    return source.place, False


def _is_local(path: str) -> bool:
    """Whether a resource is a path, not an address to fetch from."""
    return (
        bool(path)
        and "://" not in path
        and "\n" not in path
        and not path.startswith(("git@", "github.com/", "/"))
        and "?ref=" not in path
    )


def _is_on(value: Tree | None) -> bool:
    return isinstance(value, Leaf) and value.value is True


def _leaves(tree: Tree | None) -> list[Leaf]:
    return [item for item in tree if isinstance(item, Leaf)] if isinstance(tree, List) else []


_texts = _leaves


def _maps(tree: Tree | None) -> Iterator[Map]:
    for item in tree if isinstance(tree, List) else ():
        if isinstance(item, Map):
            yield item
