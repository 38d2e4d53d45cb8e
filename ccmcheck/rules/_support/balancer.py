"""The effective values of [LoadBalancer] at one release, computed once for all rules about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ccmcheck.base.model import Edit, Fix, Note
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Schema, octavia
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.octavia import DEFAULT_RETRIES_DOWN
from ccmcheck.conf.item import UNKNOWN, Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.create_monitor.timers import Timers
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import is_ccm_file, is_misnamed
from ccmcheck.rules._support.once import once
from ccmcheck.rules.views.drivers import Driver, driver_of

SECTION = "LoadBalancer"
TIMERS = ("monitor-delay", "monitor-timeout", "monitor-max-retries", "monitor-max-retries-down")
_SECOND = 1_000_000_000
_SECURITY_GROUP_BUGS = ("managed-groups-shut-ovn-clients-out", "managed-groups-emptied-by-node-changes")
"""Behaviours of releases whose managed security groups do not open the NodePorts to ovn's clients."""


class BalancerSettings(NamedTuple):
    """The values that the CCM uses; None where unknown, or not a key of the release.

    Attributes:
        items: The item that takes effect, by the key's name in the catalogue.
        applies: False where rules should report nothing: another program's file, or load balancers are disabled.
        provider: lb-provider.
        driver: Octavia's driver for the provider; one that nothing is known of where the cloud decides, too.
        monitor: create-monitor.
        delay: monitor-delay as the CCM sends it, in whole seconds.
        timeout: monitor-timeout, likewise.
        retries: monitor-max-retries.
        down: monitor-max-retries-down, or Octavia's default where the release does not know the key.
        method: lb-method.
        serial: provider-requires-serial-api-calls.
        groups: manage-security-groups.
        timers_by_default: Whether the release has defaults for the timers.
    """

    items: Mapping[str, Item]
    applies: bool
    provider: str | None
    driver: Driver
    monitor: bool | None
    delay: int | None
    timeout: int | None
    retries: int | None
    down: int | None
    method: str | None
    serial: bool | None
    groups: bool | None
    timers_by_default: bool

    @property
    def driver_family(self) -> str | None:
        """What the create-monitor matrix names the driver by; None where the cloud decides."""
        return octavia.family(self.provider) if self.provider else None

    @property
    def timers(self) -> list[Item]:
        """The timers that the file sets, in its order."""
        timers = [self.items[key] for key in TIMERS if key in self.items]
        return sorted(timers, key=lambda item: item.entry.key_span.start)


@cache
def _defaults(schema: Schema) -> dict[str, object]:
    section = schema.section(SECTION)
    return {spec.name: spec.default_value for spec in section.keys} if section is not None else {}


def has_requirement(conf: CloudConf, key: str) -> bool:
    """Whether a profile of the run has a requirement for a key, which replaces general advice about it."""
    if not conf.run_context.requirements:
        return False
    from ccmcheck.policy.profiles.evaluation import is_decided

    return is_decided(conf, SECTION, key)


def has_timers_by_default(conf: CloudConf) -> bool:
    """The same as ``balancer(conf).timers_by_default``, without reading the file."""
    return bool(_defaults(conf.schema).get("monitor-delay"))


@once
def balancer(conf: CloudConf) -> BalancerSettings:
    """Compute the values; several rules ask for the same file."""
    items = conf.deciding(SECTION)
    defaults = _defaults(conf.schema)
    hidden = conf.may_hide_keys(SECTION)

    def value(key: str) -> object:
        item = items.get(key)
        if item is None:
            return None if hidden or (key not in defaults) or is_misnamed(conf, SECTION, key) else defaults[key]
        typed = conf.typed(item)
        return None if typed is UNKNOWN else typed

    provider = _text(value("lb-provider"))
    down = (
        DEFAULT_RETRIES_DOWN
        if "monitor-max-retries-down" not in defaults
        else _number(value("monitor-max-retries-down"))
    )
    return BalancerSettings(
        items=items,
        applies=is_ccm_file(conf) and ("enabled" not in defaults or value("enabled") is not False),
        provider=provider,
        driver=driver_of(provider or None),
        monitor=_switch(value("create-monitor")),
        delay=_seconds(value("monitor-delay")),
        timeout=_seconds(value("monitor-timeout")),
        retries=_number(value("monitor-max-retries")),
        down=down,
        method=_text(value("lb-method")),
        serial=_switch(value("provider-requires-serial-api-calls")),
        groups=_switch(value("manage-security-groups")),
        timers_by_default=has_timers_by_default(conf),
    )


def unopened_item(conf: CloudConf) -> Item | None:
    """The key that leaves the NodePorts closed to ovn's clients.

    Returns:
        manage-security-groups where it is set, else lb-provider; None with another provider and with managed groups.
    """
    lb = balancer(conf)
    if not lb.driver.is_special or lb.groups is not False or not lb.applies:
        return None
    return lb.items.get("manage-security-groups") or lb.items["lb-provider"]


def node_ports(conf: CloudConf) -> bool | None:
    """Whether the nearest OpenStackClusters open the NodePorts to every address; None where unknown or contradictory."""
    values = {cluster.node_ports for cluster in conf.nearest(conf.run_context.clusters)}
    return values.pop() if len(values) == 1 else None


def managed_groups_help(conf: CloudConf) -> bool:
    """Whether managed security groups let ovn's clients in, at this release."""
    return not any(behaves(name, conf.release) for name in _SECURITY_GROUP_BUGS)


def open_to_clients(conf: CloudConf) -> tuple[str, Fix | None]:
    """What opens the NodePorts to ovn's clients: managed security groups, with their fix, where those of the release do."""
    if not managed_groups_help(conf):
        fixed = fixed_in(_SECURITY_GROUP_BUGS[-1], conf.release)
        return f"Let them in by a rule: managed groups do so, for good, from CCM {fixed} on.", None
    return "Write `manage-security-groups = true`.", _manage_groups(conf)


def _manage_groups(conf: CloudConf) -> Fix | None:
    items = balancer(conf).items
    own = items.get("manage-security-groups")
    edit = (
        fixes.write_value(conf, own.entry, "true")
        if own is not None
        else fixes.add_key(conf, SECTION, "manage-security-groups", "true", after=items["lb-provider"].entry)
    )
    return fixes.unsafe(conf, "write `manage-security-groups = true`", edit)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _switch(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _seconds(value: object) -> int | None:
    number = _number(value)
    if number is None:
        return None
    return number // _SECOND if number >= 0 else -(-number // _SECOND)


def other_timers(lb: BalancerSettings, reported: Item, timers: Timers) -> tuple[Note, ...]:
    """Notes on what `write_timers` changes besides the item that the problem is about."""
    return tuple(
        Note(item.span, f"change this as well: `{value}`")
        for key, value in timers.keys.items()
        if (item := lb.items.get(key)) is not None and item is not reported and item.entry.value != value
    )


def write_timers(conf: CloudConf, lb: BalancerSettings, timers: Timers) -> list[Edit | None]:
    """The edits that set the timers: those in the file are replaced, those that differ from the default are added."""
    defaults = _defaults(conf.schema)
    known = {
        "monitor-delay": lb.delay,
        "monitor-timeout": lb.timeout,
        "monitor-max-retries": lb.retries,
        "monitor-max-retries-down": lb.down,
    }
    after = (
        lb.timers[-1].entry if lb.timers else lb.items["create-monitor"].entry if "create-monitor" in lb.items else None
    )
    edits: list[Edit | None] = []
    for key, value in timers.keys.items():
        if key not in defaults or known[key] == int(value.removesuffix("s")):
            continue
        item = lb.items.get(key)
        if item is not None:
            edits.append(None if item.opaque else fixes.write_value(conf, item.entry, value))
        else:
            edits.append(fixes.add_key(conf, SECTION, key, value, after=after))
    return edits
