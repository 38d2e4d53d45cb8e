"""Whom a change of behaviour concerns: conditions on the configuration and on one Service, each by its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from ccmcheck.catalog.data.release_bugs import SOME
from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.nodes import EXCLUDED, MASTER, NOT_EXCLUDED
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.service_conditions import MetCase, holds, is_about_services, meets, says_key

_KINDS = ("containers", "secrets")


def shared_balancers(services: Iterable[Service]) -> frozenset[str]:
    """The IDs of load balancers that several Services name in their annotations."""
    named = Counter(service.annotations.get(BALANCER_ID, "") for service in services)
    return frozenset(name for name, count in named.items() if name and count > 1)


def _master_takes_traffic(case: MetCase) -> bool:
    """Whether a node may have the master's role; nearly every cluster of the releases in question has such nodes."""
    return case.node_labels is None or any(MASTER in labels for labels in case.node_labels)


_CONFIGURED: dict[str, tuple[str, Callable[[MetCase], bool]]] = {
    "octavia": ("use-octavia", lambda case: case.before.use_octavia and case.after.use_octavia),
    "not octavia": ("use-octavia", lambda case: not case.before.use_octavia),
    "serial": ("provider-requires-serial-api-calls", lambda case: case.after.serial),
    "router": ("", lambda case: bool(case.values.get(("Route", "router-id")))),
    "insecure without ca-file": (
        "",
        lambda case: (
            case.values.get(("Global", "tlsinsecure")) == "true" and not case.values.get(("Global", "ca-file"))
        ),
    ),
    "a master takes traffic": ("", _master_takes_traffic),
    "a node says false": ("", lambda case: any(one.get(EXCLUDED) in NOT_EXCLUDED for one in case.node_labels or ())),
    "tls reference without a kind": (
        "default-tls-container-ref",
        lambda case: (
            bool(case.after.default_tls_container_ref)
            and case.after.default_tls_container_ref.rstrip("/").split("/")[-2:-1] not in ([kind] for kind in _KINDS)
        ),
    ),
    "disabled": ("enabled", lambda case: not case.before.enabled),
    "no balancer keys": ("", lambda case: not case.before.given),
    "no login": ("", lambda case: not case.has_login),
    "always": ("", lambda _: True),
    "every CCM": ("", lambda _: True),
}
"""Conditions on the configuration that `holds` does not have, each with the key that must be known for it."""

_OTHERS = ("key ", "written ", "ovn provider")
"""How those begin that it has, after a ``not``."""

_WITHOUT_BALANCERS = frozenset({"disabled", "every CCM", "router", "insecure without ca-file"})
"""Those that count where ``enabled`` is false, too."""

_KEYS = ("on ", "without ")
"""How conditions on one key begin."""

_UNKNOWN: dict[str, bool] = {"local": True, "cluster": True, "source ranges": True}
"""What holds of conditions on Services where none are given; others, which few Services meet, do not hold."""


def applies_to(names: Sequence[str], case: MetCase, services: Mapping[str, Service]) -> tuple[bool, tuple[str, ...]]:
    """Tell whom a change concerns.

    Args:
        names: The conditions.
        case: The configuration before and after.
        services: The Services by what to call them; empty when none are known.

    Returns:
        Whether it applies, and the affected Services where only some can be.
    """
    if case.before.enabled is case.after.enabled is False and _WITHOUT_BALANCERS.isdisjoint(names):
        return False, ()
    keys = [name for name in names if name.startswith(_KEYS)]
    names = [name for name in names if name not in keys]
    about_config = [name for name in names if name in _CONFIGURED or name.removeprefix("not ").startswith(_OTHERS)]
    about_services = [name for name in names if is_about_services(name.removeprefix(SOME)) and name not in about_config]
    if len(about_config) + len(about_services) < len(names):
        raise KeyError(f"there is no condition {set(names) - set(about_config) - set(about_services)}")
    if not all(_holds(name, case) for name in about_config) or not all(_key_says(name, case) for name in keys):
        return False, ()
    if not about_services:
        return True, ()
    if not services:
        return all(_of_any(name, case) for name in about_services), ()
    affected = tuple(
        title
        for title, service in services.items()
        if all(meets(name.removeprefix(SOME), case, service) for name in about_services)
    )
    return bool(affected), affected


def _key_says(name: str, case: MetCase) -> bool:
    """Whether a condition as `ccmcheck.catalog.data.release_bugs` has it holds: ``on key``, ``without Section.key``."""
    kind, _, condition = name.partition(" ")
    section, _, key = condition.partition("=")[0].rpartition(".")
    if not section:
        return says_key(condition, case.before) is (kind == "on") and key not in case.after.open
    wanted, value = condition.partition("=")[2], str(case.values.get((section, key))).lower()
    return (value == wanted if wanted else value not in ("none", "", "false")) is (kind == "on")


def _holds(name: str, case: MetCase) -> bool:
    if name not in _CONFIGURED:
        return holds(name, case, Service("")) is True
    key, condition = _CONFIGURED[name]
    return key not in case.after.open and condition(case)


def _of_any(name: str, case: MetCase) -> bool:
    if name in ("monitor", "without-monitor"):
        return "create-monitor" not in case.after.open and case.after.create_monitor is (name == "monitor")
    if name == "internal service":
        return "internal-lb" not in case.after.open and case.after.internal_lb
    if "class" in name and not (case.before.classes or case.after.classes):
        return False
    return name.startswith(SOME) or _UNKNOWN.get(name, False)
