"""A file of cloud-provider-openstack's branch, which changes with each release, or is there no more."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.catalog.data.upstream_manifests import GONE
from ccmcheck.rules.views.manifest import Manifest

_URL = lazy_regex(
    r"(?m)^(?![ \t]*+(?:#|//|(?:-[ \t]+)?(?:echo|printf)\b[^|&;\n]*$))[^\n]*?https://raw\.githubusercontent\.com/kubernetes/cloud-provider-openstack/"
    r"(?P<ref>(?:refs/heads/)?master)/(?P<path>[\w./-]+\.ya?ml)"
)
_AT_A_TAG = "Write the tag of your release in the place of `master`, or keep a copy of the file."


def check(manifest: Manifest) -> Problems:
    """Look at the files that are gone, those of one folder together, and at the first of the others."""
    gone: dict[str, dict[str, Span]] = {}
    first = None
    for match in _URL.finditer(manifest.text):
        old = next((old for old in GONE if match["path"].startswith(old)), "")
        if old:
            gone.setdefault(GONE[old].rpartition("/")[0], {}).setdefault(old, Span(*match.span("path")))
        elif first is None:
            first = match
    for files in gone.values():
        yield Problem(
            next(iter(files.values())),
            f"the branch master of cloud-provider-openstack has {' and '.join(files)} no more: the URL answers 404",
            "`kubectl apply` ends with an error there, and what the file installs is missing: roles, or the program itself.",
            f"There is {', and '.join(dict.fromkeys(GONE[old] for old in files))} instead. {_AT_A_TAG}",
        )
    if first is not None:
        yield Problem(
            Span(*first.span("ref")),
            f"this installs {first['path']} as the branch has it on that day",
            "Its selectors, tolerations, roles and images change with each release, and the next machine gets others.",
            _AT_A_TAG,
            severity=Severity.INFO,
        )
