"""Which workloads may read a cloud.conf: by folders, not by comparing each with each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from ccmcheck.carriers.base import CcmPod
from ccmcheck.cli.main import run
from ccmcheck.conf.nearby_conf import WorkloadIndex, alone


class Conf(NamedTuple):
    """A cloud.conf, as far as its place goes."""

    path: str


class Near:
    """The cloud.confs of a file's folder, counting how often somebody asks."""

    def __init__(self, confs: list[Conf]) -> None:
        self.asked = 0
        self._confs = confs

    def __call__(self, path: str) -> list[Conf]:
        self.asked += 1
        return [conf for conf in self._confs if conf.path.rpartition("/")[0] == path.rpartition("/")[0]]


def pods(*paths: str) -> list[CcmPod]:
    return [CcmPod(path=path, subject="Deployment ccm") for path in paths]


def test_the_nearest_of_its_folder_and_of_those_around_it() -> None:
    confs = [Conf("a/b/cloud.conf"), Conf("c/cloud.conf")]
    workloads = pods("ccm.yaml", "a/ccm.yaml", "c/ccm.yaml", "d/ccm.yaml")
    index = WorkloadIndex(workloads, Near(confs))
    assert [pod.path for pod in index.of(confs[0])] == ["a/ccm.yaml"]
    assert [pod.path for pod in index.of(confs[1])] == ["c/ccm.yaml"]
    assert index.of(Conf("e/cloud.conf")) == workloads[:1]


def test_those_that_read_none_of_the_nearest_are_alone() -> None:
    confs = [Conf("a/cloud.conf")]
    workloads = pods("a/ccm.yaml", "b/ccm.yaml")
    assert [pod.path for pod in alone(workloads, Near(confs))] == ["b/ccm.yaml"]


def test_each_workload_is_looked_at_once_or_twice_however_many_there_are() -> None:
    for count in (20, 40):
        confs = [Conf(f"{number}/cloud.conf") for number in range(count)]
        near = Near(confs)
        index = WorkloadIndex(pods(*(f"{number}/ccm.yaml" for number in range(count))), near)
        assert all(len(index.of(conf)) == 1 for conf in confs)
        assert near.asked == 2 * count


def test_a_chart_beside_the_values_that_hold_its_cloud_conf_is_not_alone() -> None:
    values = Conf("ccm/values.yaml")
    workloads = [
        CcmPod("ccm/Chart.yaml", ""),
        CcmPod("ccm/values.yaml", "Helm values"),
        CcmPod("other/Chart.yaml", ""),
    ]
    # the values' own workload is what reads it; the chart is what both are installed by
    assert [pod.path for pod in alone(workloads, Near([values]))] == ["other/Chart.yaml"]


def test_a_chart_and_its_values_are_one_deployment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = (
        "apiVersion: v2\nname: ccm\nversion: v1\ndependencies:\n- name: openstack-cloud-controller-manager\n"
        "  repository: https://kubernetes.github.io/cloud-provider-openstack\n  version: 2.34.2\n"
    )
    values = (
        "openstack-cloud-controller-manager:\n  secret: {enabled: true, name: c, create: true}\n"
        "  cloudConfig:\n    global: {use-clouds: true}\n"
    )
    (tmp_path / "Chart.yaml").write_text(chart, encoding="utf-8")
    (tmp_path / "values.yaml").write_text(values, encoding="utf-8")
    assert run(["list", "--format", "json", str(tmp_path)]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (len(listed["cloud_confs"]), listed["installations"]) == (1, [])
