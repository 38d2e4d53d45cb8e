"""`cluster` at servers that were recorded: a real kube-apiserver, the real CCM's objects, the real Octavia."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from recordings import AT, CANARY, CLOUD, KUBE, URL, credentials, filled, later, load, names
from replay import replay

MOST_BYTES = 200_000
"""Of a recording."""

LEAKS = (
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Authorization: Bearer 7d1c5a9b3e",
    "[Global]\npassword = hunter2\n",
    "application-credential-secret=abc",
    "https://u:hunter2@example.org/",
    "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d",
    "d41d8cd98f00b204e9800998ecf8427e",
    "http://127.0.0.1:41234/v3",
)


@pytest.mark.parametrize("name", names())
def test_a_recorded_run_prints_the_same_again(name: str, tmp_path: Path) -> None:
    recording = load(name)
    replayed = replay(recording, tmp_path)
    assert replayed.unexpected == []
    assert replayed.missing == []
    assert replayed.printed == recording.printed.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_a_recording_holds_no_credential(name: str) -> None:
    assert credentials(load(name)) == []


@pytest.mark.parametrize("name", names())
def test_no_credential_is_printed(name: str) -> None:
    recording = load(name)
    assert any(CANARY in text for text in recording.files.values())
    assert CANARY not in recording.printed.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_a_recording_is_small(name: str) -> None:
    recording = load(name)
    assert recording.path.stat().st_size < MOST_BYTES
    assert recording.printed.stat().st_size < MOST_BYTES


def test_each_file_belongs_to_a_recording() -> None:
    expected = {f"{name}.{kind}" for name in names() for kind in ("jsonl", "txt")}
    assert {path.name for path in AT.iterdir()} == expected
    assert expected


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_credential_in_a_recording_is_found(leak: str, hidden: bool) -> None:
    text = base64.b64encode(f"{leak}, in base64".encode()).decode() if hidden else leak
    recording = load(names()[0])
    first, *others = recording.exchanges
    body = {"data": {"cloud.conf": text}, "metadata": {"annotations": {"last": json.dumps({"inner": text})}}}
    assert credentials(recording._replace(exchanges=(first._replace(body=body), *others)))
    assert credentials(recording._replace(exchanges=(first._replace(headers={"x": text}), *others)))


def test_a_request_that_was_not_recorded_is_noticed(tmp_path: Path) -> None:
    recording = load("lint-fatal")
    fewer = tuple(one for one in recording.exchanges if not one.path.endswith("/secrets/cloud-config"))
    replayed = replay(recording._replace(exchanges=fewer), tmp_path)
    assert {one.partition("?")[0] for one in replayed.unexpected} == {
        "GET /api/v1/namespaces/kube-system/secrets/cloud-config"
    }


def test_a_change_that_is_not_made_is_noticed(tmp_path: Path) -> None:
    recording = load("lint-fatal")
    change = recording.exchanges[0]._replace(method="PATCH", path="/api/v1/nodes/n0", sent={})
    replayed = replay(recording._replace(exchanges=(*recording.exchanges, change)), tmp_path)
    assert replayed.missing == ["PATCH /api/v1/nodes/n0 "]


def test_what_is_judged_by_its_age_is_as_old_as_it_was() -> None:
    held = {"startedAt": "2026-11-22T08:03:04Z", "eventTime": "2026-11-22T08:03:04.123456Z", "uid": "2026-11-22"}
    moved = {"startedAt": "2026-11-22T09:03:05Z", "eventTime": "2026-11-22T09:03:05.123456Z", "uid": "2026-11-22"}
    assert later(held, 3601) == moved


def test_texts_in_base64_have_the_address_of_this_run() -> None:
    text = f"[Global]\nauth-url = {URL.format(CLOUD)}/v3\n"
    inside = base64.b64encode(text.encode()).decode()
    found = filled({"data": {"cloud.conf": inside}}, {KUBE: "http://k", CLOUD: "http://c"})
    assert base64.b64decode(found["data"]["cloud.conf"]).decode() == "[Global]\nauth-url = http://c/v3\n"


def test_a_recording_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recordings = [load(name) for name in names()]
    monkeypatch.setattr("recordings.AT", tmp_path)
    for recording in recordings:
        recording.save()
        assert load(recording.name) == recording
