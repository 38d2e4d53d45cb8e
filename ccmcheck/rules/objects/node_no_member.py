"""A node that load balancers cannot use."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.carriers.live import LiveNode
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.cluster import KEEPS_NODES_WITHOUT_ID_SINCE, PROVIDER_NAME, UNINITIALIZED
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_config import balances, left_out
from ccmcheck.yamlio import Scalar, mappings, text_of

_FOREIGN = {
    "k3s": "Start the k3s servers with --disable-cloud-controller and each kubelet with --cloud-provider=external",
    "rke2": "Write `cloud-provider-name: external` into the configuration of RKE2, which then runs no controller of its own",
}
"""What keeps the distribution's own controller from giving IDs (docs.k3s.io, docs.rke2.io "cloud-provider-name")."""

_OURS = f"{PROVIDER_NAME}://"
_NODE_IP = "alpha.kubernetes.io/provided-node-ip"
"""The annotation with the kubelet's --node-ip, whose address comes first."""
_CHOOSE = ("internal-network-name", "address-sort-order")
"""Keys that leave addresses out, or order them."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at what the cluster says of the node, or the file that was written from a cluster."""
    live = manifest.run_context.live
    nodes = live.nodes if live is not None else _written(manifest)
    region = live.region if live is not None else ""
    node = nodes.get(manifest.name)
    name = manifest.at("metadata", "name")
    if node is None or not isinstance(name, Scalar):
        return
    others = tuple(nodes.values())
    if node.left_out and all(other.left_out for other in others):
        yield Problem(
            name.content,
            f"no load balancer has a member: {_all(len(others))} left out, this one for {node.left_out}",
            "The service controller hands no node to the CCM.",
            "Remove the label: kubectl label node NAME node.kubernetes.io/exclude-from-external-load-balancers-",
            severity=Severity.ERROR,
        )
    elif node.left_out and not node.is_control_plane:
        yield Problem(
            name.content,
            f"gets no traffic from load balancers, for {node.left_out}",
            "The service controller leaves the node out of every pool.",
            "If that is not intended, remove the label: kubectl label node NAME LABEL-",
            severity=Severity.INFO,
        )
    if all(other.ready is False for other in others) and manifest.name == next(iter(nodes)):
        yield Problem(
            name.content,
            f"no node is Ready, this one and {len(others) - 1} more"
            if len(others) > 1
            else "the only node is not Ready",
            "Pods run nowhere, and load balancers that look at nodes lose their members.",
            "`kubectl describe node` says why; a network plug-in that waits for the CCM's addresses is a common reason.",
            severity=Severity.ERROR,
        )
    if node.uninitialized:
        yield Problem(
            name.content,
            f"waits for a CCM: it has the taint {UNINITIALIZED[0]}",
            "The CCM sets its addresses and its ID, and removes the taint; until then nothing is scheduled there.",
            _why_waiting(manifest),
        )
    elif not node.provider_id:
        yield Problem(
            name.content,
            "has no ID of a server, and no taint that lets the CCM initialize it",
            "Its kubelet was not started with --cloud-provider=external when it joined. Without `subnet-id` the CCM cannot "
            "find the subnet of the members by its ID, and it does not manage security groups of its ports. "
            f"CCM {KEEPS_NODES_WITHOUT_ID_SINCE} and newer keeps the Node when its server is deleted.",
            "Start its kubelet with --cloud-provider=external, and join it again.",
        )
    elif region and node.region and node.region != region:
        yield Problem(
            name.content,
            f"has an ID of region `{node.region}`, and the cloud.conf names `{region}`",
            'The CCM answers that the ID "didn\'t match supported region", and knows neither its server nor its addresses.',
            "Correct `region` in the cloud.conf, or run a CCM for each region.",
            severity=Severity.ERROR,
        )
    elif not node.provider_id.startswith(_OURS) or "/" not in node.provider_id.removeprefix(_OURS):
        yield Problem(
            name.content,
            f"has an ID that is not OpenStack's: `{node.provider_id}`",
            f"The CCM finds no server for it: the ID is `{_OURS}/UUID`, or `{_OURS}REGION/UUID`.",
            _FOREIGN.get(node.provider_id.partition("://")[0], "Start its kubelet with --cloud-provider=external")
            + ", and join it again: the ID cannot be changed.",
        )
    elif missing := sorted({family for other in others for family in other.families}.difference(node.families)):
        families = " and ".join(f"IPv{family}" for family in missing)
        yield Problem(
            name.content,
            f"has no {families} address, which other nodes have",
            "The CCM leaves it out of the pools of that family, so that it gets no traffic of such Services.",
            "Give its server a port with such an address: `openstack server show` names those that it has.",
        )
    elif several := _several(manifest):
        yield Problem(
            name.content,
            f"has {len(several)} InternalIPs of one family: its members in load balancers have the first, `{several[0]}`",
            "No cloud.conf here says which network is the nodes': the CCM writes the addresses of all ports of the server, in "
            + (
                "another order each time: upgrade to v1.17.0 or newer, which sort them by network."
                if behaves("shuffles-addresses", manifest.release)
                else "an order that may differ from node to node. From 1.24 on the kubelet's --node-ip comes first."
            ),
            "Name the nodes' network in [Networking] `internal-network-name`, or order addresses with `address-sort-order`.",
            severity=Severity.INFO,
        )


def _why_waiting(manifest: Manifest) -> str:
    """What to look at: --node-ip, the CCM's node selector, where no Node of the files has its label, else its log."""
    if "," in manifest.text_at("metadata", "annotations", _NODE_IP) and not behaves(
        "takes-two-node-ips", manifest.release
    ):
        return (
            f"Give the kubelet one address in --node-ip, or upgrade to CCM 1.29: {manifest.release.name} takes no two."
        )
    if not manifest.pods:
        return "Run a CCM: none is among what was read here, and without one the taint stays for ever."
    nodes = manifest.run_context.node_labels
    for pod in manifest.nearby(manifest.pods):
        for name, _ in (pod.placement.selector or ()) if pod.placement is not None and nodes else ():
            if not any(name == label for node in nodes for label, _ in node.labels):
                return f"Look at the CCM's pod first: it runs on nodes with the label `{name}`, which no Node here has."
    return "The CCM's log says why, if it stays so: the node's name must be the server's."


def _several(manifest: Manifest) -> list[str]:
    """The InternalIPs of the family of which there are several; empty where there are not, or something chooses."""
    confs = manifest.run_context.confs.get(manifest.path) or manifest.run_context.confs.get("", ())
    if not confs or any(word in conf.text.casefold() for conf in confs for word in _CHOOSE):
        return []
    if left_out(manifest.object) or not all(balances(conf, manifest.release) for conf in confs):
        return []
    if manifest.at("metadata", "annotations", _NODE_IP) is not None:
        return []
    found = mappings(manifest.at("status", "addresses"))
    internal = {text_of(item.get("address")) or "": None for item in found if text_of(item.get("type")) == "InternalIP"}
    families = [[one for one in internal if (":" in one) is six] for six in (False, True)]
    return next((family for family in families if len(family) > 1), [])


def _written(manifest: Manifest) -> dict[str, LiveNode]:
    """The Nodes of a file beside a CCM that have addresses, as `kubectl get nodes -o yaml` writes them.

    Beside a cloud.conf alone they may be of another cluster, unless their IDs or Services show that they are not.
    """
    nodes = {
        node.name: LiveNode(
            uninitialized=any(
                (text_of(taint.get("key")), text_of(taint.get("value"))) == UNINITIALIZED
                for taint in mappings(node.at("spec", "taints"))
            ),
            provider_id=node.text_at("spec", "providerID"),
            families=tuple(sorted({6 if ":" in address else 4 for address in addresses})),
        )
        for node in manifest.neighbours
        if node.kind == manifest.kind
        and (addresses := [text_of(item.get("address")) or "" for item in mappings(node.at("status", "addresses"))])
    }
    run, folder = manifest.run_context, folder_of(manifest.path)
    clouds = {node.provider_id.partition("://")[0] for node in nodes.values()}
    is_ours = PROVIDER_NAME in clouds or (run.services and not clouds.isdisjoint(("", *_FOREIGN)))
    has_conf = is_ours and any(folder_of(path) == folder for path in run.confs)
    return nodes if has_conf or manifest.nearby(manifest.pods) else {}


def _all(count: int) -> str:
    return "the only node is" if count == 1 else f"all {count} nodes are"
