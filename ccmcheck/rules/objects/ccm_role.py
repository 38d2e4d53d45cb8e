"""A ClusterRole of the CCM without a right that its release needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import ACCOUNT, OWN_ACCOUNTS, CcmPod
from ccmcheck.catalog import Release, ccm_chart
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.ccm_chart import TURNS
from ccmcheck.catalog.data.ccm_rights import CCM_RIGHTS, CCM_ROLES, CcmRight
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, mappings, text_of

_ANY, _LEASES, _NAME = "*", "coordination.k8s.io", "cloud-controller-manager"
_CHART = (
    "With --use-service-account-credentials it is `cloud-controller-manager`; charts before 2.28.2 bind another one."
)


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
    has_own = {(OWN_ACCOUNTS, "true") in pod.choices for pod in pods}
    missing = {
        right: _account(right, pods, manifest.release)
        for right in CCM_RIGHTS
        if behaves(right.behaviour, manifest.release)
        and (right.own_accounts is None or has_own == {right.own_accounts})
        and not (right.unless and any(flag.startswith(right.unless) for pod in pods for flag in pod.flags))
        and not _has(right, _account(right, pods, manifest.release), manifest)
    }
    unbound = {
        f"`{account}` does not have the role `{role.name}`": None
        for right, account in missing.items()
        for role in manifest.neighbours
        if role.kind == manifest.kind and not _is_bound(manifest, role.name, account) and _allows([role.node], right)
    }
    what = " and ".join(f"`{right.verb}` of `{right.resource}`" for right in missing)
    label = f"does not allow the CCM {what}"
    advice = "Apply the ClusterRole of the CCM's own release, and bind it to the account that the CCM uses."
    if unbound:
        label = f"leaves the CCM without {what}: {' and '.join(unbound)}"
        advice = f"Name the account in the subjects of that role's ClusterRoleBinding. {_CHART}"
    elif missing and manifest.is_derived and all(right.resource in TURNS for right in missing):
        advice = f"Install chart {max(ccm_chart.from_when(right.resource) for right in missing)} or a newer one."
    if missing:
        yield Problem(name.content, label, " ".join(right.without for right in missing), advice)


def _account(right: CcmRight, pods: list[CcmPod], release: Release) -> str:
    """The account that needs a right, ``NAMESPACE/NAME``; empty if unknown."""
    if right.account and all((OWN_ACCOUNTS, "true") in pod.choices for pod in pods):
        return f"kube-system/{right.account}" if behaves("patches-as-manager", release) else ""
    names = {dict(pod.choices).get(ACCOUNT, "") for pod in pods}
    return names.pop() if len(names) == 1 else ""


def _is_bound(manifest: Manifest, role: str, account: str) -> bool:
    """Whether an account has a role; of a role that nothing beside it binds, that is not known, and so for all."""
    bindings = manifest.run_context.bindings
    near = {name for one in manifest.nearby(bindings) for name, _ in one.labels}
    who = {subject for one in bindings for name, subject in one.labels if name == role}
    return not account or role not in near or not who.isdisjoint(("", account))


def _has(right: CcmRight, account: str, manifest: Manifest) -> bool:
    """Whether the roles of the file, or others that are bound to the account, may allow it."""
    roles = {item.name: item.node for item in manifest.neighbours if item.kind == manifest.kind}
    bound = {name for one in manifest.run_context.bindings for name, who in one.labels if who == account != ""}
    if not bound <= roles.keys() or (right.unless and not (bound and _NAME in account)):
        return True
    return _allows([role for name, role in roles.items() if _is_bound(manifest, name, account)], right)


def _allows(roles: Iterable[Mapping], right: CcmRight) -> bool:
    allowed = {pair for role in roles for pair in _allowed(role)}
    return any((resource, verb) in allowed for resource in (right.resource, _ANY) for verb in (right.verb, _ANY))


def _allowed(role: Mapping) -> Iterator[tuple[str, str]]:
    """The resources and the verbs that a role allows, of the core group for all names."""
    for rule in mappings(role.get("rules")):
        groups = _texts(rule, "apiGroups")
        if _LEASES in groups or (rule.get("resourceNames") is None and not {"", _ANY}.isdisjoint(groups)):
            yield from ((resource, verb) for resource in _texts(rule, "resources") for verb in _texts(rule, "verbs"))


def _texts(rule: Mapping, name: str) -> list[str]:
    node = rule.get(name)
    return [text_of(item) or "" for item in node.items] if isinstance(node, Sequence) else []
