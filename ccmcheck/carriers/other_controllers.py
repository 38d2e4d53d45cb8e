"""Workloads and settings of the other controllers that act on Services of type LoadBalancer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import OtherController
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.data import load_balancer_controllers as controllers
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, text_of

_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE", "f", "F", "0"})
_HANDLERS = lazy_regex(rf"^[ \t]*+{controllers.HANDLERS_KEY}[ \t]*+=([^\n]*+)", re.MULTILINE)
_OF_FILES = {row.file_key: number for number, row in enumerate(controllers.CONTROLLERS) if row.file_key}
_OF_SERVERS = next(number for number, row in enumerate(controllers.CONTROLLERS) if row.gives_ids)
_OF_SERVICES = next(number for number, row in enumerate(controllers.CONTROLLERS) if row.name == "k3s ServiceLB")
_KUBELET = "kubelet-arg"
_CLOSED = (("autoAssign", "false"), ("disabled", "true"), ("assignmentMode", "Manual"))
_SELECTORS = ("serviceAllocation", "serviceSelector")
"""Fields with which a pool is not for every Service."""
_OF_SETTINGS = [(number, row.setting) for number, row in enumerate(controllers.CONTROLLERS) if row.setting]
_OF_POOLS = {row.pool: number for number, row in enumerate(controllers.CONTROLLERS) if row.pool}


def find_container(obj: KubernetesObject, carrier: Carrier, container: Mapping, image: str) -> None:
    """Collect a container that runs another controller, and whether it handles Services without a class.

    Args:
        obj: The workload.
        carrier: Where it is collected.
        container: The container.
        image: Its image.
    """
    for number in controllers.rows_of(image):
        is_open = _handles_services(controllers.CONTROLLERS[number], container)
        record = OtherController(obj.path, number, obj.subject, is_open=is_open, is_template=not carrier.source.final)
        carrier.collector.controllers.append(record)


def find_pool(obj: KubernetesObject, carrier: Carrier) -> None:
    """Collect an address pool of another controller, which may be for some Services only; Calico's may be for pods."""
    if obj.kind == "IPPool" and "LoadBalancer" not in _listed(obj.at("spec", "allowedUses")):
        return
    is_open = all(obj.text_at("spec", *name) != value for *name, value in _CLOSED) and all(
        obj.at("spec", name) is None for name in _SELECTORS
    )
    carrier.collector.controllers.append(
        OtherController(obj.path, _OF_POOLS[obj.kind], obj.subject, is_workload=False, is_open=is_open)
    )


def find_settings(carrier: Carrier) -> None:
    """Collect the controllers that a file, of whatever language, has a distribution or another tool start."""
    collector = carrier.collector
    for number, setting in _OF_SETTINGS:
        if re.search(setting, carrier.source.text) is not None:
            collector.controllers.append(OtherController(collector.path, number, "its switch", is_workload=False))


def find_server(carrier: Carrier, node: YamlNode) -> None:
    """Collect the controllers of k3s or RKE2 that a server's configuration keeps, where it is for a CCM.

    Args:
        carrier: The file.
        node: The root of one of its documents.
    """
    if not isinstance(node, Mapping) or carrier.source.marks:
        return
    names = {key.value for key, _ in node.items}
    if controllers.SERVER_KEYS.isdisjoint(names):
        return
    is_external = "cloud-provider=external" in _listed(node.get(_KUBELET))
    is_off = text_of(node.get(controllers.SERVER_SWITCH)) in _TRUE
    disabled = {name.strip() for text in _listed(node.get(controllers.SERVER_PARTS)) for name in text.split(",")}
    kept = []
    if is_external and not is_off and controllers.SERVER_PROVIDER not in names:
        kept.append(_OF_SERVERS)
    if (
        (is_external or is_off)
        and not disabled.isdisjoint(controllers.K3S_PARTS)
        and controllers.SERVICE_LB not in disabled
    ):
        kept.append(_OF_SERVICES)
    path = carrier.collector.path
    carrier.collector.controllers += (OtherController(path, number, "its configuration") for number in kept)


def _listed(node: YamlNode | None) -> list[str]:
    """The texts of a list, or the only one."""
    items = node.items if isinstance(node, Sequence) else [node]
    return [text_of(item) or "" for item in items]


def find_file(obj: KubernetesObject, carrier: Carrier, key: str, text: str) -> None:
    """Collect the configuration of another controller in a ConfigMap.

    Args:
        obj: The ConfigMap.
        carrier: Where it is collected.
        key: The key.
        text: Its text.
    """
    number = _OF_FILES.get(key)
    if number is not None:
        named = _HANDLERS.search(text)
        handlers = {name.strip() for name in named[1].split(",")} if named is not None else controllers.SERVICE_HANDLERS
        is_open = not controllers.SERVICE_HANDLERS.isdisjoint(handlers)
        carrier.collector.controllers.append(
            OtherController(obj.path, number, obj.subject, is_workload=False, is_open=is_open)
        )


def _handles_services(row: controllers.LoadBalancerController, container: Mapping) -> bool:
    """Whether it is started so that it handles Services without a class; False where that is not sure."""
    settings = dict(_settings(container))
    if row.shares_lease and settings.get("leader-elect") in _FALSE:
        return False  # it waits for no other one
    if any(settings.get(name, "false") not in _FALSE for name in row.limits):
        return False
    return not row.switches or any(settings.get(name) in ("true", "True", "1", "") for name in row.switches)


def _settings(container: Mapping) -> Iterator[tuple[str, str]]:
    """The flags of its command line and its environment; a flag without a value is empty."""
    for name in ("command", "args"):
        words = container.get(name)
        for word in words.items if isinstance(words, Sequence) else ():
            text = text_of(word) or ""
            if text.startswith("-"):
                flag, _, value = text.lstrip("-").partition("=")
                yield flag, value
    entries = container.get("env")
    for entry in entries.items if isinstance(entries, Sequence) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), Scalar):
            yield text_of(entry.get("name")) or "", text_of(entry.get("value")) or "unknown"
