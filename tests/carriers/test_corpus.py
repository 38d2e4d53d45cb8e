"""Real public files: what is found in each, compared with what its reader noted down.

The files stay outside the repository; without them these tests skip.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from carrying import b64, place

from ccmcheck.base import text
from ccmcheck.carriers import CarriedConf, FindOptions, find, worth_parsing, worth_reading

CORPUS = Path(__file__).resolve().parents[2] / "../shared/corpus"
pytestmark = pytest.mark.skipif(not (CORPUS / "index.json").is_file(), reason="the corpus is not beside the repository")

KINDS = {
    "text slice (whole file)>gcfg": "file",
    "text slice>gcfg": "KubeOneCluster",
    "Secret.data[cloud.conf].base64>gcfg": "Secret",
    "Secret.stringData.cloud.conf>gcfg": "Secret",
    "ConfigMap.data.cloud.conf>gcfg": "ConfigMap",
    "ConfigMap.data.configmap.yaml>gcfg": "Secret",
    "cluster.inlineManifests[].contents>ConfigMap.data.cloud.conf>gcfg": "ConfigMap",
    "[].tasks[].shell.cmd>gcfg": "YAML",
    "cloudConfig (values map)": "Helm values",
}
"""What the notes call a way, and the carrier that it ends at."""

NOT_CARRIED = {
    "no embedded cloud.conf (context / wiring only)": "there is none",
    "kubespray var": "other names for the same settings, which Kubespray's templates turn into a cloud.conf",
    "parameters.cloud_provider_openstack.cloud_conf (values map)": "the same in Project Syn's notation",
}

EXPLAINED: dict[tuple[str, str], tuple[str, list[str]]] = {
    (
        "kubernetes/cloud-provider-openstack",
        "kubernetes__cloud-provider-openstack/charts__openstack-cloud-controller-manager__values.yaml",
    ): ("the chart's own values: every section of the map is empty", []),
}
"""Files in which something else is found than their notes let expect, with the reason and what is found."""


class Row(NamedTuple):
    repository: str
    path: str
    file: str
    carries: tuple[str, ...]

    @property
    def whole(self) -> str:
        return text.decode((CORPUS / "files" / self.file).read_bytes()).text


def rows() -> Iterator[Row]:
    if not (CORPUS / "index.json").is_file():
        return
    for row in json.loads((CORPUS / "index.json").read_text(encoding="utf-8")):
        if row["file"]:
            yield Row(row["repo"], row["path"], row["file"], tuple(row["carries"]))


def expected(row: Row) -> list[str]:
    if (row.repository, row.file) in EXPLAINED:
        return EXPLAINED[row.repository, row.file][1]
    return [KINDS[way] for way in row.carries if way not in NOT_CARRIED and not way.endswith("= placeholder")]


ROWS = list(rows())


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.file}" for row in ROWS])
def test_each_file(row: Row) -> None:
    whole = row.whole
    contents = find(row.path, whole)
    assert [one.carrier for one in contents.carried] == expected(row)
    assert contents.broken == []
    for carried in contents.carried:
        assert len(carried.text) == len(carried.stack.inner)
        assert carried.stack.put([]) == []
        for mark in carried.marks:
            outer = carried.stack.outward(mark)
            assert carried.carrier == "Helm values" or whole[outer.start : outer.end].split() == (
                carried.text[mark.start : mark.end].split()
            )
        if carried.carrier == "file":
            assert carried.text == whole


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.file}" for row in ROWS])
def test_each_carrier_is_also_found_in_a_folder(row: Row) -> None:
    whole = row.whole
    if find(row.path, whole).carried:
        assert worth_reading(row.path)
        assert worth_parsing(text.encode(whole), row.path)


def test_all_carriers_in_one_file() -> None:
    found = Counter(carried.carrier for row in ROWS for carried in find(row.path, row.whole).carried)
    noted = Counter(carrier for row in ROWS for carrier in expected(row))
    assert found == noted
    assert found["file"] >= 40
    assert sum(way.endswith("= placeholder") for row in ROWS for way in row.carries) > 10


def carried_in(file: str) -> CarriedConf:
    (row,) = [row for row in ROWS if row.file == file]
    (carried,) = find(row.path, row.whole).carried
    return carried


def test_places_in_a_template_of_scs() -> None:
    carried = carried_in("SovereignCloudStack__k8s-cluster-api-provider/terraform__files__template__cloud.conf.tmpl")
    assert place(carried, "manage-security-groups") == (8, 1, "manage-security-groups")
    assert place(carried, "${clouds.auth.auth_url}") == (2, 10, "${clouds.auth.auth_url}")
    assert not carried.final


def test_places_in_a_base64_secret() -> None:
    carried = carried_in(
        "kubernetes__cloud-provider-openstack/manifests__cinder-csi-plugin__csi-secret-cinderplugin.yaml"
    )
    assert place(carried, "[Global]")[:2] == (10, 15)
    assert carried.text.startswith("[Global]\nusername")
    assert carried.final


def test_a_cluster_template_with_its_variable() -> None:
    conf = "[Global]\nauth-url=https://x\n[LoadBalancer]\nuse-octavia=true\n"
    (row,) = [
        row
        for row in ROWS
        if row.file == "SovereignCloudStack__k8s-cluster-api-provider/terraform__files__template__cluster-template.yaml"
    ]
    options = FindOptions(variables={"OPENSTACK_CLOUD_PROVIDER_CONF_B64": b64(conf)})
    carried = find(row.path, row.whole, options).carried
    assert [one.carrier for one in carried] == ["KubeadmControlPlane", "KubeadmConfigTemplate"]
    assert [one.text for one in carried] == [conf, conf]
    assert {place(one, "use-octavia")[2] for one in carried} == {"${OPENSTACK_CLOUD_PROVIDER_CONF_B64}"}
