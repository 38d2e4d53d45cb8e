"""Edits of a Service's annotations: set or remove one, in the style of the manifest, or None.

An annotation is replaced, else added to the others, else to ``metadata``. Flow mappings, as in JSON, get their new entry
before the closing brace.
"""

from __future__ import annotations

from ccmcheck.base.model import Edit
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Mapping, Scalar, kubernetes_scalar

_ANNOTATIONS = "annotations"


def set_annotation(service: ServiceView, name: str, value: str) -> Edit | None:
    """Set an annotation, given by its full name or without the CCM's prefix.

    Returns:
        The edit; None where it must be made by hand.
    """
    full_name = name if "/" in name else PREFIX + name
    manifest = service.manifest
    annotation = service.annotations.get(full_name)
    if annotation is not None:
        return replace(manifest, annotation.node, value) if isinstance(annotation.node, Scalar) else None
    metadata = manifest.at("metadata")
    if not isinstance(metadata, Mapping) or metadata.shared or not service.is_settled:
        return None
    annotations = metadata.get(_ANNOTATIONS)
    if isinstance(annotations, Mapping):
        if annotations.shared or any(key.value == "<<" for key, _ in annotations.items):
            return None
        if annotations.items:
            return _insert(manifest, annotations, full_name, value)
        return (
            _flow(manifest, annotations, full_name, value) if manifest.text[annotations.content.start] == "{" else None
        )
    if annotations is not None:
        return None
    if manifest.text[metadata.content.start] == "{":
        text = f"{{{_flow_pair(manifest, metadata, full_name, value)}}}"
        return _flow_text(manifest, metadata, _ANNOTATIONS, text)
    after = next((key for key in ("namespace", "name", "generateName") if metadata.key(key) is not None), "")
    return yaml_fixes.insert_entry(manifest, metadata, _ANNOTATIONS, {full_name: value}, after=after)


def remove_annotations(service: ServiceView, *names: str) -> list[Edit | None]:
    """Remove existing annotations with their lines, and ``annotations`` where it would be empty.

    Returns:
        The edits; with None among them where that must be done by hand.
    """
    manifest = service.manifest
    full_names = {name if "/" in name else PREFIX + name for name in names}
    node = manifest.at("metadata", _ANNOTATIONS)
    if not isinstance(node, Mapping) or not names:
        return [None]
    if {key.value for key, _ in node.items} == full_names:
        return [yaml_fixes.delete(manifest, "metadata", _ANNOTATIONS, keep=1)]
    return [yaml_fixes.delete_entry(manifest, node, full_name) for full_name in sorted(full_names)]


def remove_field(service: ServiceView, *names: str) -> Edit | None:
    """Remove a field, given by its path from ``spec``, with its lines."""
    return yaml_fixes.delete(service.manifest, *names, keep=len(names) - 1)


def replace(manifest: Manifest, node: Scalar, value: str) -> Edit | None:
    """Replace a scalar by a string, in the quotes that it has or needs."""
    if node.shared:
        return None
    if node.style in ("single", "double"):
        return yaml_fixes.write(manifest, node, value)
    return yaml_fixes.overwrite(node, value) if node.content.end > node.content.start else None


def as_text(manifest: Manifest, node: Scalar) -> Edit | None:
    """Quote a plain scalar that Kubernetes reads as a number or a bool; a bool as ``true`` or ``false``."""
    read = kubernetes_scalar(node)
    if isinstance(read, str) or read is None or node.style != "plain" or node.shared:
        return None
    text = manifest.text[slice(*node.content)]
    return yaml_fixes.overwrite(node, ("true" if read else "false") if isinstance(read, bool) else text)


def as_number(node: Scalar, value: int) -> Edit | None:
    """Replace a scalar by a number, without quotes."""
    if node.shared or node.anchor is not None or node.tag or node.style in ("literal", "folded"):
        return None
    return Edit(node.content.start, node.content.end, str(value))


def _insert(manifest: Manifest, mapping: Mapping, name: str, value: str) -> Edit | None:
    if manifest.text[mapping.content.start] == "{":
        return _flow(manifest, mapping, name, value)
    return yaml_fixes.insert_entry(manifest, mapping, name, value)


def _flow(manifest: Manifest, mapping: Mapping, name: str, value: str) -> Edit | None:
    key, text = _flow_pair(manifest, mapping, name, value).split(": ", 1)
    return _flow_text(manifest, mapping, key, text)


def _flow_pair(manifest: Manifest, mapping: Mapping, name: str, value: str) -> str:
    """A new pair; the name is quoted where the other names are, as in JSON."""
    quoted = any(key.style == "double" for key, _ in (mapping.items or manifest.node.items))
    return f"{yaml_fixes.quoted(name) if quoted else name}: {yaml_fixes.quoted(value)}"


def _flow_text(manifest: Manifest, mapping: Mapping, name: str, text: str) -> Edit | None:
    """Append a pair to a flow mapping."""
    items = mapping.items
    if not items:
        start, end = mapping.content
        if manifest.text[start + 1 : end - 1].strip():
            return None
        return Edit(start + 1, end - 1, f"{name}: {text}")
    key, last = items[-1]
    end_of_last = yaml_fixes.end_of(last, key)
    if end_of_last is None or any(item.shared for _, item in items):
        return None
    if key.style == "double" and not name.startswith('"'):
        name = yaml_fixes.quoted(name)
    first = items[0][0].span.start
    line = manifest.text.rfind("\n", 0, first) + 1
    own_lines = not manifest.text[line:first].strip()
    between = f",\n{' ' * (first - line)}" if own_lines else ", "
    if own_lines and "\r\n" in manifest.text:
        between = between.replace("\n", "\r\n")
    return Edit(end_of_last, end_of_last, f"{between}{name}: {text}")
