"""Where judging a file at each release that may run, or by each of its conditions, would cost too much."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import RIGHT, put, run
from lint_cases import judged, lint

from ccmcheck.conf import alternatives
from ccmcheck.lint import engine

POD = """\
kind: Pod
metadata: {name: ccm}
spec:
  containers: [{name: ccm, image: "docker.io/k8scloudprovider/openstack-cloud-controller-manager:latest"}]
"""
SERVICE = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
OLD_KEY = RIGHT + "use-octavia = true\n"  # read before v1.26 alone, which the image may be
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  cloud.conf: |\n" + "".join(
    f"    {line}" for line in OLD_KEY.splitlines(keepends=True)
)


def releases(folder: Path, text: str) -> list[str]:
    """At which releases the key is ignored; none where it was judged at one release alone."""
    put(folder, {"c.yaml": text, "ccm.yaml": POD})
    findings = json.loads(run(folder, "lint", "--format=json", "c.yaml").out)["findings"]
    return [release for one in findings if one["rule"] == "key-removed" for release in one["releases"]]


IN_PART = ["v1.26.0 to v1.26.2"]


@pytest.mark.parametrize(("services", "expected"), [(0, IN_PART), (1, IN_PART), (2, [])])
def test_many_objects_are_judged_at_the_newest_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, services: int, expected: list[str]
) -> None:
    monkeypatch.setattr(engine, "MOST_OF_RANGE", 3)  # the text, its ConfigMap, and one Service
    assert releases(tmp_path, CONFIG + SERVICE * services) == expected


@pytest.mark.parametrize(("spare", "expected"), [(0, IN_PART), (-1, [])])
def test_a_long_file_is_judged_at_the_newest_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spare: int, expected: list[str]
) -> None:
    monkeypatch.setattr(engine, "LONGEST_OF_RANGE", len(CONFIG) + spare)
    assert releases(tmp_path, CONFIG) == expected


@pytest.mark.parametrize("most", [0, 3])
def test_releases_that_are_asked_for_are_each_judged(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(engine, "MOST_OF_RANGE", most)
    found = lint(OLD_KEY, judged("1.25", "1.36")).findings
    assert [one.releases for one in found if one.rule == "key-removed"] == [("1.36",)]


BRANCH = "{% if a %}\ncreate-monitor = true\nmonitor-max-retries = 11\n{% endif %}\n"
TEMPLATE = RIGHT + "[LoadBalancer]\n" + BRANCH


def judged_by_branches(folder: Path, text: str = TEMPLATE) -> bool:
    """Whether what only one arm of a condition makes was judged."""
    put(folder, {"cloud.conf.j2": text})
    done = run(folder, "lint", "--format=json", "--select=monitor-range", "--release=1.31", "--jobs=1", ".")
    return bool(json.loads(done.out)["findings"])


@pytest.mark.parametrize(("spare", "expected"), [(0, True), (-1, False)])
def test_conditions_are_judged_as_long_as_their_texts_are_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spare: int, expected: bool
) -> None:
    texts = 1 + 2  # one arm, all first arms, and none
    monkeypatch.setattr(engine, "LONGEST_OF_ALTERNATIVES", texts * len(TEMPLATE) + spare)
    assert judged_by_branches(tmp_path) == expected


@pytest.mark.parametrize(("most", "expected"), [(2, True), (1, False)])
def test_conditions_are_judged_as_long_as_they_are_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, expected: bool
) -> None:
    monkeypatch.setattr(alternatives, "MOST_ARMS", most)
    assert judged_by_branches(tmp_path, TEMPLATE + "{% if b %}\nlb-method = ROUND_ROBIN\n{% endif %}\n") == expected
