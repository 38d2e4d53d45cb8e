"""create-monitor is not set."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer, has_requirement
from ccmcheck.rules._support.ignored import CCM, is_merged, is_misnamed


def check(conf: CloudConf) -> Problems:
    """Look for the key."""
    lb = balancer(conf)
    if "create-monitor" in lb.items or not lb.applies or not lb.timers_by_default or lb.timers:
        return
    if conf.may_hide_keys(SECTION) or is_misnamed(conf, SECTION, "create-monitor") or is_merged(conf):
        return
    if has_requirement(conf, "create-monitor"):
        return
    section = next((one for one in conf.sections_named(SECTION) if one.subsection is None), None)
    if section is None and (conf.carried.consumers != (CCM,) or not conf.sections or conf.may_hide_keys()):
        return
    place = (section or conf.sections[0]).span
    from ccmcheck.policy.create_monitor.verdict import for_config

    verdict = for_config(conf.release, lb.driver_family, lb.serial)
    value = "true" if verdict.value else "false"
    why = verdict.for_any or (verdict.rows[0] if verdict.rows else None)
    first = why.when.releases[0] if why is not None and conf.is_assumed else ""
    since = f", since CCM {catalog.release(first).branch}" if first else ""
    whom = "with externalTrafficPolicy Local: " if why is not None and why.when.policy == "Local" else ""
    said = f"{whom}{why.why}" if why is not None else ""
    yield Problem(
        place,
        "create-monitor is not set and defaults to false: load balancers do not check their nodes, unless their Service "
        "asks for it",
        f"{said[0].upper()}{said[1:]} (`ccmcheck explain {why.id}`{since})."
        if why is not None and verdict.value
        else "",
        f"Write `create-monitor = {value}` to make the choice explicit"
        + ("." if verdict.value else ", or `true` for checks by Octavia, which take dead nodes out."),
        fixes.unsafe(conf, f"write `create-monitor = {value}`", fixes.add_key(conf, SECTION, "create-monitor", value)),
    )
