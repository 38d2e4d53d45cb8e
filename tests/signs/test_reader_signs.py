"""Each sign of who reads a cloud.conf is found in its example, and the answer is that of the heavier ones."""

from __future__ import annotations

import time

import pytest

from ccmcheck.catalog.readers import READER_NAMES
from ccmcheck.catalog.signs import readers
from ccmcheck.catalog.signs.readers import CCM_READER, IN_TREE, reader_by_file, reader_by_object, reader_started_by
from ccmcheck.catalog.signs.texts import UNKNOWN, Question, TextSign, weigh

QUESTIONS = ("OF_FILE", "OF_SECTION", "STARTING", "OF_FOLDER", "OF_MOUNTING", "OF_CONF", "OF_NAMES", "OF_OBJECT")
ROWS = [
    pytest.param(place, TextSign._make(row), id=f"{question}-{place}-{number}-{row[0][:30]}")
    for question in QUESTIONS
    for place, rows in getattr(readers, question).items()
    for number, row in enumerate(rows)
]


@pytest.mark.parametrize(("place", "sign"), ROWS)
def test_a_sign_is_found_in_its_example(place: str, sign: TextSign) -> None:
    question: Question = {place: (sign,)}
    found = weigh(question, {place: sign.example})
    assert (found.value, found.signs) == (sign.answer or sign.example, (sign,))
    assert found.value in READER_NAMES or found.value in ("yawol", "another") or not sign.answer
    assert weigh(question, {place: "[Global]\nauth-url = x\n"}) == UNKNOWN
    assert weigh(question, {"elsewhere": sign.example}) == UNKNOWN


FLAG = "kubelet --cloud-provider=openstack\n"


@pytest.mark.parametrize(
    ("text", "reader", "against"),
    [
        (FLAG, IN_TREE, []),
        (f"{FLAG}# https://github.com/x/openstack-cloud-controller-manager\n", IN_TREE, ["a link to the CCM"]),
        (f"{FLAG}kubelet --cloud-provider=external\n", CCM_READER, ["--cloud-provider=openstack"]),
        ("--cloud-provider=openstack\n# https://github.com/x/openstack-cloud-controller-manager", CCM_READER, None),
        ("aws-cloud-controller-manager\n", "aws-cloud-controller-manager", []),
        ("aws-cloud-controller-manager hcloud-cloud-controller-manager\n", "", None),
        ("aws-cloud-controller-manager of cloud-provider-openstack\n", CCM_READER, ["the CCM of another cloud"]),
        ("openstack-gcp-cloud-controller-manager\n", "", []),
    ],
)
def test_the_heavier_signs_decide(text: str, reader: str, against: list[str] | None) -> None:
    answer = reader_by_file(text, "up.sh", is_page=False)
    assert answer.value == reader
    assert against is None or [sign.says for sign in answer.against][: len(against) or None] == against


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (FLAG, IN_TREE),
        (f"# {FLAG}", ""),
        ("--cloud-provider=openstack\n", ""),
        ("--cloud-provider=openstack\n# openstack-cloud-controller-manager\n", CCM_READER),
        ("occm_tag: v1.31.2\n", CCM_READER),
    ],
)
def test_what_starts_a_reader(text: str, reader: str) -> None:
    assert reader_started_by(text).value == reader


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("ccm-csi-cinder", "cinder-csi-plugin"),
        ("csi-ccm", CCM_READER),
        ("csi-manila", ""),
        ("cloud-config-csi", "cinder-csi-plugin"),
        ("kms-ccm", "barbican-kms-plugin"),
        ("yawol-cinder-csi", "yawol"),
        ("YAWOL-cluster-autoscaler", "cluster-autoscaler"),
        ("cloud-config", ""),
    ],
)
def test_names_of_objects(name: str, reader: str) -> None:
    assert reader_by_object(name).value == reader


def test_a_long_name_of_two_lines_takes_no_time() -> None:
    began = time.process_time()
    assert reader_by_object("csi-" * 50_000 + "\nx").value == "cinder-csi-plugin"
    assert time.process_time() - began < 1
