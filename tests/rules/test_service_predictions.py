"""Lint and predict never contradict each other about a Service."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import NearbyConf, RunContext
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.rules import GROUPS, rule
from ccmcheck.rules.registry import ENTRIES
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_view import ServiceView

RULES = (
    "svc-proxy-and-xff",
    "svc-proxy-udp",
    "svc-l7-port-mix",
    "svc-l7-monitor-udp",
    "svc-tls-ref",
    "svc-class",
    "svc-ovn-sctp-monitor",
    "svc-monitor-unfit",
    "svc-local-no-monitor",
    "ovn-udp-local",
    "svc-proxy-hairpin",
)
UUID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
CONF = (
    "lb-provider = amphora",
    "lb-provider = ovn",
    "lb-provider = f5",
    "lb-method = SOURCE_IP_PORT",
    "create-monitor = true",
    "create-monitor = false",
    "provider-requires-serial-api-calls = true",
    f"default-tls-container-ref = https://b/v1/containers/{UUID}",
    "enable-ingress-hostname = true",
    f"floating-network-id = {UUID}",
    "use-octavia = true",
    "enabled = false",
    "internal-lb = true",
    f'[LoadBalancerClass "a"]\nfloating-network-id = {UUID}\n[LoadBalancer]',
)
ANNOTATIONS = (
    "proxy-protocol: 'true'",
    "proxy-protocol: v2",
    "x-forwarded-for: 'true'",
    f"default-tls-container-ref: https://b/v1/containers/{UUID}",
    f"default-tls-container-ref: https://b/v1/secrets/{UUID}",
    "default-tls-container-ref: shop",
    "enable-health-monitor: 'true'",
    "enable-health-monitor: 'false'",
    "class: a",
    "class: b",
    "hostname: a.example.org",
)
RELEASES = (
    "1.14",
    "1.17",
    "1.18",
    "1.20",
    "1.22",
    "v1.23.0",
    "1.23",
    "1.25",
    "v1.26.0",
    "1.28",
    "1.30",
    "1.31",
    "1.36",
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str, str, str, int | None]:
    lines = draw(st.lists(st.sampled_from(CONF), max_size=5, unique_by=lambda line: line.partition(" =")[0]))
    annotations = draw(st.lists(st.sampled_from(ANNOTATIONS), max_size=3, unique_by=lambda one: one.partition(":")[0]))
    ports = draw(
        st.lists(
            st.tuples(st.sampled_from([22, 53, 80, 443]), st.sampled_from(["TCP", "UDP", "SCTP"])),
            min_size=1,
            max_size=3,
            unique=True,
        )
    )
    service = "kind: Service\nmetadata:\n  name: web\n  annotations:\n    a: b\n"
    service += "".join(f"    loadbalancer.openstack.org/{one}\n" for one in annotations)
    service += f"spec:\n  type: LoadBalancer\n  externalTrafficPolicy: {draw(st.sampled_from(['Local', 'Cluster']))}\n  ports:\n"
    service += "".join(
        f"    - {{name: p{index}, port: {port}, protocol: {protocol}}}\n"
        for index, (port, protocol) in enumerate(ports)
    )
    conf = "[LoadBalancer]\nmax-shared-lb = 2\n" + "".join(f"{line}\n" for line in lines)
    version = draw(st.sampled_from(["", "1.29", "1.31"]))
    return service, conf, draw(st.sampled_from(RELEASES)), version, draw(st.sampled_from([None, 1, 3]))


def problems_and_prediction(case: tuple[str, str, str, str, int | None]) -> tuple[dict[str, list[Problem]], Prediction]:
    text, conf, name, version, nodes = case
    release = catalog.release(name)
    contents = find("svc.yaml", text, FindOptions(explicit=True))
    run_context = RunContext(
        facts=ClusterFacts(nodes=nodes, kubernetes_version=version),
        confs={"": (NearbyConf("cloud.conf", "cloud.conf", conf),)},
    )
    view = ServiceView(Manifest(contents.objects[0], release, run_context, contents))
    found = {one: list(rule(one).check(view)) for one in RULES}
    cloud = CloudState(facts=ClusterFacts(nodes=nodes, kubernetes_version=version))
    return {one: problems for one, problems in found.items() if problems}, predict(
        read_options(conf, release), view.service, cloud
    )


@settings(max_examples=400)
@given(cases())
def test_lint_and_predict_agree(case: tuple[str, str, str, str, int | None]) -> None:
    found, prediction = problems_and_prediction(case)
    errors = [
        name
        for name, problems in found.items()
        if any((one.severity or ENTRIES[name].severity) is Severity.ERROR for one in problems)
    ]
    bad = (Outcome.REFUSED, Outcome.ERROR, Outcome.FAILS)
    if "does not start" in prediction.why:
        return  # what the annotations say is wrong all the same, once it does
    if prediction.outcome is Outcome.NOTHING:
        assert not found, prediction.why
    if errors:
        assert prediction.outcome in bad, errors
    local = [one for one in prediction.findings if one.about == "externalTrafficPolicy"]
    if prediction.outcome is Outcome.ACCEPTED:
        spoken = {"svc-local-no-monitor", "ovn-udp-local", "svc-monitor-unfit"} & set(found)
        said = [problem.label for name in spoken for problem in found[name]]
        monitored = any(plan.monitor is not None for plan in prediction.plans)
        if not monitored:
            assert ("svc-local-no-monitor" in found) == bool(local)
        if "svc-local-no-monitor" in found or "ovn-udp-local" in found:
            assert local
            assert any(one.text in said for one in local), "in the same words"
        hairpin = any(one.about == "proxy-protocol" and "header" in one.text for one in prediction.findings)
        assert ("svc-proxy-hairpin" in found) == hairpin


@settings(max_examples=200)
@given(cases())
def test_one_mistake_is_one_finding(case: tuple[str, str, str, str, int | None]) -> None:
    found, _ = problems_and_prediction(case)
    places = [(name, problem.span) for name, problems in found.items() for problem in problems]
    spans = [span for name, span in places if name not in ("svc-proxy-hairpin", "svc-local-no-monitor")]
    assert len(spans) == len(set(spans)), places


def test_every_rule_about_what_predict_answers_is_here() -> None:
    assert set(RULES) <= set(GROUPS["services"])
