"""From one configuration and one Service to a prediction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.predict.advice.remedies import advise, ends
from ccmcheck.predict.inputs.annotations import Annotations, CcmCrash, CcmError
from ccmcheck.predict.records import Event, Found, Ignored, Outcome, Prediction, Published
from ccmcheck.predict.requests import addresses, groups, ranges
from ccmcheck.predict.requests.behaviours import behaviours_of
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec, balancer_name, work_out
from ccmcheck.predict.requests.notes import Notes
from ccmcheck.predict.requests.requests_v1_14 import EarlyCalls, want_early
from ccmcheck.predict.verdicts import acceptance, drivers
from ccmcheck.predict.verdicts.judging import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.predict.inputs.cloud import Cloud
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Refusal, Request

_BEGINS = Event("Normal", "EnsuringLoadBalancer", "Ensuring load balancer", by_ccm=False)
_ENDS = Event("Normal", "EnsuredLoadBalancer", "Ensured load balancer", by_ccm=False)

_PORT = re.compile(r"spec\.ports\[\d+\]")


def predict(config: Options, service: Service, cloud: Cloud) -> Prediction:
    """Predict what the CCM does with a Service, and what becomes of it.

    Args:
        config: The configuration, as one release reads it.
        service: The Service.
        cloud: What is known of the cloud and the cluster.

    Returns:
        The prediction. Nothing is raised, whatever the Service holds.
    """
    found, calls = _followed(config, service, cloud)
    if calls is None:
        return found._replace(findings=(*found.findings, *ends(found)))
    found = _judged(found, calls)
    found = found._replace(answers=tuple(judge(calls, found)))
    return found._replace(findings=(*found.findings, *advise(calls, found)))


def follow(config: Options, service: Service, cloud: Cloud) -> Prediction:
    """Predict what the CCM would do if OpenStack took everything.

    Args:
        config: The configuration, as one release reads it.
        service: The Service.
        cloud: What is known of the cloud and the cluster.

    Returns:
        The prediction without verdicts: the requests to the end, or to the error that is the CCM's own.
    """
    return _followed(config, service, cloud)[0]


def _followed(config: Options, service: Service, cloud: Cloud) -> tuple[Prediction, Calls | None]:
    """The CCM's side alone; no calls where it asks for nothing."""
    blank = Prediction(
        service.title,
        config.release.name,
        Outcome.NOTHING,
        assumed=(*_open(config, service), *service.assumed),
        policy=service.policy,
        provider=cloud.provider(config.lb_provider),
        findings=tuple(_faults(service, cloud)),
    )
    why = _not_asked(config, service, cloud)
    if why:
        stopped = config.stop and service.type == "LoadBalancer"
        return blank._replace(why=why, findings=(*blank.findings, *((_stopped(config.stop),) if stopped else ()))), None
    if not config.release.at_least(FIRST_PREDICTED):
        why = f"what releases before {FIRST_PREDICTED} ask for is not predicted"
    elif not config.use_octavia:
        why = "use-octavia is false: the CCM asks Neutron LBaaS, which is not predicted"
    elif cloud.balancer is None and not cloud.balancers_known and _names_balancer(config, service):
        why = "the annotation load-balancer-id names a load balancer; what it looks like is not given"
    else:
        why = _hidden(service)
    if why:
        return blank._replace(outcome=Outcome.UNKNOWN, why=why, name=balancer_name(cloud.cluster, service)), None
    notes = Notes()
    early = not behaviours_of(config.release)["service-config"]
    try:
        wanted = work_out(config, service, cloud, notes, want_early if early else None)
    except CcmError as error:
        notes.ignored += Annotations(service.annotations, behaviours_of(config.release)).unknown(config.release)
        return _ended(blank, service, cloud, notes, error), None
    calls = (EarlyCalls if early else Calls)(config, service, cloud, wanted, notes)
    notes.ignored += _ignored(config, service, wanted)
    found, failed = _requests(blank, calls)
    return (_done(found, notes) if failed is None else _ended(found, service, cloud, notes, failed)), calls


def _requests(blank: Prediction, calls: Calls) -> tuple[Prediction, CcmError | None]:
    """All requests, as far as the CCM gets by itself, and the error that it ends with."""
    failed = None
    published: tuple[Published, ...] = ()
    rules = None
    try:
        before = calls.run()
        address = addresses.ensure_address(calls, before)
        if calls.behaviours["writes-id"]:
            calls.write_id(before)
        if calls.behaviours["writes-address"]:
            calls.written[f"{PREFIX}load-balancer-address"] = address
        if before is not None:
            calls.tag(before)
        published = addresses.publish(calls, address)
        rules = groups.ensure_group(calls)
    except CcmError as error:
        failed = error
    wanted = calls.wanted
    return blank._replace(
        requests=tuple(calls.requests),
        plans=calls.plans,
        name=wanted.name,
        floating=wanted.floating._replace(address=calls.service.address if wanted.floating.wanted else ""),
        rules=rules,
        published=published,
        written=calls.written,
        nodes=len(calls.nodes) if calls.cloud.nodes is not None else calls.cloud.node_count,
        monitor_source=_monitor_source(calls),
    ), failed


def _monitor_source(calls: Calls) -> str:
    said = "true" if calls.wanted.monitor else "false"
    name = "enable-health-monitor"
    given = Annotations(calls.service.annotations, calls.behaviours).text(name)
    if given in ("true", "false") and calls.behaviours["monitor-annotation"]:
        return f"the annotation {name} is {said}"
    where = "in cloud.conf" if "create-monitor" in calls.options.given else "the default"
    return f"create-monitor is {said}, {where}" if where == "the default" else f"create-monitor is {said} {where}"


def _ended(found: Prediction, service: Service, cloud: Cloud, notes: Notes, error: CcmError) -> Prediction:
    """The CCM ends with an error of its own."""
    crash = isinstance(error, CcmCrash)
    return found._replace(
        outcome=Outcome.ERROR,
        error=error.message,
        why=f"the CCM crashes: {error.message}" if crash else error.message,
        name=balancer_name(cloud.cluster, service),
        # events are sent by the way, and lost with the process
        events=() if crash else (*notes.events, _failed(error.message)),
        ignored=tuple(notes.ignored),
        assumed=tuple(dict.fromkeys((*found.assumed, *notes.assumed))),
    )


def _failed(error: str) -> Event:
    message = f"Error syncing load balancer: failed to ensure load balancer: {error}"
    return Event("Warning", "SyncLoadBalancerFailed", message, by_ccm=False)


def _done(found: Prediction, notes: Notes) -> Prediction:
    """The CCM gets to its end."""
    return found._replace(
        outcome=Outcome.ACCEPTED,
        events=(_BEGINS, *notes.events, _ENDS),
        ignored=tuple(dict.fromkeys(notes.ignored)),
        assumed=tuple(dict.fromkeys((*found.assumed, *notes.assumed))),
    )


def _judged(found: Prediction, calls: Calls) -> Prediction:
    """What Octavia and its drivers make of the requests, and the events that follow."""
    cloud = calls.cloud
    config = calls.options._replace(lb_provider=cloud.provider(calls.options.lb_provider))
    said = tuple(acceptance.refusals(found.requests, config, cloud, _family(calls)))
    bad = tuple(one for one in said if not _is_passed_over(found.requests[one.at]))
    found = _passing_over(
        found, calls, tuple(one for one in said if one not in bad and (not bad or one.at < bad[0].at))
    )
    if bad:
        outcome, error, message = Outcome.REFUSED, "", _answer(bad[0], calls)
    elif found.outcome is Outcome.ERROR:
        return found
    else:
        bad = tuple(drivers.failures(found.requests, config))
        if not bad or (calls.behaviours["creates-in-one-call"] and cloud.balancer is not None):
            return found._replace(refusals=bad)
        outcome, error = Outcome.FAILS, "loadbalancer {loadbalancer} has gone into ERROR state"
        if calls.behaviours["deletes-failed"]:
            error += ", please check Octavia for details. Load balancer was deleted and its creation will be retried"
        message = f"error creating loadbalancer {calls.wanted.name}: {error}"
    return found._replace(
        outcome=outcome,
        why=bad[0].why,
        error=error,
        events=(_BEGINS, *(one for one in found.events if one.by_ccm), _failed(message)),
        refusals=bad,
        published=(),
        written=_written(found, bad[0].at, calls),
    )


def _is_passed_over(request: Request) -> bool:
    """Whether the CCM only notes a refusal: that of another algorithm for a pool that is there (1.32)."""
    return request.method == "PUT" and request.path.startswith("/v2.0/lbaas/pools/") and "members" not in request.path


def _passing_over(found: Prediction, calls: Calls, refused: tuple[Refusal, ...]) -> Prediction:
    """The CCM goes on after these, with an event for each before its last."""
    if not refused:
        return found
    text = "Error updating LB method for LoadBalancer: … got {} instead: {}"
    noted = [Event("Warning", "LoadBalancerLbMethodUnknown", text.format(one.status, one.why)) for one in refused]
    for one in refused:
        calls.notes.ignore("lb-method", f"the pool that is there keeps its algorithm: {one.why}")
    return found._replace(
        passed_over=refused,
        events=(*found.events[:-1], *noted, *found.events[-1:]),
        ignored=tuple(dict.fromkeys(calls.notes.ignored)),
    )


def _family(calls: Calls) -> int:
    """The VIP's IP family; 0 when unknown."""
    there = calls.cloud.balancer
    return ranges.family(there.address if there is not None else calls.cloud.vip) or calls.wanted.family


def _written(found: Prediction, at: int, calls: Calls) -> Mapping[str, str]:
    """What is left of the annotations where a request comes to nothing."""
    if not calls.behaviours["writes-id-at-once"] or found.requests[at].path.endswith("/loadbalancers"):
        return {}
    return {name: value for name, value in found.written.items() if name.endswith("-id")}


def _answer(refusal: Refusal, calls: Calls) -> str:
    name = calls.wanted.name
    if calls.cloud.balancer is None and calls.behaviours["creates-in-one-call"] and not calls.options.serial:
        return f"error creating loadbalancer {name}: … got {refusal.status} instead: {refusal.why}"
    return f"… got {refusal.status} instead: {refusal.why}"


def _not_asked(config: Options, service: Service, cloud: Cloud) -> str:
    """Why the CCM asks for nothing; empty where it asks."""
    if config.stop:
        return config.stop
    if config.unsupported:
        return config.unsupported
    refused = next((one for one in service.faults if one.refuses(cloud.kubernetes)), None)
    if refused is not None:
        return f"Kubernetes refuses this Service: {refused.text}"
    if service.type != "LoadBalancer" and not _hidden(service):
        return f"a Service of type {service.type} gets no load balancer"
    if service.owner:
        return f"spec.loadBalancerClass is {service.owner}: another implementation owns the Service"
    return ""


def _hidden(service: Service) -> str:
    """Which part without which nothing can be told is filled in later; empty where none is."""
    parts = ("metadata", "spec", "spec.type", "spec.ports")
    hidden = next((one for one in service.open if one in parts or _PORT.fullmatch(one)), "")
    return f"{hidden} is filled in later: render the template first" if hidden else ""


def _names_balancer(config: Options, service: Service) -> bool:
    behaviours = behaviours_of(config.release)
    return behaviours["tags-and-shares"] and bool(Annotations(service.annotations, behaviours).text("load-balancer-id"))


def _open(config: Options, service: Service) -> Iterator[str]:
    for key in () if config.stop else config.open:  # a value that stops the CCM is known, and nothing stands in
        yield f"{key} is filled in later; its default stands in"
    for field in service.open:
        yield f"{field} is filled in later; it is left out"


def _faults(service: Service, cloud: Cloud) -> Iterator[Found]:
    for fault in service.faults:
        if fault.holds(cloud.kubernetes) is False:
            continue
        about = next((part for part in reversed(fault.path) if isinstance(part, str)), "Service")
        if fault.refuses(cloud.kubernetes):
            yield Found(Severity.ERROR, about, f"Kubernetes refuses it: {fault.text}", fault.help, fault.path)
        else:
            yield Found(Severity.WARNING, about, fault.text, fault.help, fault.path)


def _stopped(why: str) -> Found:
    return Found(Severity.ERROR, "cloud.conf", why, "`ccmcheck lint` says where, `ccmcheck fix` mends most of it.")


def _ignored(config: Options, service: Service, wanted: LoadBalancerSpec) -> list[Ignored]:
    """What has no effect, apart from what was met on the way."""
    behaviours = behaviours_of(config.release)
    said = Annotations(service.annotations, behaviours)
    found = said.unknown(config.release)
    known = {one.what for one in found}
    name = "loadbalancer.openstack.org/lb-method"
    if said.has("lb-method") and not behaviours["reads-method-annotation"] and name not in known:
        found.append(Ignored(name, f"CCM {config.release.name} declares this annotation and never reads it"))
    if wanted.vip_port:
        found += [
            Ignored(f"loadbalancer.openstack.org/{one}", "port-id says where the VIP is")
            for one in ("subnet-id", "network-id")
            if said.has(one)
        ]
    if not wanted.monitor:
        found += [
            Ignored(f"loadbalancer.openstack.org/{one}", "there is no monitor")
            for one in (
                "health-monitor-delay",
                "health-monitor-timeout",
                "health-monitor-max-retries",
                "health-monitor-max-retries-down",
            )
            if said.has(one) and f"loadbalancer.openstack.org/{one}" not in known
        ]
    return found
