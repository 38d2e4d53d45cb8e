"""A Service with externalTrafficPolicy Local and no health monitor."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems, Span
from ccmcheck.catalog import octavia
from ccmcheck.policy.create_monitor.records import NOT_EVERY_NODE, Advice, MatrixRow
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules._support.ignored import may_be_a_part
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the policy, then at what enables monitors."""
    if not service.is_ours or service.service.policy != "Local" or service.monitor is not False:
        return
    if service.monitor_annotation is None and service.annotation("enable-health-monitor") is not None:
        return  # its value is invalid: reported by svc-annotation-value
    if service.service.everywhere:
        return
    answer = service.answer("traffic-local")
    if answer is not None and not answer.mechanism:
        return  # nothing gets through, whatever the policy: without NodePorts reported by svc-no-nodeports
    if (answer is None and service.prediction is not None) or (answer is not None and answer.good is not False):
        return
    if service.nodes == 1:
        return
    row = service.row
    wanted = row is not None and row.cures and row.advice in (Advice.ON, Advice.ON_FOR_LOCAL)
    annotation = service.monitor_annotation
    label, _, single = (answer.text if answer is not None else NOT_EVERY_NODE).partition("; one client alone, ")
    yield Problem(
        _place(service),
        label,
        f"{_reason(service)}. {_WHY}{f' One client alone, {single}.' if single else ''}",
        _help(service, wanted=wanted),
        _fix(service) if wanted or (row is None and annotation is not None and service.options is not None) else None,
    )


_WHY = "kube-proxy drops connections to a node without a pod, and nothing removes such nodes from the load balancer."


def _place(service: ServiceView) -> Span:
    annotation = service.monitor_annotation
    return annotation.span if annotation is not None else service.span_of("spec", "externalTrafficPolicy")


def _reason(service: ServiceView) -> str:
    if service.monitor_annotation is not None:
        return "The annotation disables the monitors"
    where = f" in {service.conf_name}" if service.conf_name else ""
    options = service.options
    if options is not None and "create-monitor" in options.given:
        return f"create-monitor is false{where if service.confs else ', by the profile'}"
    return f"create-monitor is not set{where} and defaults to false"


def _help(service: ServiceView, *, wanted: bool) -> str:
    if not wanted:
        return _without_monitors(service.row)
    annotation = 'the annotation loadbalancer.openstack.org/enable-health-monitor: "true"'
    if service.monitor_annotation is not None:
        return 'Remove the annotation and write create-monitor = true in cloud.conf, or set it to "true".'
    if not service.behaviours["monitor-annotation"]:
        return "Write create-monitor = true in cloud.conf."
    return f"Write create-monitor = true in cloud.conf, for all Services, or {annotation}, for this one."


def _fix(service: ServiceView) -> Fix | None:
    if not service.behaviours["monitor-annotation"] or _is_left_to_the_conf(service):
        return None
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "true")
    return yaml_fixes.unsafe(service.manifest, 'write the annotation `enable-health-monitor: "true"`', edit)


def _is_left_to_the_conf(service: ServiceView) -> bool:
    """Whether the cloud.conf, which is whole, gets create-monitor = true of its own rules, for all Services."""
    options, carriers = service.options, [conf.place.carrier for conf in service.confs if conf.place is not None]
    if options is None or service.monitor_annotation is not None or not carriers or any(map(may_be_a_part, carriers)):
        return False
    from ccmcheck.policy.create_monitor.verdict import for_config

    driver = octavia.family(options.lb_provider) if options.lb_provider else None
    verdict = for_config(service.release, driver, options.serial)
    is_left_out = "create-monitor" not in (*options.given, *options.open)
    return verdict.value is True and (is_left_out or verdict.for_any is not None)


def _without_monitors(row: MatrixRow | None) -> str:
    """What to do where the decision matrix does not simply recommend monitors."""
    if row is None:
        return ""
    if row.advice is Advice.OFF and row.when.protocol is not None:
        return f"No monitor helps here: {row.why}. Use externalTrafficPolicy Cluster."
    actions = "; ".join(row.actions)
    why = f"A monitor alone does not help here: {row.why}. " if row.advice is Advice.OFF else ""
    return f"{why}{actions[:1].upper()}{actions[1:]}." if actions else ""
