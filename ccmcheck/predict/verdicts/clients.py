"""Which clients get where they should: those that are to stay at a pod, and those of the Service's second IP family."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.records import Answer
from ccmcheck.predict.verdicts.context import READ, VerdictContext

_AFFINITY = "kubernetes.io/docs/reference/networking/virtual-ips, session affinity"


def affinity(context: VerdictContext) -> Iterator[Answer]:
    """Whether a client stays at one pod, where the Service asks for that."""
    if context.service.affinity != "ClientIP":
        return
    if context.driver.keeps_address is None:
        yield Answer("affinity", None, "whether a client stays at one pod is up to the provider")
    elif context.driver.keeps_address:
        yield Answer("affinity", True, "each client stays at one pod", "kube-proxy sees its address", _AFFINITY)
    else:
        many = f"so that at most {context.members} pods are used" if context.members else "not client by client"
        yield Answer(
            "affinity",
            False,
            f"each node sends all clients to one pod, {many}",
            "kube-proxy sees the amphora's address alone, and pins it to a pod for three hours by default",
            _AFFINITY,
        )


def families(context: VerdictContext) -> Iterator[Answer]:
    """Whether clients of both IP families get in, where the Service has both."""
    service = context.service
    if not context.behaviours["ip-families"] or not (service.dual or len(service.families) > 1):
        return
    first = service.families[0] if service.families else "the cluster's first IP family"
    yield Answer(
        "families",
        False if service.dual else None,
        f"only {first} gets a load balancer",
        "the CCM makes one, for the first of ipFamilies",
        READ,
    )
