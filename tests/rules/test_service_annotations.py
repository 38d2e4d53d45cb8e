"""Every annotation with good, bad and empty values: the rules and the prediction agree."""

from __future__ import annotations

from casework import problems_of
from rule_cases import Case

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data_types import Annotation
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations, annotation, first_release
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.rules.registry import ENTRIES

ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
CONF = (
    f'[LoadBalancer]\ncreate-monitor = true\nfloating-network-id = {ID}\n[LoadBalancerClass "dmz"]\nsubnet-id = {ID}\n'
)
RELEASES = (
    "1.18",
    "v1.19.0",
    "1.22",
    "1.23",
    "v1.25.4",
    "v1.27.1",
    "1.28",
    "v1.29.0",
    "1.30",
    "v1.32.0",
    "1.33",
    "1.36",
)
RULES = ("svc-annotation-unknown", "svc-annotation-value", "svc-timeout-unit", "svc-class", "svc-tls-ref")

GOOD = {
    "bool": ("true", "false"),
    "int": ("5", "+7"),
    "enum": ("true", "false"),
    "string": (ID,),
    "string (output)": ("192.0.2.1",),
    "key=value list": ("env=prod", "env"),
}
GOOD_OF = {
    "class": ("dmz",),
    "hostname": ("web.example.com",),
    "lb-method": ("SOURCE_IP",),
    "default-tls-container-ref": (f"https://barbican.example.com/v1/containers/{ID}",),
    "floating-subnet": ("public", "~pub.*"),
    "timeout-client-data": ("60000",),
    "timeout-member-connect": ("60000",),
    "timeout-member-data": ("60000",),
    "timeout-tcp-inspect": ("60000",),
}
BAD = {
    "bool": ("True", "yes", "1", " true", "x", "TRUE "),
    "int": ("5s", "x", " 5", "0x5", "5.0", "99999999999999999999"),
    "enum": ("True", "yes", "1", "V2", "on"),
}
BAD_OF = {
    "health-monitor-max-retries": ("0", "11", "-1"),
    "health-monitor-max-retries-down": ("11", "-1"),
    "health-monitor-delay": ("-1", "0", "2147483648"),
    "health-monitor-timeout": ("-1", "2147483648"),
    "connection-limit": ("-2",),
    "timeout-client-data": ("-1", "2073600001"),
    "timeout-member-connect": ("-1", "2073600001"),
    "timeout-member-data": ("-1", "2073600001"),
    "timeout-tcp-inspect": ("-1", "2073600001"),
    "lb-method": ("round_robin", "x"),
    "class": ("nosuch",),
    "port-id": ("x",),
    "subnet-id": ("x",),
    "network-id": ("x",),
    "flavor-id": ("x",),
    "default-tls-container-ref": ("x", f"https://barbican.example.com/v1/keys/{ID}"),
}


def short(annotation: Annotation) -> str:
    return annotation.name.removeprefix(PREFIX)


def values(annotation: Annotation) -> tuple[str, ...]:
    name = short(annotation)
    good = GOOD_OF.get(name) or GOOD[annotation.type]
    return (*good, *BAD.get(annotation.type, ()), *BAD_OF.get(name, ()), "")


LATER = ("keep-floatingip", "load-balancer-id")
"""Read when the Service is deleted, or about an unknown load balancer: not predicted."""

CELLS = [
    (annotation.name, value, release)
    for annotation in all_annotations()
    if short(annotation) not in LATER
    for value in values(annotation)
    for release in RELEASES
    # before, only resolving the reference shows that it is wrong
    if short(annotation) != "default-tls-container-ref" or behaves("tls-reference-has-a-kind", catalog.release(release))
]


def predicted(name: str, value: str, release: str) -> str:
    """``taken``, ``ignored`` or ``error``."""
    found = _predicted(name, value, release)
    if found.outcome in (Outcome.ERROR, Outcome.REFUSED, Outcome.FAILS):
        return "error"
    return "ignored" if any(one.what == name for one in found.ignored) else "taken"


def _predicted(name: str, value: str, release: str) -> Prediction:
    body = {
        "metadata": {"name": "web", "annotations": {name: value}},
        "spec": {"type": "LoadBalancer", "ports": [{"port": 443}]},
    }
    return predict(read_options(CONF, release), read_service(body), CloudState(facts=ClusterFacts(nodes=2)))


def effect_of(name: str, value: str, release: str) -> str:
    """The same according to the rules."""
    text = (
        f"kind: Service\nmetadata:\n  name: web\n  annotations:\n    {name}: '{value}'\n"
        "spec:\n  type: LoadBalancer\n  ports:\n  - port: 443\n"
    )
    case = Case(text, conf=CONF, release=release)
    found = [problem.severity or ENTRIES[one].severity for one in RULES for problem in problems_of(one, case)]
    if not found:
        return "taken"
    assert len(found) == 1, "one mistake, one finding"
    return "error" if found[0] is Severity.ERROR else "ignored"


def test_the_rules_and_the_prediction_agree() -> None:
    different = {
        cell: (said, foretold) for cell in CELLS if (said := effect_of(*cell)) != (foretold := predicted(*cell))
    }
    assert different == {}


def test_each_kind_of_answer_is_covered() -> None:
    said = {predicted(*cell) for cell in CELLS}
    assert said == {"taken", "ignored", "error"}
    assert len(CELLS) > 2000
    assert {short(annotation) for annotation in all_annotations()} - {
        cell[0].removeprefix(PREFIX) for cell in CELLS
    } == {*LATER}


def test_a_value_that_only_the_deletion_reads_is_checked_too() -> None:
    name = f"{PREFIX}keep-floatingip"
    assert [effect_of(name, value, "1.36") for value in ("true", "false", "True", "")] == [
        "taken",
        "taken",
        "ignored",
        "ignored",
    ]
    assert effect_of(name, "True", "1.22") == "error"


def test_the_first_release_that_reads_an_annotation_is_a_tag_that_does() -> None:
    method = annotation(f"{PREFIX}lb-method")
    assert method is not None
    assert first_release(method, catalog.release("v1.31.2")) == "v1.34.0"
