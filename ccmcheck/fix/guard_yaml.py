"""Checks a change of a YAML text before it counts: what no edit touches is there, at its place, as it was."""

from __future__ import annotations

from collections.abc import Sequence as Spans

from ccmcheck.base.errors import BadYaml, CannotEdit
from ccmcheck.base.model import Span
from ccmcheck.fix.guard import TextChange, Touched
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents

Path = tuple[str | int, ...]
MOST_NODES = 200_000
"""An alias bomb ends here; no manifest has a hundredth of it."""


def check(change: TextChange) -> None:
    """Compare two YAML texts.

    Args:
        change: The change.

    Raises:
        CannotEdit: The change does more than it says, or what is left is no YAML.
    """
    before, touched = _values(change.before, change.old)
    after, written = _values(change.after, change.new)
    named = touched | written
    for path in {**before, **after}:
        if before.get(path) != after.get(path) and not any(path[: number + 1] in named for number in range(len(path))):
            raise CannotEdit(f"{'.'.join(map(str, path[1:]))} would change too")


def _values(text: str, spans: Spans[Span]) -> tuple[dict[Path, str], set[Path]]:
    """Every scalar by its path, and the paths that a change is about: an entry whose key or value it touches.

    Items that come into a list or leave it with their lines do not count, so that the others keep their places; a
    change of a list of texts is about the whole list.
    """
    values: dict[Path, str] = {}
    named: set[Path] = set()
    touched = Touched(spans)
    for number, document in enumerate(documents(text)):
        if isinstance(document, BadYaml):
            raise CannotEdit("the file would not be YAML any more, or is none")
        waiting: list[tuple[Path, YamlNode | None]] = [((number,), document.root)]
        while waiting:
            path, node = waiting.pop()
            if len(values) > MOST_NODES:
                raise CannotEdit("the file is too large to be checked after a change")
            if isinstance(node, Scalar) and node.style == "plain" and not node.value:
                continue  # null, which is as good as nothing to Kubernetes
            if isinstance(node, Scalar):
                values[path] = f"{node.tag}{'' if node.style == 'plain' else '!'}{node.value}"
            elif isinstance(node, Mapping):
                waiting += [((*path, key.value), value) for key, value in node.items]
                named |= {
                    (*path, key.value)
                    for key, value in node.items
                    if touched.changes(key.span) or (isinstance(value, Scalar) and touched.changes(value.span))
                }
            elif isinstance(node, Sequence):
                named |= {path for item in node.items if isinstance(item, Scalar) and touched.changes(item.span)}
                staying = [item for item in node.items if not _comes_or_goes(touched, item)]
                waiting += [((*path, number), item) for number, item in enumerate(staying)]
    return values, named


def _comes_or_goes(touched: Touched, item: YamlNode) -> bool:
    """Whether a change has a whole item in it, its dash too."""
    start = item.span.start
    around = touched.first_over(Span(start, start))
    return around is not None and _end(item) <= around.end


def _end(node: YamlNode) -> int:
    """Where the last text of a node ends; libyaml counts the comments and blank lines behind it in."""
    while isinstance(node, (Mapping, Sequence)) and node.items:
        last = node.items[-1]
        inner = last[1] if isinstance(last, tuple) else last
        if inner.shared:
            break
        node = inner
    start, end = node.content
    return start + len(node.document.text[start:end].rstrip())
