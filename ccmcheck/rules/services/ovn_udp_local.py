"""UDP monitors of ovn do not detect nodes without a pod."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Report what the prediction says about traffic to Local Services."""
    if not service.is_ours or service.service.policy != "Local" or "UDP" not in service.protocols:
        return
    if (
        not service.driver.is_special
        or service.monitor is not True
        or service.behaviours["local-monitor-is-http-on-ovn"]
    ):
        return
    answer = service.answer("traffic-local")
    if answer is None or answer.good is not False or not answer.mechanism:
        return  # without members there is nothing to check: reported by svc-no-nodeports
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "UDP")
    selects = ", or select the nodes with the annotation node-selector" if service.behaviours["node-selectors"] else ""
    yield Problem(
        service.span_of("spec", "ports", index, "protocol"),
        answer.text,
        f"{answer.mechanism[0].upper()}{answer.mechanism[1:]}.",
        f"Run a pod on every node (a DaemonSet){selects}, or use externalTrafficPolicy Cluster.",
    )
