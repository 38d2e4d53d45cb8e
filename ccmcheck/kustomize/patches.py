"""The documents of a patch in a text of a kustomization, its places those of the text around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadYaml
from ccmcheck.kustomize.files import flattened
from ccmcheck.kustomize.json_patch import is_json_patch
from ccmcheck.kustomize.limits import PARSED_A_STEP
from ccmcheck.layers.placed_values import Leaf, List, Map, Reader, line_at
from ccmcheck.yamlio import documents

if TYPE_CHECKING:
    from ccmcheck.base.model import Span
    from ccmcheck.kustomize.limits import Work
    from ccmcheck.layers.placed_values import Tree


def documents_in(tree: Tree) -> list[Tree]:
    """The patches of a document: a list of operations is one, a List of objects one for each."""
    return [tree] if is_json_patch(tree) else [*flattened(tree)]


def read_inline(source: Leaf, work: Work) -> list[Tree]:
    """The documents of a patch in a text of the kustomization, its places mapped through the text's lines."""
    found: list[Tree] = []
    text = source.text
    work.step(len(text) // PARSED_A_STEP)
    for document in documents(text):
        if isinstance(document, BadYaml):
            return []
        if document.root is not None:
            tree = Reader(text).try_read(document.root)
            found += documents_in(_moved(tree, source)) if tree is not None else []
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
    line = line_at(source, span.start)
    if line is None:
        return source.place, False
    start = line.outer + span.start - line.start
    end = line.outer + min(span.end, line.end) - line.start
    return span._replace(start=start, end=max(start, end)), span.end <= line.end
