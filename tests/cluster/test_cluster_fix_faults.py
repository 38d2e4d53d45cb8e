"""`cluster fix` and every fault of an API server: nothing is half done unsaid, and nothing of an answer is shown."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import Fault, status
from api_server import CONF, TOKEN
from fix_runs import FIXED, SECRET, SUBJECT, fix, held, interactive, sent
from test_cluster_faults import CANARIES, CANARY, FAULTS, USERINFO

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer
    from loopback import Asked

WRITE = ("--write", "--yes")
REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


def failing(server: ApiServer, method: str, path: str, fault: Fault, *, dry_run: bool = False) -> ApiServer:
    """Answer requests of a kind with a fault."""
    proper = server.answer

    def answer(asked: Asked) -> Fault:
        is_dry = asked.query.get("dryRun") == "All"
        return fault if (asked.method, asked.path, is_dry) == (method, path, dry_run) else proper(asked)

    server.answer = answer  # type: ignore[method-assign]
    return server


@pytest.mark.part(of=3)
@pytest.mark.parametrize("dry_run", [True, False], ids=["dry run", "write"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_write_is_named_and_not_repeated(name: str, dry_run: bool, tmp_path: Path) -> None:
    fault, message = FAULTS[name]
    server = failing(interactive(), "PATCH", SECRET, fault, dry_run=dry_run)
    done = fix(tmp_path, server, *WRITE, "--backup", "before.json", userinfo=USERINFO)
    assert done.code == 3
    assert f"{SUBJECT} is not written: {message}" in done.err
    assert held(server) == CONF
    tries = 4 if name == "too many" else 1
    assert sent(server).count(("PATCH", SECRET, "All" if dry_run else "")) == tries
    assert (tmp_path / "before.json").exists() == (not dry_run)
    for canary in CANARIES:
        assert canary not in done.said


@pytest.mark.parametrize("name", FAULTS)
def test_who_writes_is_unknown_where_nobody_says(name: str, tmp_path: Path) -> None:
    server = failing(interactive(), "POST", REVIEW, FAULTS[name][0])
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 0
    assert f" unknown wrote {SUBJECT}, resourceVersion 41 -> " in done.err
    assert not any(canary in done.said for canary in CANARIES)


def silent(server: ApiServer, *, makes_it: bool) -> ApiServer:
    """Cut the connection instead of an answer to a write, which is made or not."""
    proper = server.answer

    def answer(asked: Asked) -> Fault:
        if asked.method == "PATCH" and not asked.query.get("dryRun"):
            if makes_it:
                proper(asked)
            return Fault(write=lambda handler: handler.wfile.flush())
        return proper(asked)

    server.answer = answer  # type: ignore[method-assign]
    return server


def test_a_write_without_an_answer_is_looked_up(tmp_path: Path) -> None:
    server = silent(interactive(), makes_it=True)
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 0
    assert f"wrote {SUBJECT}, resourceVersion 41 -> {server.version}" in done.err
    assert held(server) == FIXED


def test_a_write_that_was_not_made_says_so(tmp_path: Path) -> None:
    done = fix(tmp_path, silent(interactive(), makes_it=False), *WRITE)
    assert done.code == 3
    assert "the connection to the API server failed or was cut; it was not written. Run this again." in done.err


def test_a_change_meanwhile_is_a_conflict(tmp_path: Path) -> None:
    server = interactive()
    proper = server.answer

    def answer(asked: Asked) -> Fault:
        found = proper(asked)
        if asked.method == "GET" and asked.path == SECRET:
            server.objects[SECRET]["metadata"]["resourceVersion"] = "42"
        return found

    server.answer = answer  # type: ignore[method-assign]
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert "HTTP 409: the object was changed meanwhile. Run this again: what is there now is read" in done.err
    assert held(server) == CONF


def test_refused_fields_are_named_without_their_values(tmp_path: Path) -> None:
    causes = [{"reason": "FieldValueInvalid", "field": "data[cloud.conf]", "message": f"Invalid value: {CANARY}"}]
    server = failing(interactive(), "PATCH", SECRET, status(422, CANARY, causes=causes), dry_run=True)
    done = fix(tmp_path, server, *WRITE)
    assert (
        f"{SUBJECT} is not written: HTTP 422: the API server calls the request invalid (data[cloud.conf])" in done.err
    )
    assert CANARY not in done.said


def test_missing_rights_name_the_command_that_prints_them(tmp_path: Path) -> None:
    server = failing(interactive(), "PATCH", SECRET, status(403, CANARY), dry_run=True)
    assert "`ccmcheck cluster rbac --for fix` prints the roles" in fix(tmp_path, server, *WRITE).err


def test_a_webhook_that_changes_the_text_stops_the_write(tmp_path: Path) -> None:
    server = interactive()

    def admit(obj: dict[str, Any]) -> dict[str, Any]:
        return {**obj, "data": {"cloud.conf": base64.b64encode(CANARY.encode()).decode()}}

    server.admit = admit
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert "an admission webhook changes it" in done.err
    assert held(server) == CONF
    assert CANARY not in done.said


def test_a_webhook_that_changes_the_text_at_last_is_named(tmp_path: Path) -> None:
    server = interactive()

    def admit(obj: dict[str, Any]) -> dict[str, Any]:
        is_dry = server.asked[-1].query.get("dryRun") == "All"
        return obj if is_dry else {**obj, "data": {"cloud.conf": base64.b64encode(CANARY.encode()).decode()}}

    server.admit = admit
    done = fix(tmp_path, server, *WRITE, "--restart", "--backup", "before.json")
    assert done.code == 3
    assert f"wrote {SUBJECT}, resourceVersion 41 -> 101" in done.err
    assert f"{SUBJECT} was changed while it was written, by an admission webhook or somebody else." in done.err
    assert "0 of 1 object written." in done.err
    assert "restarted" not in done.err
    assert CANARY not in done.said


def test_what_else_could_not_be_read_makes_the_result_partial(tmp_path: Path) -> None:
    server = interactive()
    server.fail("/api/v1/nodes", status(403, CANARY))
    done = fix(tmp_path, server, *WRITE)
    assert done.code == 3
    assert "Nodes: HTTP 403: the credentials do not allow it" in done.err
    assert held(server) == FIXED


def test_a_secret_that_is_no_object_ends_nothing(tmp_path: Path) -> None:
    for broken in ({"data": {"cloud.conf": f"!{CANARY}"}}, {"data": CANARY}, {"metadata": {"managedFields": CANARY}}):
        server = interactive()
        server.objects[SECRET] = {**server.objects[SECRET], **json.loads(json.dumps(broken))}
        done = fix(tmp_path, server, *WRITE)
        assert done.code in (0, 3)
        assert CANARY not in done.said


def test_the_token_is_never_shown(tmp_path: Path) -> None:
    done = fix(tmp_path, interactive(), *WRITE, userinfo=USERINFO)
    assert TOKEN not in done.said
    assert "us3rinfo" not in done.said
