"""The documents of a patch in a text of a kustomization, its places those of the text around."""

from __future__ import annotations

from ccmcheck.base.errors import BadYaml
from ccmcheck.kustomize.files import flattened
from ccmcheck.kustomize.json_patch import is_json_patch
from ccmcheck.kustomize.limits import PARSED_A_STEP, BuildWork
from ccmcheck.layers.placed_values import Leaf, PlacedReader, Tree, moved
from ccmcheck.yamlio import documents


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
