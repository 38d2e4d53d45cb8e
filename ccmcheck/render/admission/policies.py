"""The policies for one configuration: the regions of which the rules themselves report something, and their words.

The rules about what annotations, ports and policies do together, as regions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ccmcheck.base.model import Severity
from ccmcheck.base.yaml_block import yaml
from ccmcheck.catalog import Release
from ccmcheck.catalog.service_annotations import (
    FOREIGN_PREFIXES,
    PREFIX,
    SOURCE_RANGES,
    all_annotations,
    is_known,
    proxy_protocols,
)
from ccmcheck.predict.inputs.options import Options
from ccmcheck.render.admission import annotation_regions as cel
from ccmcheck.rules.services.svc_tls_ref import PLAIN_PORTS

_MONITOR = f"{PREFIX}enable-health-monitor"
_DELAY = f"{PREFIX}health-monitor-delay"
_PROXY = f"{PREFIX}proxy-protocol"
_FORWARDED = f"{PREFIX}x-forwarded-for"
_TLS = f"{PREFIX}default-tls-container-ref"
_CLASS = f"{PREFIX}class"
_REFERENCE = r"(?:.*/)?(?:{})/[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}"
_LONGEST_REFERENCE = 2000
_NOT_BOTH = f"!({cel.is_set(_PROXY)} && {cel.value(_PROXY)} != 'false' && {cel.says(_FORWARDED, 'true')})"
"""Not PROXY and X-Forwarded-For together, for which the CCM fails."""
_EXAMPLE_REFERENCE = "https://barbican/v1/containers/0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"
_UDP, _SCTP = ({"ports": [{"port": 5353, "protocol": protocol}]} for protocol in ("UDP", "SCTP"))
_DATAGRAM = {"UDP": _UDP, "SCTP": _SCTP}
_LOCAL_SPEC = {"externalTrafficPolicy": "Local"}
_WITHOUT = "!has(p.nodePort) || p.nodePort == 0"
_NO_NODE_PORTS = f"{cel.SPEC}.?allocateLoadBalancerNodePorts.orValue(true) == false"
_NO_CLASS = "zzz-no-such-class"


def regions(release: Release, options: Options) -> Iterator[cel.Region]:
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
        names = ", ".join(map(cel.literal, sorted(options.classes)))
        unknown = cel.both(cel.is_set(_CLASS), f"!({cel.value(_CLASS)} in [{names}])")
        holes = {f"`{_NO_CLASS}`": f"'`' + {cel.value(_CLASS)} + '`'"}
        yield cel.Region("svc-class", unknown, {_CLASS: _NO_CLASS}, holes=holes)
    without = f"{cel.SPEC}.ports.filter(p, {_WITHOUT})"
    yield cel.Region(
        "svc-no-nodeports",
        f"{_NO_NODE_PORTS} && {without}.size() > 0",
        spec={"allocateLoadBalancerNodePorts": False, "ports": [{"port": 31415}]},
        holes={"31415/TCP": f"{without}.map(p, string(p.port) + '/' + p.protocol).join(', ')"},
    )
    anywhere = "c.trim() in ['0.0.0.0/0', '::/0']"
    in_spec = f"{cel.SPEC}.?loadBalancerSourceRanges.orValue([])"
    restricts = f"size({in_spec}) > 0 && !{in_spec}.exists(c, {anywhere})"
    yield cel.Region("svc-source-ranges-ignored", restricts, spec={"loadBalancerSourceRanges": ["192.0.2.0/24"]})
    by_annotation = cel.both(
        f"size({in_spec}) == 0",
        cel.has(SOURCE_RANGES),
        f"{cel.value(SOURCE_RANGES)}.split(',').exists(c, c.trim() != '')",
        f"!{cel.value(SOURCE_RANGES)}.split(',').exists(c, {anywhere})",
    )
    yield cel.Region("svc-source-ranges-ignored", by_annotation, {SOURCE_RANGES: "192.0.2.0/24"})


def _monitors() -> Iterator[cel.Region]:
    """The monitor is on or off by the configuration, or by an annotation."""
    reached = f"!({_NO_NODE_PORTS} && {cel.SPEC}.ports.all(p, {_WITHOUT}))"
    by_default = f"!({cel.has(_MONITOR)} && {cel.value(_MONITOR)} in ['false', 'true'])"
    states = ((by_default, {}), *((cel.says(_MONITOR, word), {_MONITOR: word}) for word in ("true", "false")))
    for state, given in states:
        # a value that cannot be read is svc-annotation-value's
        plain = f"!({cel.has(_MONITOR)})" if state is by_default else state
        yield cel.Region("svc-local-no-monitor", cel.both(cel.LOCAL, reached, plain), given, _LOCAL_SPEC, until=";")
        where = cel.both(cel.LOCAL, reached, cel.has_port("UDP"), state)
        yield cel.Region("ovn-udp-local", where, given, {**_LOCAL_SPEC, **_UDP}, until=":")
        yield cel.Region("svc-ovn-sctp-monitor", cel.both(cel.has_port("SCTP"), state), given, _SCTP)
        for policy, spec in ((cel.LOCAL, {**_LOCAL_SPEC, **_UDP}), (f"!({cel.LOCAL})", _UDP)):
            where = cel.both(policy, cel.has_port("UDP"), state)
            unread = f"!({cel.has(_DELAY)} && {cel.integer(cel.value(_DELAY))})"
            yield cel.Region("svc-udp-delay", cel.both(where, unread), given, spec)
            for delay in (0, 1, 2):
                short = cel.both(
                    cel.has(_DELAY), cel.integer(cel.value(_DELAY)), f"int({cel.value(_DELAY)}) == {delay}"
                )
                yield cel.Region("svc-udp-delay", cel.both(where, short), {**given, _DELAY: str(delay)}, spec)


def _proxy(release: Release) -> Iterator[cel.Region]:
    first = f"{cel.SPEC}.ports.filter(p, p.protocol in ['SCTP', 'UDP'])[0].protocol"
    plain = (f"!({cel.says(_FORWARDED, 'true')})", *((f"!({cel.is_set(_TLS)})",) if is_known(_TLS, release) else ()))
    by_pool: dict[str, list[str]] = {}
    for word, pool in proxy_protocols(release).items():
        if pool:
            by_pool.setdefault(pool, []).append(word)
    words = [word for group in by_pool.values() for word in group]
    yield cel.Region(
        "svc-proxy-and-xff",
        cel.both(cel.says(_PROXY, *words), cel.says(_FORWARDED, "true")),
        {_PROXY: "true", _FORWARDED: "true"},
    )
    for group in by_pool.values():
        for protocol, spec in _DATAGRAM.items():
            when = cel.both(
                cel.says(_PROXY, *group), *plain, cel.has_port("SCTP", "UDP"), f"{first} == {cel.literal(protocol)}"
            )
            yield cel.Region("svc-proxy-udp", when, {_PROXY: group[0]}, spec)
        yield cel.Region("svc-l7-port-mix", cel.both(cel.says(_PROXY, *group), plain[0]), {_PROXY: group[0]})
    off = f"!({cel.says(_PROXY, *words)})"
    yield cel.Region("svc-l7-port-mix", cel.both(cel.says(_FORWARDED, "true"), off, *plain[1:]), {_FORWARDED: "true"})
    if is_known(_TLS, release):
        right = cel.matches(cel.value(_TLS), _REFERENCE.format("containers|secrets"), longest=_LONGEST_REFERENCE)
        yield cel.Region("svc-l7-port-mix", cel.both(cel.has(_TLS), right, off), {_TLS: _EXAMPLE_REFERENCE})


def _tls() -> Iterator[cel.Region]:
    def refers(kinds: str) -> str:
        return cel.matches(cel.value(_TLS), _REFERENCE.format(kinds), longest=_LONGEST_REFERENCE)

    wrong = cel.both(
        cel.is_set(_TLS), f"size({cel.value(_TLS)}) <= {_LONGEST_REFERENCE}", f"!{refers('containers|secrets')}"
    )
    yield cel.Region("svc-tls-ref", wrong, {_TLS: "my-certificate"})
    secret = _EXAMPLE_REFERENCE.replace("containers", "secrets")
    https = {"ports": [{"port": 443}]}
    yield cel.Region("svc-tls-ref", cel.both(cel.has(_TLS), refers("secrets")), {_TLS: secret}, https)
    http = f"p.port in {sorted(PLAIN_PORTS)} || (has(p.name) && p.name.lowerAscii() == 'http')"
    plain = f"{cel.SPEC}.ports.filter(p, {http})"
    where = cel.both(f"!({cel.has_port('SCTP', 'UDP')})", f"{plain}.size() > 0", _NOT_BOTH)
    spec = {"ports": [{"name": "http", "port": 31415}]}
    holes = {"31415": f"{plain}.map(p, string(p.port)).join(', ')"}
    yield cel.Region("svc-tls-ref", cel.both(where, f"!({cel.has(_TLS)})"), {}, spec, holes=holes)
    for kind in ("containers", "secrets"):
        reference = _EXAMPLE_REFERENCE.replace("containers", kind)
        yield cel.Region(
            "svc-tls-ref", cel.both(where, cel.has(_TLS), refers(kind)), {_TLS: reference}, spec, holes=holes
        )


def _ovn(release: Release) -> Iterator[cel.Region]:
    """Annotations that the CCM does not send to ovn."""
    for annotation in all_annotations():
        name = annotation.name
        if is_known(name, release) and annotation.type in ("int", "string") and name.startswith(PREFIX):
            is_number = annotation.type == "int"
            when = cel.both(cel.HAS, cel.integer(cel.VALUE)) if is_number else cel.IS_SET
            yield cel.Region(cel.OVN, when, {name: "5000" if is_number else "zone-1"}, name=name)


Object = dict[str, Any]

API = "admissionregistration.k8s.io/v1"
_RESOURCES = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["services"]}
_MOST_ANNOTATIONS = 200
"""A Service with more is not judged: every step of a loop costs the API server some 20 microseconds."""
_MOST_PROBLEMS = 10
_MESSAGE = (
    f"variables.problems.size() <= {_MOST_PROBLEMS} ? variables.problems.join('; ') : "
    "variables.problems[0] + '; and ' + string(variables.problems.size() - 1) + ' more'"
)
_LOAD_BALANCER = (
    "object.spec.type == 'LoadBalancer' && !has(object.spec.loadBalancerClass) && "
    "!has(object.metadata.deletionTimestamp)"
)
_NOTHING = "''"
_WARN, _DENY = ("Warn", "Audit"), ("Deny",)
_ALSO_OF_OTHERS = frozenset({
    "svc-annotation-unknown", "svc-annotation-value", "svc-timeout-unit", "svc-ovn-unsupported",
    "svc-proxy-udp", "svc-proxy-and-xff", "svc-l7-port-mix", "svc-class",
})  # fmt: skip
"""Rules that also judge a Service whose annotations address another implementation of load balancers."""


@lru_cache(maxsize=4)
def policies(conf: str, release: Release, *, enforce: bool) -> str:
    """The policies and their bindings as YAML; empty where no rule has anything to say.

    Args:
        conf: The cloud.conf, without secrets.
        release: The CCM that reads it.
        enforce: Whether Services are refused; otherwise users are warned, and the audit log has it.
    """
    by_rule: dict[str, list[tuple[cel.Region, str]]] = {}
    for region, label in judged(conf, release):
        by_rule.setdefault(region.rule, []).append((region, label))
    documents = [
        document
        for rule, regions in by_rule.items()
        for document in (_policy(rule, regions, release), _binding(rule, _DENY if enforce else _WARN))
    ]
    return "---\n".join(map(yaml, documents))


def judged(conf: str, release: Release) -> Iterator[tuple[cel.Region, str]]:
    """The regions whose example the rule reports at least as a warning, each with the rule's label."""
    from ccmcheck.carriers.base import NearbyConf, RunContext
    from ccmcheck.carriers.collector import FindOptions
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings
    from ccmcheck.rules.views.service_config import options_at

    nearby = NearbyConf("cloud.conf", "cloud.conf", conf)
    options = options_at(nearby, release)
    if options is None or options.stop:
        return
    checked = [*cel.regions(release), *regions(release, options)]
    settings = Settings((TargetRelease("ccm", release, "--release"),), find=FindOptions(template=False))
    text = "---\n".join(yaml(_example(region, number)) for number, region in enumerate(checked))
    examined = Linter(settings, RunContext(confs={"": (nearby,)})).examine("services.yaml", text, explicit=True)
    labels: dict[tuple[str, int], str] = {}
    for problem in examined.problems:
        finding = problem.finding
        if finding.severity >= Severity.WARNING:
            example = finding.place.route.partition(" › ")[0].rpartition("-")[2]
            labels.setdefault((finding.rule, int(example)), finding.label)
    for number, region in enumerate(checked):
        label = labels.get((region.rule, number))
        if label is not None:
            yield region, label.partition(region.until)[0] if region.until else label


def _example(region: cel.Region, number: int) -> Object:
    spec = {"type": "LoadBalancer", "selector": {"app": "example"}, "ports": [{"port": 80}], **region.spec}
    metadata = {"name": f"example-{number}", "namespace": "default", "annotations": dict(region.annotations)}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def _policy(rule: str, regions: list[tuple[cel.Region, str]], release: Release) -> Object:
    problems, before = _expressions(regions)
    judges_all = rule in _ALSO_OF_OTHERS
    few = f"size({_annotations('object')}) <= {_MOST_ANNOTATIONS}"
    conditions = {"load-balancer": _LOAD_BALANCER, "not-too-many-annotations": few}
    if not judges_all:
        conditions["annotations-of-no-other-controller"] = _ours(_annotations("object"))
    old = "variables.oldAnnotations"
    was_judged = "" if judges_all else f" && {_ours(old)}"
    variables = {
        "annotations": _annotations("object"),
        "oldAnnotations": f"oldObject == null ? {{}} : {_annotations('oldObject')}",
        "problems": _of(problems),
        "wasWrongBefore": f"oldObject != null && oldObject.spec.type == 'LoadBalancer' && "
        f"(size({old}) > {_MOST_ANNOTATIONS} || (({_of(before, old=True)}){was_judged}))",
    }
    metadata = _metadata(rule)
    metadata["annotations"] = {"ccmcheck.dev/rule": rule, "ccmcheck.dev/ccm-release": release.name}
    return {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": metadata,
        "spec": {
            "failurePolicy": "Ignore",  # a policy that cannot judge a Service has nothing against it
            "matchConstraints": {"resourceRules": [_RESOURCES]},
            "matchConditions": _named(conditions),
            "variables": _named(variables),
            "validations": [
                {
                    "expression": "variables.problems.size() == 0 || variables.wasWrongBefore",
                    "message": f"{rule}: see `ccmcheck explain {rule}`",  # where the other is longer than 5 KiB
                    "messageExpression": _MESSAGE,
                    "reason": "Invalid",
                }
            ],
        },
    }


def _named(expressions: Mapping[str, str]) -> list[Object]:
    return [{"name": name, "expression": expression} for name, expression in expressions.items()]


def _annotations(of: str) -> str:
    return f"{of}.metadata.?annotations.orValue({{}})"


def _binding(rule: str, actions: tuple[str, ...]) -> Object:
    return {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": _metadata(rule),
        "spec": {"policyName": _name(rule), "validationActions": list(actions)},
    }


def _metadata(rule: str) -> Object:
    return {"name": _name(rule), "labels": {"app.kubernetes.io/managed-by": "ccmcheck"}}


def _name(rule: str) -> str:
    return f"ccmcheck-{rule}"


def _of(expression: str, *, old: bool = False) -> str:
    """An expression about the new object, or about the old one."""
    annotations_of, spec = (
        ("variables.oldAnnotations", "oldObject.spec") if old else ("variables.annotations", "object.spec")
    )
    return expression.replace(cel.ANNOTATIONS, annotations_of).replace(cel.SPEC, spec)


def _ours(of: str) -> str:
    """No annotation addresses another implementation of load balancers, or one the CCM as well."""
    foreign = cel.literal(f"^(?:{'|'.join(prefix.replace('.', '[.]') for prefix in sorted(FOREIGN_PREFIXES))})")
    return f"(!{of}.exists(k, k.matches({foreign})) || {of}.exists(k, k.startsWith({cel.literal(PREFIX)})))"


def _expressions(regions: list[tuple[cel.Region, str]]) -> tuple[str, str]:
    """What the problems of a Service are, and whether it has any; regions that differ in the name alone are one."""
    single: dict[tuple[str, str], None] = {}
    named: dict[tuple[str, str], list[str]] = {}
    listed: list[tuple[str, str, str]] = []
    for region, label in regions:
        form = (region.when, _message(region, label))
        if region.names:
            listed.append((region.names, *form))
        elif region.name:
            named.setdefault(form, []).append(region.name)
        else:
            single[form] = None
    listed += [(cel.literals(names), *form) for form, names in named.items()]
    problems = [f"[{', '.join(f'({when}) ? {message} : {_NOTHING}' for when, message in single)}].filter(p, p != '')"]
    problems = (problems if single else []) + [
        f"{names}.filter(n, {when}).map(n, {message})" for names, when, message in listed
    ]
    conditions = [f"({when})" for when, _ in single] + [f"{names}.exists(n, {when})" for names, when, _ in listed]
    return " + ".join(problems), " || ".join(conditions)


def _message(region: cel.Region, label: str) -> str:
    """The rule's words as an expression."""
    text = f"{label}; see `ccmcheck explain {region.rule}`"
    expression = cel.literal(f"{region.rule}: ")
    if region.name or region.names:
        expression = f"{expression} + n + ': '"
    for hole, filling in region.holes.items():
        start, found, rest = text.partition(hole)
        if found:
            return f"{expression} + {cel.literal(start)} + {filling} + {cel.literal(rest)}"
    return f"{expression} + {cel.literal(text)}"
