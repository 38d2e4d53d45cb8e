"""What of a Service decides whom a behaviour of the CCM concerns: conditions, each by its name.

An upgrade asks for them, `lint` and `predict` for the bugs of a release; ``service_conditions.tsv`` has their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.octavia import IDLE_MILLISECONDS, MANY_MEMBERS
from ccmcheck.catalog.data.release_bugs import ReleaseBug
from ccmcheck.catalog.release_bugs import bugs_of
from ccmcheck.catalog.service_annotations import (
    BALANCER_ADDRESS,
    BALANCER_ID,
    FORWARDED,
    INTERNAL,
    PREFIX,
    SOURCE_RANGES,
    TLS_REFERENCE,
    integer,
    proxy_protocols,
)
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service

_CLASS = PREFIX + "class"


class MetCase(NamedTuple):
    """What a Service, or an upgrade, is judged for.

    Attributes:
        before: The configuration as the old release of an upgrade reads it; else the same as ``after``.
        after: The configuration.
        nodes: How many nodes there are; None when unknown.
        shared: The load balancers that several Services name.
        has_login: Whether the file says where to log in.
        node_labels: The labels of the nodes; None when unknown.
        values: What the old release reads outside of ``[LoadBalancer]``, by section and key.
    """

    before: Options
    after: Options
    nodes: int | None = None
    shared: frozenset[str] = frozenset()
    has_login: bool = True
    node_labels: tuple[Mapping[str, str], ...] | None = None
    values: Mapping[tuple[str, str], object] = {}


def _monitor(case: MetCase, service: Service) -> bool:
    """Whether a Service gets monitors: the annotation counts where it is a bool, else the configuration."""
    said = service.annotations.get(PREFIX + "enable-health-monitor", "")
    return said == "true" if said in ("true", "false") else case.after.create_monitor


def _said(service: Service, annotation: str) -> str:
    return service.annotations.get(annotation, "")


def _proxy_protocol(case: MetCase, service: Service) -> bool:
    return bool(proxy_protocols(case.after.release).get(_said(service, PREFIX + "proxy-protocol")))


def _is_internal(case: MetCase, service: Service) -> bool:
    return case.after.internal_lb or _said(service, INTERNAL) == "true"


def _shares(case: MetCase, service: Service) -> bool:
    """Whether a Service uses another one's load balancer, as far as that shows.

    The CCM writes the ID to each live Service, so that there it says something only where several have the same.
    """
    named = _said(service, BALANCER_ID)
    is_live = bool(service.uid or _said(service, BALANCER_ADDRESS))
    return bool(named) and (not is_live or named in case.shared)


def _class_names_network(case: MetCase, service: Service) -> bool | None:
    """Whether the class of a Service names a floating network or subnet; None where there is no such class."""
    chosen = case.before.classes.get(_said(service, _CLASS))
    return None if chosen is None else any(value for name, value in chosen._asdict().items() if "floating" in name)


def _has_tls(case: MetCase, service: Service) -> bool:
    return bool(service.annotations.get(TLS_REFERENCE, case.after.default_tls_container_ref))


ABOUT_SERVICES: dict[str, Callable[[MetCase, Service], bool]] = {
    "local": lambda _, service: service.policy == "Local",
    "cluster": lambda _, service: service.policy != "Local",
    "udp": lambda _, service: any(port.protocol == "UDP" for port in service.ports),
    "several ports": lambda _, service: len(service.ports) > 1,
    "ports of one number": lambda _, service: len({port.port for port in service.ports}) < len(service.ports),
    "source ranges": lambda _, service: bool(service.source_ranges or service.annotations.get(SOURCE_RANGES)),
    "proxy protocol": _proxy_protocol,
    "ipv6": lambda _, service: service.families[:1] == ("IPv6",),
    "dual stack": lambda _, service: service.dual or len(service.families) > 1,
    "asks to be external": lambda _, service: _said(service, INTERNAL) == "false",
    "internal service": _is_internal,
    "external service": lambda case, service: not _is_internal(case, service),
    "shares": _shares,
    "internal shares": lambda case, service: _shares(case, service) and _is_internal(case, service),
    "external shares": lambda case, service: _shares(case, service) and not _is_internal(case, service),
    "class": lambda _, service: bool(_said(service, _CLASS)),
    "class with subnet": lambda case, one: bool(getattr(case.after.classes.get(_said(one, _CLASS)), "subnet_id", "")),
    "external, class without floating network": lambda case, service: (
        _class_names_network(case, service) is False and not _is_internal(case, service)
    ),
    "internal, class with floating network": lambda case, service: (
        _class_names_network(case, service) is True and _is_internal(case, service)
    ),
    "floating-subnet": lambda _, service: bool(_said(service, PREFIX + "floating-subnet")),
    "given address": lambda case, service: bool(service.address) and not _is_internal(case, service),
    "timeouts": lambda _, service: any(name.startswith(PREFIX + "timeout-") for name in service.annotations),
    "tls": _has_tls,
    "pool protocol": lambda case, service: (
        _proxy_protocol(case, service) or _said(service, FORWARDED) == "true" or _has_tls(case, service)
    ),
    "many members": lambda case, service: len(service.ports) * (case.nodes or 0) > MANY_MEMBERS,
    "monitor": _monitor,
    "without-monitor": lambda case, service: not _monitor(case, service),
    "no NodePorts": lambda _, service: not service.allocates,
    "some address": lambda _, service: bool(service.address),
    "other floating networks": lambda case, _: any(
        one.floating_network_id not in ("", case.after.floating_network_id) for one in case.after.classes.values()
    ),
    "ovn provider": lambda case, _: driver_of(case.after.lb_provider).is_special,
    "amphora provider": lambda case, _: bool(driver_of(case.after.lb_provider).redispatches),
    "serial calls": lambda case, _: case.after.serial,
    "other namespace": lambda _, service: service.namespace != "default",
}
"""Conditions on one Service."""
_NEEDS = dict(read_table(__file__, "condition_needs.tsv"))
"""The keys that must be known for some of them."""


def is_about_services(condition: str) -> bool:
    """Whether there is such a condition on Services."""
    return condition in ABOUT_SERVICES or condition.startswith(("annotation ", "protocol "))


def meets(condition: str, case: MetCase, service: Service) -> bool:
    """Whether a Service meets a condition.

    Args:
        condition: A name in `ABOUT_SERVICES`; ``annotation NAME``, ``annotation NAME=VALUE``, ``protocol NAME``, or
            ``long NAME`` for a timeout above Octavia's.
        case: What it is judged for.
        service: The Service.
    """
    kind, _, name = condition.partition(" ")
    if kind == "protocol":
        return any(port.protocol == name for port in service.ports)
    if kind == "long":
        return (integer(_said(service, PREFIX + name)) or 0) > IDLE_MILLISECONDS
    if kind == "annotation":
        name, _, wanted = name.partition("=")
        said = _said(service, name if "/" in name else PREFIX + name)
        return said == wanted if wanted else bool(said)
    return _NEEDS.get(condition) not in case.after.open and ABOUT_SERVICES[condition](case, service)


def holds(condition: str, case: MetCase, service: Service) -> bool | None:
    """Whether a condition on a Service, its cloud.conf or the release holds; None where a template decides.

    Args:
        condition: ``key NAME`` is set or true, in the file or by default, ``written NAME`` in the file; ``behaves
            NAME`` and ``from TAG`` are about the release; else it is one of `meets`. ``not`` before it turns it around.
        case: What the Service is judged for.
        service: The Service.
    """
    kind, _, name = condition.partition(" ")
    options = case.after
    if kind == "not":
        held = holds(name, case, service)
        return None if held is None else not held
    if kind == "behaves":
        return behaviours_of(options.release)[name]
    if kind == "from":
        return options.release.at_least(name)
    if (name if kind in ("key", "written") else _NEEDS.get(condition)) in options.open:
        return None
    if kind == "written":
        return name in options.given
    return bool(getattr(options, name.replace("-", "_"))) if kind == "key" else meets(condition, case, service)


def says_key(condition: str, options: Options) -> bool | None:
    """Whether a key of ``[LoadBalancer]`` is true or set, or as ``key=value`` says; None where it is not known."""
    key, _, wanted = condition.partition("=")
    value = getattr(options, key.replace("-", "_")) if key in options.given else ""
    is_on = str(value).lower() == wanted if wanted else str(value).lower() not in ("none", "", "false")
    return None if key in options.open else is_on


def bugs_met(options: Options, service: Service, nodes: int | None) -> Iterator[ReleaseBug]:
    """The bugs of a release whose conditions a Service and its cloud.conf meet, the worst first.

    Args:
        options: The configuration.
        service: The Service, without open fields.
        nodes: How many nodes there are; None when unknown.
    """
    case = MetCase(options, options, nodes)
    for bug in bugs_of("ccm", options.release):
        if (
            bug.service
            and all(meets(one, case, service) for one in bug.service)
            and all(says_key(one, options) for one in bug.on)
            and all(says_key(one, options) is False for one in bug.without)
        ):
            yield bug
