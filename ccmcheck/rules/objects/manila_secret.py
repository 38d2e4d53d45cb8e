"""A Secret that the Manila CSI driver cannot log in with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data import deployments
from ccmcheck.catalog.data.deployments import MANILA_LOGINS, MANILA_PROVISIONER, MANILA_SECRETS
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, field, text_of


def check(manifest: Manifest) -> Problems:
    """Look at the Secrets that a StorageClass names, where they are in its file."""
    if not manifest.text_at("provisioner").endswith(MANILA_PROVISIONER):
        return
    parameters = manifest.at("parameters")
    seen: set[str] = set()
    for purpose in MANILA_SECRETS:
        named = field(parameters, f"csi.storage.k8s.io/{purpose}-secret-name")
        namespace = field(parameters, f"csi.storage.k8s.io/{purpose}-secret-namespace")
        known = namespace.value if isinstance(namespace, Scalar) and not manifest.has_mark(namespace) else ""
        keys = (
            _keys(manifest, named.value, known) if isinstance(named, Scalar) and not manifest.has_mark(named) else None
        )
        if not isinstance(named, Scalar) or keys is None or named.value in seen:
            continue
        seen.add(named.value)
        if empty := sorted(key for key in keys.empty if key in _read_keys()):
            yield Problem(
                named.content,
                f"this Secret has `{empty[0]}` without a value",
                f"The Manila CSI driver refuses it: `parameter '{empty[0]}' cannot be empty`, and volumes stay pending.",
                "Delete each key that has no value from the Secret.",
            )
        elif keys.isdisjoint(MANILA_LOGINS):
            yield Problem(
                named.content,
                "the Manila CSI driver finds no login in this Secret: it reads keys such as `os-authURL`, never a cloud.conf",
                "Volumes stay pending: `invalid OpenStack secrets`.",
                "Name a Secret with `os-authURL`, `os-region` and a login by `os-` keys.",
            )
        elif unmet := next(_unmet(keys, _first_minor(manifest.text)), None):
            key, needed, until = unmet
            names = (" and no " if keys.isdisjoint(needed) else ", ").join(f"`{name}`" for name in needed)
            yield Problem(
                named.content,
                f"this Secret has `{key}`, and {'no' if keys.isdisjoint(needed) else 'more than one of'} {names}",
                f"{f'Up to {until} the' if until else 'The'} driver then refuses it: `parameter '{key}' requires` exactly one "
                "of these, and volumes stay pending.",
                "Leave one login with all its keys in the Secret, and no key of a user beside an application credential.",
            )


class _Keys(set[str]):
    """The keys of a Secret, and those of them that are empty."""

    empty: frozenset[str] = frozenset()


def _read_keys() -> set[str]:
    """The keys of a login that the driver reads; others may be empty."""
    rows = read_table(deployments.__file__, "manila_needs.tsv")
    return {name for key, names, _ in rows for name in (key, *names.split(" "))}


def _first_minor(text: str) -> int:
    """The oldest minor release of the driver that a file names; 0 where it names none."""
    return min(map(int, re.findall(r"manila-csi-plugin:v?1\.(\d{1,3})(?!\d)", text)), default=0)


def _unmet(keys: set[str], minor: int) -> Iterator[tuple[str, list[str], str]]:
    """The keys that want exactly one of some others beside them, and have not; up to which release, if not in all."""
    for key, names, until in read_table(deployments.__file__, "manila_needs.tsv"):
        needed = names.split(" ")
        is_past = bool(until) and minor > int(until.removeprefix("1."))
        if key in keys and not is_past and sum(name in keys for name in needed) != 1:
            yield key, needed, until


def _keys(manifest: Manifest, name: str, namespace: str) -> _Keys | None:
    """The keys of a Secret of the same file; None where it is not there, has none yet, or rendering decides which."""
    found = [item for item in manifest.neighbours if item.kind == "Secret" and item.name == name]
    if len(found) != 1 or found[0].source.may_gain_lines(found[0].node):
        return None
    (secret,) = found
    nodes = [secret.at(part) for part in ("data", "stringData")]
    items = [item for node in nodes if isinstance(node, Mapping) for item in node.items]
    is_open = any(
        secret.source.has_mark(node) for node in (*(key for key, _ in items), *nodes) if isinstance(node, Scalar)
    )
    is_other = namespace and secret.namespace not in ("", namespace)
    keys = _Keys(key.value for key, _ in items)
    keys.empty = frozenset(key.value for key, value in items if text_of(value) == "")
    return None if is_open or is_other else keys or None
