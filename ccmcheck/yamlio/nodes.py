"""YAML nodes with spans: what the rest of ccmcheck sees of a YAML document.

The nodes are thin views on PyYAML's, created on access: a carrier reads five of a Secret's thirty nodes. Their offsets
count in the whole text that was parsed, whatever document of the stream they are in. An alias is the same node as its
anchor; nothing is expanded, and no tree is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span


class YamlMark(Protocol):
    """PyYAML's mark; only its offset is usable, since it counts lines at NEL and LS too."""

    index: int


class Raw(Protocol):
    """PyYAML's node; its stubs leave out half of this.

    ``value`` is a text, a list of nodes or a list of pairs of nodes, depending on ``id``.
    """

    id: str
    tag: str
    value: Any
    style: str | None
    start_mark: YamlMark
    end_mark: YamlMark


STYLES = {None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}

_LEAST_VALUES = 2_000
_VALUES_A_CHARACTER = 2

_PROPERTIES = lazy_regex(r"(?:[&!][^\s]*+(?:\s|\Z)(?:\s|#[^\n]*+)*+)++")
_ANCHOR = lazy_regex(r"(?:!\S*+\s++)?+&([^\s,\[\]{}]++)")
_MERGE_KEY = "<<"


class YamlDocument:
    """One document of a YAML stream.

    Attributes:
        text: The whole text that was parsed, all documents of it; spans count in it.
        start: Where the document starts: its ``---`` line where it has one.
        end: Where the next document starts, or the end of the text.
    """

    __slots__ = ("_raw", "base", "end", "shared", "start", "text")

    def __init__(self, text: str, start: int, end: int, base: int, raw: Raw, shared: frozenset[int]) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.base = base
        self.shared = shared
        self._raw = raw

    @property
    def root(self) -> YamlNode | None:
        """The outermost node, created on each access: storing it would be a reference cycle."""
        raw = self._raw
        return None if raw.value == "" and not raw.style else wrap(raw, self)

    def __repr__(self) -> str:
        return f"YamlDocument({self.start}, {self.end})"


class YamlNode:
    """What all nodes have; equal when they are the same place of the same document.

    Attributes:
        document: The document that the node is in.
        shared: True where an alias refers to it, so that a change here would change other places as well.
    """

    __slots__ = ("_raw", "document", "shared")

    def __init__(self, raw: Raw, document: YamlDocument, shared: bool) -> None:
        self._raw = raw
        self.document = document
        self.shared = shared

    @property
    def span(self) -> Span:
        """Where the node is, with its anchor and tag.

        A block scalar's span goes up to the next token: the blank lines after it are inside. A block mapping's or
        sequence's includes the comments after it too.
        """
        raw, base = self._raw, self.document.base
        return Span(raw.start_mark.index + base, raw.end_mark.index + base)

    @property
    def start(self) -> int:
        """Where the node starts, with its anchor and tag."""
        return self._raw.start_mark.index + self.document.base

    @property
    def content(self) -> Span:
        """The span without the anchor and the tag."""
        span = self.span
        text = self.document.text
        if text.startswith(("&", "!"), span.start) and (match := _PROPERTIES.match(text, *span)):
            return Span(match.end(), span.end)
        return span

    @property
    def tag(self) -> str:
        """The tag in full (``tag:yaml.org,2002:str`` for ``!!str``), empty where none is written."""
        return self._raw.tag

    @property
    def anchor(self) -> str | None:
        """The anchor's name, None without one."""
        start, end = self.span
        if self.document.text[start : start + 1] not in ("&", "!"):
            return None
        match = _ANCHOR.match(self.document.text, start, end)
        return match[1] if match else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, YamlNode) and self._raw is other._raw

    def __hash__(self) -> int:
        return id(self._raw)

    def __repr__(self) -> str:
        start, end = self.span
        return f"{type(self).__name__}({start}, {end})"

    def repeated_keys(self) -> Iterator[tuple[Scalar, Scalar]]:
        """The keys in it and below that repeat one of their mapping, after that one; once for all aliases."""
        seen: set[int] = set()
        pending = [self._raw]
        while pending:
            raw = pending.pop()
            if id(raw) in seen:
                continue
            seen.add(id(raw))
            if raw.id == "sequence":
                pending += raw.value
            elif raw.id == "mapping":
                pending += [value for _, value in raw.value]
                names = [key.value for key, _ in raw.value if key.id == "scalar"]
                if len(set(names)) < len(names):
                    mapping = Mapping(raw, self.document, self.shared)
                    firsts = {key.value: key for key, _ in reversed(mapping.items)}
                    yield from ((firsts[key.value], key) for key in mapping.duplicates)


class Scalar(YamlNode):
    """A text; what value it has to a reader is a matter of the reader, see `kubernetes_scalar`."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The text without quotes, escapes and folding."""
        value: str = self._raw.value
        return value

    @property
    def style(self) -> str:
        """How it is written: ``plain``, ``single``, ``double``, ``literal`` or ``folded``."""
        return STYLES[self._raw.style]


class Mapping(YamlNode):
    """Keys and values in the order of the file."""

    __slots__ = ()

    @property
    def items(self) -> list[tuple[Scalar, YamlNode]]:
        """The pairs whose key is a scalar; ``? [a, b]`` has no meaning in any file that ccmcheck reads."""
        document, shared = self.document, self.shared
        return [
            (Scalar(key, document, shared), wrap(value, document, shared))
            for key, value in self._raw.value
            if key.id == "scalar"
        ]

    @property
    def has_other_keys(self) -> bool:
        """Whether a key is a list or a mapping, as in ``? [a, b]`` and ``{{ x }}``; such pairs are not in `items`."""
        return any(key.id != "scalar" for key, _ in self._raw.value)

    def get(self, name: str) -> YamlNode | None:
        """Find the value of a key.

        Returns:
            The first value where the key is duplicated (see `duplicates`); one from a merge key (``<<``) where
            the mapping itself has none; None where there is none at all.
        """
        for key, value in self._raw.value:
            if key.value == name:
                return wrap(value, self.document, self.shared)
        return self._merged(name)

    def key(self, name: str) -> Scalar | None:
        """Find the key itself, for its span.

        Returns:
            The first such key of the mapping itself, None where there is none.
        """
        for key, _ in self._raw.value:
            if key.value == name:
                return Scalar(key, self.document, self.shared)
        return None

    @property
    def duplicates(self) -> list[Scalar]:
        """The keys that repeat an earlier one, in the order of the file; Kubernetes rejects such a document."""
        seen: set[str] = set()
        duplicates: list[Scalar] = []
        for key, _ in self._raw.value:
            if key.id != "scalar":
                continue
            if key.value in seen and key.value != _MERGE_KEY:
                duplicates.append(Scalar(key, self.document, self.shared))
            seen.add(key.value)
        return duplicates

    def _merged(self, name: str) -> YamlNode | None:
        """Search the merge keys, nearest first, each mapping once."""
        pending = [value for key, value in reversed(self._raw.value) if key.value == _MERGE_KEY]
        seen: set[int] = set()
        while pending:
            raw = pending.pop()
            if id(raw) in seen:
                continue
            seen.add(id(raw))
            if raw.id == "sequence":
                pending.extend(reversed(raw.value))
            elif raw.id == "mapping":
                value = next((value for key, value in raw.value if key.value == name), None)
                if value is not None:
                    return wrap(value, self.document, True)
                pending.extend(value for key, value in reversed(raw.value) if key.value == _MERGE_KEY)
        return None


class Sequence(YamlNode):
    """Items in the order of the file."""

    __slots__ = ()

    @property
    def items(self) -> list[YamlNode]:
        """The items."""
        document, shared = self.document, self.shared
        return [wrap(item, document, shared) for item in self._raw.value]

    def item(self, index: int) -> YamlNode | None:
        """One item, at the same cost whatever the length; None where there are not that many."""
        raw = self._raw.value
        return wrap(raw[index], self.document, self.shared) if 0 <= index < len(raw) else None


_CLASSES: dict[str, type[YamlNode]] = {"scalar": Scalar, "mapping": Mapping, "sequence": Sequence}


def values_of(characters: int) -> int:
    """How many values a text may have with its aliases written out; further ones are there to take time.

    Two characters write a value, so this is four times what a text has without aliases, and more for a short one.
    """
    return _LEAST_VALUES + _VALUES_A_CHARACTER * characters


def wrap(raw: Raw, document: YamlDocument, shared: bool = False) -> YamlNode:
    """Create the view on one of PyYAML's nodes."""
    return _CLASSES[raw.id](raw, document, shared or id(raw) in document.shared)


def field(node: YamlNode | None, *names: str) -> YamlNode | None:
    """The node at a path of keys below a node; None where there is none."""
    for name in names:
        if not isinstance(node, Mapping):
            return None
        node = node.get(name)
    return node


def text_of(node: YamlNode | None) -> str | None:
    """A scalar's text; None where the node is not a scalar."""
    return node.value if isinstance(node, Scalar) else None


def scalars(node: YamlNode | None) -> Iterator[Scalar]:
    """All scalar values at and below a node, in the order of the file, without keys.

    A node that several aliases refer to comes once, so an alias bomb is as long as its text.
    """
    if node is None:
        return
    document = node.document
    pending = [(node._raw, node.shared)]  # noqa: SLF001 - of this very file
    seen: set[int] = set()
    while pending:
        raw, shared = pending.pop()
        if id(raw) in document.shared:
            if id(raw) in seen:
                continue
            seen.add(id(raw))
            shared = True
        if raw.id == "scalar":
            yield Scalar(raw, document, shared)
        elif raw.id == "mapping":
            pending.extend((value, shared) for key, value in reversed(raw.value) if key.id == "scalar")
        else:
            pending.extend((item, shared) for item in reversed(raw.value))


def mappings(node: YamlNode | None) -> Iterator[Mapping]:
    """The mappings of a sequence: a pod's containers, volumes or tolerations; none of anything else."""
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                yield item
