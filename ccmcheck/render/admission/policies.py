"""The policies for one configuration: the regions of which the rules themselves report something, and their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ccmcheck.base.model import Severity
from ccmcheck.base.yaml_block import yaml
from ccmcheck.catalog import Release
from ccmcheck.catalog.service_annotations import FOREIGN_PREFIXES, PREFIX
from ccmcheck.render.admission import annotation_regions, traffic_regions
from ccmcheck.render.admission.region import ANNOTATIONS, SPEC, Region, literal, literals

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
    by_rule: dict[str, list[tuple[Region, str]]] = {}
    for region, label in judged(conf, release):
        by_rule.setdefault(region.rule, []).append((region, label))
    documents = [
        document
        for rule, regions in by_rule.items()
        for document in (_policy(rule, regions, release), _binding(rule, _DENY if enforce else _WARN))
    ]
    return "---\n".join(map(yaml, documents))


def judged(conf: str, release: Release) -> Iterator[tuple[Region, str]]:
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
    regions = [*annotation_regions.regions(release), *traffic_regions.regions(release, options)]
    settings = Settings((TargetRelease("ccm", release, "--release"),), find=FindOptions(template=False))
    text = "---\n".join(yaml(_example(region, number)) for number, region in enumerate(regions))
    examined = Linter(settings, RunContext(confs={"": (nearby,)})).examine("services.yaml", text, explicit=True)
    labels: dict[tuple[str, int], str] = {}
    for problem in examined.problems:
        finding = problem.finding
        if finding.severity >= Severity.WARNING:
            example = finding.place.route.partition(" › ")[0].rpartition("-")[2]
            labels.setdefault((finding.rule, int(example)), finding.label)
    for number, region in enumerate(regions):
        label = labels.get((region.rule, number))
        if label is not None:
            yield region, label.partition(region.until)[0] if region.until else label


def _example(region: Region, number: int) -> Object:
    spec = {"type": "LoadBalancer", "selector": {"app": "example"}, "ports": [{"port": 80}], **region.spec}
    metadata = {"name": f"example-{number}", "namespace": "default", "annotations": dict(region.annotations)}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def _policy(rule: str, regions: list[tuple[Region, str]], release: Release) -> Object:
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
    return expression.replace(ANNOTATIONS, annotations_of).replace(SPEC, spec)


def _ours(of: str) -> str:
    """No annotation addresses another implementation of load balancers, or one the CCM as well."""
    foreign = literal(f"^(?:{'|'.join(prefix.replace('.', '[.]') for prefix in sorted(FOREIGN_PREFIXES))})")
    return f"(!{of}.exists(k, k.matches({foreign})) || {of}.exists(k, k.startsWith({literal(PREFIX)})))"


def _expressions(regions: list[tuple[Region, str]]) -> tuple[str, str]:
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
    listed += [(literals(names), *form) for form, names in named.items()]
    problems = [f"[{', '.join(f'({when}) ? {message} : {_NOTHING}' for when, message in single)}].filter(p, p != '')"]
    problems = (problems if single else []) + [
        f"{names}.filter(n, {when}).map(n, {message})" for names, when, message in listed
    ]
    conditions = [f"({when})" for when, _ in single] + [f"{names}.exists(n, {when})" for names, when, _ in listed]
    return " + ".join(problems), " || ".join(conditions)


def _message(region: Region, label: str) -> str:
    """The rule's words as an expression."""
    text = f"{label}; see `ccmcheck explain {region.rule}`"
    expression = literal(f"{region.rule}: ")
    if region.name or region.names:
        expression = f"{expression} + n + ': '"
    for hole, filling in region.holes.items():
        start, found, rest = text.partition(hole)
        if found:
            return f"{expression} + {literal(start)} + {filling} + {literal(rest)}"
    return f"{expression} + {literal(text)}"
