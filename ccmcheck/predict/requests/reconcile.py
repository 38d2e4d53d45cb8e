"""The CCM's side of a prediction: what it asks OpenStack for, to the end or to an error of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Severity
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
from ccmcheck.catalog.service_annotations import BALANCER_ADDRESS, BALANCER_ID, HAS_OWN_CCM, meant_for
from ccmcheck.predict.inputs.annotations import Annotations, CcmCrash, CcmError
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import handed_over
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Event, Floating, Ignored, Outcome, Prediction, Published, ServiceFinding
from ccmcheck.predict.requests import addresses, groups
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec, balancer_name, derive_spec
from ccmcheck.predict.requests.notes import Notes
from ccmcheck.predict.requests.requests_v1_14 import CallsBefore119, spec_before_1_19

BEGINS = Event("Normal", "EnsuringLoadBalancer", "Ensuring load balancer", by_ccm=False)
NO_NODES = Event("Warning", "UnAvailableLoadBalancer", "There are no available nodes for LoadBalancer", by_ccm=False)
ENDS = Event("Normal", "EnsuredLoadBalancer", "Ensured load balancer", by_ccm=False)

_PORT = lazy_regex(r"spec\.ports\[\d+\]")


def follow(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict what the CCM would do if OpenStack took everything.

    Returns:
        The prediction without verdicts: the requests to the end, or to the error that is the CCM's own.
    """
    return reconcile(config, service, cloud)[0]


def reconcile(config: Options, service: Service, cloud: CloudState) -> tuple[Prediction, Calls | None]:
    """The CCM's side alone; no calls where it asks for nothing."""
    cloud = cloud._replace(nodes=handed_over(cloud.nodes, config.release))
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
        findings = tuple(_stopping(config, service, cloud, why)) if service.type == "LoadBalancer" else ()
        return blank._replace(why=why, findings=(*blank.findings, *findings)), None
    if not config.release.at_least(FIRST_PREDICTED):
        why = f"what releases before {FIRST_PREDICTED} ask for is not predicted"
    elif not config.use_octavia:
        why = "use-octavia is false: the CCM asks Neutron LBaaS, which is not predicted"
    else:
        why = _hidden(service)
    if why:
        return blank._replace(outcome=Outcome.UNKNOWN, why=why, name=balancer_name(cloud.cluster_name, service)), None
    owner = "" if cloud.balancers_known else meant_for(service.annotations)
    if is_of_another_ccm(service, cloud):
        why = f"its annotations are for {owner}, whose own CCM makes the load balancer: that is not predicted"
        return blank._replace(outcome=Outcome.UNKNOWN, why=why, name=""), None
    if owner:
        ours = f"its annotations are for {owner}; it is assumed to be in a cluster with this CCM, which ignores them"
        blank = blank._replace(assumed=(ours, *blank.assumed))
    notes = Notes()
    if cloud.balancer is None and not cloud.balancers_known and _names_balancer(config, service):
        there = (
            "the load balancer that the annotation load-balancer-id names is assumed to be the Service's own, made "
            "with this configuration: the CCM makes none, and sends what that one lacks"
        )
        blank = blank._replace(assumed=(there, *blank.assumed))
        service = service._replace(annotations={**service.annotations, BALANCER_ID: ""})
    early = not behaviours_of(config.release)["service-config"]
    try:
        spec = derive_spec(config, service, cloud, notes, spec_before_1_19 if early else None)
    except CcmError as error:
        notes.ignored += Annotations(service.annotations, behaviours_of(config.release)).unknown(config.release)
        return _ended(blank, service, cloud, notes, error), None
    if spec.selectors and cloud.nodes and all(node.made_up for node in cloud.nodes):
        text = ",".join(f"{key}={value}" if value else key for key, value in spec.selectors)
        notes.assume(f"how many of the {len(cloud.nodes)} nodes have the label {text} is not known")
        cloud = cloud._replace(nodes=None, facts=cloud.facts._replace(nodes=None))
    if service.rival_port and behaviours_of(config.release)["tags-and-shares"]:
        taken = CcmError(f"the listener port {service.rival_port} already exists")
        return _ended(blank, service, cloud, notes, taken), None
    calls = (CallsBefore119 if early else Calls)(config, service, cloud, spec, notes)
    notes.ignored += _ignored(config, service, spec)
    prediction, failed = _requests(blank, calls)
    return (
        _done(prediction, cloud, notes) if failed is None else _ended(prediction, service, cloud, notes, failed)
    ), calls


def is_of_another_ccm(service: Service, cloud: CloudState) -> bool:
    """Whether a cloud's own CCM makes the load balancer of a Service, as far as its annotations and the cloud tell."""
    return not cloud.balancers_known and meant_for(service.annotations) == HAS_OWN_CCM


def _requests(blank: Prediction, calls: Calls) -> tuple[Prediction, CcmError | None]:
    """All requests up to the end of the reconcile, and the error that ends it."""
    failed = None
    published: tuple[Published, ...] = ()
    rules = None
    try:
        before = calls.run()
        address = addresses.ensure_address(calls, before)
        if calls.behaviours["writes-id"]:
            calls.write_id(before)
        if calls.behaviours["writes-address"]:
            calls.written[BALANCER_ADDRESS] = address
        if before is not None:
            calls.tag(before)
        published = addresses.publish(calls, address)
        rules = groups.ensure_group(calls)
    except CcmError as error:
        failed = error
    spec = calls.spec
    floating = spec.floating._replace(address=calls.service.address if spec.floating.wanted else "")
    if any(event.reason == addresses.SKIPPED for event in calls.notes.events):
        floating = Floating(False, why="the VIP is of IPv6")
    return blank._replace(
        requests=tuple(calls.requests),
        plans=calls.plans,
        name=spec.name,
        floating=floating,
        rules=rules,
        published=published,
        written=calls.written,
        nodes=len(calls.nodes) if calls.cloud.nodes is not None else calls.cloud.node_count,
        monitor_source=_monitor_source(calls),
    ), failed


def _monitor_source(calls: Calls) -> str:
    said = "true" if calls.spec.monitor else "false"
    name = "enable-health-monitor"
    text = Annotations(calls.service.annotations, calls.behaviours).text(name)
    if text in ("true", "false") and calls.behaviours["monitor-annotation"]:
        return f"the annotation {name} is {said}"
    is_given = "create-monitor" in calls.options.given
    if "create-monitor" in calls.options.open:
        why = "a template decides it" if is_given else "what is filled in later may set it"
        return f"create-monitor is assumed to be {said}: {why}"
    return f"create-monitor is {said} in cloud.conf" if is_given else f"create-monitor is {said}, the default"


def _ended(prediction: Prediction, service: Service, cloud: CloudState, notes: Notes, error: CcmError) -> Prediction:
    """The CCM ends with an error of its own."""
    crash = isinstance(error, CcmCrash)
    return prediction._replace(
        outcome=Outcome.ERROR,
        error=error.message,
        why=f"the CCM crashes: {error.message}" if crash else error.message,
        name=balancer_name(cloud.cluster_name, service),
        # events are sent in the background, and lost with the process
        events=() if crash else (*began(cloud), *notes.events, sync_failed(error.message)),
        ignored=tuple(notes.ignored),
        assumed=tuple(dict.fromkeys((*prediction.assumed, *notes.assumed))),
    )


def began(cloud: CloudState) -> tuple[Event, ...]:
    """The service controller's events before it calls the CCM's code.

    Args:
        cloud: What is known of the nodes.
    """
    return (BEGINS, NO_NODES) if cloud.nodes == () else (BEGINS,)


def sync_failed(error: str) -> Event:
    """The service controller's event for a reconcile that ends with an error."""
    message = f"Error syncing load balancer: failed to ensure load balancer: {error}"
    return Event("Warning", "SyncLoadBalancerFailed", message, by_ccm=False)


def _done(prediction: Prediction, cloud: CloudState, notes: Notes) -> Prediction:
    """The CCM gets to its end."""
    return prediction._replace(
        outcome=Outcome.ACCEPTED,
        events=(*began(cloud), *notes.events, ENDS),
        ignored=tuple(dict.fromkeys(notes.ignored)),
        assumed=tuple(dict.fromkeys((*prediction.assumed, *notes.assumed))),
    )


def _not_asked(config: Options, service: Service, cloud: CloudState) -> str:
    """Why the CCM asks for nothing; empty where it asks."""
    if config.stop:
        return config.stop
    if config.unsupported:
        return config.unsupported
    faulty = next((fault for fault in service.faults if fault.refuses(cloud.facts.kubernetes_version)), None)
    if faulty is not None:
        return f"Kubernetes refuses this Service: {faulty.text}"
    if service.type != "LoadBalancer" and not _hidden(service):
        return f"a Service of type {service.type} gets no load balancer"
    if service.owner:
        return f"spec.loadBalancerClass is {service.owner}: another implementation owns the Service"
    refused = service.refused(cloud.facts.refused_protocols, config.default_tls_container_ref)
    return f"the platform makes no load balancer for {refused[0]}: the Service stays pending" if refused else ""


def _hidden(service: Service) -> str:
    """The essential part of the Service that is filled in later; empty where none is."""
    parts = ("metadata", "metadata.annotations", "spec", "spec.type", "spec.ports")
    hidden = next((field for field in service.open if field in parts or _PORT.fullmatch(field)), "")
    return f"{hidden} is filled in later: render the template first" if hidden else ""


def _names_balancer(config: Options, service: Service) -> bool:
    """Whether the annotation names a load balancer that there may be: of what is no UUID, Octavia has none."""
    behaviours = behaviours_of(config.release)
    named = Annotations(service.annotations, behaviours).text("load-balancer-id")
    return behaviours["tags-and-shares"] and UUID_LIKE.fullmatch(named) is not None


def _open(config: Options, service: Service) -> Iterator[str]:
    # a value that stops the CCM is known: nothing is assumed; what a template sets comes before what it may add
    for key in () if config.stop else sorted(config.open, key=lambda key: key not in config.given):
        yield f"{key} is filled in later; its default is assumed"
    for field in service.open:
        yield f"{field} is filled in later; it is left out"


def _faults(service: Service, cloud: CloudState) -> Iterator[ServiceFinding]:
    for fault in service.faults:
        if fault.holds(cloud.facts.kubernetes_version) is False:
            continue
        about = next((part for part in reversed(fault.path) if isinstance(part, str)), "Service")
        if fault.refuses(cloud.facts.kubernetes_version):
            yield ServiceFinding(Severity.ERROR, about, f"Kubernetes refuses it: {fault.text}", fault.help, fault.path)
        else:
            yield ServiceFinding(Severity.WARNING, about, fault.text, fault.help, fault.path)


def _stopping(config: Options, service: Service, cloud: CloudState, why: str) -> Iterator[ServiceFinding]:
    """What has to be changed for the CCM to ask for anything."""
    if config.stop:
        help_ = "`ccmcheck lint` says where, and what to do."
        yield ServiceFinding(Severity.ERROR, config.stopped_by, config.stop, help_)
    elif refused := service.refused(cloud.facts.refused_protocols, config.default_tls_container_ref):
        yield ServiceFinding(Severity.ERROR, "spec.ports", why, refused[2])


def _ignored(config: Options, service: Service, spec: LoadBalancerSpec) -> list[Ignored]:
    """The settings without effect that the reconcile itself does not note."""
    behaviours = behaviours_of(config.release)
    annotations = Annotations(service.annotations, behaviours)
    ignored = annotations.unknown(config.release)
    already = {setting.what for setting in ignored}
    name = "loadbalancer.openstack.org/lb-method"
    if annotations.has("lb-method") and not behaviours["reads-method-annotation"] and name not in already:
        ignored.append(Ignored(name, f"CCM {config.release.name} declares this annotation and never reads it"))
    if spec.vip_port:
        ignored += [
            Ignored(f"loadbalancer.openstack.org/{name}", "port-id says where the VIP is")
            for name in ("subnet-id", "network-id")
            if annotations.has(name)
        ]
    if not spec.monitor:
        ignored += [
            Ignored(f"loadbalancer.openstack.org/{name}", "there is no monitor")
            for name in (
                "health-monitor-delay",
                "health-monitor-timeout",
                "health-monitor-max-retries",
                "health-monitor-max-retries-down",
            )
            if annotations.has(name) and f"loadbalancer.openstack.org/{name}" not in already
        ]
    return ignored
