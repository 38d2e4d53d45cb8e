"""A Service's properties before and after a change, in words: the verdicts of both predictions, and what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ccmcheck.catalog import Release
from ccmcheck.catalog.service_annotations import PREFIX, is_read
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Group, Listener, Monitor, Pool
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Answer, Prediction, SecurityGroupRule
from ccmcheck.review.change.records import Detection, Rate, ServiceFact

LINTED_KINDS = ("client-address", "dead-node", "podless-node", "probes", "security-group", "hairpin")
"""Verdicts that are compared by their name; ``traffic`` depends on the Service's policy."""

OF_MONITORS = frozenset({"traffic", "dead-node", "podless-node", "probes"})
"""Verdicts that depend on the monitors' timers."""

_TIMEOUTS = ("timeout_client_data", "timeout_member_connect", "timeout_member_data", "timeout_tcp_inspect")
_UNITS = " ms"


def judged(before: Prediction | None, after: Prediction | None) -> Iterator[ServiceFact]:
    """Compare the verdicts.

    Args:
        before: What the CCM made; None where there was no load balancer.
        after: What it is afterwards; None where there is none.
    """
    for name in ("traffic", *LINTED_KINDS):
        old, new = _answer(before, name), _answer(after, name)
        if old is not None or new is not None:
            yield ServiceFact(name, _text(old), _text(new), _is_better(name, old, new))


def _answer(prediction: Prediction | None, name: str) -> Answer | None:
    if prediction is None:
        return None
    return prediction.answer(f"traffic-{prediction.policy.lower()}" if name == "traffic" else name)


def _text(answer: Answer | None) -> str:
    return "" if answer is None else answer.text


def _is_better(name: str, old: Answer | None, new: Answer | None) -> bool | None:
    if old is None or new is None or old.text == new.text:
        return None
    if old.good is not new.good:
        ranks = {True: 2, None: 1, False: 0}
        return ranks[new.good] > ranks[old.good]
    if name in ("dead-node", "podless-node"):
        seconds, others = _slowest(old), _slowest(new)
        return None if seconds == others else others < seconds
    return None


def _slowest(answer: Answer) -> tuple[float, float]:
    """What counts when detection times are compared: silent hosts, then such as refuse."""
    numbers = answer.numbers
    return _most(numbers.get("silent", numbers.get("out"))), _most(numbers.get("refused", numbers.get("out")))


def _most(span: object) -> float:
    return float(span[1]) if isinstance(span, list) else float("inf")


def listed(before: CloudState | None, after: CloudState | None) -> Iterator[ServiceFact]:
    """Compare what the APIs list: ports, pools, timeouts, source ranges, the floating IP.

    Args:
        before: The cloud before; None without a load balancer.
        after: The cloud after, likewise.
    """
    old, new = _parts(before), _parts(after)
    for name in {**old, **new}:
        fact = ServiceFact(name, old.get(name, ""), new.get(name, ""))
        if fact.changes:
            yield _shorter(fact) if name == "timeouts" else fact


def unseen(before: CloudState, after: CloudState) -> Iterator[ServiceFact]:
    """Compare what traffic does not notice, where both sides have it: monitors' names, and egress rules."""
    old = {monitor.id: monitor.name for monitor in monitors_of(before.balancer)}
    pairs = [(old[one.id], one.name) for one in monitors_of(after.balancer) if old.get(one.id, one.name) != one.name]
    more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    yield from (ServiceFact("monitor names", f"{was or 'unnamed'}{more}", f"{name}{more}") for was, name in pairs[:1])
    if before.group is not None and after.group is not None:
        counts = [sum(rule.direction == "egress" for rule in group.rules) for group in (before.group, after.group)]
        if counts[0] != counts[1]:
            yield ServiceFact("egress rules", str(counts[0]), str(counts[1]))


def _shorter(fact: ServiceFact) -> ServiceFact:
    """The timeouts that differ, without those that do not."""
    if not (fact.before and fact.after):
        return fact
    pairs = [pair for pair in zip(fact.before.split("; "), fact.after.split("; "), strict=True) if pair[0] != pair[1]]
    return fact._replace(before="; ".join(old for old, _ in pairs), after="; ".join(new for _, new in pairs))


def _parts(cloud: CloudState | None) -> dict[str, str]:
    there = None if cloud is None else cloud.balancer
    if cloud is None or there is None:
        return {}
    listeners = there.listeners
    found = {
        "ports": _each(f"{listener.protocol}/{listener.port}" for listener in listeners),
        "protocols": _each(listener.pool.protocol for listener in listeners if listener.pool is not None),
        "method": _each(listener.pool.method for listener in listeners if listener.pool is not None),
        "timeouts": "; ".join(
            _each(f"{name} {getattr(listener, name)}{_UNITS}" for listener in listeners) for name in _TIMEOUTS
        ),
        "connection-limit": _each(
            "none" if listener.connection_limit < 0 else str(listener.connection_limit) for listener in listeners
        ),
        "source-ranges": _sources(listeners),
        "x-forwarded-for": "inserted"
        if any("X-Forwarded-For" in listener.insert_headers for listener in listeners)
        else "no",
        "floating-ip": "none" if cloud.floating_ip is None else cloud.floating_ip.address,
        "provider": there.provider or "the cloud's default",
        "monitor": _each(_monitor(listener) for listener in listeners),
        "name": there.name,
    }
    return {name: text for name, text in found.items() if text}


def _sources(listeners: Iterable[Listener]) -> str:
    cidrs = _each(
        cidr
        for listener in {id(one.allowed_cidrs): one.allowed_cidrs for one in listeners}.values()
        for cidr in listener
    )
    return "anybody" if cidrs in ("", "0.0.0.0/0", "::/0") else cidrs


def _each(texts: Iterator[str]) -> str:
    return ", ".join(dict.fromkeys(texts))


def _monitor(listener: Listener) -> str:
    monitor = None if listener.pool is None else listener.pool.monitor
    if monitor is None:
        return "none"
    up, down = monitor.max_retries, monitor.max_retries_down
    return f"{monitor.type} every {monitor.delay} s, timeout {monitor.timeout} s, {up} up, {down} down"


def status(before: Prediction | None, after: Prediction | None) -> Iterator[ServiceFact]:
    """Compare what the Service's status says; no ipMode and VIP mean the same.

    Args:
        before: What the CCM made.
        after: What it does.
    """
    fact = ServiceFact("status", _published(before), _published(after))
    if fact.changes:
        yield fact


def annotations_read(service: Service, before: Callable[[str], bool], after: Release) -> Iterator[ServiceFact]:
    """The annotations of a Service that come to count; those that come to be ignored are told as such.

    Args:
        service: The Service.
        before: Whether an annotation was read.
        after: The release that reads them then.
    """
    for name in service.annotations:
        if name.startswith(PREFIX) and is_read(name, after) and not before(name):
            short = name.removeprefix(PREFIX)
            yield ServiceFact("annotation", f"{short} is ignored", f"{short} counts")


def _published(prediction: Prediction | None) -> str:
    if prediction is None:
        return ""
    return ", ".join(
        f"hostname {published.hostname}"
        if published.hostname
        else f"ip {published.ip}" + (f", ipMode {published.ip_mode}" if published.ip_mode not in ("", "VIP") else "")
        for published in prediction.published
    )


def rate(prediction: Prediction | None) -> Rate:
    """Probes a second of one amphora, or of all chassis.

    Args:
        prediction: The load balancer's prediction; None where there is none.
    """
    answer = None if prediction is None else prediction.answer("probes")
    if prediction is None or answer is None:
        return Rate()
    numbers = answer.numbers
    if not numbers:
        return Rate(None, None)
    if "per_amphora" not in numbers:
        return Rate(_float(numbers.get("total")), _float(numbers.get("per_node")))
    amphora, total, node = (_float(numbers.get(name)) for name in ("per_amphora", "total", "per_node"))
    amphorae = round(total / amphora) if total and amphora else 1
    return Rate(amphora, None if node is None else node / amphorae)


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def detection(prediction: Prediction | None) -> Detection:
    """How long a dead node may stay in rotation.

    Args:
        prediction: The load balancer's prediction; None where there is none.
    """
    answer = None if prediction is None else prediction.answer("dead-node")
    if answer is None or (answer.good is None and not answer.numbers) or answer.numbers.get("service_controller"):
        return Detection()  # up to 1.26 the service controller takes it out, once it notices
    refused, silent = (answer.numbers.get(name) for name in ("refused", "silent"))
    return Detection(
        float(refused[1]) if isinstance(refused, list) else None,
        float(silent[1]) if isinstance(silent, list) else None,
        True,
    )


def monitors_of(balancer: Balancer | None) -> list[Monitor]:
    """The health monitors of a load balancer.

    Args:
        balancer: The load balancer; None where there is none.
    """
    pools: dict[str, Pool] = {}
    for listener in balancer.listeners if balancer is not None else ():
        if listener.pool is not None:
            pools[listener.pool.id] = listener.pool
    return [pool.monitor for pool in pools.values() if pool.monitor is not None]


def is_stale(after: Prediction, balancer: Balancer | None) -> bool:
    """Whether monitors that are there keep other timers than the configuration has, as in releases before 1.24.

    Args:
        after: What the CCM wants.
        balancer: What is there afterwards.
    """
    wanted = [plan.monitor for plan in after.plans if plan.monitor is not None]
    there = monitors_of(balancer)
    if not wanted or not there:
        return bool(wanted) != bool(there)
    asked = {(one.get("delay"), one.get("timeout"), one.get("max_retries")) for one in wanted}
    return any((monitor.delay, monitor.timeout, monitor.max_retries) not in asked for monitor in there)


def rules(
    before: Group | None, after: Group | None, said: tuple[Prediction | None, Prediction | None]
) -> tuple[tuple[SecurityGroupRule, ...], tuple[SecurityGroupRule, ...]]:
    """Which rules come into the security group, and which go.

    Args:
        before: The group before; None without one.
        after: The group after.
        said: Both predictions, which know what a rule is for.
    """
    whys = {rule[:4]: rule.why for prediction in said if prediction is not None for rule in prediction.rules or ()}
    old, new = _ingress(before, whys), _ingress(after, whys)
    were, are = set(old), set(new)
    return tuple(one for one in new if one not in were), tuple(one for one in old if one not in are)


def _ingress(group: Group | None, whys: dict[tuple[str, int, str, str], str]) -> list[SecurityGroupRule]:
    return [
        SecurityGroupRule(
            rule.protocol,
            rule.port_min,
            rule.remote,
            rule.ethertype,
            whys.get((rule.protocol, rule.port_min, rule.remote, rule.ethertype), ""),
        )
        for rule in (group.rules if group is not None else ())
        if rule.direction == "ingress"
    ]
