"""Too many health checks per second.

What it does: finds timers with which a load balancer sends more checks per second than the budget, for the given number
of nodes.

Why: each port of each Service has its own monitor, and every amphora checks every node: nodes /
`monitor-delay` checks per second and port, twice that with the topology ACTIVE_STANDBY.

What the CCM does: it adds every node to every pool, unless `node-selector` is set.

Releases: all

Fix: writes the timers of the smallest profile within the budget.

Fix safety: unsafe because dead nodes are detected later

Source: openstack/octavia rest_api_driver.py update(), and HAProxy's counters measured; the budget of 100 per second
is a judgement
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.policy.create_monitor.timers import AMPHORAE, PROBES_PER_SECOND, smallest_within_budget
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, other_timers, write_timers
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "monitor-probe-budget",
    "Too many health checks per second",
    Severity.INFO,
    needs=("the node count",),
)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=5s\nmonitor-timeout=3s\n",
        at=(3, 15),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=10s\nmonitor-timeout=5s\nmonitor-max-retries=2\n",
        unsafe=True,
        run_context=RunContext(facts=ClusterFacts(nodes=800)),
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\n",
        at=(2, 16),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=15s\nmonitor-timeout=10s\nmonitor-max-retries=2\n",
        unsafe=True,
        run_context=RunContext(facts=ClusterFacts(nodes=1200)),
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=15s\n",
        at=(3, 15),
        run_context=RunContext(facts=ClusterFacts(nodes=3000)),
        shown=False,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=15s\n",
        at=(3, 15),
        run_context=RunContext(facts=ClusterFacts(nodes=1000, topology="ACTIVE_STANDBY")),
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\n", run_context=RunContext(facts=ClusterFacts(nodes=500))),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=15s\n",
        run_context=RunContext(facts=ClusterFacts(nodes=1500)),
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nlb-provider=ovn\n", run_context=RunContext(facts=ClusterFacts(nodes=2000))
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nnode-selector=lb=yes\n",
        run_context=RunContext(facts=ClusterFacts(nodes=2000)),
        shown=False,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=${DELAY}\n",
        run_context=RunContext(facts=ClusterFacts(nodes=2000)),
        template=True,
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Divide the nodes by the delay."""
    nodes = conf.run_context.facts.nodes
    if nodes is None:
        return
    lb = balancer(conf)
    if lb.monitor is not True or not lb.applies or lb.driver.has_amphorae is not True or not lb.delay or lb.delay <= 0:
        return
    amphorae = AMPHORAE.get(conf.run_context.facts.topology, 1)
    probes = nodes * amphorae / lb.delay
    if probes <= PROBES_PER_SECOND or "node-selector" in lb.items:
        return
    item = lb.items.get("monitor-delay") or lb.items["create-monitor"]
    timers = smallest_within_budget(nodes * amphorae)
    scope = "That is for one amphora; with ACTIVE_STANDBY it is twice as much."
    if conf.run_context.facts.topology:
        scope = f"That is with the topology {conf.run_context.facts.topology}."
    yield Problem(
        item.span,
        f"{nodes} nodes and a delay of {lb.delay} s are {probes:.0f} checks per second for each port of each Service",
        f"{scope} The budget is {PROBES_PER_SECOND} for a load balancer.",
        f"Write a longer `monitor-delay`, such as `{timers.delay}s`."
        if timers is not None
        else "Use `node-selector` so that fewer nodes are checked.",
        fixes.unsafe(conf, f"write the timers of the profile `{timers.name}`", *write_timers(conf, lb, timers))
        if timers is not None
        else None,
        notes=other_timers(lb, item, timers) if timers is not None else (),
    )
