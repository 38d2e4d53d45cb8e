"""Wrong base64 encoding in a Secret."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterator

from ccmcheck.base.model import Edit, Fix, Problem, Problems
from ccmcheck.catalog.data.cluster import RESOURCE_SET_TYPE
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.manifest import (
    DecodedBase64,
    Manifest,
    decoded_base64,
    looks_like_cloud_conf,
    names_cloud_conf,
)
from ccmcheck.yamlio import Mapping, Scalar

_USUAL = "cloud.conf"


def check(manifest: Manifest) -> Problems:
    """Decode what must be base64, and look for base64 elsewhere."""
    data, strings = manifest.node.get("data"), manifest.node.get("stringData")
    if not _is_ours(manifest, data) and not _is_ours(manifest, strings):
        return
    for name, value in _values(manifest, data):
        decoded = decoded_base64(value.value)
        if decoded is None:
            yield from _not_encoded(manifest, value)
        elif not decoded.strict:
            yield Problem(
                value.content,
                "invalid base64: without padding, or with spaces in it",
                "The API server rejects the whole Secret.",
                "Encode the value again: `base64 -w0`.",
                _encode(manifest, value, decoded.text),
            )
        elif (
            "[" not in decoded.text
            and names_cloud_conf(name, manifest.name)
            and (encoding := _encoding_of(decoded.text))
        ):
            yield from _twice(manifest, value, decoded, encoding)
    for name, value in _values(manifest, strings):
        if names_cloud_conf(name, manifest.name) and (encoding := _encoding_of(value.value)):
            yield Problem(
                value.content,
                f"this is {encoding}, but `stringData` is not decoded",
                "The CCM reads the encoded text as its cloud.conf and does not start.",
                "Move it to `data`, or write the plain text.",
                _to_data(manifest, name, value),
            )


def _encoding_of(text: str) -> str | None:
    from ccmcheck.catalog.foreign_format import encoding_of

    return encoding_of(text)


def _is_ours(manifest: Manifest, node: object) -> bool:
    """Whether a mapping of values contains a cloud.conf, or manifests for another cluster."""
    if not isinstance(node, Mapping):
        return False
    keys = [key.value for key, _ in node.items]
    if _USUAL in keys or any(names_cloud_conf(key, manifest.name) for key in keys):
        return True
    return manifest.text_at("type") == RESOURCE_SET_TYPE


def _values(manifest: Manifest, node: object) -> Iterator[tuple[str, Scalar]]:
    """The values that are no templates."""
    if isinstance(node, Mapping):
        for key, value in node.items:
            if isinstance(value, Scalar) and value.value.strip() and not manifest.has_mark(value):
                yield key.value, value


def _not_encoded(manifest: Manifest, value: Scalar) -> Problems:
    text = value.value
    if "\n" not in text:
        return  # likely filled in or decrypted by another tool, such as SOPS: a cloud.conf has more than one line
    yield Problem(
        value.content,
        "not base64, which every value in `data` must be",
        "The API server rejects the whole Secret.",
        "Move it to `stringData`, or encode it: `base64 -w0`.",
        _to_strings(manifest) or _encode(manifest, value, text),
    )


def _twice(manifest: Manifest, value: Scalar, decoded: DecodedBase64, encoding: str) -> Problems:
    inner = decoded.text.strip()
    once = decoded_base64(inner)
    edit = (
        yaml_fixes.overwrite(value, "".join(inner.split()))
        if once is not None and once.strict and looks_like_cloud_conf(once.text)
        else None
    )
    yield Problem(
        value.content,
        f"encoded twice: this decodes to {encoding}",
        "Kubernetes decodes it once; the CCM reads the inner encoding as its cloud.conf and does not start.",
        "Encode the text once.",
        yaml_fixes.safe(manifest, "encode it once", edit) if edit is not None else None,
    )


def _to_strings(manifest: Manifest) -> Fix | None:
    """Rename `data` where all of it is plain text."""
    key, data = manifest.node.key("data"), manifest.node.get("data")
    if key is None or not isinstance(data, Mapping) or manifest.node.get("stringData") is not None:
        return None
    values = [value for _, value in data.items]
    if not all(isinstance(value, Scalar) and decoded_base64(value.value) is None for value in values):
        return None
    return yaml_fixes.safe(manifest, "rename it to `stringData`", yaml_fixes.write(manifest, key, "stringData"))


def _to_data(manifest: Manifest, name: str, value: Scalar) -> Fix | None:
    """Move an encoded value to where it is decoded."""
    decoded = decoded_base64(value.value)
    if decoded is None or not decoded.strict or not looks_like_cloud_conf(decoded.text):
        return None
    key, strings = manifest.node.key("stringData"), manifest.node.get("stringData")
    data = manifest.node.get("data")
    title = "move it to `data`"
    if key is None or not isinstance(strings, Mapping):
        return None
    if len(strings.items) == 1:
        edit = yaml_fixes.write(manifest, key, "data") if data is None else None
        return yaml_fixes.safe(manifest, title, edit)
    if not isinstance(data, Mapping):
        return None
    edits: tuple[Edit | None, ...] = yaml_fixes.move_entry(manifest, strings, name, data)
    return yaml_fixes.safe(manifest, title, *edits)


def _encode(manifest: Manifest, value: Scalar, text: str) -> Fix | None:
    if value.style == "folded":
        return None
    encoded = b2a_base64(text.encode("utf-8", "surrogateescape"), newline=False).decode("ascii")
    return yaml_fixes.safe(manifest, "encode it", yaml_fixes.overwrite(value, encoded))
