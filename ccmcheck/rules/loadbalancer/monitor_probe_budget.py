"""Too many health checks per second."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.create_monitor.timers import AMPHORAE, PROBES_PER_SECOND, smallest_within_budget
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, other_timers, write_timers


def check(conf: CloudConf) -> Problems:
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
