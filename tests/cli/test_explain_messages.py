"""``ccmcheck explain`` with a message of a log or an event, and with a whole log on standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

CANARY = "gAAAAABcanary-7f1e"
QUOTA = f"E0101 12:00:00.1 1 controller.go:302] failed: Quota exceeded for resources: ['port'] token={CANARY}\n"
REFUSED = f"W0101 12:00:00.1 1 main.go:71] password={CANARY} Post https://k/{CANARY}: connect: connection refused\n"
ODD = f"E0101 12:00:00.1 1 x.go:1] failed by {CANARY}\n"
CALM = "I0101 12:00:00.1 1 leaderelection.go:258] successfully acquired lease\n"


def test_a_message(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", QUOTA)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Quota exceeded for resources: …: a message of Neutron\n")
    assert "Raise the quota" in done.out
    assert CANARY not in done.out


def test_a_step_says_that_the_reason_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "Error syncing load balancer: failed to ensure load balancer: who knows")
    assert done.code == 0
    assert "what happened, not why" in done.out


def test_an_unknown_message_is_not_guessed_at(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", ODD)
    assert (done.code, done.out) == (1, "")
    assert "Nothing is known about this message" in done.err
    assert CANARY not in done.err


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_log(tmp_path: Path, form: str) -> None:
    log = QUOTA + CALM + REFUSED + QUOTA.replace("12:00", "13:00") + ODD
    done = run(tmp_path, "explain", f"--format={form}", "-", stdin=log.encode())
    assert done.code == 1
    assert done.out.index("Quota exceeded") < done.out.index("connection refused")
    assert "2, the first is 1, the last 4" in done.out
    assert "3 of 5 lines explained, 2 kinds of messages. Not known: the errors in lines 5." in done.err
    assert CANARY not in done.out + done.err
    if form == "json":
        assert [one["kind"] for one in json.loads(done.out)["pages"]] == ["message", "message"]


def test_a_log_without_an_unknown_error(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "-", stdin=(CALM + QUOTA).encode())
    assert done.code == 0
    assert "1 of 2 lines explained, 1 kinds of messages." in done.err


def test_a_log_that_is_empty_is_wrong_use(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "-", stdin=b"")
    assert (done.code, done.out) == (2, "")
    assert "Standard input is empty." in done.err


def test_bytes_and_long_lines(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "-", stdin=b"\xff\x00\n" + b"error " * 200_000 + b"\n" + QUOTA.encode())
    assert "Quota exceeded" in done.out
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("line", "means"),
    [
        (
            'error checking if node a exists: ProviderID "" didn\'t match expected format "openstack:///InstanceID"',
            "has no",
        ),
        (
            'ProviderID "k3s://a" didn\'t match expected format "openstack://region/InstanceID"',
            "another controller set it",
        ),
        (
            'error message: {"faultstring": "Pools must be named when creating a fully populated loadbalancer."}',
            "a pool without a name",
        ),
    ],
)
def test_like_messages_have_their_own_causes(line: str, means: str, tmp_path: Path) -> None:
    done = run(tmp_path, "explain", line)
    assert done.code == 0
    assert means in " ".join(done.out.split())


@pytest.mark.parametrize(
    "line",
    [
        'failed to ensure load balancer: failed to get tls container "https://b/v1/secrets/6f9c": Resource not found',
        'failed to ensure load balancer: failed to get tls container "https://b/v1/secrets/6f9c": Not Found. Sorry but your container is in another castle.',
        "octavia: Passphrase protected PKCS12 certificates are not supported",
        "octavia: Retrieved Barbican Container is not of the correct type (certificate)",
    ],
)
def test_a_secret_as_certificate_is_advised_with_the_release_that_takes_it(tmp_path: Path, line: str) -> None:
    done = run(tmp_path, "explain", line)
    assert done.code == 0
    assert "1.28.1 and older" in done.out or "from CCM 1.28.2 on" in " ".join(done.out.split())


@pytest.mark.parametrize(
    "request_of", ["[DELETE https://o/v2/lbaas/loadbalancers/1?cascade=true]", "[PUT https://o/m]"]
)
def test_a_request_that_a_driver_does_not_have(tmp_path: Path, request_of: str) -> None:
    answer = "Provider 'acme' does not support a requested action: not supported"
    done = run(tmp_path, "explain", f"when accessing {request_of}, but got 501 instead {answer}")
    said = " ".join(done.out.split())
    assert "`cascade-delete = false` (CCM 1.19 or newer)" in said
    assert "`provider-requires-serial-api-calls = true` (CCM 1.28 or newer" in said
    assert "not why" not in said


def test_an_unavailable_octavia_may_be_a_driver_that_makes_one_object_each(tmp_path: Path) -> None:
    unable = "The service is currently unable to handle the request due to a temporary overloading or maintenance."
    done = run(tmp_path, "explain", f"error creating loadbalancer a: {unable}")
    assert "provider-requires-serial-api-calls" in done.out


def test_a_line_that_the_ccm_writes_of_a_rule_is_not_given_to_neutron(tmp_path: Path) -> None:
    found = "Security group rule already found when trying to create it. This indicates concurrent updates"
    for line in (found, "Security group rule 1 found missing when trying to delete it."):
        assert ": a message of cloud-provider-openstack" in " ".join(run(tmp_path, "explain", line).out.split())
    assert "of Neutron" in run(tmp_path, "explain", "Security group rule already exists. Rule id is 1.").out


def test_a_log_with_a_crash_begins_with_its_cause_and_names_it_once(tmp_path: Path) -> None:
    log = (
        "I1 1 leaderelection.go:257] attempting to acquire leader lease kube-system/cloud-controller-manager...\n"
        "panic: runtime error: invalid memory address or nil pointer dereference\n"
        "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x1f0a2c4]\n"
        "panic({0x21e2f20?, 0x3fd3b10?})\n"
        "\truntime/panic.go:783 +0x132\n"
        "k8s.io/cloud-provider-openstack/pkg/openstack.(*LbaasV2).ensureAndUpdateOctaviaSecurityGroup(0xc0)\n"
        "\tk8s.io/cloud-provider-openstack/pkg/openstack/loadbalancer_sg.go:248 +0x7a4\n"
    )
    done = run(tmp_path, "explain", "-", stdin=log.encode())
    assert done.code == 0
    assert done.out.startswith("(*LbaasV2).ensureAndUpdateOctaviaSecurityGroup: a message of")
    assert "5 of 7 lines explained, 3 kinds of messages." in done.err
    assert "Not known" not in done.err
