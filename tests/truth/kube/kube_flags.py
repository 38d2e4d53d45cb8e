"""The flags of the real CCM and their defaults, beside what the catalogue says of them."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from ccmcheck.catalog.data.ccm_flags import DEFAULTS, DURATIONS, LISTS, SWITCHES
from ccmcheck.workspace.deployment.ccm_flags import effective

if TYPE_CHECKING:
    from pathlib import Path

    from kube_checks import Checks

_FLAG = re.compile(r"\s+(?:-\w, )?--([a-z0-9-]+)(?: (\S+))?(?:\s{2,}|$)(.*)")
_DEFAULT = re.compile(r"\(default ([^()]*?)\)$")
_LISTS = ("strings", "stringArray", "mapStringBool")
_OF_NO_VALUE = ("help", "version", "feature-gates", "tls-curve-preferences", "webhook-tls-curve-preferences")


def check_flags(checks: Checks, tag: str, binary: Path) -> None:
    """Compare what the catalogue says with what a CCM prints."""
    done = subprocess.run([binary, "--help"], capture_output=True, text=True, timeout=60, check=True)
    types: dict[str, str] = {}
    defaults: dict[str, str] = {}
    name = ""
    for line in done.stdout.splitlines():
        match = _FLAG.match(line)
        if match is not None:
            name = match[1]
            types[name] = match[2] or "bool"
        default = _DEFAULT.search(line)
        if name and default is not None and name not in _OF_NO_VALUE:
            defaults.setdefault(name, default[1].strip('"[]'))
    checks.hold(f"{tag} prints its flags", "cluster-name" in types, done.stdout)
    wrong = {
        name: (given, DEFAULTS.get(name))
        for name, given in defaults.items()
        if effective(name, given) != effective(name, None)
    }
    checks.hold(f"{tag} has these defaults", not wrong, wrong)
    kinds = {
        "bool": (SWITCHES, {name for name, kind in types.items() if kind == "bool"}),
        "duration": (DURATIONS, {name for name, kind in types.items() if kind == "duration"}),
        "list": (LISTS, {name for name, kind in types.items() if kind in _LISTS}),
    }
    for kind, (known, found) in kinds.items():
        missing = found - known - set(_OF_NO_VALUE)
        checks.hold(f"{tag} has these flags of kind {kind}", not missing, missing)
