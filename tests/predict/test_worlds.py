"""Where one of several releases runs: what all agree on is said, what they differ in is unknown and names them."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Severity
from ccmcheck.catalog.upgrade_path import tags
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options, read_options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.worlds import predict_each

CLOUD = CloudState()
MONITORS = "[LoadBalancer]\nuse-octavia=true\ncreate-monitor=true\nmonitor-delay=5s\nmonitor-timeout=3s\nmonitor-max-retries=1\n"
CONFS = (
    "",
    "[LoadBalancer]\ncreate-monitor=true\n",
    MONITORS,
    "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
)


def service(policy: str = "Local", protocol: str = "TCP", **annotations: str) -> Service:
    return read_service(
        {
            "metadata": {
                "name": "web",
                "namespace": "shop",
                "annotations": {f"loadbalancer.openstack.org/{name}": value for name, value in annotations.items()},
            },
            "spec": {
                "type": "LoadBalancer",
                "externalTrafficPolicy": policy,
                "ports": [{"port": 53, "protocol": protocol, "nodePort": 30053}],
            },
        }
    )


def read(conf: str, *between: str) -> list[Options]:
    first, last = between
    names = [tag for tag in reversed(tags()) if first <= tag.name <= last]
    return [read_options(conf, tag) for tag in names]


SERVICES = [
    service(policy, protocol, **annotations)
    for policy in ("Local", "Cluster")
    for protocol in ("TCP", "UDP")
    for annotations in ({}, {"enable-health-monitor": "yes"}, {"proxy-protocol": "v2"}, {"class": "x"})
]


@pytest.mark.parametrize("conf", CONFS)
@pytest.mark.parametrize("of", SERVICES, ids=str)
def test_a_verdict_holds_at_each_release(conf: str, of: Service) -> None:
    each = read(conf, "v1.20.0", "v1.26.9")
    joined = predict_each(each, of, CLOUD)
    alone = [predict(one, of, CLOUD) for one in each]
    assert joined.outcome in (alone[0].outcome, Outcome.UNKNOWN)
    assert (joined.outcome is alone[0].outcome) == (len({one.outcome for one in alone}) == 1)
    for answer in joined.answers:
        if answer.good is not None:
            goods = {one.good for prediction in alone if (one := prediction.answer(answer.name)) is not None}
            assert goods == {answer.good}
            assert all(prediction.answer(answer.name) is not None for prediction in alone)
    for finding in joined.findings:
        if finding.severity >= Severity.WARNING:
            assert all((finding.about, finding.text) in {(f.about, f.text) for f in one.findings} for one in alone)


def test_one_release_is_as_ever() -> None:
    options = read_options(MONITORS, "v1.31.2")
    assert predict_each([options], service(), CLOUD) == predict(options, service(), CLOUD)


def test_what_differs_names_the_releases() -> None:
    joined = predict_each(read(MONITORS, "v1.21.0", "v1.26.9"), service(), CLOUD)
    traffic = joined.answer("traffic-local")
    assert traffic is not None
    assert " at v1.2" in traffic.text
    assert any("the CCM's release is not known" in text for text in joined.assumed)


def test_another_outcome_is_unknown() -> None:
    joined = predict_each(read("[LoadBalancer]\ncreate-monitor=true\n", "v1.15.0", "v1.26.9"), service(), CLOUD)
    assert joined.outcome is Outcome.UNKNOWN
    assert "the CCM does not start" in joined.why
    assert joined.why.startswith("depends on the CCM's release, which is not known: Octavia takes the requests at v1.")
