"""A misspelt variable of Kubespray's for the CCM."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.base.suggest import nearest_name
from ccmcheck.catalog.data.notations import KUBESPRAY
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the names with those that Kubespray reads; another name may be somebody's own."""
    variables = manifest.at("spec")
    for key, _ in variables.items if isinstance(variables, Mapping) else ():
        name = key.value.removeprefix(KUBESPRAY.prefix)
        if name == key.value or name in KUBESPRAY.keys:
            continue
        nearest = nearest_name(name, tuple(KUBESPRAY.keys))
        if nearest is not None and len(_uses(manifest, key.value)) == 1:
            yield Problem(
                key.content,
                f"Kubespray reads no variable `{key.value}`",
                "Ansible ignores it without a word, and cloud.conf does not have the setting.",
                f"Write `{KUBESPRAY.prefix}{nearest}`.",
            )


def _uses(manifest: Manifest, name: str) -> list[str]:
    """Where the file has the name: one that it reads elsewhere is its owner's."""
    return re.findall(rf"\b{re.escape(name)}\b", manifest.object.source.stack.text)
