"""The rules about what annotations, ports and policies do together, as regions."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.catalog import Release
from ccmcheck.catalog.service_annotations import PREFIX, SOURCE_RANGES, all_annotations, is_known, proxy_protocols
from ccmcheck.predict.inputs.options import Options
from ccmcheck.render.admission.annotation_regions import OVN, integer
from ccmcheck.render.admission.region import (
    HAS,
    IS_SET,
    LOCAL,
    SPEC,
    VALUE,
    Region,
    both,
    has,
    has_port,
    is_set,
    literal,
    matches,
    says,
    value,
)
from ccmcheck.rules.services.svc_tls_ref import PLAIN_PORTS

_MONITOR = f"{PREFIX}enable-health-monitor"
_DELAY = f"{PREFIX}health-monitor-delay"
_PROXY = f"{PREFIX}proxy-protocol"
_FORWARDED = f"{PREFIX}x-forwarded-for"
_TLS = f"{PREFIX}default-tls-container-ref"
_CLASS = f"{PREFIX}class"
_REFERENCE = r"(?:.*/)?(?:{})/[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}"
_LONGEST_REFERENCE = 2000
_NOT_BOTH = f"!({is_set(_PROXY)} && {value(_PROXY)} != 'false' && {says(_FORWARDED, 'true')})"
"""Not PROXY and X-Forwarded-For together, for which the CCM fails."""
_EXAMPLE_REFERENCE = "https://barbican/v1/containers/0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"
_UDP, _SCTP = ({"ports": [{"port": 5353, "protocol": protocol}]} for protocol in ("UDP", "SCTP"))
_DATAGRAM = {"UDP": _UDP, "SCTP": _SCTP}
_LOCAL_SPEC = {"externalTrafficPolicy": "Local"}
_WITHOUT = "!has(p.nodePort) || p.nodePort == 0"
_NO_NODE_PORTS = f"{SPEC}.?allocateLoadBalancerNodePorts.orValue(true) == false"
_NO_CLASS = "zzz-no-such-class"


def regions(release: Release, options: Options) -> Iterator[Region]:
    """The regions at one release of the CCM.

    Args:
        release: The release.
        options: The configuration, for the names in it; what it does is the rule's matter.
    """
    yield from _monitors()
    yield from _proxy(release)
    yield from _ovn(release)
    if is_known(_TLS, release):
        yield from _tls()
    if is_known(_CLASS, release):
        names = ", ".join(map(literal, sorted(options.classes)))
        unknown = both(is_set(_CLASS), f"!({value(_CLASS)} in [{names}])")
        holes = {f"`{_NO_CLASS}`": f"'`' + {value(_CLASS)} + '`'"}
        yield Region("svc-class", unknown, {_CLASS: _NO_CLASS}, holes=holes)
    without = f"{SPEC}.ports.filter(p, {_WITHOUT})"
    yield Region(
        "svc-no-nodeports",
        f"{_NO_NODE_PORTS} && {without}.size() > 0",
        spec={"allocateLoadBalancerNodePorts": False, "ports": [{"port": 31415}]},
        holes={"31415/TCP": f"{without}.map(p, string(p.port) + '/' + p.protocol).join(', ')"},
    )
    anywhere = "c.trim() in ['0.0.0.0/0', '::/0']"
    in_spec = f"{SPEC}.?loadBalancerSourceRanges.orValue([])"
    restricts = f"size({in_spec}) > 0 && !{in_spec}.exists(c, {anywhere})"
    yield Region("svc-source-ranges-ignored", restricts, spec={"loadBalancerSourceRanges": ["192.0.2.0/24"]})
    by_annotation = both(
        f"size({in_spec}) == 0",
        has(SOURCE_RANGES),
        f"{value(SOURCE_RANGES)}.split(',').exists(c, c.trim() != '')",
        f"!{value(SOURCE_RANGES)}.split(',').exists(c, {anywhere})",
    )
    yield Region("svc-source-ranges-ignored", by_annotation, {SOURCE_RANGES: "192.0.2.0/24"})


def _monitors() -> Iterator[Region]:
    """The monitor is on or off by the configuration, or by an annotation."""
    reached = f"!({_NO_NODE_PORTS} && {SPEC}.ports.all(p, {_WITHOUT}))"
    by_default = f"!({has(_MONITOR)} && {value(_MONITOR)} in ['false', 'true'])"
    states = ((by_default, {}), *((says(_MONITOR, word), {_MONITOR: word}) for word in ("true", "false")))
    for state, given in states:
        # a value that cannot be read is svc-annotation-value's
        plain = f"!({has(_MONITOR)})" if state is by_default else state
        yield Region("svc-local-no-monitor", both(LOCAL, reached, plain), given, _LOCAL_SPEC, until=";")
        where = both(LOCAL, reached, has_port("UDP"), state)
        yield Region("ovn-udp-local", where, given, {**_LOCAL_SPEC, **_UDP}, until=":")
        yield Region("svc-ovn-sctp-monitor", both(has_port("SCTP"), state), given, _SCTP)
        for policy, spec in ((LOCAL, {**_LOCAL_SPEC, **_UDP}), (f"!({LOCAL})", _UDP)):
            where = both(policy, has_port("UDP"), state)
            unread = f"!({has(_DELAY)} && {integer(value(_DELAY))})"
            yield Region("svc-udp-delay", both(where, unread), given, spec)
            for delay in (0, 1, 2):
                short = both(has(_DELAY), integer(value(_DELAY)), f"int({value(_DELAY)}) == {delay}")
                yield Region("svc-udp-delay", both(where, short), {**given, _DELAY: str(delay)}, spec)


def _proxy(release: Release) -> Iterator[Region]:
    first = f"{SPEC}.ports.filter(p, p.protocol in ['SCTP', 'UDP'])[0].protocol"
    plain = (f"!({says(_FORWARDED, 'true')})", *((f"!({is_set(_TLS)})",) if is_known(_TLS, release) else ()))
    by_pool: dict[str, list[str]] = {}
    for word, pool in proxy_protocols(release).items():
        if pool:
            by_pool.setdefault(pool, []).append(word)
    words = [word for group in by_pool.values() for word in group]
    yield Region(
        "svc-proxy-and-xff", both(says(_PROXY, *words), says(_FORWARDED, "true")), {_PROXY: "true", _FORWARDED: "true"}
    )
    for group in by_pool.values():
        for protocol, spec in _DATAGRAM.items():
            when = both(says(_PROXY, *group), *plain, has_port("SCTP", "UDP"), f"{first} == {literal(protocol)}")
            yield Region("svc-proxy-udp", when, {_PROXY: group[0]}, spec)
        yield Region("svc-l7-port-mix", both(says(_PROXY, *group), plain[0]), {_PROXY: group[0]})
    off = f"!({says(_PROXY, *words)})"
    yield Region("svc-l7-port-mix", both(says(_FORWARDED, "true"), off, *plain[1:]), {_FORWARDED: "true"})
    if is_known(_TLS, release):
        right = matches(value(_TLS), _REFERENCE.format("containers|secrets"), longest=_LONGEST_REFERENCE)
        yield Region("svc-l7-port-mix", both(has(_TLS), right, off), {_TLS: _EXAMPLE_REFERENCE})


def _tls() -> Iterator[Region]:
    def refers(kinds: str) -> str:
        return matches(value(_TLS), _REFERENCE.format(kinds), longest=_LONGEST_REFERENCE)

    wrong = both(is_set(_TLS), f"size({value(_TLS)}) <= {_LONGEST_REFERENCE}", f"!{refers('containers|secrets')}")
    yield Region("svc-tls-ref", wrong, {_TLS: "my-certificate"})
    secret = _EXAMPLE_REFERENCE.replace("containers", "secrets")
    https = {"ports": [{"port": 443}]}
    yield Region("svc-tls-ref", both(has(_TLS), refers("secrets")), {_TLS: secret}, https)
    http = f"p.port in {sorted(PLAIN_PORTS)} || (has(p.name) && p.name.lowerAscii() == 'http')"
    plain = f"{SPEC}.ports.filter(p, {http})"
    where = both(f"!({has_port('SCTP', 'UDP')})", f"{plain}.size() > 0", _NOT_BOTH)
    spec = {"ports": [{"name": "http", "port": 31415}]}
    holes = {"31415": f"{plain}.map(p, string(p.port)).join(', ')"}
    yield Region("svc-tls-ref", both(where, f"!({has(_TLS)})"), {}, spec, holes=holes)
    for kind in ("containers", "secrets"):
        reference = _EXAMPLE_REFERENCE.replace("containers", kind)
        yield Region("svc-tls-ref", both(where, has(_TLS), refers(kind)), {_TLS: reference}, spec, holes=holes)


def _ovn(release: Release) -> Iterator[Region]:
    """Annotations that the CCM does not send to ovn."""
    for annotation in all_annotations():
        name = annotation.name
        if is_known(name, release) and annotation.type in ("int", "string") and name.startswith(PREFIX):
            is_number = annotation.type == "int"
            when = both(HAS, integer(VALUE)) if is_number else IS_SET
            yield Region(OVN, when, {name: "5000" if is_number else "zone-1"}, name=name)
