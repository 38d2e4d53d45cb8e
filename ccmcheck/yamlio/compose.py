"""Nodes from YAML events, without recursion and with a limit on depth.

Three times slower than PyYAML's own composing in C, and safe on any input: used where the text may be nested deeply,
where libyaml is missing, and for what PyYAML rejects though YAML allows it (an anchor's name used twice).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol, cast

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import late_patterns
from ccmcheck.base.records import NamedTuple
from ccmcheck.yamlio.nodes import Raw, YamlMark

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
