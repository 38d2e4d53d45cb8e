"""A node that load balancers cannot use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ccmcheck.base.data_files import read_paragraphs
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.carriers.base import NearbyConf
from ccmcheck.carriers.live import LiveNode
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.cluster import KEEPS_NODES_WITHOUT_ID_SINCE, PROVIDER_NAME, ROLES, UNINITIALIZED
from ccmcheck.conf.starting import why_idle
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_config import balances, left_out
from ccmcheck.yamlio import Mapping, Scalar, field, mappings, text_of
from ccmcheck.yamlio import Sequence as YamlSequence

_FOREIGN = ("k3s", "rke2")
"""Distributions whose own controller gives IDs."""
_OURS = f"{PROVIDER_NAME}://"
_NODE_IP = "alpha.kubernetes.io/provided-node-ip"
"""The annotation with the kubelet's --node-ip, whose address comes first."""
_CHOOSE = ("internal-network-name", "address-sort-order")
"""Keys that leave addresses out, or order them."""
_NO_IPV6 = "ipv6-support-disabled"
_GROUPS = lazy_regex(r"(?im)^[ \t]*+manage-security-groups[ \t]*+=[ \t]*+\"?(\w*+)")
_ON = frozenset({"true", "yes", "on", "1"})
_REGION = lazy_regex(r"(?im)^[ \t]*+region[ \t]*+=[ \t]*+\"?([\w.-]++)\"?[ \t\r]*+$")


@cache
def _texts() -> dict[str, tuple[str, str, str]]:
    """What is said, by its name."""
    rows = read_paragraphs(__file__, "node_problems.txt")
    return {row["name"][0]: (row["text"][0], row.get("why", [""])[0], row.get("do", [""])[0]) for row in rows}


def _said(place: Span, name: str, severity: Severity | None = None, **words: object) -> Problem:
    text, why, do = (one.format(**words) for one in _texts()[name])
    return Problem(place, text, why, do, severity=severity)


def check(manifest: Manifest) -> Problems:
    """Look at what the cluster says of the node, or the file that was written from a cluster."""
    if manifest.kind != "Node":
        yield from _machine(manifest)
        yield from _networks(manifest)
        return
    live = manifest.run_context.live
    nodes = live.nodes if live is not None else _written(manifest)
    region = live.region if live is not None else _region(manifest)
    node = nodes.get(manifest.name)
    name = manifest.at("metadata", "name")
    if node is None or not isinstance(name, Scalar):
        return
    place, others = name.content, tuple(nodes.values())
    is_whole = live is not None or not _may_have_others(manifest, len(others))
    if node.left_out and all(other.left_out for other in others):
        if is_whole and (live is not None or manifest.run_context.services):
            whole = "the only node is" if len(others) == 1 else f"all {len(others)} nodes are"
            yield _said(place, "none", None if live is None else Severity.ERROR, all=whole, reason=node.left_out)
    elif node.left_out and not node.is_control_plane:
        stay = any(map(_manages_groups, _confs(manifest))) and behaves(
            "groups-stay-on-former-members", manifest.release
        )
        yield _said(place, "left out, groups stay" if stay else "left out", Severity.INFO, reason=node.left_out)
    if all(other.ready is False for other in others) and manifest.name == next(iter(nodes)):
        which = f"no node is Ready, this one and {len(others) - 1} more"
        which = which if len(others) > 1 else "the only node is not Ready"
        yield _said(place, "none ready", Severity.ERROR, which=which)
    if _is_foreign(node.provider_id):
        start = _texts().get(f"start {node.provider_id.partition('://')[0]}", _texts()["start"])
        yield _said(place, "foreign", id=node.provider_id, node=manifest.name, start=start[0])
    elif node.uninitialized:
        yield _said(place, "waiting", taint=UNINITIALIZED[0], look=_why_waiting(manifest))
    elif not node.provider_id:
        yield _said(place, "no id", since=KEEPS_NODES_WITHOUT_ID_SINCE)
    elif region and node.region and node.region != region:
        yield _said(place, "region", Severity.ERROR, other=node.region, region=region)
    else:
        yield from _addresses(manifest, node, others, place)


def _manages_groups(conf: NearbyConf) -> bool:
    return [word.lower() in _ON for word in _GROUPS.findall(conf.text)][-1:] == [True]


def _may_have_others(manifest: Manifest, count: int) -> bool:
    """Whether other files have Nodes, too, which may be of the same cluster: those of one Node may be anywhere."""
    nodes = [one for one in manifest.run_context.node_labels if one.path != manifest.path and not one.made_by]
    return bool(nodes if count == 1 else manifest.nearby(nodes))


def _is_foreign(provider_id: str) -> bool:
    """Whether an ID is none that the CCM takes."""
    return bool(provider_id) and (not provider_id.startswith(_OURS) or "/" not in provider_id.removeprefix(_OURS))


def _machine(manifest: Manifest) -> Problems:
    """Compare the ID that Cluster API expects with that of the Node, which the CCM has given."""
    expected = manifest.at("spec", "providerID")
    if not isinstance(expected, Scalar) or not expected.value.startswith(_OURS):
        return
    server = expected.value.rpartition("/")[2]
    given = {node.provider_id for node in manifest.run_context.node_labels}
    for other in sorted(one for one in given if one.startswith(_OURS) and one.rpartition("/")[2] == server):
        if server and expected.value not in given:
            is_plain = other.startswith(f"{_OURS}/")
            set_it = "Set it there (CCM 1.25 and newer)" if is_plain else "Take it out there"
            yield _said(expected.content, "machine", Severity.ERROR, id=other, set=set_it)


def _networks(manifest: Manifest) -> Problems:
    """Look for several networks of the servers that Cluster API makes, of which nothing chooses one for the Nodes."""
    spec = manifest.at(*(("spec", "template", "spec") if manifest.kind.endswith("Template") else ("spec",)))
    for name in ("networks", "ports"):
        refs = [one if name == "networks" else one.get("network") or one for one in mappings(field(spec, name))]
        count = len({manifest.text[slice(*ref.content)] for ref in refs})
        if count > 1 and "node-ip" not in manifest.text and _is_left_open(manifest, _CHOOSE):
            key = spec.key(name) if isinstance(spec, Mapping) else None
            yield _said((key or manifest.node).content, "networks", Severity.INFO, count=count)


def _addresses(manifest: Manifest, node: LiveNode, others: Sequence[LiveNode], place: Span) -> Problems:
    """What becomes of a node's addresses in pools."""
    kinds, internal = _addresses_of(manifest.node)
    families = [[one for one in internal if (":" in one) is six] for six in (False, True)]
    several = next((family for family in families if len(family) > 1), [])
    provided = manifest.text_at("metadata", "annotations", _NODE_IP)
    decides = bool(provided) and behaves("node-ip-decides", manifest.release)
    nodes = [_addresses_of(one.node)[1] for one in manifest.neighbours if one.kind == manifest.kind]
    firsts = {":" in one[0] for one in nodes if len({":" in address for address in one}) > 1}
    cidrs = manifest.at("spec", "podCIDRs")
    pods = {":" in (text_of(one) or "") for one in (cidrs.items if isinstance(cidrs, YamlSequence) else ())}
    if missing := sorted({family for other in others for family in other.families}.difference(node.families)):
        yield _said(place, "no family", families=" and ".join(f"IPv{family}" for family in missing))
    elif decides and internal == [provided] and len(pods) > 1:
        yield _said(place, "one node ip", family=4 if ":" in provided else 6)
    elif node.families and "ExternalIP" in kinds and not internal:
        yield _said(place, "external", Severity.INFO)
    elif several and not decides and _is_left_open(manifest, _CHOOSE):
        how = "shuffled" if behaves("shuffles-addresses", manifest.release) else "several"
        given = f", here `{provided}`," if provided else ""
        yield _said(place, how, Severity.INFO, count=len(several), first=several[0], given=given)
    elif all(families) and not decides and len(firsts) > 1 and _is_left_open(manifest, (*_CHOOSE, _NO_IPV6)):
        yield _said(place, "first", Severity.INFO, family=6 if ":" in internal[0] else 4)


def _addresses_of(node: Mapping) -> tuple[list[str], list[str]]:
    """The kinds of a Node's addresses, and its InternalIPs."""
    found = [
        (text_of(one.get("type")) or "", text_of(one.get("address")) or "")
        for one in mappings(field(node, "status", "addresses"))
    ]
    return [kind for kind, _ in found], list(dict.fromkeys(address for kind, address in found if kind == "InternalIP"))


def _why_waiting(manifest: Manifest) -> str:
    """What to look at: --node-ip, the CCM's node selector, where no Node of the files has its label, else its log."""
    is_pair = "," in manifest.text_at("metadata", "annotations", _NODE_IP)
    if is_pair and not behaves("takes-two-node-ips", manifest.release):
        return _texts()["pair"][0].format(release=manifest.release.name)
    if not manifest.pods:
        return _texts()["no ccm"][0]
    nodes = manifest.run_context.node_labels
    if idle := why_idle(manifest.nearby(manifest.pods), nodes):
        return f"{idle[:1].upper()}{idle[1:]}."
    for pod in manifest.nearby(manifest.pods):
        for name, _ in (pod.placement.selector or ()) if pod.placement is not None and nodes else ():
            if not any(name == label for node in nodes for label, _ in node.labels):
                which = "no Node here has" if len(nodes) > 1 else "this Node, the only one here, does not have"
                return f"Look at the CCM's pod first: it runs on nodes with the label `{name}`, which {which}."
    return "The CCM's log says why, if it stays so: the node's name must be the server's."


def _confs(manifest: Manifest) -> tuple[NearbyConf, ...]:
    return manifest.run_context.confs.get(manifest.path) or manifest.run_context.confs.get("", ())


def _is_left_open(manifest: Manifest, keys: Sequence[str]) -> bool:
    """Whether no cloud.conf near a member of load balancers has one of some keys."""
    confs = _confs(manifest)
    if not confs or any(word in conf.text.casefold() for conf in confs for word in keys):
        return False
    return not left_out(manifest.object) and all(balances(conf, manifest.release) for conf in confs)


def _region(manifest: Manifest) -> str:
    """The region of the only cloud.conf that is near, as far as it is written there."""
    confs = _confs(manifest)
    is_near = len(confs) == 1 and manifest.path.startswith(folder_of(confs[0].path))  # else of another cluster, maybe
    match = _REGION.search(confs[0].text) if is_near and not (confs[0].has_gaps or confs[0].marks) else None
    return match[1] if match is not None and "use-clouds" not in confs[0].text else ""


def _written(manifest: Manifest) -> dict[str, LiveNode]:
    """The Nodes of a file beside a CCM that have addresses, as `kubectl get nodes -o yaml` writes them.

    Beside a cloud.conf alone they may be of another cluster, unless their IDs or Services show that they are not.
    """
    nodes = {
        node.name: LiveNode(
            left_out(node) if behaves("knows-exclude-label", manifest.release) else "",
            any(
                (text_of(taint.get("key")), text_of(taint.get("value"))) == UNINITIALIZED
                for taint in mappings(node.at("spec", "taints"))
            ),
            node.text_at("spec", "providerID"),
            tuple(sorted({6 if ":" in address else 4 for address in addresses})),
            any(field(node.node, "metadata", "labels", role) is not None for role in ROLES),
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
