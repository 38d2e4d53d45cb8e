"""What Octavia's API refuses before it looks at anything else: the types and ranges of fields.

Source: openstack/octavia 19.0.0 octavia/api/v2/types (254 monitors and 130 single calls measured).
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.escape import printable
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data import octavia as facts
from ccmcheck.predict.drivers.record import Driver
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.records import MEASURED, READ, Refusal
from ccmcheck.predict.verdicts.parts import Body, RequestPart


def malformed(part: RequestPart, driver: Driver, release: str) -> Iterator[Refusal]:
    """Check one part of a request.

    Args:
        part: The part.
        driver: The driver.
        release: Octavia's; empty when unknown.
    """
    for field, since in facts.FIELD_SINCE.get(part.kind, {}).items():
        if field in part.body and octavia.at_least(release, since) is False:
            where = f"{part.path}.{field}" if part.path else field
            yield _bad(where, f"Octavia has no {field} before {since.capitalize()}", READ)
    if part.kind == "loadbalancer":
        yield from _balancer(part.body)
    elif part.kind == "listener":
        yield from _protocol(part, driver, release)
        yield from _listener(part.body, part.path)
    elif part.kind == "pool":
        yield from _protocol(part, driver, release)
        method = part.body.get("lb_algorithm")
        if isinstance(method, str) and method not in facts.ALGORITHMS:
            yield _bad(f"{part.path}.lb_algorithm", f"`{method}` is not one of {', '.join(facts.ALGORITHMS)}")
    elif part.kind == "members":
        yield from _members(part)
    else:
        yield from _monitor(part.body, part.path)


def _bad(path: str, why: str, evidence: str = MEASURED) -> Refusal:
    return Refusal(400, path, why, evidence)


def _balancer(body: Body) -> Iterator[Refusal]:
    for field in ("vip_port_id", "vip_subnet_id", "vip_network_id", "flavor_id"):
        yield from _uuid(body, field, field)
    address = body.get("vip_address")
    if isinstance(address, str) and not ranges.family(address):
        yield _bad("vip_address", f"`{address}` is not an IP address", READ)
    text = body.get("description")
    if isinstance(text, str) and len(text) > facts.TEXT_LIMIT:
        yield _bad("description", f"{len(text)} characters, not {facts.TEXT_LIMIT} at most; the CCM cuts names only")


def _protocol(part: RequestPart, driver: Driver, release: str) -> Iterator[Refusal]:
    protocol = str(part.body.get("protocol", ""))
    since = driver.protocol_since.get(protocol)
    if since and octavia.at_least(release, since) is False:
        yield _bad(f"{part.path}.protocol", f"{protocol} needs Octavia {since.capitalize()} or newer", READ)


def _listener(body: Body, path: str) -> Iterator[Refusal]:
    limit = body.get("connection_limit")
    if isinstance(limit, int) and limit < -1:
        yield _bad(f"{path}.connection_limit", f"{limit} is below -1")
    for field, value in body.items():
        if field.startswith("timeout_") and isinstance(value, int) and not 0 <= value <= facts.TIMEOUT_LIMIT:
            yield _bad(f"{path}.{field}", f"{value} ms is not between 0 and {facts.TIMEOUT_LIMIT}", READ)
    ref = body.get("default_tls_container_ref")
    if isinstance(ref, str) and len(ref) > facts.TEXT_LIMIT:
        yield _bad(f"{path}.default_tls_container_ref", f"{len(ref)} characters, not {facts.TEXT_LIMIT} at most", READ)


def _members(part: RequestPart) -> Iterator[Refusal]:
    """The first represents all, which differ in name and address only."""
    for number, member in enumerate(part.members):
        address = str(member["address"])
        if not ranges.family(address):
            yield _bad(f"{part.member(number)}.address", f"`{address}` is not an IP address")
    for member in part.members[:1]:
        yield from _uuid(member, "subnet_id", f"{part.member(0)}.subnet_id")
        port = member.get("monitor_port")
        if port is not None and not (isinstance(port, int) and 1 <= port <= facts.MOST_PORT):
            yield _bad(f"{part.member(0)}.monitor_port", f"{port} is not between 1 and {facts.MOST_PORT}")


def _monitor(body: Body, path: str) -> Iterator[Refusal]:
    for field in ("delay", "timeout"):
        value = body.get(field)
        if isinstance(value, int) and value < 0:
            yield _bad(f"{path}.{field}", f"{value} is below 0")
    for field in ("max_retries", "max_retries_down"):
        value = body.get(field)
        least, most = facts.RETRIES
        if isinstance(value, int) and not least <= value <= most:
            yield _bad(f"{path}.{field}", f"{value} is not between {least} and {most}")


def _uuid(body: Body, field: str, path: str) -> Iterator[Refusal]:
    value = body.get(field)
    if isinstance(value, str) and not value.startswith("{") and not UUID_LIKE.fullmatch(value):
        shown = printable(value if len(value) <= 60 else value[:57] + "…")
        yield _bad(path, f"`{shown}` is not a UUID", READ)
