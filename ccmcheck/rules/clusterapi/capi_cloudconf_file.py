"""A cloud.conf file with wrong permissions or encoding."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.foreign_format import encoding_of
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import machines
from ccmcheck.rules.views.manifest import Manifest, looks_like_cloud_conf, names_cloud_conf
from ccmcheck.yamlio import Mapping, Scalar, YamlNode, kubernetes_scalar, mappings, text_of

_PRIVATE = '"0600"'
_DEFAULT_MODE = "0644"
_OTHERS = 0o077
_MODES = lazy_regex(r"0?o?[0-7]{3,4}\Z")
_ROOTS = ("root", "0")
_RIGHT_OWNERS = (None, "root", "root:root")
_ENCODED_VARIABLE = lazy_regex(r"\$\{\w*_B64(?::?[=-][^{}]*)?\}\Z")


def check(manifest: Manifest) -> Problems:
    """Look at each entry for a cloud.conf."""
    machine_config = machines(manifest)
    if machine_config is None:
        return
    for entry in mappings(machine_config.spec.get("files")):
        values = {key.value: value for key, value in entry.items}
        path = values.get("path")
        if isinstance(path, Scalar) and names_cloud_conf(path.value) and not manifest.has_mark(path):
            if not _is_private(values):
                yield from _permissions(manifest, entry, path)
            if "encoding" in values or "[" not in (text_of(values.get("content")) or "["):
                yield from _encoding(manifest, entry)


def _is_private(values: dict[str, YamlNode]) -> bool:
    """Whether an entry has the right permissions and owner; checked first because most have."""
    mode = values.get("permissions")
    owner = text_of(values.get("owner"))
    return isinstance(mode, Scalar) and mode.value == "0600" and mode.style != "plain" and owner in _RIGHT_OWNERS


def _permissions(manifest: Manifest, entry: Mapping, path: Scalar) -> Problems:
    mode, owner = entry.get("permissions"), entry.get("owner")
    why = "It contains the cloud's credentials, and any process of the machine can read it."
    if mode is None:
        key = entry.key("path")
        edit = yaml_fixes.insert_entry(
            manifest, entry, "permissions", "0600", after="owner" if owner is not None else "path"
        )
        yield Problem(
            key.span if key is not None else path.content,
            f"without `permissions` the mode of the file is {_DEFAULT_MODE}",
            why,
            f"Write `permissions: {_PRIVATE}`.",
            yaml_fixes.safe(manifest, f"write `permissions: {_PRIVATE}`", edit),
        )
    elif isinstance(mode, Scalar) and not manifest.has_mark(mode):
        if not isinstance(kubernetes_scalar(mode), str):
            yield Problem(
                mode.content,
                "YAML reads this as a number, but the field is a string",
                "The API server rejects the object.",
                "Quote it.",
                yaml_fixes.safe(manifest, "quote the value", yaml_fixes.overwrite(mode, mode.value)),
                severity=Severity.ERROR,
            )
        elif _MODES.match(mode.value) and int(mode.value.replace("o", ""), 8) & _OTHERS:
            yield Problem(
                mode.content,
                "users other than root can read the file",
                why,
                f"Write `{_PRIVATE}`.",
                yaml_fixes.safe(manifest, f"write `{_PRIVATE}`", yaml_fixes.write(manifest, mode, "0600")),
            )
    if isinstance(owner, Scalar) and not manifest.has_mark(owner):
        user = owner.value.partition(":")[0]
        if user and user not in _ROOTS:
            yield Problem(
                owner.content,
                f"`{user}` can read and change the file",
                "It contains the cloud's credentials.",
                "Write `root:root`.",
                yaml_fixes.safe(manifest, "write `root:root`", yaml_fixes.write(manifest, owner, "root:root")),
            )


def _encoding(manifest: Manifest, entry: Mapping) -> Problems:
    content, encoding = entry.get("content"), entry.get("encoding")
    if not isinstance(content, Scalar):
        return
    opaque = manifest.has_mark(content)
    if encoding is None:
        if not (_ENCODED_VARIABLE.match(manifest.written(content)) if opaque else encoding_of(content.value)):
            return
        yield Problem(
            content.content,
            "base64 without `encoding: base64`",
            "The file is not decoded on the machine, so it is not a valid cloud.conf.",
            "Add `encoding: base64`.",
            yaml_fixes.safe(
                manifest, "add `encoding: base64`", yaml_fixes.insert_entry(manifest, entry, "encoding", "base64")
            ),
            severity=Severity.ERROR,
        )
    elif not opaque and text_of(encoding) and looks_like_cloud_conf(content.value):
        yield Problem(
            encoding.content,
            "the content is not encoded",
            "Decoding it fails or writes an invalid file.",
            "Delete `encoding`.",
            yaml_fixes.safe(manifest, "delete `encoding`", yaml_fixes.delete_entry(manifest, entry, "encoding")),
            severity=Severity.ERROR,
        )
