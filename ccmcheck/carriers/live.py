"""What only a running cluster can say, for the rules of what its API server and Octavia have."""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.cluster import PROVIDER_NAME


class LiveConfig(NamedTuple):
    """A Secret or ConfigMap of a running cluster that a running CCM reads.

    Attributes:
        subject: ``Secret kube-system/cloud-config``.
        key: The key that is the CCM's file.
        started: When the first of the CCM's containers was started; empty where none is known to run.
        changed: When the object was last changed, and the key perhaps; empty where that is unknown.
        manager: Who changed it then, by the name of its field manager.
        use: ``old`` where a container uses an older text than the present one, ``unknown`` where that is possible.
    """

    subject: str
    key: str
    started: str = ""
    changed: str = ""
    manager: str = ""
    use: str = ""


class LiveEvent(NamedTuple):
    """An event on a Service; its message may be shown.

    Attributes:
        reason: ``SyncLoadBalancerFailed`` …
        message: Its text, without bodies and secrets.
        times: How often it came.
        time: When it came last; empty where it does not say.
    """

    reason: str
    message: str
    times: int = 1
    time: str = ""


class LiveService(NamedTuple):
    """What a running cluster says of a Service of type LoadBalancer.

    Attributes:
        addresses: Each entry of its status: IP, hostname, ``ipMode``.
        created: When it was created; empty where that is unknown.
        is_pending: Whether it is without an address for longer than the CCM needs.
        events: Its warnings, the last one first.
        log: The last line of the CCM's log about it; empty without one.
        unread: What could not be read of its events and of the log.
        balancer: Its annotation load-balancer-id where somebody else than the CCM wrote it; else empty.
        manager: Who wrote that.
        sharing: How many other Services of the cluster have the same load balancer.
        failing: What the last sync ended with, where it failed; None where it did not, or no event is left of it.
        going: Since when it is being deleted, where that takes too long; empty where it does not.
        ready: How many of its endpoints are ready, where its EndpointSlices say so.
        endpoints: How many it has.
        writer: Who wrote its status, where that is not the CCM; empty where it is, or that is unknown.
        twins: Other Services that publish one of its addresses, and have another load balancer.
        owner: What makes it: ``Gateway shop/web``; empty for nothing known.
        families: Its IP families that no node has: ``IPv6``.
    """

    addresses: tuple[tuple[str, str, str], ...] = ()
    created: str = ""
    is_pending: bool = False
    events: tuple[LiveEvent, ...] = ()
    log: str = ""
    unread: tuple[str, ...] = ()
    balancer: str = ""
    manager: str = ""
    sharing: int = 0
    failing: LiveEvent | None = None
    going: str = ""
    ready: int | None = None
    endpoints: int | None = None
    writer: str = ""
    twins: tuple[str, ...] = ()
    owner: str = ""
    families: tuple[str, ...] = ()

    @property
    def is_odd(self) -> bool:
        """Whether something is to be said of it that no other Service of its kind has."""
        return bool(self.failing or self.going or self.ready == 0 or self.writer or self.twins or self.families)


class StoppedPod(NamedTuple):
    """A pod of the CCM that does not run, or not for long.

    Attributes:
        name: Its name.
        state: ``CrashLoopBackOff``, ``ImagePullBackOff``, ``Unschedulable``; a word of Kubernetes.
        restarts: How often its container was started again.
        ended: How it ended the last time: ``exit code 1 (Error) at ...``; empty where it never ran.
        runs: Whether it runs at present.
    """

    name: str
    state: str
    restarts: int = 0
    ended: str = ""
    runs: bool = False


class LiveCcm(NamedTuple):
    """Whether a workload of the CCM runs.

    Attributes:
        subject: ``DaemonSet kube-system/openstack-cloud-controller-manager``.
        wanted: How many pods there should be; None where that is unknown.
        running: How many pods run.
        started: When the first of these was started; empty without one.
        stopped: Those that do not run, or end again and again.
        why: Why there are fewer pods than wanted, as the workload says; empty where it does not.
        waits: The image of the workload's template, where no pod runs it; empty where one does.
        alone: Whether several pods run without leader election.
        lease: What is wrong with the lease of the leader; empty where nothing is known to be.
        log: The last line of its log that says what is wrong, masked; empty without one.
        unread: Why its log could not be read; empty where it could, or need not be.
    """

    subject: str
    wanted: int | None = None
    running: int = 0
    started: str = ""
    stopped: tuple[StoppedPod, ...] = ()
    why: str = ""
    waits: str = ""
    alone: bool = False
    lease: str = ""
    log: str = ""
    unread: str = ""

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong with it, as far as is known."""
        enough = self.wanted is None or self.running >= self.wanted > 0
        return enough and not (self.stopped or self.waits or self.alone or self.lease or self.log)


class LiveNode(NamedTuple):
    """What a running cluster says of a node.

    Attributes:
        left_out: Why the service controller leaves it out of all load balancers; empty where it does not.
        uninitialized: Whether it waits for a cloud provider.
        provider_id: Its ``spec.providerID``.
        families: The IP families that a member's address can be of: 4, 6.
        is_control_plane: Whether it is a node of the control plane.
        ready: Whether it is Ready; None where it does not say.
    """

    left_out: str = ""
    uninitialized: bool = False
    provider_id: str = ""
    families: tuple[int, ...] = ()
    is_control_plane: bool = False
    ready: bool | None = None

    @property
    def region(self) -> str:
        """The region in its ID, ``openstack://region/ID``; empty without one."""
        scheme, _, rest = self.provider_id.partition("://")
        region, slash, _ = rest.partition("/")
        return region if scheme == PROVIDER_NAME and slash else ""


class LiveDifference(NamedTuple):
    """How a load balancer differs from the one that the CCM would make.

    Attributes:
        kind: Its name in ``ccmcheck.catalog.data.octavia_repairs.REPAIRS``.
        part: Where it is: ``listener TCP 80``; empty for the load balancer itself.
        live: What Octavia has, in words.
        wanted: What the CCM would make, in words.
        port: The port of the Service; 0 for the load balancer itself.
        repaired_by: What corrects it, see ``ccmcheck.catalog.octavia_repairs``.
        blocked: Why the next sync ends before it corrects this; empty where it does not.
    """

    kind: str
    part: str
    live: str
    wanted: str
    port: int = 0
    repaired_by: str = ""
    blocked: str = ""


class LiveBalancer(NamedTuple):
    """The load balancer of a Service of a running cluster, as Octavia has it.

    Attributes:
        subject: ``Service shop/web``.
        id: Its ID; empty where there is none.
        name: Its name.
        differences: How it differs from the one that the CCM would make.
        wants_monitors: Whether its pools should have health monitors.
        monitor_source: What decides that, in words.
        other_cluster: Another cluster that its name, tags or description name; empty for none.
        adoption: How it came to two clusters, see ``ccmcheck.cluster.octavia.comparison``; empty where it did not.
        health: What does not work, in words.
        lost: Which address of the Service's status it has no longer, in words; empty where it has all.
        attach: The command that gives it the address back; empty where none does.
    """

    subject: str
    id: str = ""
    name: str = ""
    differences: tuple[LiveDifference, ...] = ()
    wants_monitors: bool = False
    monitor_source: str = ""
    other_cluster: str = ""
    adoption: str = ""
    health: tuple[str, ...] = ()
    lost: str = ""
    attach: str = ""


class LiveCluster(NamedTuple):
    """What only a running cluster can say.

    Attributes:
        configs: The objects that running CCMs read.
        services: The Services, by ``namespace/name``.
        nodes: The nodes, by name.
        balancers: The load balancers by the Services' subjects; empty where Octavia is not asked.
        ccms: The workloads of the CCM, by their subjects.
        region: ``[Global] region`` of the cloud.conf; empty without one, and where there are several.
    """

    configs: tuple[LiveConfig, ...] = ()
    services: Mapping[str, LiveService] = {}
    nodes: Mapping[str, LiveNode] = {}
    balancers: Mapping[str, LiveBalancer] = {}
    ccms: Mapping[str, LiveCcm] = {}
    region: str = ""
