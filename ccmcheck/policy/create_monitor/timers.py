"""Timers for health monitors: named sets of them by size of cluster, and the limits that judge them.

The bounds of the profiles and the limits are judgement, not measurement; what the timers do is measured, see
`ccmcheck.predict.drivers`.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class Timers(NamedTuple):
    """One set of timers.

    Attributes:
        name: Its name.
        delay: Seconds between two checks.
        timeout: Seconds a check waits, below ``delay``.
        retries: Successes in a row that bring a member back.
        down: Failures in a row that take a member out.
        use: What it is for.
        most_nodes: Nodes it is meant for at most; 0 for any number.
        drivers: The drivers it is for, as `ccmcheck.catalog.octavia.family` names them; empty for all.
        policy: The externalTrafficPolicy it is for; empty for both.
    """

    name: str
    delay: int
    timeout: int
    retries: int
    down: int
    use: str
    most_nodes: int = 0
    drivers: tuple[str, ...] = ()
    policy: str = ""

    @property
    def keys(self) -> dict[str, str]:
        """The timers as keys of [LoadBalancer] with their values."""
        return {
            "monitor-delay": f"{self.delay}s",
            "monitor-timeout": f"{self.timeout}s",
            "monitor-max-retries": str(self.retries),
            "monitor-max-retries-down": str(self.down),
        }

    @property
    def annotations(self) -> dict[str, str]:
        """The same as annotations of a Service; whole seconds without a unit."""
        prefix = "loadbalancer.openstack.org/health-"
        return {prefix + key: value.removesuffix("s") for key, value in self.keys.items()}

    def __str__(self) -> str:
        """``5s/3s/1/3``: delay, timeout, max-retries, max-retries-down."""
        return "/".join(self.keys.values())


UPSTREAM = Timers("upstream", 5, 3, 1, 3, "the CCM's own defaults; up to 50 nodes on amphora", 50, ("amphora", "other"))
LOCAL_FAST = Timers(
    "local-fast", 3, 2, 1, 2, "externalTrafficPolicy Local with up to 20 nodes on amphora", 20, ("amphora",), "Local"
)
BALANCED = Timers("balanced", 10, 5, 2, 3, "50 to 200 nodes, or ovn", 200)
LARGE = Timers("large", 15, 10, 2, 3, "more than 200 nodes, or too many probes")

PROFILES: tuple[Timers, ...] = (UPSTREAM, LOCAL_FAST, BALANCED, LARGE)
BY_SPEED: tuple[Timers, ...] = (LOCAL_FAST, UPSTREAM, BALANCED, LARGE)
"""From the fastest to the slowest."""
BY_SIZE: tuple[Timers, ...] = (UPSTREAM, BALANCED, LARGE)
"""From the smallest cluster to the largest, for Services of any policy."""

SLOW_SECONDS = 60
"""Above this, a Local Service whose moved pod goes unnoticed is reported; judgement."""

PROBES_PER_SECOND = 100
"""Probes a second that one load balancer may send; judgement."""

AMPHORAE = {"SINGLE": 1, "ACTIVE_STANDBY": 2}
"""How many amphorae probe, by Octavia's loadbalancer_topology; both of a pair do."""


class Pick(NamedTuple):
    """The set of timers for one Service.

    Attributes:
        timers: The set; None where too little is known.
        why: Why that set, or what is not known.
        rate: Probes a second with it; None where it is not known.
        needs: What is not known, as options of the command line.
    """

    timers: Timers | None
    why: str
    rate: float | None = None
    needs: tuple[str, ...] = ()


def probes(ports: int, nodes: int, amphorae: int, delay: float) -> float:
    """Probes a second of one load balancer: every amphora checks every node for every port.

    Args:
        ports: Its ports with a monitor.
        nodes: Its members.
        amphorae: How many amphorae it has; 1 for ovn, whose chassis check their own VMs.
        delay: Seconds between two checks.
    """
    return ports * nodes * amphorae / delay


def per_second(value: float) -> str:
    """A rate in words.

    Args:
        value: Probes a second.
    """
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def smallest_within_budget(nodes: int) -> Timers | None:
    """The fastest timers whose probes one port of a single amphora can send to so many nodes; None where none are."""
    return next((timers for timers in BY_SIZE if probes(1, nodes, 1, timers.delay) <= PROBES_PER_SECOND), None)


def pick(
    driver: str | None,
    policy: str,
    nodes: int | None,
    ports: int,
    topology: str = "",
    budget: float = PROBES_PER_SECOND,
) -> Pick:
    """Choose the fastest set that is meant for a Service and keeps within the budget.

    Args:
        driver: As `ccmcheck.catalog.octavia.family` names it; None when unknown.
        policy: The Service's externalTrafficPolicy.
        nodes: How many nodes there are; None when unknown.
        ports: How many ports the Service has.
        topology: ``SINGLE`` or ``ACTIVE_STANDBY``; empty when unknown: then two amphorae are counted.
        budget: Probes a second that the load balancer may send.
    """
    if driver is None:
        return Pick(None, "it depends on lb-provider", needs=("lb-provider",))
    if nodes is None:
        return Pick(None, "it depends on the number of nodes", needs=("--nodes",))
    amphorae = AMPHORAE.get(topology, 2) if driver == "amphora" else 1
    meant = [
        timers
        for timers in BY_SPEED
        if (not timers.drivers or driver in timers.drivers)
        and timers.policy in ("", policy)
        and (not timers.most_nodes or nodes <= timers.most_nodes)
    ]
    chosen = next((one for one in meant if probes(ports, nodes, amphorae, one.delay) <= budget), meant[-1])
    rate = probes(ports, nodes, amphorae, chosen.delay)
    counted = f"{ports} port{'' if ports == 1 else 's'} × {nodes} node{'' if nodes == 1 else 's'}"
    if driver == "amphora":
        doubt = "" if topology else " (a pair is assumed)"
        counted += f" × {amphorae} amphora{'e' if amphorae > 1 else ''}{doubt}"
    said = f"{counted} / {chosen.delay} s = {per_second(rate)} probes/s"
    if rate > budget:
        why = f"{said}: above the budget of {budget:g}, and there is no slower set"
    elif chosen is not meant[0]:
        before = probes(ports, nodes, amphorae, meant[0].delay)
        why = f"{said}, within the budget of {budget:g}; {meant[0].name} would send {per_second(before)}"
    else:
        why = f"{chosen.use}; {said}, within the budget of {budget:g}"
    return Pick(chosen, why, rate)
