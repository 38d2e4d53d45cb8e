"""The part of a cloud.conf that decides about load balancers, with the values that one release will use."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import lone_conf
from ccmcheck.catalog import Release
from ccmcheck.catalog.data.octavia import DEFAULT_PROVIDER
from ccmcheck.conf.item import Unknown
from ccmcheck.conf.view import CloudConf
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of

SECTION = "LoadBalancer"
CLASSES = "LoadBalancerClass"

_NANOSECONDS = 1_000_000_000


class BalancerClass(NamedTuple):
    """One ``[LoadBalancerClass "name"]``; empty where the file or the release says nothing."""

    floating_network_id: str = ""
    floating_subnet_id: str = ""
    floating_subnet: str = ""
    floating_subnet_tags: str = ""
    network_id: str = ""
    subnet_id: str = ""
    member_subnet_id: str = ""


class Options(NamedTuple):
    """The load balancer settings that the CCM of one release uses.

    The fields are named after the keys. A key that the release does not know has the value that the code without it
    amounts to; ``monitor_max_retries_down`` is None then, because nothing is sent.

    Attributes:
        release: The release.
        classes: The classes by name.
        stop: Why the CCM does not run with this file; empty where it does.
        stopped_by: What that is said of.
        unsupported: Why load balancers are not supported, though it runs; empty where they are.
        given: The keys that the file sets.
        open: Keys whose values are known only after rendering; their defaults are used.
        where: Which of the texts it is that the conditions of a template make; empty for the only one.
    """

    release: Release
    enabled: bool = True
    use_octavia: bool = True
    lb_version: str = ""
    lb_provider: str = DEFAULT_PROVIDER
    lb_method: str = "ROUND_ROBIN"
    create_monitor: bool = False
    monitor_delay: int = 5
    monitor_timeout: int = 3
    monitor_max_retries: int = 1
    monitor_max_retries_down: int | None = 3
    subnet_id: str = ""
    member_subnet_id: str = ""
    network_id: str = ""
    floating_network_id: str = ""
    floating_subnet_id: str = ""
    floating_subnet: str = ""
    floating_subnet_tags: str = ""
    internal_lb: bool = False
    node_selector: str = ""
    flavor_id: str = ""
    availability_zone: str = ""
    enable_ingress_hostname: bool = False
    ingress_hostname_suffix: str = "nip.io"
    max_shared_lb: int = 2
    container_store: str = "barbican"
    serial: bool = False
    default_tls_container_ref: str = ""
    manage_security_groups: bool = False
    cascade_delete: bool = True
    classes: dict[str, BalancerClass] = {}  # noqa: RUF012 - never changed
    stop: str = ""
    stopped_by: str = "cloud.conf"
    unsupported: str = ""
    given: frozenset[str] = frozenset()
    open: tuple[str, ...] = ()
    where: str = ""

    @property
    def is_special(self) -> bool:
        """Whether the CCM knows the provider by its name, ovn, and treats it in ways of its own (1.22 and newer)."""
        return driver_of(self.lb_provider).is_special and behaviours_of(self.release)["knows-ovn"]


_TEXTS = (
    "lb-version", "lb-provider", "lb-method", "subnet-id", "member-subnet-id", "network-id", "floating-network-id",
    "floating-subnet-id", "floating-subnet", "floating-subnet-tags", "node-selector", "flavor-id", "availability-zone",
    "ingress-hostname-suffix", "container-store", "default-tls-container-ref",
)  # fmt: skip
_SWITCHES = (
    "enabled", "use-octavia", "create-monitor", "internal-lb", "enable-ingress-hostname", "manage-security-groups",
    "cascade-delete",
)  # fmt: skip
_NUMBERS = ("monitor-max-retries", "max-shared-lb")
_DURATIONS = ("monitor-delay", "monitor-timeout")
_SERIAL = "provider-requires-serial-api-calls"
_DOWN = "monitor-max-retries-down"
KEYS = (*_TEXTS, *_SWITCHES, *_NUMBERS, *_DURATIONS, _SERIAL, _DOWN)
"""Every key of ``[LoadBalancer]`` that is read."""


def read_options(text: str, release: Release | str) -> Options:
    """Read a cloud.conf's text as one release does.

    Args:
        text: The text; bytes that are no UTF-8 as lone surrogates.
        release: The release, or its name.

    Raises:
        WrongUse: There is no such release.
    """
    known = catalog.release(release) if isinstance(release, str) else release
    return options_of(CloudConf.read(lone_conf(text), known))


def options_of(conf: CloudConf) -> Options:
    """Take the options from a view of a cloud.conf."""
    open_keys: list[str] = []
    values: dict[str, object] = {}
    for key in (*_TEXTS, *_SWITCHES, *_NUMBERS, _SERIAL, _DOWN):
        value = _value(conf, key, open_keys)
        if value is not None:
            values["serial" if key == _SERIAL else key.replace("-", "_")] = value
    for key in _DURATIONS:
        value = _value(conf, key, open_keys)
        if isinstance(value, int):
            values[key.replace("-", "_")] = seconds(value)
    release = conf.release
    behaviours = behaviours_of(release)
    values.setdefault("use_octavia", True)
    values.setdefault("monitor_max_retries_down", None)
    if not behaviours["ingress-hostname"]:
        values.setdefault("enable_ingress_hostname", False)
    options = Options(release, classes=_classes(conf, open_keys), given=_given(conf))
    options = options._replace(open=tuple(open_keys), **values)  # type: ignore[arg-type]  # the types are the catalogue's
    stop = _stop(conf, options)
    return options._replace(stop=stop, unsupported="" if stop else _unsupported(conf, options))


def seconds(nanoseconds: int) -> int:
    """A duration as the CCM reads it: ``int(d.Seconds())`` truncates towards zero, so that 500 ms are 0 seconds."""
    whole = abs(nanoseconds) // _NANOSECONDS
    return -whole if nanoseconds < 0 else whole


def _value(conf: CloudConf, key: str, open_keys: list[str]) -> object:
    """A key's value, or its default where only rendering gives it; None where the release does not know the key."""
    value = conf.value(SECTION, key)
    if isinstance(value, Unknown):
        open_keys.append(key)
        section = conf.schema.section(SECTION)
        spec = section.key(key) if section is not None else None
        return spec.default_value if spec is not None else None
    return value


def _classes(conf: CloudConf, open_keys: list[str]) -> dict[str, BalancerClass]:
    spec = conf.schema.section(CLASSES)
    if spec is None or not spec.is_map:
        return {}
    classes: dict[str, BalancerClass] = {}
    for section in conf.sections_named(CLASSES):
        name = section.subsection or ""
        values: dict[str, str] = {}
        for key in spec.keys:
            item = conf.last(CLASSES, key.name, section.subsection)
            if item is None:
                continue
            value = conf.typed(item)
            if isinstance(value, Unknown):
                open_keys.append(f'{key.name} of class "{name}"')
            elif isinstance(value, str):
                values[key.name.replace("-", "_")] = value
        classes[name] = BalancerClass(**values)
    return classes


def _stop(conf: CloudConf, options: Options) -> str:
    """Why the process ends, or ends again and again."""
    behaviours = behaviours_of(conf.release)
    error = conf.reading.error or conf.reading.refusal
    if conf.carried.marks:
        stops = list(conf.stops(*{stop.kind for stop in conf.reading.stops}))
        error = stops[0].error if stops else None
    if error is not None:
        return f"the CCM does not start: {error}"
    if options.enabled and options.lb_version not in ("", "v2") and behaviours["bad-lb-version-ends"]:
        return f'the CCM ends: currently only support LBaaS v2, unrecognised lb-version "{options.lb_version}"'
    if behaviours["zero-timers-end"] and options.create_monitor:
        for key in ("monitor-delay", "monitor-timeout", "monitor-max-retries"):
            if conf.value(SECTION, key) == 0:
                return f"the CCM does not start: {key} not set in cloud provider config"
    return ""


def _unsupported(conf: CloudConf, options: Options) -> str:
    """Why the service controller finds no load balancers supported."""
    behaviours = behaviours_of(conf.release)
    if not options.enabled:
        return "enabled = false: the CCM leaves load balancers to others"
    if options.lb_version not in ("", "v2"):
        return f"lb-version = {options.lb_version}: load balancers are not supported, which only the log mentions"
    if behaviours["load-balancers-need-a-key"] and not any(
        conf.last(SECTION, key.name) is not None for key in _keys(conf) if key.type != "reserved"
    ):
        return "there is no key in [LoadBalancer]: load balancers are not supported"
    return ""


def _given(conf: CloudConf) -> frozenset[str]:
    return frozenset(key.name for key in _keys(conf) if conf.last(SECTION, key.name) is not None)


def _keys(conf: CloudConf) -> tuple[catalog.KeySpec, ...]:
    section = conf.schema.section(SECTION)
    return section.keys if section is not None else ()
