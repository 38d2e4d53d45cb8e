"""Fixes of manifests: edits of YAML in the style of the neighbours, or None where that is not safe.

Nothing is reformatted: a scalar is replaced within its quotes, an entry or an item is removed with its whole lines, and a
new one is added below a neighbour, at its column. Flow collections, nodes shared by anchors and aliases, and mappings
with template lines must be edited by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence as SequenceOf
from typing import TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Applicability, Edit, Fix, Span
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, resolve

Tree: TypeAlias = "str | int | MappingOf[str, Tree] | SequenceOf[Tree]"
"""A YAML tree to write: a string, a number, a mapping or a sequence."""

_PLAIN = lazy_regex(r"(?:[A-Za-z0-9_./]|--\w)[\w./@=-]*+(?::[\w./@=-]++)*+\Z", re.ASCII)
_REST = lazy_regex(r"[ \t]*+(?:#[^\n]*+)?+\r?(?:\n|\Z)")
_STEP = 2


def safe(manifest: Manifest, title: str, *edits: Edit | None) -> Fix | None:
    """A fix that is applied by default; see `unsafe`."""
    return _fix(manifest, title, edits, Applicability.SAFE)


def unsafe(manifest: Manifest, title: str, *edits: Edit | None) -> Fix | None:
    """A fix that changes what runs, and is only applied with ``--unsafe``.

    Its title is an imperative. There is none where an edit is None or would change a template mark.
    """
    return _fix(manifest, title, edits, Applicability.UNSAFE)


def _fix(manifest: Manifest, title: str, edits: tuple[Edit | None, ...], applicability: Applicability) -> Fix | None:
    checked = tuple(edit for edit in edits if edit is not None)
    if (
        not checked
        or len(checked) < len(edits)
        or any(manifest.is_opaque(Span(edit.start, edit.end)) for edit in checked)
    ):
        return None
    return Fix(title, checked, applicability)


def write(manifest: Manifest, node: Scalar, value: str) -> Edit | None:
    """Replace a scalar, a key or a value, in the quotes that it has."""
    return None if node.shared else manifest.rewritten(node, value)


def overwrite(node: Scalar, value: str) -> Edit | None:
    """Replace a scalar of any style by one of a single line."""
    end = end_of(node)
    if end is None or node.anchor is not None or node.tag:
        return None
    return Edit(node.content.start, end, scalar(value))


def delete(manifest: Manifest, *names: str, keep: int) -> Edit | None:
    """Remove an entry, given by its path, with its lines, and the mappings around it that would be empty.

    The first ``keep`` mappings of the path are never removed.
    """
    path: list[tuple[Mapping, str]] = []
    node: YamlNode | None = manifest.node
    for name in names:
        if not isinstance(node, Mapping):
            return None
        path.append((node, name))
        node = node.get(name)
    while len(path) > keep + 1 and len(path[-1][0].items) == 1:
        path.pop()
    return delete_entry(manifest, *path[-1]) if path else None


def delete_entry(manifest: Manifest, mapping: Mapping, name: str) -> Edit | None:
    """Remove one entry of a mapping with its lines."""
    key, value = mapping.key(name), mapping.get(name)
    if key is None or value is None or not _is_plain_block(manifest, mapping):
        return None
    lines = _lines(manifest.text, key.span.start, end_of(value, key))
    return Edit(*lines, "") if lines is not None else None


def delete_item(manifest: Manifest, sequence: Sequence, index: int) -> Edit | None:
    """Remove one item of a sequence with its lines; the only item cannot be removed."""
    items = sequence.items
    if len(items) == 1 or not _is_plain_block(manifest, sequence):
        return None
    dash = manifest.text.rfind("-", 0, items[index].content.start)
    lines = _lines(manifest.text, dash, end_of(items[index]))
    return Edit(*lines, "") if dash >= 0 and lines is not None else None


def insert_entry(manifest: Manifest, mapping: Mapping, name: str, tree: Tree, *, after: str = "") -> Edit | None:
    """Add an entry to a mapping, below the key ``after`` where the mapping has it, else below the last one."""
    items = mapping.items
    if not items or not _is_plain_block(manifest, mapping):
        return None
    key, value = next((pair for pair in items if pair[0].value == after), items[-1])
    lines = list(_entry(name, tree, _column(manifest.text, items[0][0].span.start), _Style(manifest)))
    return _below(manifest.text, end_of(value, key), lines)


def insert_item(manifest: Manifest, sequence: Sequence, tree: Tree) -> Edit | None:
    """Add an item at the end of a sequence."""
    items = sequence.items
    if not items or not _is_plain_block(manifest, sequence):
        return None
    lines = list(_item(tree, _column(manifest.text, sequence.content.start), _Style(manifest)))
    return _below(manifest.text, end_of(items[-1]), lines)


def move_entry(manifest: Manifest, source: Mapping, name: str, target: Mapping) -> tuple[Edit | None, Edit | None]:
    """Move an entry as written to the end of another mapping at the same column."""
    taken = delete_entry(manifest, source, name)
    items = target.items
    if taken is None or not items or not _is_plain_block(manifest, target):
        return None, None
    text = manifest.text
    if _column(text, source.content.start) != _column(text, target.content.start):
        return None, None
    lines = text[taken.start : taken.end].rstrip("\r\n").replace("\r\n", "\n").split("\n")
    key, value = items[-1]
    return taken, _below(text, end_of(value, key), lines)


def scalar(value: str | int) -> str:
    """A scalar as YAML, in double quotes where YAML would otherwise read another value."""
    if isinstance(value, int):
        return str(value)
    if _PLAIN.match(value) and isinstance(resolve(value), str):
        return value
    return quoted(value)


def quoted(value: str) -> str:
    """A string in double quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def end_of(node: YamlNode, key: Scalar | None = None) -> int | None:
    """Where a node's text ends, without the blank lines and comments that follow; an empty value ends after its key.

    Returns:
        The offset; None where the node contains an alias, whose text is elsewhere.
    """
    text = node.document.text
    while not node.shared:
        start, end = node.content
        if isinstance(node, Scalar):
            if start == end and key is not None:
                return text.index(":", key.span.end) + 1
            return start + len(text[start:end].rstrip()) if node.style in ("literal", "folded") else end
        if text[start : start + 1] in ("{", "["):
            return end
        if isinstance(node, Mapping):
            if not node.items:
                return None
            key, node = node.items[-1]
        elif isinstance(node, Sequence):
            key, node = None, node.items[-1]
    return None


def extent(node: Mapping | Sequence) -> Span | None:
    """The span of a collection's text, with the comments and template lines directly above it.

    Returns:
        None where the collection contains an alias, whose text is elsewhere.
    """
    text, start, end = node.document.text, node.content.start, end_of(node)
    if end is None:
        return None
    first = text.rfind("\n", 0, start) + 1
    while first:
        above = text.rfind("\n", 0, first - 1) + 1
        if text[above:first].strip()[:1] not in ("", "#"):
            break
        first = above
    return Span(first, end)


def _is_plain_block(manifest: Manifest, node: Mapping | Sequence) -> bool:
    """Whether lines of a collection can be removed or added without changing other nodes."""
    place = extent(node)
    return (
        place is not None
        and node.document.text[node.content.start : node.content.start + 1] not in ("{", "[")
        and not manifest.has_template_lines(place)
    )


def _lines(text: str, start: int, end: int | None) -> Span | None:
    """The whole lines of a span; None where they have other content."""
    first = text.rfind("\n", 0, start) + 1
    rest = _REST.match(text, end) if end is not None else None
    return Span(first, rest.end()) if rest is not None and not text[first:start].strip(" ") else None


def _below(text: str, end: int | None, lines: list[str]) -> Edit | None:
    """Insert lines below the line of an offset."""
    rest = _REST.match(text, end) if end is not None else None
    if rest is None:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    if rest.end() == len(text) and not text.endswith("\n"):
        return Edit(len(text), len(text), "".join(newline + line for line in lines))
    return Edit(rest.end(), rest.end(), "".join(line + newline for line in lines))


def _column(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


class _Style:
    """The indentation of an object: spaces per level, and before the dashes of a sequence."""

    def __init__(self, manifest: Manifest) -> None:
        text = manifest.text
        self.step = _STEP
        self.dash: int | None = None
        waiting: list[Mapping] = [manifest.node]
        steps: list[int] = []
        while waiting and (self.dash is None or not steps):
            mapping = waiting.pop(0)
            for key, value in mapping.items:
                start = value.content.start
                if value.shared or text[start : start + 1] in ("{", "["):
                    continue
                shift = _column(text, start) - _column(text, key.span.start)
                if isinstance(value, Mapping):
                    steps.append(shift)
                    waiting.append(value)
                elif isinstance(value, Sequence):
                    self.dash = shift if self.dash is None else self.dash
                    waiting += [item for item in value.items if isinstance(item, Mapping) and not item.shared]
        if steps:
            self.step = steps[0]


def _entry(name: str, tree: Tree, column: int, style: _Style) -> Iterator[str]:
    start = f"{' ' * column}{scalar(name)}:"
    if isinstance(tree, (str, int)):
        yield f"{start} {scalar(tree)}"
        return
    yield start
    if hasattr(tree, "items"):
        for key, value in tree.items():
            yield from _entry(key, value, column + style.step, style)
    else:
        for item in tree:
            yield from _item(item, column + (style.dash or 0), style)


def _item(tree: Tree, column: int, style: _Style) -> Iterator[str]:
    blank = " " * column
    if isinstance(tree, (str, int)):
        yield f"{blank}- {scalar(tree)}"
    elif hasattr(tree, "items"):
        lines = [line for key, value in tree.items() for line in _entry(key, value, column + 2, style)]
        yield f"{blank}- {lines[0].lstrip()}"
        yield from lines[1:]
