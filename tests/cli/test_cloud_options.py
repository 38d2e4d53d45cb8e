"""What options say of the cloud wins over what the files hold, in every command that predicts."""

from __future__ import annotations

from pathlib import Path

from ccmcheck.carriers import FindOptions
from ccmcheck.cli.cloud import remarks, surroundings
from ccmcheck.cli.options import CloudArguments
from ccmcheck.policy.profiles.standards import Standards
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import Looked, look

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
SILENT = CloudArguments(None, None, None, None, None, None, None, None, None, Standards())


def test_replicas_win_over_a_pod_on_every_node(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(FILES, encoding="utf-8")
    looked = Looked([], [], [], [])
    look([str(tmp_path)], FindOptions(), DiscoverOptions(), looked)
    objects = [found for _, found in looked.objects]
    (met,) = surroundings(SILENT, objects, ())[0].services
    assert met.service.everywhere
    gathered, cloud = surroundings(SILENT._replace(replicas=1, nodes=3), objects, ())
    assert [(one.service.replicas, one.service.everywhere) for one in gathered.services] == [(1, False)]
    assert cloud.nodes is not None
    assert len(cloud.nodes) == 3
    assert remarks(SILENT._replace(nodes=3), gathered) == []


def test_nothing_given_is_silence() -> None:
    assert SILENT.is_silent
    for change in ({"octavia_release": "yoga"}, {"nodes": 0}, {"monitors_used": 0}, {"cluster_name": ""}):
        assert not SILENT._replace(**change).is_silent
