"""The Secrets and ConfigMaps that a kustomization generates, from literals, files and files of variables."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.kustomize.files import Files, joined
from ccmcheck.kustomize.limits import ENTRY, BuildWork
from ccmcheck.kustomize.resources import Resource
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, at, copied, made, part, size_of, text_at, whole_text

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
    sources = [*_texts(arguments.get("envs")), *_texts(arguments.get("env"))]
    for source in sources:
        path = joined(folder, source.text)
        text = files.text(path)
        if text is None:
            yield source.text, None, source.place
            continue
        files.use(path)
        files.work.text(len(text))
        yield from _variables(text, files.base(path))
    for literal in _texts(arguments.get("literals")):
        key, sign, value = literal.text.partition("=")
        if not sign or not key:
            continue
        start, end = len(key) + 1, len(literal.text)
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            start, end = start + 1, end - 1
        yield key, part(literal, start, end), literal.place
    for source in _texts(arguments.get("files")):
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


def _texts(tree: Tree | None) -> list[Leaf]:
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
