"""A file of cloud-provider-openstack's branch, which changes with each release, or is there no more."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.catalog.data.upstream_manifests import GONE
from ccmcheck.rules.views.manifest import Manifest

_URL = lazy_regex(
    r"(?m)^(?![ \t]*+(?:#|//))[^\n]*?https://raw\.githubusercontent\.com/kubernetes/cloud-provider-openstack/"
    r"(?P<ref>(?:refs/heads/)?master)/(?P<path>[\w./-]+\.ya?ml)"
)
_AT_A_TAG = "Write the tag of your release in the place of `master`, or keep a copy of the file."


def check(manifest: Manifest) -> Problems:
    """Look at each file that is gone, and at the first of the others."""
    gone: dict[str, Span] = {}
    first = None
    for match in _URL.finditer(manifest.text):
        old = next((old for old in GONE if match["path"].startswith(old)), "")
        if old:
            gone.setdefault(old, Span(*match.span("path")))
        elif first is None:
            first = Span(*match.span("ref"))
    for old, span in gone.items():
        yield Problem(
            span,
            f"the branch master of cloud-provider-openstack has {old} no more: the URL answers 404",
            "`kubectl apply` ends with an error there, and what the file installs is missing: roles, or the program itself.",
            f"There is {GONE[old]} instead. {_AT_A_TAG}",
        )
    if first is not None:
        yield Problem(
            first,
            "this installs what the branch has on that day",
            "Its selectors, tolerations, roles and images change with each release, and the next machine gets others.",
            _AT_A_TAG,
            severity=Severity.INFO,
        )
