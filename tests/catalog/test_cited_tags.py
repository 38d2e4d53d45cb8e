"""No tag that does not exist is named to anybody: not in a page of ``explain``, nor as the release that mends something."""

from __future__ import annotations

import re

import pytest

from ccmcheck import catalog
from ccmcheck.catalog.behaviour import behaviour_changes, fixed_in
from ccmcheck.catalog.data import upgrades
from ccmcheck.catalog.data.behaviour import BEHAVIOURS
from ccmcheck.catalog.data.releases import BRANCHES, LAST_PATCH
from ccmcheck.catalog.service_annotations import all_annotations
from ccmcheck.catalog.upgrade_path import tags
from ccmcheck.explain.annotations import annotation_page
from ccmcheck.explain.lookup import key_page
from ccmcheck.explain.rules import rule_info
from ccmcheck.rules import GROUP_OF

TAG = re.compile(r"(?<![\w.])v(1\.\d+)\.(\d+)(?![\w.])")
OTHERS = re.compile(
    r"(?:kubernetes-csi/[^;]{0,120}|gcfg|gophercloud|Kubernetes|kubernetes|cloud-provider|k8s\.io/\S+)[^.;:,]{0,60}?v1\.\d+\.\d+"
)
"""Versions of other projects."""


def unknown_tags(text: str) -> list[str]:
    text = OTHERS.sub("", text)
    return [match[0] for match in TAG.finditer(text) if int(match[2]) > LAST_PATCH.get(match[1], -1)]


def test_what_is_none() -> None:
    assert unknown_tags("since v1.26.5 and v1.26.4; gcfg v1.2.3") == ["v1.26.5"]


@pytest.mark.parametrize("name", [name for name, group in GROUP_OF.items() if group != "clusterapi"])
def test_pages_of_rules(name: str) -> None:
    info = rule_info(name)
    assert unknown_tags(f"{info.title} {info.why} {info.description}") == []


def test_pages_of_keys_and_annotations() -> None:
    pages = [annotation_page(one) for one in all_annotations()]
    for section in catalog.all_sections():
        histories = (catalog.history(section, key) for key in catalog.all_keys(section))
        pages += [key_page(history) for history in histories if history is not None]
    assert len(pages) > 100
    for page in pages:
        assert (page.title, unknown_tags(repr(page))) == (page.title, [])


def test_what_mends_a_behaviour() -> None:
    releases = [*tags(), *(catalog.release(f"release-{branch}") for branch in BRANCHES[1:-1])]
    for name in [name for name in BEHAVIOURS if not name.startswith("in-tree-")]:  # those are by Kubernetes' tags
        for release in releases:
            assert (name, release.name, unknown_tags(fixed_in(name, release))) == (name, release.name, [])


def test_what_an_upgrade_says() -> None:
    said = [*behaviour_changes(), *(value for name, value in vars(upgrades).items() if name.isupper())]
    assert len(said) > len(behaviour_changes()) > 50
    for text in map(repr, said):
        assert (text, unknown_tags(text)) == (text, [])
