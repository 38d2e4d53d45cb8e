"""What options say of the cloud wins over what the files hold, in every command that predicts."""

from __future__ import annotations

from pathlib import Path

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.carriers import FindOptions
from ccmcheck.cli.cloud import cluster_of, remarks
from ccmcheck.cli.options import CloudArguments
from ccmcheck.policy.profiles.standards import Standards
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files

FILES = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: web, namespace: shop}
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}
"""
EMPTY = CloudArguments(NO_FACTS, None, Standards())


def test_replicas_win_over_a_pod_on_every_node(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(FILES, encoding="utf-8")
    survey = survey_files([str(tmp_path)], FindOptions(), DiscoverOptions())
    objects = [found for _, found in survey.objects]
    (service_object,) = cluster_of(EMPTY, objects, ())[0].services
    assert service_object.service.everywhere
    gathered, cloud = cluster_of(EMPTY._replace(facts=ClusterFacts(nodes=3), replicas=1), objects, ())
    assert [(one.service.replicas, one.service.everywhere) for one in gathered.services] == [(1, False)]
    assert cloud.nodes is not None
    assert len(cloud.nodes) == 3
    assert remarks(EMPTY._replace(facts=ClusterFacts(nodes=3)), gathered) == []


def test_no_option_means_empty_arguments() -> None:
    assert EMPTY.is_empty
    for fact in ({"octavia_release": "yoga"}, {"nodes": 0}, {"monitors_used": 0}, {"cluster_name": "prod"}):
        assert not EMPTY._replace(facts=ClusterFacts(**fact)).is_empty
    assert not EMPTY._replace(replicas=0).is_empty
