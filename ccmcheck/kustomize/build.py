"""Builds a kustomization: its objects as ``kustomize build`` has them, with the place of every value.

What is not built makes what it touches unknown: an object that a transformer of its own, a replacement or a directive
that is not known may change is left out of what is judged. Nothing is fetched.

The documents of a patch in a text of a kustomization, its places those of the text around.

The Secrets and ConfigMaps that a kustomization generates, from literals, files and files of variables.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.kustomize import transformers
from ccmcheck.kustomize.files import Files, flattened, is_kustomization_tree, is_local, joined
from ccmcheck.kustomize.json_patch import UnknownPatch, apply, is_json_patch
from ccmcheck.kustomize.limits import DEEPEST, ENTRY, INCLUDE, PARSED_A_STEP, BuildWork
from ccmcheck.kustomize.references import follow
from ccmcheck.kustomize.resource_list import Resources, Selector
from ccmcheck.kustomize.resources import Resource, identity_of
from ccmcheck.kustomize.strategic import UnknownDirective, merged, with_texts
from ccmcheck.layers.placed_values import (
    Leaf,
    List,
    Map,
    PlacedReader,
    Tree,
    at,
    copied,
    made,
    moved,
    part,
    size_of,
    text_at,
    whole_text,
)
from ccmcheck.yamlio import documents

_DEFAULT_TYPE = "Opaque"


def generated(kind: str, arguments: Map, options: Tree | None, folder: str, path: str, files: Files) -> Resource | None:
    """The object that one generator makes; None where it has no name.

    Args:
        kind: ``Secret`` or ``ConfigMap``.
        arguments: The entry of ``secretGenerator`` or ``configMapGenerator``.
        options: The kustomization's ``generatorOptions``.
        folder: The folder of the kustomization.
        path: The kustomization.
        files: Reads files.
    """
    name = arguments.get("name")
    if not isinstance(name, Leaf) or not name.text:
        return None
    place = arguments.place
    tree = Map(place)
    tree.put("apiVersion", made("v1", name.place))
    tree.put("kind", made(kind, name.place))
    metadata = Map(place)
    metadata.put("name", name, arguments.names.get("name"))
    namespace = arguments.get("namespace")
    if isinstance(namespace, Leaf) and namespace.text:
        metadata.put("namespace", namespace, arguments.names.get("namespace"))
    _add_options(metadata, tree, options)
    _add_options(metadata, tree, arguments.get("options"))
    tree.put("metadata", metadata)
    if kind == "Secret":
        kind_of_secret = arguments.get("type")
        tree.put("type", kind_of_secret if isinstance(kind_of_secret, Leaf) else made(_DEFAULT_TYPE, name.place))
    data = Map(place)
    is_open = False
    for key, value, where in _pairs(arguments, folder, files):
        files.work.step(ENTRY)
        if value is None:
            is_open = True
        else:
            data.put(key, value, where)
    if data:
        tree.put("stringData" if kind == "Secret" else "data", data)
    resource = Resource(tree, path, text_at(arguments, "behavior"), generated=True)
    resource.is_open = is_open and not data
    resource.is_hashed = not any(
        isinstance(switch := at(one, "disableNameSuffixHash"), Leaf) and switch.value is True
        for one in (options, arguments.get("options"))
    )
    return resource


def _add_options(metadata: Map, tree: Map, options: Tree | None) -> None:
    for name in ("labels", "annotations"):
        extra = at(options, name)
        if isinstance(extra, Map) and extra:
            known = metadata.get(name)
            target = known if isinstance(known, Map) else Map(extra.place)
            for key, value in extra.items():
                target.put(key, value, extra.names.get(key))
            metadata.put(name, target)
    immutable = at(options, "immutable")
    if isinstance(immutable, Leaf) and immutable.value is True:
        tree.put("immutable", immutable)


def _pairs(arguments: Map, folder: str, files: Files) -> Iterator[tuple[str, Leaf | None, Span]]:
    """Names, values and places; no value where the file is not there."""
    sources = [*_generator_texts(arguments.get("envs")), *_generator_texts(arguments.get("env"))]
    for source in sources:
        path = joined(folder, source.text)
        text = files.text(path)
        if text is None:
            yield source.text, None, source.place
            continue
        files.use(path)
        files.work.text(len(text))
        yield from _variables(text, files.base(path))
    for literal in _generator_texts(arguments.get("literals")):
        key, sign, value = literal.text.partition("=")
        if not sign or not key:
            continue
        start, end = len(key) + 1, len(literal.text)
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            start, end = start + 1, end - 1
        yield key, part(literal, start, end), literal.place
    for source in _generator_texts(arguments.get("files")):
        key, sign, name = source.text.partition("=")
        path = joined(folder, name if sign else key)
        text = files.text(path)
        if text is not None:
            files.use(path)
            files.work.text(len(text))
        yield (
            key if sign else os.path.basename(key),
            None if text is None else whole_text(text, files.base(path)),
            source.place,
        )


def _generator_texts(tree: Tree | None) -> list[Leaf]:
    if isinstance(tree, Leaf):
        return [tree] if tree.text else []
    return [item for item in tree if isinstance(item, Leaf)] if isinstance(tree, List) else []


def _variables(text: str, base: int) -> Iterator[tuple[str, Leaf, Span]]:
    """The variables of an environment file, one a line."""
    whole = whole_text(text, base)
    start = 0
    for number, line in enumerate(text.split("\n")):
        end = start + len(line)
        line = line.removesuffix("\r")  # noqa: PLW2901 - the same line
        first = len(line) - len(line.lstrip().removeprefix("\ufeff") if not number else line.lstrip())
        bare = line[first:]
        if bare and not bare.startswith("#"):
            key, _, value = bare.partition("=")
            leaf = part(whole, start + len(line) - len(value), start + len(line))
            place = whole.place._replace(start=base + start + first, end=base + start + len(line))
            yield key, Leaf(value, value, place, lines=leaf.lines), place._replace(end=place.start + len(key))
        start = end + 1


def combined(old: Resource, new: Resource, work: BuildWork) -> None:
    """What ``behavior: merge`` or ``replace`` makes of an object that is there: the new one in the place of the old.

    Args:
        old: The object that is there; it is changed.
        new: The generated one.
        work: Counts what is done.
    """
    tree = new.tree
    work.step(size_of(old.tree)[0])
    metadata = tree["metadata"]
    for name in ("labels", "annotations", "name", "namespace") if isinstance(metadata, Map) else ():
        target = copied(kept) if (kept := at(old.tree, "metadata", name)) is not None else None
        now = at(tree, "metadata", name)
        if isinstance(target, Map) and isinstance(now, Map):
            for key, value in now.items():
                target.put(key, value, now.names.get(key))
        if target is not None and isinstance(metadata, Map):
            metadata.put(name, target)
    # kustomize loses the stringData of a Secret that it does not generate itself
    fields = ("data", "binaryData", *(("stringData",) if old.generated else ()))
    for field in fields if new.behavior == "merge" else ():
        was = old.tree.get(field)
        if not isinstance(was, Map):
            continue
        known = tree.get(field)
        target_map = known if isinstance(known, Map) else Map(was.place)
        others = [other for other in ("data", "stringData", "binaryData") if other != field]
        for key, value in was.items():
            if key not in target_map and not any(at(tree, other, key) is not None for other in others):
                target_map.put(key, value, was.names.get(key))
        if target_map:
            tree.put(field, target_map)
    old.tree = tree
    old.generated = True
    old.is_hashed = new.is_hashed
    old.is_open = old.is_open and new.behavior == "merge"


def documents_in(tree: Tree) -> list[Tree]:
    """The patches of a document: a list of operations is one, a List of objects one for each."""
    return [tree] if is_json_patch(tree) else [*flattened(tree)]


def read_inline(source: Leaf, work: BuildWork) -> list[Tree]:
    """The documents of a patch in a text of the kustomization, its places mapped through the text's lines."""
    found: list[Tree] = []
    text = source.text
    work.step(len(text) // PARSED_A_STEP)
    for document in documents(text):
        if isinstance(document, BadYaml):
            return []
        if document.root is not None:
            tree = PlacedReader(text).try_read(document.root)
            found += documents_in(moved(tree, source)) if tree is not None else []
    return found


_CHANGES_ANYTHING = ("transformers", "openapi")
"""Fields that may change any object."""
_SERVICE = "Service"
_VARIABLE = lazy_regex(r"\$\(([^()]++)\)")


class Build:
    """Builds kustomizations, each for itself.

    Args:
        files: Reads the files.

    Attributes:
        lacks_some: Whether they name what is not there to read: a remote base, a file that something makes later.
        patches_alone: The documents that are patches of Services which may be there.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self.lacks_some = False
        self.patches_alone: set[tuple[str, int]] = set()
        self._work = files.work

    def root(self, path: str) -> list[Resource]:
        """The objects of a kustomization; none where it cannot be read.

        Args:
            path: The kustomization's file.

        Raises:
            BuildTooLarge: It exceeds a limit.
        """
        resources = Resources(self._work)
        self._accumulate(path, resources, ())
        follow(resources)
        return list(resources)

    def _accumulate(self, path: str, resources: Resources, above: tuple[str, ...]) -> None:
        """Add the objects of a kustomization to those of the component's user, or to none."""
        if path in above or len(above) >= DEEPEST:
            return
        read = self._files.documents(path)
        tree = read[0].tree if read and len(read) == 1 else None
        if not isinstance(tree, Map) or not is_kustomization_tree(tree):
            return
        self._work.step(INCLUDE + ENTRY * size_of(tree)[0])
        self._files.use(path)
        folder = os.path.dirname(path)
        chain = (*above, path)
        for field in ("resources", "bases"):
            for entry in _texts(tree.get(field)):
                self._resource(joined(folder, entry.text), entry.text, resources, chain)
        self._generate(tree, folder, path, resources)
        for entry in _texts(tree.get("components")):
            component = self._files.kustomization(joined(folder, entry.text)) if is_local(entry.text) else None
            if component is not None:
                self._accumulate(component, resources, chain)
            else:
                self.lacks_some = True
                resources.make_unknown()
        self._transform(tree, folder, resources)

    def _resource(self, path: str, written: str, resources: Resources, chain: tuple[str, ...]) -> None:
        if not is_local(written):
            self.lacks_some = True
            return
        inner = self._files.kustomization(path)
        if inner is not None:
            own = Resources(self._work)
            self._accumulate(inner, own, chain)
            resources.extend(own)
            return
        documents = self._files.documents(path)
        if documents is None and self._files.text(path) is None:
            self.lacks_some = True
        for document in documents or ():
            objects = flattened(document.tree) if document.tree is not None else []
            if objects:
                self._files.use(path, document.number)
            for tree in objects:
                self._work.add_object()
                self._work.step(size_of(tree)[0])
                resources.add(Resource(tree, path).copy())

    def _generate(self, tree: Map, folder: str, path: str, resources: Resources) -> None:
        options = tree.get("generatorOptions")
        for field, kind in (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")):
            for entry in _maps(tree.get(field)):
                new = generated(kind, entry, options, folder, path, self._files)
                if new is None:
                    continue
                known = resources.known_as(new.known[0])
                if len(known) == 1 and new.behavior in ("merge", "replace"):
                    combined(known[0], new, self._work)
                    resources.note(known[0])
                elif not known:
                    self._work.add_object()
                    resources.add(new)

    def _transform(self, tree: Map, folder: str, resources: Resources) -> None:
        if any(tree.get(field) for field in _CHANGES_ANYTHING):
            resources.make_unknown()
        for entry in _leaves(tree.get("patchesStrategicMerge")):
            for patch, place in self._patch(
                entry, folder, inline="\n" in entry.text or entry.text.lstrip()[:1] in "{["
            ):
                self._work.step(size_of(patch)[0])
                copy = copied(patch)
                self._merge(with_texts(copy) if isinstance(copy, Map) else patch, None, resources, place)
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
        transformers.set_replicas(resources, _maps(tree.get("replicas")))
        transformers.set_images(resources, _maps(tree.get("images")))
        for replacement in _maps(tree.get("replacements")):
            _replace(replacement, resources)
        names = {text_at(one, "name") for one in _maps(tree.get("vars"))}
        for resource in resources if names else ():
            _hide_variables(resource.tree, names, self._work)

    def _label(self, tree: Map, resources: Resources) -> None:
        for entry in _maps(tree.get("labels")):
            pairs = entry.get("pairs")
            if "fields" in entry:
                resources.make_unknown()
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

    def _apply(self, entry: Map, folder: str, resources: Resources) -> None:
        """One entry of ``patches`` or ``patchesJson6902``."""
        target = entry.get("target")
        selector = Selector(target) if isinstance(target, Map) else None
        inline = entry.get("patch")
        source = inline if isinstance(inline, Leaf) and inline.text.strip() else entry.get("path")
        patches = self._patch(source, folder, inline=source is inline) if isinstance(source, Leaf) else []
        if not patches or (selector is not None and selector.is_unknown):
            if selector is None or selector.is_unknown:
                resources.make_unknown()
            else:
                _open(resources.selected(selector))
            return
        renames = _is_on(at(entry, "options", "allowNameChange")) or _is_on(at(entry, "options", "allowKindChange"))
        for patch, place in patches:
            if isinstance(patch, List):
                self._use(place)
                for resource in resources.selected(selector) if selector is not None else ():
                    _apply_operations(resource, patch, resources)
            else:
                self._merge(patch, selector, resources, place, renames=renames)

    def _patch(self, source: Leaf, folder: str, *, inline: bool) -> list[tuple[Tree, tuple[str, int] | None]]:
        """The documents of a patch, inline or in a file, each with its file and number; none that cannot be read."""
        if inline:
            return [(one, None) for one in read_inline(source, self._work)]
        path = joined(folder, source.text)
        read = self._files.documents(path) if is_local(source.text) else None
        return [
            (one, (path, document.number))
            for document in read or ()
            if document.tree is not None
            for one in documents_in(document.tree)
        ]

    def _use(self, place: tuple[str, int] | None) -> None:
        """Note that a patch is part of the build; one of an object that is not known stays what it is."""
        if place is not None:
            self._files.use(*place)

    def _merge(
        self,
        patch: Tree,
        selector: Selector | None,
        resources: Resources,
        place: tuple[str, int] | None,
        *,
        renames: bool = False,
    ) -> None:
        """Merge a patch, which may be a document of a file, into the objects that it means."""
        if not isinstance(patch, Map):
            return
        if selector is None:
            targets = resources.known_as(identity_of(patch))
        else:
            targets = resources.selected(selector)
            self._work.step(size_of(patch)[0])
            copy = copied(patch)
            patch = with_texts(copy) if isinstance(copy, Map) else patch
        for resource in targets:
            metadata = resource.tree.get("metadata")
            kept = {name: at(metadata, name) for name in ("name", "namespace")}
            kind = resource.tree.get("kind")
            try:
                found = merged(resource.tree, patch, resource.kind, self._work)
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
            _restore(found.get("metadata"), kept)
            resource.tree = found
            resources.note(resource)
        if targets:
            self._use(place)
        elif self.lacks_some and place is not None and text_at(patch, "kind") == _SERVICE:
            self.patches_alone.add(place)


def _restore(metadata: Tree | None, kept: Mapping[str, Tree | None]) -> None:
    """Give an object the names back that no patch changes."""
    if isinstance(metadata, Map):
        for name, value in kept.items():
            metadata.pop(name, None)
            if value is not None:
                metadata[name] = value


def _apply_operations(resource: Resource, operations: List, resources: Resources) -> None:
    try:
        resource.tree = apply(resource.tree, operations, resources.work)
    except UnknownPatch:
        resource.is_open = True
    resources.note(resource)


def _replace(replacement: Map, resources: Resources) -> None:
    """A replacement writes a value that is not followed: the objects that it selects are unknown."""
    if "path" in replacement:
        resources.make_unknown()
        return
    for target in _maps(replacement.get("targets")):
        select = target.get("select")
        selector = Selector(select) if isinstance(select, Map) else None
        _open(resources if selector is None or selector.is_unknown else resources.selected(selector))


def _hide_variables(tree: Map | List, names: set[str], work: BuildWork) -> None:
    """The values that a variable is a part of are unknown."""
    work.step(len(tree))
    pairs: list[tuple[str | int, Tree]] = list(tree.items()) if isinstance(tree, Map) else list(enumerate(tree))
    for name, value in pairs:
        if isinstance(value, Leaf):
            if "$(" in value.text and not names.isdisjoint(_VARIABLE.findall(value.text)):
                hidden = Leaf(value.value, value.text, value.place, value.raw, value.lines, unknown=True)
                tree[name] = hidden  # type: ignore[index]
        else:
            _hide_variables(value, names, work)


def _open(resources: Iterable[Resource]) -> None:
    for resource in resources:
        resource.is_open = True


def _is_on(value: Tree | None) -> bool:
    return isinstance(value, Leaf) and value.value is True


def _leaves(tree: Tree | None) -> list[Leaf]:
    return [item for item in tree if isinstance(item, Leaf)] if isinstance(tree, List) else []


_texts = _leaves


def _maps(tree: Tree | None) -> Iterator[Map]:
    for item in tree if isinstance(tree, List) else ():
        if isinstance(item, Map):
            yield item
