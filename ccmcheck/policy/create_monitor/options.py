"""The draft standard's five options for externalTrafficPolicy Local: what each needs, brings and costs.

Read in SovereignCloudStack/standards 3440c8f8, Standards/scs-XXXX-vN-kaas_load_balancers.md. What each comes to for a
configuration and its Services is worked out by `ccmcheck.review.create_monitor.motion`; the recommendations are
judgement, from the facts that the page cites.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple

DRAFT = "SovereignCloudStack/standards Standards/scs-XXXX-vN-kaas_load_balancers.md (3440c8f8, 2024-06-26)"


class DraftOption(NamedTuple):
    """One option of the draft.

    Attributes:
        number: 1 to 5.
        title: What it is, in a few words.
        consequence: What it means for Services.
        needs: Its preconditions.
        rollback: The way back.
        is_new: Whether load balancers are created anew, because their provider changes.
    """

    number: int
    title: str
    consequence: str
    needs: str
    rollback: str
    is_new: bool = False


OPTIONS: tuple[DraftOption, ...] = (
    DraftOption(
        1,
        "no support, no checks in the reference (the draft's decision)",
        "Local Services stay as unreliable as today",
        "none",
        "not needed",
    ),
    DraftOption(
        2,
        "no support required, checks in the reference",
        "the motion's figures, which nobody may rely on",
        "open health check ports, quota",
        "create-monitor = false",
    ),
    DraftOption(
        3,
        "Local must work, without the client's address",
        "the same figures, and the draft's script for Local becomes a test",
        "those of option 2, in every cloud",
        "a change of the standard",
    ),
    DraftOption(
        4,
        "Local must work, the client's address on request (PROXY, headers)",
        "option 3; a Service that asks has its pools replaced, a short outage",
        "backends that read the header first; on amphora alone",
        "delete the annotation; pools are replaced again",
    ),
    DraftOption(
        5,
        "Local must work, the client's address at network level",
        "lb-provider = ovn: no PROXY, HTTP listeners or TLS; addresses stay only where floating IPs are kept",
        "OVN in every cloud, lb-method = SOURCE_IP_PORT, NodePorts open to clients",
        "create every load balancer on amphora again",
        is_new=True,
    ),
)

SETTINGS: tuple[tuple[str, int, str], ...] = (
    ("amphora", 3, "add option 4 for those who need the address"),
    ("OVN, provider with the floating IP fix", 3, "it keeps the address already"),
    ("OVN, older provider", 1, "until it is upgraded: its checks miss floating IPs"),
    ("amphora and OVN mixed", 3, "the most that both can promise"),
    ("kube-proxy replaced (Cilium, OVN-Kubernetes)", 3, "where it answers health checks as kube-proxy does"),
)
"""The option recommended by setting, and why; a judgement."""
