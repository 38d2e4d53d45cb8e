"""From text to documents: PyYAML's C parser where it is safe, events with a depth limit where it may not be.

PyYAML composes nodes by C recursion, about 350 bytes of stack a level: thirty thousand brackets end the process, and a
thread with a small stack ends far sooner. So `_is_shallow` bounds the depth by two scans of the text before the fast
path is taken; everything else goes through libyaml's events, which are iterative.

The stream is split at ``---`` and ``...`` lines first, where YAML ends a document whatever it holds, so that one broken
document, or one bad byte, leaves the others readable.

Nodes from YAML events, without recursion and with a limit on depth.

Three times slower than PyYAML's own composing in C, and safe on any input: used where the text may be nested deeply,
where libyaml is missing, and for what PyYAML rejects though YAML allows it (an anchor's name used twice).
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Protocol, cast

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import late_patterns, lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import BOM
from ccmcheck.yamlio.nodes import Raw, YamlDocument, YamlMark

MAX_DEPTH = 100
"""Levels of mappings and sequences; a Kubernetes object has at most twenty or so."""


class ParserEvent(Protocol):
    """Any of PyYAML's events; which attributes it has depends on its class."""

    tag: str | None
    anchor: str | None
    value: str
    style: str | None
    flow_style: bool
    start_mark: YamlMark
    end_mark: YamlMark


class Parser(Protocol):
    """What the C parser can do, and of it the pure one: only ``get_event``."""

    def check_node(self) -> bool:
        """Whether there is another document."""

    def get_node(self) -> Raw:
        """Compose the next document."""

    def get_event(self) -> ParserEvent:
        """Parse as far as the next event."""


class Library(NamedTuple):
    """PyYAML, imported when the first YAML text is parsed: importing it takes as long as starting Python.

    Attributes:
        failures: What parsing raises on a text that is not YAML.
        compose_failure: What composing raises on aliases and anchors; one of ``failures``.
        in_c: Whether libyaml is there, which composes nodes itself.
        parser: Creates a parser of a text.
    """

    failures: tuple[type[Exception], ...]
    compose_failure: type[Exception]
    in_c: bool
    parser: Callable[[str], Parser]


@cache
def library() -> Library:
    """Import PyYAML and choose its parser: libyaml's where it was built in."""
    with late_patterns():
        import yaml
    from yaml.composer import ComposerError

    failures = (yaml.YAMLError, UnicodeEncodeError)
    if not yaml.__with_libyaml__:
        return Library(failures, ComposerError, in_c=False, parser=cast("Callable[[str], Parser]", yaml.Loader))
    from yaml._yaml import CParser

    class Untagged(CParser):
        """libyaml's parser without tag resolution: readers of YAML differ, see `kubernetes_scalar`."""

        # called for every node: a method of "" takes any arguments, returns "", and is no call of Python's
        resolve = descend_resolver = ascend_resolver = "".format

    return Library(failures, ComposerError, in_c=True, parser=cast("Callable[[str], Parser]", Untagged))


def compose(text: str) -> list[Raw]:
    """Make the nodes of all documents of a text.

    Args:
        text: Without a byte order mark.

    Returns:
        The root node of each document.

    Raises:
        BadYaml: Too deep, or an alias without its anchor; with the offset in ``text``.
        yaml.YAMLError: The text is not YAML.
        UnicodeEncodeError: It holds a lone surrogate.
    """
    from yaml import events, nodes

    parser = library().parser(text)
    new_node = cast(
        "dict[object, Callable[..., Raw]]",
        {
            events.ScalarEvent: nodes.ScalarNode,
            events.MappingStartEvent: nodes.MappingNode,
            events.SequenceStartEvent: nodes.SequenceNode,
        },
    )
    roots: list[Raw] = []
    anchors: dict[str, Raw] = {}
    outer: list[tuple[Raw, list[Raw]]] = []
    children = roots
    node: Raw
    while True:
        event = parser.get_event()
        kind: object = type(event)
        if kind is events.ScalarEvent:
            node = new_node[kind](_tag(event.tag), event.value, event.start_mark, event.end_mark, event.style)
        elif kind is events.AliasEvent:
            target = anchors.get(event.anchor or "")
            if target is None:
                raise BadYaml("found undefined alias", event.start_mark.index)
            children.append(target)
            continue
        elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            if len(outer) >= MAX_DEPTH:
                raise BadYaml(f"nested more than {MAX_DEPTH} levels deep", event.start_mark.index)
            node = new_node[kind](_tag(event.tag), [], event.start_mark, event.end_mark, event.flow_style)
        elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
            node, siblings = outer.pop()
            node.value = list(zip(children[::2], children[1::2], strict=True)) if node.id == "mapping" else children
            node.end_mark = event.end_mark
            children = siblings
            continue
        elif kind is events.DocumentEndEvent:
            anchors.clear()
            continue
        elif kind is events.StreamEndEvent:
            return roots
        else:
            continue
        if event.anchor is not None:
            anchors[event.anchor] = node
        children.append(node)
        if node.id != "scalar":
            outer.append((node, children))
            children = []


def _tag(written: str | None) -> str:
    return "" if written is None or written == "!" else written


_FLOW_LIMIT = 40  # each bracket opens two levels at most: `[a: [b: …`
_PREFIX_LIMIT = 64  # each column of indentation opens one level at most
_DEEP_PREFIX = lazy_regex(rf"\n[ \t?:\-]{{{_PREFIX_LIMIT}}}")
_DEEP_PREFIX_ANY_BREAK = lazy_regex(rf"[\n\r\x85\u2028\u2029][ \t?:\-]{{{_PREFIX_LIMIT}}}")

_MARKER = lazy_regex(r"\n(?:---(?=\s|\Z)|\.\.\.(?=\s|\Z)[^\n]*+)")
_DIRECTIVES_ONLY = lazy_regex(r"(?:[ \t\ufeff]*+(?:#[^\n]*+)?+\n|%[^\n]*+\n)*+\Z")
_UNPRINTABLE = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # takes a while to compile
_NONE: frozenset[int] = frozenset()
_LARGE = 200_000  # code points; from here on garbage collection takes longer than parsing


def documents(text: str) -> Iterator[YamlDocument | BadYaml]:
    """Read all documents of a YAML (or JSON) text.

    Args:
        text: Decoded text; a byte order mark and lone surrogates may be in it.

    Yields:
        The documents in their order; in the place of one that cannot be parsed a `BadYaml` with its offset in ``text``.
    """
    if "\n---" not in text and "\n..." not in text:
        yield from _chunk(text, 0, len(text))
        return
    start = 0
    for match in _MARKER.finditer(text):
        cut = match.start() + 1 if text.startswith("---", match.start() + 1) else match.end()
        if "%" in text[start:cut] and _DIRECTIVES_ONLY.match(text, start, cut):
            continue
        if cut > start:
            yield from _chunk(text, start, cut)
        start = cut
    if start < len(text):
        yield from _chunk(text, start, len(text))


def _chunk(text: str, start: int, end: int) -> list[YamlDocument | BadYaml]:
    """Parse the text between two document markers: one document, or none where there are only comments."""
    chunk = text if end - start == len(text) else text[start:end]
    base = start
    if chunk.startswith(BOM):  # libyaml would skip it without counting it
        stripped = chunk.lstrip(BOM)
        base += len(chunk) - len(stripped)
        chunk = stripped
    pause_collector = len(chunk) > _LARGE and gc.isenabled()
    if pause_collector:
        gc.disable()
    try:
        roots = _compose_or_rescue(chunk)
    except BadYaml as error:
        return [BadYaml(error.message, error.offset + base)]
    except library().failures as error:
        return [BadYaml(_message(error), _offset(error, chunk) + base)]
    finally:
        if pause_collector:
            gc.enable()
    aliases = "*" in chunk and "&" in chunk
    return [YamlDocument(text, start, end, base, raw, _reached_twice(raw) if aliases else _NONE) for raw in roots]


def _compose_or_rescue(chunk: str) -> list[Raw]:
    try:
        return _compose(chunk)
    except library().failures:
        from ccmcheck.yamlio.json_text import compose_json

        roots = compose_json(chunk, _compose)
        if roots is None:
            raise
        return roots


def _compose(chunk: str) -> list[Raw]:
    if not library().in_c or not _is_shallow(chunk):
        return compose(chunk)
    parser = library().parser(chunk)
    roots: list[Raw] = []
    try:
        while parser.check_node():
            roots.append(parser.get_node())
    except library().compose_failure:
        return compose(chunk)  # it may be an anchor's second use, which is allowed
    return roots


def _is_shallow(chunk: str) -> bool:
    """Whether the text cannot be nested more than some hundred and fifty levels, however it is parsed.

    A flow collection needs a bracket. A block collection needs a column further right than the one around it (a
    sequence may share its mapping's, but then its ``- `` pushes what is inside by two), and only blanks and the
    indicators ``-``, ``?`` and ``:`` can stand before it on its line.
    """
    if chunk.count("[") + chunk.count("{") > _FLOW_LIMIT:
        return False
    deep = _DEEP_PREFIX if chunk.isascii() and "\r" not in chunk else _DEEP_PREFIX_ANY_BREAK
    return deep.search(f"\n{chunk}") is None


def _reached_twice(root: Raw) -> frozenset[int]:
    """The nodes that an alias refers to; each node is visited once, whatever the aliases would expand to."""
    seen: set[int] = set()
    twice: set[int] = set()
    pending = [root]
    while pending:
        raw = pending.pop()
        if id(raw) in seen:
            twice.add(id(raw))
            continue
        seen.add(id(raw))
        if raw.id == "sequence":
            pending.extend(raw.value)
        elif raw.id == "mapping":
            for pair in raw.value:
                pending.extend(pair)
    return frozenset(twice)


def _message(error: Exception) -> str:
    """The error message without a quotation of the text, which may be a secret."""
    if isinstance(error, UnicodeEncodeError):
        return "a byte that is not UTF-8"
    problem = getattr(error, "problem", None)
    if problem is None:
        return "a character that YAML does not allow"
    if problem.startswith("exceeded maximum nesting depth"):  # libyaml's own limit, which is met by looking ahead
        return f"nested more than {MAX_DEPTH} levels deep"
    context = getattr(error, "context", None)
    return f"{context}: {problem}" if context else str(problem)


def _offset(error: Exception, chunk: str) -> int:
    if isinstance(error, UnicodeEncodeError):
        return error.start
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        index: int = mark.index
        return min(index, len(chunk))
    match = re.search(_UNPRINTABLE, chunk)
    return match.start() if match else 0
