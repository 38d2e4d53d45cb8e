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
_AT_A_TAG = (
    "Take the file of the tag of your release, such as `…/cloud-provider-openstack/v1.36.0/{}`, or a copy of it."
)


def check(manifest: Manifest) -> Problems:
    """Look at the first URL of each kind."""
    said: set[bool] = set()
    for match in _URL.finditer(manifest.text):
        path = match["path"]
        old, new = next((pair for pair in GONE.items() if path.startswith(pair[0])), ("", ""))
        if bool(new) in said:
            continue
        said.add(bool(new))
        span = Span(*match.span("path" if new else "ref"))
        if new:
            yield Problem(
                span,
                f"the branch master of cloud-provider-openstack has {old} no more: the URL answers 404",
                "What it installed is missing: without its roles the CCM, or the driver, is forbidden to read and write what it works with.",
                f"There is {new} instead. {_AT_A_TAG.format(new)}"
                if new.startswith("manifests")
                else f"There is {new}.",
            )
        else:
            yield Problem(
                span,
                "this installs what the branch has on that day",
                "Its selectors, tolerations, roles and images change with each release, and the next machine gets others.",
                _AT_A_TAG.format(path),
                severity=Severity.INFO,
            )
