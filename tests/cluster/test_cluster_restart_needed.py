"""`cluster lint` says where the CCM runs on an older text than the one that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api_server import (
    CONF,
    cluster,
    secret,
)
from cluster_runs import lint
from live_objects import PODS, RIGHT, owner, pod

if TYPE_CHECKING:
    from pathlib import Path


def restart(
    tmp_path: Path, conf: str, *managers: dict[str, Any], started: str = "2026-11-01T08:00:00Z", **metadata: Any
) -> dict[str, str]:
    server = cluster()
    server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"] = {
        "apiVersion": "v1",
        "kind": "Secret",
        **secret(conf, managedFields=list(managers), **metadata),
    }
    server.lists[PODS] = [pod("ccm-a", started)]
    done = lint(tmp_path, server, "--format", "json")
    return {
        finding["severity"]: finding["label"]
        for finding in done.report["findings"]
        if finding["rule"] == "ccm-restart-needed"
    }


def test_a_key_that_was_changed_after_the_start_needs_a_restart(tmp_path: Path) -> None:
    found = restart(tmp_path, RIGHT, owner("kubectl-edit", "data", "cloud.conf"))
    assert found == {
        "warning": "changed at 2026-11-02T09:30:00Z by kubectl-edit, after the CCM was started at "
        "2026-11-01T08:00:00Z: it uses the older text"
    }


def test_a_change_of_an_entry_that_owns_more_is_possible_only(tmp_path: Path) -> None:
    more = owner("helm", "data", "cloud.conf")
    more["fieldsV1"]["f:metadata"] = {"f:labels": {"f:team": {}}}
    assert set(restart(tmp_path, RIGHT, more)) == {"info"}


def test_a_start_shortly_after_a_change_may_have_read_the_old_file(tmp_path: Path) -> None:
    change = owner("kubectl-edit", "data", "cloud.conf")
    assert set(restart(tmp_path, RIGHT, change, started="2026-11-02T09:31:00Z")) == {"info"}
    assert restart(tmp_path, RIGHT, change, started="2026-11-02T09:33:00Z") == {}


def test_a_text_that_came_with_its_object_has_no_older_one(tmp_path: Path) -> None:
    created = owner("kubectl-create", "data", "cloud.conf")
    found = restart(tmp_path, RIGHT, created, started="2026-11-02T09:31:00Z", creationTimestamp=created["time"])
    assert found == {}
    again = restart(tmp_path, RIGHT, created, creationTimestamp=created["time"])
    assert set(again) == {"warning"}  # made again under a CCM that runs


def test_a_fatal_text_under_a_running_ccm_is_an_error(tmp_path: Path) -> None:
    assert restart(tmp_path, CONF) == {"error": "the running CCM uses an older text, and fails at its next restart"}


def test_without_times_nothing_is_said(tmp_path: Path) -> None:
    assert restart(tmp_path, RIGHT) == {}
    assert restart(tmp_path, CONF, started="nonsense") == {}
