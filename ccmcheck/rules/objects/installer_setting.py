"""A setting of an installer or a chart with another effect than it looks like, or none."""

from __future__ import annotations

import re

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.catalog.ccm_chart import is_on
from ccmcheck.catalog.data.installer_traps import traps
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode

_EMPTY = ("", "null", "~", "[]")


def check(manifest: Manifest) -> Problems:
    """Look for each trap of the object's kind; where a template or other values add some, what is not there is unknown."""
    may_add = manifest.has_template_lines(manifest.node.content) or manifest.object.is_partial
    for trap in traps(manifest.kind):
        turns = [one for one in (trap.since or "0", trap.before) if one]
        if (may_add and trap.without) or not is_on(turns, manifest.name):
            continue
        places = [_place(manifest, one) for one in trap.on]
        if (
            None not in places
            and not any(_place(manifest, one, or_unknown=True) for one in trap.without)
            and _no_conf_has(manifest, trap.no_conf)
        ):
            severity = Severity[trap.severity.upper()]
            yield Problem(places[0] or manifest.node.content, trap.label, trap.detail, trap.do, severity=severity)


def _no_conf_has(manifest: Manifest, pattern: str) -> bool:
    """Whether there is a cloud.conf nearest to the object, and none that has the pattern, or may have it."""
    return not pattern or (
        {bool(one.marks or re.search(pattern, one.text)) for one in manifest.nearest_confs} == {False}
    )


def _place(manifest: Manifest, condition: str, *, or_unknown: bool = False) -> Span | None:
    """Where a condition holds; None where it does not."""
    path, sign, pattern = re.fullmatch(r"(.*?)(?: (=|!=|is) (.*))?", condition).groups("")  # type: ignore[union-attr]
    nodes: list[tuple[Span, YamlNode]] = [(manifest.node.content, manifest.node)]
    for name in path.split():
        below = [pair for _, node in nodes for pair in _below(node, name.removesuffix("?"))]
        nodes = below if name[-1] != "?" else [*nodes, *below]
    for span, node in nodes:
        text = _text(manifest, node)
        is_whole = bool(sign) and re.fullmatch(pattern, text or "", re.IGNORECASE | re.DOTALL) is not None
        if sign == "is":
            is_whole = is_whole and isinstance(node, Scalar) and node.style == "plain"
        holds = text not in _EMPTY and not is_whole if sign in ("", "!=") else is_whole
        if not sign and isinstance(node, Scalar) and "\n" in node.value:
            text, holds = "several lines", True  # whatever marks of templates stand for
        if or_unknown if text is None else holds:
            return span
    return None


def _below(node: YamlNode, name: str) -> list[tuple[Span, YamlNode]]:
    if isinstance(node, Sequence):
        return [(item.content, item) for item in node.items if name == "*"]
    items = node.items if isinstance(node, Mapping) else ()
    return [(key.content, value) for key, value in items if name == "*" or re.fullmatch(name, key.value)]


def _text(manifest: Manifest, node: YamlNode) -> str | None:
    if isinstance(node, Sequence):
        texts = [_text(manifest, item) for item in node.items]
        return None if None in texts else f"[{','.join(text or '' for text in texts)}]"
    if isinstance(node, Mapping):
        return "{..}" if node.items else "{}"
    return None if not isinstance(node, Scalar) or manifest.has_mark(node) else node.value
