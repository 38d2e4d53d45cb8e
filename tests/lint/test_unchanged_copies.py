"""Unchanged copies of cloud-provider-openstack's own manifests: one line says that they are there."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ccmcheck.catalog.data import upstream_manifests
from ccmcheck.catalog.upstream import is_upstream_copy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

CONF = "[Global]\nauth-url = http://keystone.example.com/v3\nusername = admin\n[LoadBalancer]\n"
FOLDER = "vendor/upstream/manifests/controller-manager"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = sha256(CONF.strip().encode()).hexdigest()[:16]
    monkeypatch.setattr(upstream_manifests, "UNCHANGED", {"cloud-config": digest})


def test_they_are_counted_and_not_listed(tmp_path: Path) -> None:
    put(tmp_path, {f"{FOLDER}/cloud-config": CONF})
    done = run(tmp_path, "lint", ".")
    assert done.code == 0
    assert done.out.startswith("No findings")
    assert "in 1 file as cloud-provider-openstack has them in manifests/ are not listed." in done.out


@pytest.mark.parametrize(
    ("path", "text"), [(f"{FOLDER}/cloud-config", CONF + "lb-provider = ovn\n"), ("prod/cloud-config", CONF)]
)
def test_what_is_changed_or_elsewhere_is_judged(tmp_path: Path, path: str, text: str) -> None:
    put(tmp_path, {path: text})
    assert run(tmp_path, "lint", ".").code == 1


def test_one_that_is_named_is_judged(tmp_path: Path) -> None:
    put(tmp_path, {f"{FOLDER}/cloud-config": CONF})
    assert run(tmp_path, "lint", f"{FOLDER}/cloud-config").code == 1


def test_line_ends_do_not_matter() -> None:
    assert is_upstream_copy(f"{FOLDER}/cloud-config", CONF.replace("\n", "\r\n").encode() + b"\r\n\r\n")
    assert not is_upstream_copy(f"{FOLDER}/other", CONF.encode())
