"""What the states of objects mean that files show: of those alone that a deployment is known to use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ccmcheck.cluster.access.documents import text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import catalog, cloud_state, service_annotations, service_input
from ccmcheck.cluster.octavia.requests import BALANCERS, CloudRequest
from ccmcheck.cluster.preflight.cloud import PreflightCheck, SavedCloud

_OF_CCM = re.compile(r"(?:\w+_\d+_)?(kube_service_.+?(_.+))")
_LONGEST, _LONGEST_NAME = 64, 300
_OF_ALL = {"quotas": "quota", "volumes": "volume"}
_BY_NAME = "servers"


def owners(
    named: Mapping[str, str], nodes: Sequence[cloud_state.Node], services: Sequence[service_input.Service]
) -> dict[str, str]:
    """Whose an object is, by its ID, its name, or the end of the name that the CCM gives.

    Args:
        named: What the cloud.conf names, and where.
        nodes: The Nodes.
        services: The Services.
    """
    found = {value: about for value, about in named.items() if value}
    for node in nodes:
        identifier = (node.provider_id or "").rpartition("/")[2]
        found[identifier or node.name] = f"Node {node.name}"
    for service in services:
        balancer = service.annotations.get(service_annotations.BALANCER_ID, "")
        found |= {f"_{service.namespace}_{service.name}": service.title, balancer or "_": service.title}
    return found


def states(cloud: SavedCloud, known: Mapping[str, str]) -> Iterator[PreflightCheck]:
    """What the states of the objects of a deployment mean.

    Args:
        cloud: What the files hold.
        known: See `owners`.
    """
    lists = {kind: cloud.list(CloudRequest("", "", kind, kind)) for kind in cloud.kinds}
    ends: dict[str, set[str]] = {}
    for name, end in (pair for listed in lists.values() for one in listed.documents for pair in _ends(one)):
        ends.setdefault(end, set()).add(name)
    # those of another cluster in the project may end alike
    known = {key: owner for key, owner in known.items() if len(ends.get(key, ())) <= 1}
    balancers = lists[BALANCERS.key].documents if BALANCERS.key in lists else ()
    known |= {text(one.get("id")): owner for one in balancers if (owner := _owner("", one, known))}
    known.pop("", None)
    for kind, listed in lists.items():
        for row in (one for one in catalog.saved_states() if re.fullmatch(one.kinds, kind)):
            for item in listed.documents:
                owner, shown = _owner(kind, item, known), {key: str(one)[:_LONGEST] for key, one in item.items()}
                if owner and all(key in shown and _fits(shown, key, form) for key, form in row.when):
                    said, do = (_filled(one, shown) for one in (row.text, row.do))
                    yield PreflightCheck(owner, False if row.is_bad else None, said, do, listed.asked)


def _fits(shown: Mapping[str, str], key: str, form: str) -> bool:
    same = re.fullmatch(r"\{(\w+)\}", form)
    return shown[key] == shown.get(same[1]) if same else re.fullmatch(form, shown[key]) is not None


def _filled(said: str, shown: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda word: shown.get(word[1], word[1].upper()), said)


def _owner(kind: str, item: Document, known: Mapping[str, str]) -> str:
    if kind in _OF_ALL:
        return _OF_ALL[kind]
    for key in ("id", "loadbalancer_id", *(("name",) if kind == _BY_NAME else ())):
        if owner := known.get(text(item.get(key))):
            return owner
    return next((known[end] for _, end in _ends(item) if end in known), "")


def _ends(item: Document) -> Iterator[tuple[str, str]]:
    """The name that the CCM gives all that it makes for a Service, with each end that may be the Service's."""
    made = _OF_CCM.fullmatch(text(item.get("name"))[:_LONGEST_NAME])
    if made is not None:
        yield from ((made[1], made[2][at.start() :]) for at in re.finditer("_", made[2]))
