"""What decides for a Service where nothing is set: each row of the table where it holds, and silent beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

import pytest
from predict_cases import NETWORK, NEWEST, RELEASES, SUBNET, Json, manifest, nodes, options, service

from ccmcheck.catalog.data.behaviour import BEHAVIOURS
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport, as_data
from ccmcheck.predict.forms.report import as_text
from ccmcheck.predict.inputs import choices
from ccmcheck.predict.inputs.choices import open_choices
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import KEYS, Options, read_options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.inputs.service_conditions import is_about_services
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.subnets import NODE_SUBNET

ROWS = choices._all()


def choices_of(each: list[Options], service: Service) -> list[OpenChoice]:
    return list(choices.choices_of(open_choices(each), each, service))


INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"
CLASSES = f'[LoadBalancerClass "public"]\nfloating-network-id={SUBNET}\n'
PRIVATE = f'[LoadBalancerClass "a"]\nsubnet-id={SUBNET}\n'
TIMEOUTS = "Octavia's amphorae close connections without data after 50 s"
IDLE = "Octavia's amphorae still close idle connections after 50 s"

# topic, a part of what is said, keys, annotations, the spec, the release; then what makes it silent, in the same order
CASES: tuple[tuple[str, str, tuple[str, Json, Json, str], tuple[str, Json, Json, str]], ...] = (
    (
        "floating IP",
        "from the first external network by ID with an IPv4 subnet",
        ("", {}, {}, NEWEST),
        (f"floating-network-id={NETWORK}\n", {}, {}, NEWEST),
    ),
    (
        "floating IP",
        "from the first external network by ID, as",
        ("", {}, {}, "v1.25.0"),
        ("", {"floating-network-id": NETWORK}, {}, "v1.25.0"),
    ),
    (
        "floating IP",
        'from the first external network by ID with an IPv4 subnet, not from that of class "public"',
        (CLASSES, {}, {}, NEWEST),
        (CLASSES, {"class": "public"}, {}, NEWEST),
    ),
    (
        "floating IP",
        'from the first external network by ID, not from that of class "public"',
        (CLASSES, {}, {}, "v1.18.1"),
        (f"floating-network-id={NETWORK}\n{CLASSES}", {}, {}, "v1.18.1"),
    ),
    (
        "floating IP",
        f'from the network of [LoadBalancer], {NETWORK}, not from that of class "public"',
        (f"floating-network-id={NETWORK}\n{CLASSES}", {}, {}, "v1.15.0"),
        (f"floating-network-id={NETWORK}\n{CLASSES}", {"class": "public"}, {}, NEWEST),
    ),
    (
        "floating IP",
        "from the network of [LoadBalancer]",
        (f"floating-network-id={NETWORK}\n{CLASSES}", {}, {}, NEWEST),
        (f"floating-network-id={SUBNET}\n{CLASSES}", {}, {}, NEWEST),
    ),
    (
        "floating IP",
        "not from the class",
        ('[LoadBalancerClass "a"]\nsubnet-id=x\n', {"class": "a"}, {}, NEWEST),
        (CLASSES, {"class": "public"}, {}, NEWEST),
    ),
    (
        "floating IP",
        "the one with the address of spec.loadBalancerIP",
        ("", {}, {"loadBalancerIP": "203.0.113.7"}, NEWEST),
        ("", {INTERNAL: "true"}, {"loadBalancerIP": "10.0.0.7"}, NEWEST),
    ),
    (
        "floating IP",
        "deleted with the Service, also where it was there before",
        ("", {}, {"loadBalancerIP": "203.0.113.7"}, "1.17"),
        ("", {"keep-floatingip": "true"}, {"loadBalancerIP": "203.0.113.7"}, "1.17"),
    ),
    (
        "floating IP",
        "stays when the Service is deleted",
        ("", {"keep-floatingip": "true"}, {}, NEWEST),
        ("", {"keep-floatingip": "false"}, {}, NEWEST),
    ),
    (
        "provider",
        "vmwareedge: some drivers lack one of three requests",
        ("lb-provider=vmwareedge\n", {}, {}, NEWEST),
        ("lb-provider=vmwareedge\nprovider-requires-serial-api-calls=true\n", {}, {}, NEWEST),
    ),
    (
        "provider",
        "acme: some drivers lack one of three requests",
        ("lb-provider=acme\n", {}, {}, "1.27"),
        ("lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", {}, {}, "1.27"),
    ),
    (
        "provider",
        "acme: some drivers lack `cascade=true`",
        ("lb-provider=acme\n", {}, {}, "1.20"),
        ("lb-provider=amphora\n", {}, {}, "1.20"),
    ),
    (
        "members",
        "each node's first InternalIP of whichever IP family, without subnet",
        ("provider-requires-serial-api-calls=true\n", {}, {}, NEWEST),
        ("", {}, {}, NEWEST),
    ),
    (
        "deletion",
        "the port of `port-id` stays",
        ("", {"port-id": NETWORK}, {}, NEWEST),
        ("", {}, {}, NEWEST),
    ),
    ("waiting", "up to 271 s", ("", {}, {}, "v1.28.0"), ("", {}, {}, "1.27")),
    ("waiting", "up to 128 s", ("", {}, {}, "1.27"), ("", {}, {}, "v1.28.0")),
    (
        "shared",
        "one of another cluster is renamed",
        ("", {"load-balancer-id": NETWORK}, {"made": True}, "v1.29.1"),
        ("", {"load-balancer-id": NETWORK}, {"made": True}, "v1.29.0"),
    ),
    (
        "shared",
        "the load balancer and its floating IP stay until the last Service",
        ("", {"load-balancer-id": NETWORK}, {"made": True}, NEWEST),
        ("", {"load-balancer-id": NETWORK}, {}, NEWEST),
    ),
    (
        "later",
        "a floating IP that is on the VIP stays",
        ("", {}, {}, NEWEST),
        ("", {INTERNAL: "true"}, {}, NEWEST),
    ),
    (
        "later",
        "`x-forwarded-for` and `default-tls-container-ref` cannot be turned on",
        ("", {}, {}, NEWEST),
        ("lb-provider=ovn\n", {}, {}, NEWEST),
    ),
    (
        "later",
        "flavor, availability zone, and the VIP's subnet",
        ("", {}, {}, "v1.19.0"),
        ("", {}, {}, "1.18"),
    ),
    (
        "internal",
        "the annotation has no effect",
        ("internal-lb=true\n", {INTERNAL: "false"}, {}, "v1.19.0"),
        ("internal-lb=true\n", {INTERNAL: "false"}, {}, "1.18"),
    ),
    (
        "internal",
        "no floating IP, as `internal-lb = true` in cloud.conf",
        ("internal-lb=true\n", {}, {}, "1.18"),
        ("internal-lb=true\n", {INTERNAL: "false"}, {}, "1.18"),
    ),
    ("internal", "which no annotation overrides", ("internal-lb=true\n", {}, {}, NEWEST), ("", {}, {}, NEWEST)),
    (
        "internal",
        "spec.loadBalancerIP is the VIP's own",
        ("", {INTERNAL: "true"}, {"loadBalancerIP": "10.0.0.7"}, "v1.14.0"),
        ("", {}, {"loadBalancerIP": "203.0.113.7"}, NEWEST),
    ),
    (
        "hostname",
        "there is no `ipMode: Proxy`",
        ("enable-ingress-hostname=true\n", {"proxy-protocol": "true"}, {}, "v1.30.0"),
        ("enable-ingress-hostname=true\n", {}, {}, NEWEST),
    ),
    (
        "hostname",
        "a name of nip.io and no IP, as `enable-ingress-hostname = true`: DNS gets CNAMEs alone",
        ("enable-ingress-hostname=true\n", {"proxy-protocol": "true"}, {}, "1.29"),
        ("enable-ingress-hostname=true\n", {"proxy-protocol": "true"}, {}, "1.20"),
    ),
    (
        "hostname",
        "the name of the annotation",
        ("", {"hostname": "a.example.com"}, {}, "v1.25.0"),
        ("", {"hostname": "a.example.com"}, {}, "1.24"),
    ),
    (
        "shared",
        "with at most 2 Services",
        ("", {"load-balancer-id": SUBNET}, {"made": True}, NEWEST),
        ("", {"load-balancer-id": SUBNET}, {}, NEWEST),
    ),
    (
        "TLS",
        "ends at every port",
        ("", {"default-tls-container-ref": "x/secrets/y"}, {}, NEWEST),
        ("", {"default-tls-container-ref": "x/secrets/y"}, {}, "1.20"),
    ),
    (
        "HTTP",
        "makes every port HTTP",
        ("", {"x-forwarded-for": "true"}, {}, NEWEST),
        ("", {"x-forwarded-for": "false"}, {}, NEWEST),
    ),
    (
        "VIP",
        "in the subnet of the first node's address",
        ("", {}, {}, NEWEST),
        (f"subnet-id={SUBNET}\n", {}, {}, NEWEST),
    ),
    (
        "VIP",
        "or of another Service that the CCM handled since its start",
        ("", {}, {}, "1.24"),
        ("", {}, {}, "v1.25.0"),
    ),
    (
        "VIP",
        "in the first IPv4 subnet of `network-id`",
        (f"network-id={NETWORK}\n", {}, {}, NEWEST),
        (f"network-id={NETWORK}\nsubnet-id={SUBNET}\n", {}, {}, NEWEST),
    ),
    (
        "members",
        "the annotation moves the VIP alone",
        (f"subnet-id={SUBNET}\n", {"subnet-id": NETWORK}, {}, "v1.25.0"),
        (f"subnet-id={SUBNET}\n", {"subnet-id": NETWORK}, {}, "1.24"),
    ),
    ("timeouts", TIMEOUTS, ("", {}, {}, "v1.19.0"), ("", {"timeout-client-data": "1"}, {}, NEWEST)),
    ("timeouts", f"{TIMEOUTS}, unless", ("", {}, {}, "v1.15.0"), ("", {}, {}, "v1.19.0")),
    ("timeouts", f"{TIMEOUTS}, unless", ("", {}, {}, "v1.13.1"), ("lb-provider=ovn\n", {}, {}, NEWEST)),
    (
        "timeouts",
        f"{IDLE}: timeout-member-data",
        ("", {"timeout-client-data": "50001"}, {}, NEWEST),
        ("", {"timeout-client-data": "50000"}, {}, NEWEST),
    ),
    (
        "timeouts",
        f"{IDLE}: timeout-client-data",
        ("", {"timeout-member-data": "600000"}, {}, "v1.19.0"),
        ("", {"timeout-member-data": "600000", "timeout-client-data": "600000"}, {}, NEWEST),
    ),
    (
        "floating IP",
        "from any IPv4 subnet of its network",
        ("", {}, {}, "v1.21.0"),
        (f"floating-subnet-id={SUBNET}\n", {}, {}, NEWEST),
    ),
    (
        "floating IP",
        "from any IPv4 subnet of its network",
        ("", {}, {}, "v1.15.0"),
        ("", {"floating-subnet": "public-4"}, {}, "1.20"),
    ),
    (
        "provider",
        "amphora, as cloud.conf or the default says",
        ("", {}, {}, "v1.22.0"),
        ("lb-provider=ovn\n", {}, {}, NEWEST),
    ),
    ("provider", "the cloud's default", ("", {}, {}, "v1.17.0"), ("", {}, {}, "v1.18.0")),
    (
        "use-octavia",
        "true, by default",
        ("", {}, {}, "v1.18.0"),
        ("use-octavia=true\n", {}, {}, "v1.25.0"),
    ),
    ("deletion", "`cascade-delete` is off", ("cascade-delete=false\n", {}, {}, NEWEST), ("", {}, {}, NEWEST)),
    (
        "floating IP",
        "which its annotation does not change",
        (PRIVATE, {"class": "a", INTERNAL: "false"}, {}, "1.18"),
        (PRIVATE, {"class": "a", INTERNAL: "false"}, {}, "v1.19.0"),
    ),
    (
        "floating IP",
        "and makes the Service internal",
        (PRIVATE, {"class": "a"}, {}, "v1.15.0"),
        (CLASSES, {"class": "public"}, {}, "1.18"),
    ),
    (
        "floating IP",
        "none where the VIP is of IPv6",
        ("", {}, {"ipFamilies": ["IPv6"]}, "v1.29.1"),
        ("", {}, {"ipFamilies": ["IPv4"]}, NEWEST),
    ),
    (
        "internal",
        "makes the Service external",
        (CLASSES, {"class": "public", INTERNAL: "true"}, {}, "1.18"),
        (CLASSES, {"class": "public", INTERNAL: "true"}, {}, "v1.19.0"),
    ),
    (
        "members",
        "member-subnet-id does not choose the address",
        (f"member-subnet-id={SUBNET}\n", {}, {}, "v1.25.0"),
        ("", {}, {}, NEWEST),
    ),
    (
        "members",
        "member-subnet-id does not choose the address",
        ("", {"member-subnet-id": SUBNET}, {}, NEWEST),
        ("", {"member-subnet-id": SUBNET}, {}, "1.24"),
    ),
    (
        "client IP",
        "with externalTrafficPolicy Local, too",
        ("", {}, {"externalTrafficPolicy": "Local"}, NEWEST),
        ("", {"proxy-protocol": "v1"}, {"externalTrafficPolicy": "Local"}, NEWEST),
    ),
    (
        "client IP",
        "with externalTrafficPolicy Local, too",
        ("", {}, {"externalTrafficPolicy": "Local"}, "1.18"),
        ("lb-provider=ovn\n", {}, {"externalTrafficPolicy": "Local"}, NEWEST),
    ),
    ("provider", "ovn, which forwards", ("lb-provider=ovn\n", {}, {}, "v1.22.0"), ("", {}, {}, NEWEST)),
)


def _options(text: str, release: str) -> Options:
    return read_options(f"[Global]\nauth-url=https://k\n[LoadBalancer]\n{text}", release)


def _told(text: str, annotations: Json, spec: Json, release: str) -> list[OpenChoice]:
    given = manifest("TCP/80", annotations, **{name: value for name, value in spec.items() if name != "made"})
    if "made" in spec:
        del given["metadata"]["uid"]
    return list(choices_of([_options(text, release)], read_service(given, allocate=False)))


@pytest.mark.parametrize(("topic", "said", "where", "beside"), CASES, ids=range(len(CASES)))
def test_a_choice_is_told_where_it_is_made_alone(
    topic: str, said: str, where: tuple[str, Json, Json, str], beside: tuple[str, Json, Json, str]
) -> None:
    assert [one.topic for one in _told(*where) if said in one.says] == [topic]
    assert [one.topic for one in _told(*beside) if said in one.says and one.topic == topic] == []


def test_every_row_is_reached_at_some_release() -> None:
    missed = set(ROWS)
    tried = [case[2] for case in CASES] + [case[3] for case in CASES]
    tried += [("", {}, {"loadBalancerSourceRanges": ["192.0.2.0/24"]}, NEWEST), ("", {}, {}, "1.31")]
    tried += [
        (f"subnet-id={SUBNET}\nmanage-security-groups=true\n", {}, {}, NEWEST),
        ("lb-provider=ovn\n", {}, {}, NEWEST),
        (f"subnet-id={SUBNET}\n", {}, {}, "1.24"),
    ]
    for case in tried:
        told = {(one.topic, one.source, one.change) for one in _told(*case)}
        missed -= {row for row in ROWS if (row.topic, row.source, row.change) in told}
    assert missed == set()


def test_rows_name_what_there_is() -> None:
    for row in ROWS:
        assert len(row.topic) < 13
        assert row.source
        assert row.change
        assert set(re.findall(r"{(\w+)}", row.says)) <= {*Options._fields, "classes"}
        for condition in row.when:
            name = condition.removeprefix("not ")
            kind, _, rest = name.partition(" ")
            known = {
                "behaves": rest in BEHAVIOURS,
                "key": rest in KEYS,
                "written": rest in KEYS,
                "from": rest[:1] == "v",
            }
            assert known[kind] if kind in known else kind == "long" or is_about_services(name), condition


@pytest.mark.parametrize("key", ["floating-network-id", "floating-subnet", "lb-provider"])
def test_what_a_template_decides_is_not_told(key: str) -> None:
    known = {one.source for one in _told("", {}, {}, NEWEST)}
    opened = _options("", NEWEST)._replace(open=(key,))
    told = list(choices_of([opened], service()))
    assert {one.source for one in told} < known
    assert not any(f"key {key}" in condition for one in told for condition in one.when)


def test_only_what_every_configuration_decides_alike_is_told() -> None:
    each = [options("cascade-delete=false\n", NEWEST), options("", NEWEST)]
    assert "deletion" not in [one.topic for one in choices_of(each, service()) if not one.quiet]


def _reported(services: Iterable[str]) -> PredictionReport:
    config = options("enable-ingress-hostname=true\ninternal-lb=false\n", NEWEST)
    reports = []
    for name in services:
        annotations = {"proxy-protocol": "true", "hostname": "x"} if name == "own" else {"keep-floatingip": "true"}
        one = service("TCP/80", annotations)._replace(name=name)
        found = predict(config, one, CloudState())
        reports.append(ServiceReport(found, "web.yaml", 1, None, tuple(choices_of([config], one))))
    return PredictionReport("cloud.conf", NEWEST, "--release", tuple(reports), ())


def test_equal_choices_of_several_services_are_one_line() -> None:
    lines = list(as_text(_reported(["a", "b", "own"])))
    assert sum(TIMEOUTS in line for line in lines) == 1
    at = lines.index("At several Services")
    assert any("(3 Services)" in line for line in lines[at:])
    assert any("stays when the Service is deleted" in line for line in lines[at:])
    (own,) = [number for number, line in enumerate(lines) if "the name of the annotation" in line]
    assert own < at


def test_one_service_has_at_most_six_lines_without_verbose() -> None:
    (report,) = _reported(["own"]).services
    several = tuple(report.choices[0]._replace(says=f"choice {number}", quiet=False) for number in range(9))
    many = _reported(["own"])._replace(services=(report._replace(choices=several),))
    assert sum("choice " in line for line in as_text(many)) == 6
    assert sum("choice " in line for line in as_text(many, verbose=1)) == 9


def test_programs_get_every_choice() -> None:
    report = _reported(["own"])
    (data,) = cast("list[Json]", as_data((report,))["services"])
    assert [one["says"] for one in data["choices"]] == [one.says for one in report.services[0].choices]
    assert set(data["choices"][0]) == {"topic", "says", "change", "source"}


def test_texts_of_the_configuration_are_cut_and_stay_in_their_place() -> None:
    evil = "\x1b[31m" + "x" * 5000
    config = options("", NEWEST)._replace(
        lb_provider="amphora", ingress_hostname_suffix=evil, enable_ingress_hostname=True
    )
    one = service("TCP/80", {"proxy-protocol": "true"})
    told = tuple(choices_of([config], one))
    assert max(len(choice.says) for choice in told) < 400
    report = ServiceReport(predict(config, one, CloudState()), "web.yaml", 1, None, told)
    text = "\n".join(as_text(PredictionReport("c", NEWEST, "x", (report._replace(prediction=report.prediction),), ())))
    assert "\x1b" not in text


CONFIGS = (
    "",
    f"floating-network-id={NETWORK}\nsubnet-id={SUBNET}\n",
    f"network-id={NETWORK}\nfloating-subnet-id={SUBNET}\n",
    f"floating-network-id={NETWORK}\n{CLASSES}{PRIVATE}",
    "internal-lb=true\n",
    "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
    f"enable-ingress-hostname=true\nmember-subnet-id={SUBNET}\nmanage-security-groups=true\n",
)
WRITTEN: tuple[Json, ...] = (
    {},
    {"class": "a"},
    {"class": "public", INTERNAL: "true"},
    {INTERNAL: "false", "timeout-client-data": "600000"},
    {"subnet-id": NETWORK, "floating-network-id": SUBNET, "proxy-protocol": "true"},
    {"x-forwarded-for": "true", "timeout-client-data": "1", "timeout-member-data": "2"},
    {"floating-subnet-id": SUBNET, "keep-floatingip": "true", "hostname": "a.example.com"},
)


def _bodies(found: Prediction, key: str) -> list[Json]:
    return [cast("Json", one.body)[key] for one in found.requests if key in (one.body or {})]


def _listened(found: Prediction) -> list[Json]:
    (made,) = _bodies(found, "loadbalancer")
    return cast("list[Json]", made.get("listeners") or _bodies(found, "listener"))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("text", CONFIGS, ids=range(len(CONFIGS)))
def test_choices_agree_with_the_requests_of_the_release(text: str, release: str) -> None:
    config = _options(f"use-octavia=true\n{text}", release)
    seen = 0
    for written in WRITTEN:
        for spec in ({}, {"externalTrafficPolicy": "Local"}, {"loadBalancerIP": "203.0.113.7"}):
            one = service("TCP/80", written, ipFamilies=["IPv4"], **spec)
            found = predict(config, one, CloudState(nodes=nodes(2)))
            if found.outcome is not Outcome.ACCEPTED:
                continue
            seen += 1
            said = [(choice.topic, choice.says) for choice in choices_of([config], one)]
            told = " ".join(each for _, each in said)
            floating, made = found.floating, _bodies(found, "loadbalancer")[0]
            if "floating IP" in [topic for topic, each in said if not each.startswith("none")]:
                assert floating.wanted
            if "from the first external network" in told:
                assert floating.source == "the first external network in the listing"
            if "from the network of [LoadBalancer]" in told:
                assert (floating.network, floating.source) == (config.floating_network_id, "cloud.conf")
            if "from any IPv4 subnet of its network" in told:
                assert not any("subnet_id" in body for body in _bodies(found, "floatingip"))
            if "no floating IP" in told or "and makes the Service internal" in told:
                assert not floating.wanted
            if "makes the Service external" in told or "gets a floating IP" in told:
                assert floating.wanted
            if "in the subnet of the first node's address" in told:
                assert made["vip_subnet_id"] == NODE_SUBNET
            if "in the first IPv4 subnet of `network-id`" in told:
                assert not made.get("vip_subnet_id")
            if "is the VIP's own address" in told:
                assert made["vip_address"] == one.address
            hostnames = [published.hostname for published in found.published]
            if "hostname" in [topic for topic, _ in said]:
                assert all(hostnames)
            else:
                assert not any(hostnames)
            for listener in _listened(found):
                cut = [listener.get(f"timeout_{end}_data", 50000) for end in ("client", "member")]
                if "connections without data" in told:
                    assert cut == [50000, 50000]
                if "still close idle connections" in told:
                    assert 50000 in cut
                assert (listener["protocol"] == "HTTP") is ("makes every port HTTP" in told)
            provider = [each for topic, each in said if topic == "provider"]
            if provider:
                assert made.get("provider", "the cloud's default") in provider[0]
            if "opened to the member subnet" in told:
                assert found.rules
    assert seen or "ovn" in text  # no load balancer of the first releases that know it is predicted


# topic, a part of what would be false or misleading, keys, annotations, the spec, the release
FALSE: tuple[tuple[str, str, str, Json, Json, str], ...] = (
    ("timeouts", "amphorae", "lb-provider=f5\n", {}, {}, NEWEST),
    # before 1.19 the CCM leaves the one that is not annotated to Octavia's configuration
    ("timeouts", "still", "", {"timeout-client-data": "600000"}, {}, "1.18"),
    ("timeouts", "amphorae", "lb-provider=ours\n", {}, {}, "v1.18.0"),
    ("timeouts", "amphorae", "lb-provider=f5\n", {"timeout-client-data": "600000"}, {}, NEWEST),
    ("connections", "amphora", "lb-provider=a10\n", {}, {}, NEWEST),
    ("VIP", "in the subnet", "", {"load-balancer-id": SUBNET}, {"made": True}, NEWEST),
    ("VIP", "in the first", f"network-id={NETWORK}\n", {"load-balancer-id": SUBNET}, {"made": True}, NEWEST),
    ("VIP", "as the members", f"member-subnet-id={SUBNET}\n", {}, {}, NEWEST),
    ("VIP", "in the first", f"network-id={NETWORK}\n", {INTERNAL: "true"}, {"loadBalancerIP": "10.0.0.7"}, NEWEST),
    ("floating IP", "from", "", {"load-balancer-id": SUBNET}, {"made": True}, NEWEST),
    ("external", "floating IP", "", {"load-balancer-id": SUBNET}, {"made": True}, NEWEST),
    ("floating IP", "from", "", {}, {"loadBalancerIP": "203.0.113.7"}, NEWEST),
    ("floating IP", "from", f"floating-network-id={NETWORK}\n{CLASSES}", {}, {"loadBalancerIP": "203.0.113.7"}, NEWEST),
    ("floating IP", "not from", '[LoadBalancerClass "a"]\nfloating-subnet-tags=x\n', {"class": "a"}, {}, NEWEST),
    ("floating IP", "not from", '[LoadBalancerClass "a"]\nfloating-subnet=x\n', {"class": "a"}, {}, "v1.21.0"),
    ("members", "as the VIP", f"subnet-id={SUBNET}\n{PRIVATE}", {"class": "a"}, {}, NEWEST),
    ("members", "as the VIP", f"subnet-id={SUBNET}\n{PRIVATE}", {"class": "a"}, {}, "1.24"),
    ("members", "as the VIP", f"subnet-id={SUBNET}\n", {"subnet-id": NETWORK}, {}, "1.24"),
    ("members", "as the VIP", f"subnet-id={SUBNET}\n", {"port-id": NETWORK}, {}, NEWEST),
    ("members", "VIP alone", f"subnet-id={SUBNET}\n{PRIVATE}", {"class": "a", "subnet-id": NETWORK}, {}, NEWEST),
    ("members", "IP family", "", {}, {}, "1.24"),
    ("algorithm", ", for all", "", {}, {}, "1.17"),
    # what is advised there empties the groups at each change of Nodes, or ends the CCM
    ("NodePorts", "", "lb-provider=ovn\n", {}, {}, "1.29"),
    ("NodePorts", "", "lb-provider=ovn\n", {}, {}, "v1.31.0"),
    ("NodePorts", "", f"network-id={NETWORK}\n", {}, {}, NEWEST),
    ("NodePorts", "", "", {"network-id": NETWORK}, {}, NEWEST),
    ("NodePorts", "", '[LoadBalancerClass "a"]\nnetwork-id=x\n', {"class": "a"}, {}, NEWEST),
)


@pytest.mark.parametrize(("topic", "false", "text", "annotations", "spec", "release"), FALSE, ids=range(len(FALSE)))
def test_nothing_is_told_that_does_not_hold(
    topic: str, false: str, text: str, annotations: Json, spec: Json, release: str
) -> None:
    told = [one.says for one in _told(text, annotations, spec, release) if one.topic == topic]
    assert not any(says.startswith(false) if false.startswith(",") else false in says for says in told)


def test_an_algorithm_that_no_key_names_is_that_of_the_release() -> None:
    for release in ("1.17", "1.18", NEWEST):
        (said,) = [one.says for one in _told("", {}, {}, release) if one.topic == "algorithm"]
        assert said.startswith("ROUND_ROBIN")
        (said,) = [one.says for one in _told("lb-method=SOURCE_IP\n", {}, {}, release) if one.topic == "algorithm"]
        assert said.startswith("SOURCE_IP,")


@pytest.mark.parametrize(
    "name", ["metadata.annotations", "loadbalancer.openstack.org/subnet-id", "spec.loadBalancerIP"]
)
def test_nothing_is_told_of_a_service_with_open_fields(name: str) -> None:
    config = options("", NEWEST)
    assert not list(choices_of([config], service()._replace(open=(name,))))
    assert list(choices_of([config], service()._replace(open=("metadata.name", "metadata.namespace"))))
