"""Asks ccmcheck, in the words that the oracle uses."""

from __future__ import annotations

from typing import Any, NamedTuple

from loadbalancer_oracle import Case

from ccmcheck.predict import addresses, annotations, calls, groups, options, records, service, wanted
from ccmcheck.predict.cloud import Cloud

Json = dict[str, Any]


class Foretold(NamedTuple):
    """A prediction, as far as it can be compared."""

    outcome: str
    error: str
    requests: tuple[records.Request, ...] = ()
    ingress: tuple[Json, ...] = ()
    events: tuple[str, ...] = ()
    floating_network: str = ""


def foretell(case: Case, release: str, cloud: Cloud) -> Foretold:
    """What ccmcheck says of a case."""
    opts = options.read_options(case.config, release)
    if opts.stop:
        if opts.stop.startswith("the CCM ends: "):
            return Foretold("exit", "Config error: " + opts.stop.removeprefix("the CCM ends: "))
        return Foretold("start" if "not set in cloud provider config" in opts.stop else "config", opts.stop.removeprefix("the CCM does not start: "))
    if opts.unsupported:
        return Foretold("unsupported", "")
    svc = service.read_service(case.service, allocate=False)
    notes = wanted.Notes()
    c = None
    w = None
    error = ""
    published = ()
    try:
        w = wanted.work_out(opts, svc, cloud, notes)
        c = calls.Calls(opts, svc, cloud, w, notes)
        before = c.run()
        address = addresses.ensure_address(c, before)
        if before is not None:
            c.tag(before)
        published = addresses.publish(c, address)
        groups.ensure_group(c)
    except annotations.CcmError as e:
        error = str(e)
    ingress = []
    for p in published:
        i = {}
        if p.hostname: i["hostname"] = p.hostname
        if p.ip: i["ip"] = p.ip
        if p.ip_mode: i["ipMode"] = p.ip_mode
        ingress.append(i)
    return Foretold("error" if error else "ok", error, tuple(c.requests) if c else (), tuple(ingress), tuple(f"{e.kind} {e.reason} {e.message}" for e in notes.events), w.floating.network if w else "")
