"""What [LoadBalancer] comes to at one release, worked out once for all rules of this folder."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base.model import Note
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import UNKNOWN
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import is_ccms, is_meant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.base.model import Edit, Fix
    from ccmcheck.catalog import Schema
    from ccmcheck.conf.view import CloudConf, Item
    from ccmcheck.policy.create_monitor.timers import Timers

SECTION = "LoadBalancer"
TIMERS = ("monitor-delay", "monitor-timeout", "monitor-max-retries", "monitor-max-retries-down")
_SECOND = 1_000_000_000
_HOLES = ("managed-groups-shut-ovn-clients-out", "managed-groups-emptied-by-node-changes")
"""In releases that behave so, managed groups do not open the NodePorts to ovn's clients."""


class Balancer(NamedTuple):
    """The values that the CCM will use; None is unknown, or not a key of the release.

    Attributes:
        items: The key that decides, by its name in the catalogue.
        judged: False where nobody should say anything: another reader's file, or load balancers switched off.
        provider: lb-provider.
        driver: What Octavia calls by that name, see `ccmcheck.catalog.octavia.family`; None too where the cloud decides.
        monitor: create-monitor.
        delay: monitor-delay as the CCM sends it, in whole seconds.
        timeout: monitor-timeout, likewise.
        retries: monitor-max-retries.
        down: monitor-max-retries-down, or what Octavia takes where the release does not know the key.
        method: lb-method.
        serial: provider-requires-serial-api-calls.
        groups: manage-security-groups.
        timers_by_default: Whether the release has defaults for the timers.
    """

    items: Mapping[str, Item]
    judged: bool
    provider: str | None
    driver: str | None
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
    def timers(self) -> list[Item]:
        """The timers that the file sets, in its order."""
        found = [self.items[key] for key in TIMERS if key in self.items]
        return sorted(found, key=lambda item: item.entry.key_span.start)


@cache
def _defaults(schema: Schema) -> dict[str, object]:
    section = schema.section(SECTION)
    return {spec.name: spec.default_value for spec in section.keys} if section is not None else {}


def is_wished(conf: CloudConf, key: str) -> bool:
    """Whether a profile of the run decides on a key, so that general advice on it has nothing to add."""
    if not conf.bundle.requirements:
        return False
    from ccmcheck.policy.profiles.judging import is_decided

    return is_decided(conf, SECTION, key)


def has_timers_by_default(conf: CloudConf) -> bool:
    """The same as ``balancer(conf).timers_by_default``, told without reading anything."""
    return bool(_defaults(conf.schema).get("monitor-delay"))


@lru_cache(maxsize=1)
def balancer(conf: CloudConf) -> Balancer:
    """Work it out; several rules ask for the same file in a row, hence the one-element cache."""
    items = {
        item.spec.name: item
        for item in conf.items
        if item.spec is not None and item.spec.section == SECTION and item.section.subsection is None
    }
    defaults = _defaults(conf.schema)
    hidden = conf.may_hide_keys(SECTION)

    def value(key: str) -> object:
        item = items.get(key)
        if item is None:
            return None if hidden or (key not in defaults) or is_meant(conf, SECTION, key) else defaults[key]
        found = conf.typed(item)
        return None if found is UNKNOWN else found

    provider = _text(value("lb-provider"))
    down = (
        octavia.DEFAULT_RETRIES_DOWN
        if "monitor-max-retries-down" not in defaults
        else _number(value("monitor-max-retries-down"))
    )
    return Balancer(
        items=items,
        judged=is_ccms(conf) and ("enabled" not in defaults or value("enabled") is True),
        provider=provider,
        driver=octavia.family(provider) if provider else None,
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
    """The key that leaves the NodePorts closed to ovn's clients, in a release in which managed groups would open them.

    Returns:
        manage-security-groups where it is given, else lb-provider; None where another provider is used, or the groups are
        managed.
    """
    lb = balancer(conf)
    if lb.driver != "ovn" or lb.groups is not False or not lb.judged:
        return None
    if any(behaves(name, conf.release) for name in _HOLES):
        return None
    return lb.items.get("manage-security-groups") or lb.items["lb-provider"]


def node_ports(conf: CloudConf) -> bool | None:
    """Whether Cluster API opens the NodePorts to everybody, as the nearest OpenStackClusters say.

    Returns:
        None where there is none, or they do not say the same.
    """
    found = {cluster.node_ports for cluster in conf.nearest(conf.bundle.clusters)}
    return found.pop() if len(found) == 1 else None


def manage_groups(conf: CloudConf) -> Fix | None:
    """Let the CCM open the NodePorts."""
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


def other_timers(lb: Balancer, named: Item, timers: Timers) -> tuple[Note, ...]:
    """The further places that `write_timers` changes.

    Args:
        lb: The values.
        named: The place that the problem names.
        timers: The set.
    """
    return tuple(
        Note(item.span, f"goes with it: `{value}`")
        for key, value in timers.keys.items()
        if (item := lb.items.get(key)) is not None and item is not named and item.entry.value != value
    )


def write_timers(conf: CloudConf, lb: Balancer, timers: Timers) -> list[Edit | None]:
    """The edits that bring the monitors to a set of timers: written ones are replaced, those that differ are added.

    Args:
        conf: The text.
        lb: Its values.
        timers: The set.
    """
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
