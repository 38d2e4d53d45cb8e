"""Every public cloud.conf at hand, with Services of all sorts: predict raises nothing, and every form can be written.

The files stay outside the repository; without them these tests skip.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from predict_cases import manifest, nodes

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import release
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.predict.advice.suggestion import suggest
from ccmcheck.predict.conformance import conformance
from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport, as_data
from ccmcheck.predict.forms.report import as_markdown, as_text
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.manifests import read_manifests
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files
from ccmcheck.workspace.survey import Survey, SurveyedConf, options_at

CORPUS = Path(__file__).resolve().parents[2] / "../shared/corpus/files"
SERVICES = (
    manifest("TCP/80", externalTrafficPolicy="Local"),
    manifest("TCP/53 UDP/53", {"proxy-protocol": "v2", "class": "x"}),
    manifest("SCTP/9", {"x-forwarded-for": "true"}, ipFamilies=["IPv6", "IPv4"]),
    manifest("TCP/80", {"enable-health-monitor": True}),
)
LARGEST = 1 << 20

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the repository")


@cache
def _survey() -> Survey:
    paths = [str(path) for path in sorted(CORPUS.rglob("*")) if path.is_file()]
    return survey_files(paths, FindOptions(), DiscoverOptions(max_size=LARGEST))


def _outcomes(config: SurveyedConf, name: str, services: tuple[Service, ...]) -> list[Outcome]:
    judged = TargetRelease("ccm", release(name), "--release")
    options = options_at(config, judged, RunContext())
    cloud = CloudState(facts=ClusterFacts(topology="SINGLE"), nodes=nodes(3))
    reported = []
    for number, service in enumerate(services):
        found = predict(options, service, cloud)
        reported.append(ServiceReport(found, "web.yaml", number, suggest(options, service, cloud, found)))
    report = PredictionReport(
        config.title, name, "--release", tuple(reported), () if options.stop else conformance(options, cloud)
    )
    assert json.dumps(as_data((report,)), allow_nan=False)
    for line in (*as_text(report, verbose=2), *as_markdown(report)):
        assert line.isprintable()
    return [one.prediction.outcome for one in reported]


@pytest.mark.part(of=3)
@pytest.mark.parametrize("name", ["1.18", "1.26", "1.36"])
def test_every_real_cloud_conf(name: str) -> None:
    services = tuple(read_service(one) for one in SERVICES)
    configs = _survey().ccm_confs
    assert len(configs) > 40
    outcomes = [outcome for config in configs for outcome in _outcomes(config, name, services)]
    assert outcomes.count(Outcome.ACCEPTED) > len(configs) // 2


def test_every_real_service_with_every_real_cloud_conf() -> None:
    gathered = read_manifests([one for _, one in _survey().objects], 3)
    for config in _survey().ccm_confs[:20]:
        _outcomes(config, "1.36", tuple(service_object.service for service_object in gathered.services))
