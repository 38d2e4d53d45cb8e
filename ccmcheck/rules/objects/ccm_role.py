"""A ClusterRole of the CCM without a right that its release needs."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import OWN_ACCOUNTS
from ccmcheck.catalog import ccm_chart
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.ccm_chart import TURNS
from ccmcheck.catalog.data.ccm_rights import CCM_RIGHTS, CCM_ROLES
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, mappings, text_of

_ANY = "*"


def check(manifest: Manifest) -> Problems:
    """Compare what the roles of the file allow with what the CCM in its folder asks for, where its release is known."""
    rules = manifest.node.get("rules")
    name = manifest.at("metadata", "name")
    pods = [pod for pod in manifest.nearby(manifest.pods) if pod.release]
    # of a running cluster, what is bound to the CCM's account is here
    is_its_own = manifest.run_context.live is not None or any(part in manifest.name for part in CCM_ROLES)
    if not pods or not isinstance(name, Scalar) or not is_its_own:
        return
    if rules is None or manifest.has_mark(manifest.node) or manifest.has_template_lines(manifest.node.content):
        return
    if manifest.node.get("aggregationRule") is not None:
        return
    allowed = {pair for item in manifest.neighbours if item.kind == manifest.kind for pair in _allowed(item.node)}
    has_own = {(OWN_ACCOUNTS, "true") in pod.choices for pod in pods}
    missing = [
        right
        for right in CCM_RIGHTS
        if behaves(right.behaviour, manifest.release)
        and (right.own_accounts is None or has_own == {right.own_accounts})
        and not any((resource, verb) in allowed for resource in (right.resource, _ANY) for verb in (right.verb, _ANY))
    ]
    if missing:
        yield Problem(
            name.content,
            f"does not allow the CCM {' and '.join(f'`{right.verb}` of `{right.resource}`' for right in missing)}",
            " ".join(right.without for right in missing),
            f"Install chart {max(ccm_chart.from_when(right.resource) for right in missing)} or a newer one."
            if manifest.is_derived and all(right.resource in TURNS for right in missing)
            else "Apply the ClusterRole of the CCM's own release, and bind it to the account that the CCM uses.",
        )


def _allowed(role: Mapping) -> Iterator[tuple[str, str]]:
    """The resources of the core group and the verbs that a role allows, for all names."""
    for rule in mappings(role.get("rules")):
        if rule.get("resourceNames") is None and not {"", _ANY}.isdisjoint(_texts(rule, "apiGroups")):
            yield from ((resource, verb) for resource in _texts(rule, "resources") for verb in _texts(rule, "verbs"))


def _texts(rule: Mapping, name: str) -> list[str]:
    node = rule.get(name)
    return [text_of(item) or "" for item in node.items] if isinstance(node, Sequence) else []
