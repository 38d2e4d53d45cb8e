"""What is known of one config and one Service, as a question to the create-monitor matrix."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import octavia
from ccmcheck.policy.create_monitor.records import MatrixQuestion
from ccmcheck.policy.create_monitor.timers import PROBES_PER_SECOND
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service


class Demands(NamedTuple):
    """What no file says; None is unknown. See `MatrixQuestion` for the names.

    Attributes:
        budget: Probes a second that one load balancer may send.
    """

    client_ip: bool | None = None
    strict_mtls: bool | None = None
    drops_unready: bool | None = None
    budget: float = PROBES_PER_SECOND


def question_of(
    config: Options,
    service: Service,
    cloud: CloudState,
    demands: Demands = Demands(),  # noqa: B008 - an immutable record
    *,
    proxied: bool | None,
    floating: bool,
) -> MatrixQuestion:
    """Put the question; whether the quota suffices and whether Octavia refuses is left open.

    Args:
        config: The configuration.
        service: The Service.
        cloud: What is known around it.
        demands: What no file says.
        proxied: Whether its pools use the PROXY protocol; None where that is not known.
        floating: Whether it gets a floating IP.
    """
    driver = driver_of(config.lb_provider)
    # without a floating IP it is enough that the monitor starts at all
    works = "monitor-on-floating-ip" if floating else "monitor-in-create"
    return MatrixQuestion(
        config.release,
        None if "lb-provider" in config.open else octavia.family(config.lb_provider),
        service.policy,
        tuple(dict.fromkeys(port.protocol for port in service.ports)),
        enabled=not (config.unsupported or service.owner),
        serial=None if "provider-requires-serial-api-calls" in config.open else config.serial,
        client_ip=proxied or None if demands.client_ip is None else demands.client_ip,
        strict_mtls=demands.strict_mtls,
        proxy=proxied,
        fip_fix=driver.has(works, cloud.ovn_release),
        http_on_udp=octavia.at_least(cloud.facts.octavia_release, "ussuri"),
        drops_unready=demands.drops_unready,
    )
