"""Which workloads may read a cloud.conf: by folders, not by comparing each with each."""

from __future__ import annotations

from typing import NamedTuple

from ccmcheck.carriers.base import CcmPod
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
