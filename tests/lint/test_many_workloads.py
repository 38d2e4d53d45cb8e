"""Rules that compare a workload of the CCM with those of other files."""

from __future__ import annotations

import pytest

from ccmcheck.carriers.base import CcmPod, RunContext
from ccmcheck.rules._support.same_cloud import beside

SUBJECT = "DaemonSet kube-system/ccm"


def pods(*paths: str) -> RunContext:
    """A run with a workload in each file."""
    return RunContext(pods=tuple(CcmPod(path, SUBJECT) for path in paths))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("clusters/a/ccm.yaml", ["clusters/b/ccm.yaml", "old/a/ccm.yaml"]),
        ("clusters/c/ccm.yaml", ["clusters/a/ccm.yaml", "clusters/b/ccm.yaml"]),
        ("clusters/a/other.yaml", []),
        ("ccm.yaml", []),
    ],
)
def test_files_whose_folders_differ_in_one_place(path: str, found: list[str]) -> None:
    run = pods("clusters/a/ccm.yaml", "clusters/b/ccm.yaml", "old/a/ccm.yaml", "x/y/ccm.yaml", "a/ccm.yaml")
    assert sorted(pod.path for pod in beside(path, CcmPod(path, SUBJECT), run)) == found
    assert list(beside(path, CcmPod(path, "Pod other"), run)) == []


def test_a_file_that_says_what_it_said_before_leaves_the_run_as_it_is() -> None:
    run = pods("a", "b")
    assert run.with_file("a", pods("a")) is run
    assert [pod.path for pod in run.with_file("a", pods("a", "a")).pods] == ["b", "a", "a"]
