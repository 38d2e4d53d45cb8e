"""A ClusterRole of the CCM, or of the Cinder CSI driver, without a right that its release, or that of a sidecar, needs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.path_proximity import Itself
from ccmcheck.carriers.base import ACCOUNT, OWN_ACCOUNTS, ROLE, CcmPod, NodeLabels
from ccmcheck.catalog import Release, ccm_chart
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.ccm_chart import TURNS
from ccmcheck.catalog.data.ccm_rights import CCM_RIGHTS, CCM_ROLES, CcmRight
from ccmcheck.catalog.data.deployments import TOPOLOGY, TOPOLOGY_GATE
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, mappings, text_of

_ANY, _LEASES, _NAME = "*", "coordination.k8s.io", "cloud-controller-manager"
_GROUPS = {"", _ANY, "storage.k8s.io", "snapshot.storage.k8s.io"}
_SIDECAR = lazy_regex(r"attacher|provisioner|resizer|snapshotter")
_SIDECARS = "Add it, or apply deploy/kubernetes/rbac.yaml of the sidecar's own release; the driver's newest manifests have all of them."
_Roles: TypeAlias = dict[str, set[tuple[str, str]]]
_CHART = " With --use-service-account-credentials the CCM needs it; charts before 2.28.2 bind another one."


def check(manifest: Manifest) -> Problems:
    """Compare what the roles of the file allow with what the CCM and the driver in its folder ask for, by their releases."""
    rules = manifest.node.get("rules")
    name = manifest.at("metadata", "name")
    pods = [pod for pod in manifest.nearby(manifest.pods) if pod.release]
    # of a running cluster, what is bound to the CCM's account is here
    is_its_own = manifest.run_context.live is not None or any(part in manifest.name for part in CCM_ROLES)
    if not isinstance(name, Scalar) or not (pods or manifest.run_context.drivers):
        return
    if rules is None or manifest.has_mark(manifest.node) or manifest.has_template_lines(manifest.node.content):
        return
    if any(item.node.get("aggregationRule") is not None for item in manifest.neighbours):
        return
    roles = {item.name: set(_allowed(item.node)) for item in manifest.neighbours if item.kind == manifest.kind}
    if not pods or not is_its_own:
        yield from _of_driver(manifest, name, roles)
        return
    advice = "Apply the ClusterRole of the CCM's own release, and bind it to the account that the CCM uses."
    has_own = {(OWN_ACCOUNTS, "true") in pod.choices for pod in pods}
    missing = []
    for right in CCM_RIGHTS:
        if right.program or not behaves(right.behaviour, manifest.release):
            continue
        account, having = _account(right, pods, manifest.release), _having(roles, right)
        is_changed = right.unless and any(flag.startswith(right.unless) for pod in pods for flag in pod.flags)
        if is_changed or _has(manifest, account, having, right):
            continue
        if right.own_accounts is None or has_own == {right.own_accounts}:
            missing.append(right)
            advice = (
                f"Name `{account}` in the subjects of a binding of `{having[0]}`.{_CHART * (True in has_own)}"
                if having
                else advice
            )
    missing = [right for right in missing if not right.is_info] or missing
    if missing and manifest.is_derived and all(right.resource in TURNS for right in missing):
        advice = f"Install chart {max(ccm_chart.from_when(right.resource) for right in missing)} or a newer one."
    if missing:
        what = " and ".join(f"`{right.verb}` of `{right.resource}`" for right in missing)
        why = " ".join(right.without for right in missing)
        severity = Severity.INFO if missing[0].is_info else None
        yield Problem(name.content, f"does not allow the CCM {what}", why, advice, severity=severity)


def _of_driver(manifest: Manifest, name: Scalar, roles: _Roles) -> Problems:
    """Compare what the roles of an account allow with what the sidecars in its pods beside the driver ask for."""
    missing: dict[CcmRight, None] = {}
    for choices in (dict(pod.choices) for pod in manifest.nearby(manifest.run_context.drivers)):
        account = choices.get(ACCOUNT, "")
        bound = _by_account(Itself(manifest.run_context.bindings)).get(account, set())
        own = [role for role in roles if role in bound and "csi" in account]  # files with others' bindings are not read
        has_gate = choices.get(TOPOLOGY_GATE) in ("on", "true") and choices.get(TOPOLOGY) != "false"
        for right in CCM_RIGHTS:
            place = max(own, key=lambda role: (right.program[4:] in role, len(roles[role])), default="")
            is_needed = int(choices.get(right.program, -1)) >= right.since and (has_gate or not right.gate)
            # where each role is named for another sidecar, this one's are not in these files
            is_needed = is_needed and any(set(_SIDECAR.findall(role)) <= {right.program[4:]} for role in own)
            if is_needed and place == manifest.name and not _has(manifest, account, _having(roles, right), right):
                missing[right] = None
    if missing:
        what = " and ".join(f"{right.program} `{right.verb}` of `{right.resource}`" for right in missing)
        yield Problem(name.content, f"does not allow {what}", " ".join(right.without for right in missing), _SIDECARS)


def _having(roles: _Roles, right: CcmRight) -> list[str]:
    """The roles that have a right."""
    pairs = set(product((right.resource, _ANY, f"*/{right.resource.partition('/')[2]}"), (right.verb, _ANY)))
    return [name for name, allowed in roles.items() if not allowed.isdisjoint(pairs)]


def _account(right: CcmRight, pods: list[CcmPod], release: Release) -> str:
    """The account that needs a right, ``NAMESPACE/NAME``; empty if unknown."""
    if right.account and all((OWN_ACCOUNTS, "true") in pod.choices for pod in pods):
        return f"kube-system/{right.account}" if behaves("patches-as-manager", release) else ""
    names = {"" if "kubeconfig" in pod.flags else dict(pod.choices).get(ACCOUNT, "") for pod in pods}
    return names.pop() if len(names) == 1 else ""


def _has(manifest: Manifest, account: str, having: list[str], right: CcmRight) -> bool:
    """Whether the account may have one of some roles; one that nothing beside it binds counts for all."""
    bindings = manifest.run_context.bindings
    near = {role for one in manifest.nearby(bindings) for role, _ in one.labels}
    by_account = _by_account(Itself(bindings))
    own = {account, f"/{account.rpartition('/')[2]}"} - {""}
    its = {role for one in own for role in by_account.get(one, ())}
    known = its | by_account.get("", set())
    could = {role for role in its if right.resource == "leases" or not role.startswith(ROLE)}
    if could - {item.name for item in manifest.neighbours} or (right.unless and not (its and _NAME in account)):
        return True
    return any(not account or role not in near or role in known for role in having)


@lru_cache(maxsize=4)
def _by_account(bindings: Itself[NodeLabels]) -> dict[str, set[str]]:
    """The roles of each account of the run; of subjects that are none, or unknown, under the empty name."""
    roles: dict[str, set[str]] = {}
    for one in bindings.records:
        for role, account in one.labels:
            roles.setdefault(account, set()).add(role)
    return roles


def _allowed(role: Mapping) -> Iterator[tuple[str, str]]:
    """The resources and the verbs that a role allows for all names, of the core group and those of storage."""
    for rule in mappings(role.get("rules")):
        groups = _texts(rule, "apiGroups")
        if _LEASES in groups or (rule.get("resourceNames") is None and not _GROUPS.isdisjoint(groups)):
            yield from ((resource, verb) for resource in _texts(rule, "resources") for verb in _texts(rule, "verbs"))


def _texts(rule: Mapping, name: str) -> list[str]:
    node = rule.get(name)
    return [text_of(item) or "" for item in node.items] if isinstance(node, Sequence) else []
