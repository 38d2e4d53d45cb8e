"""NodePorts that Terraform opens to the nodes alone, or not at all, so that no load balancer reaches them."""

from __future__ import annotations

import posixpath

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar

_FIRST, _LAST = 30000, 32767
"""The NodePorts of Kubernetes by default."""
_KUBELET = 10250
_OTHERS = lazy_regex(r"^[ \t]*+(?:module[ \t]|resource[ \t]++\"openstack_compute_secgroup|dynamic[ \t])", 8)
_MANAGED = "manage-security-groups"
_FIELDS = ("direction", "port_range_min", "port_range_max", "remote_group_id", "security_group_id")


def check(manifest: Manifest) -> Problems:
    """Look for another rule of the file that lets others in; what is computed may be one."""
    own = {name: manifest.written(node) for name in _FIELDS if isinstance(node := manifest.at("spec", name), Scalar)}
    first, last, group = (own.get(name, "") for name in _FIELDS[1:4])
    if not (first.isdigit() and last.isdigit()):
        return
    is_of_nodes = _FIRST <= int(first) <= int(last) <= _LAST and group and group == own.get("security_group_id")
    is_of_kubelets = int(first) <= _KUBELET <= int(last) < _FIRST and manifest.run_context.services > 0
    place = manifest.at("spec", "remote_group_id" if is_of_nodes else "port_range_min")
    if not (is_of_nodes or is_of_kubelets) or not isinstance(place, Scalar):
        return
    confs = manifest.nearest_confs
    if not confs or any(_MANAGED in conf.text for conf in confs) or _is_open_elsewhere(manifest):
        return
    others = [
        {name: one.source.value_of(node) for name in _FIELDS if isinstance(node := one.at("spec", name), Scalar)}
        for one in manifest.neighbours
        if one.kind == manifest.kind
    ]
    if any(_may_open(other, group) for other in others):
        return
    yield Problem(
        place.content,
        "only members of the nodes' own group reach the NodePorts; load balancers are in a group of Octavia's"
        if is_of_nodes
        else "opens the kubelet's port, and no rule of this file opens the NodePorts (30000-32767) to load balancers",
        ("H" if is_of_nodes else "Where no other group of the nodes does, h")
        + "ealth monitors see every member down, and connections to the Services are dropped. With the provider ovn "
        "they come with the client's address.",
        ("Write `remote_ip_prefix` with" if is_of_nodes else "Add a rule with `remote_ip_prefix` for")
        + " the network of the load balancers' subnet (for ovn with the clients' networks)"
        + (" in place of `remote_group_id`" if is_of_nodes else "")
        + f", or `{_MANAGED} = true` in [LoadBalancer].",
        severity=None if is_of_nodes else Severity.INFO,
    )


def _is_open_elsewhere(manifest: Manifest) -> bool:
    """Whether rules may stand in what is not read: modules, rules of Nova's groups, other files of the folder."""
    if _OTHERS.search(manifest.object.source.stack.text):
        return True
    folder = posixpath.dirname(manifest.path)
    return any(
        path != manifest.path and path.endswith((".tf", ".tf.json")) and posixpath.dirname(path) == folder
        for path in manifest.run_context.confs
    )


def _may_open(rule: dict[str, str], group: str) -> bool:
    """Whether a rule may let others than the group's own members in to a NodePort."""
    first, last = (rule.get(name, "") for name in _FIELDS[1:3])
    if rule.get("direction") == "egress" or rule.get("remote_group_id") == group:
        return False
    return not (first.isdigit() and last.isdigit()) or int(last) == 0 or (int(first) <= _LAST and int(last) >= _FIRST)
