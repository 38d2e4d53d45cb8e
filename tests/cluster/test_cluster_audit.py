"""`--audit-log`: every write of every command is one line of JSON, in a file of the user's alone, without values."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any, cast

import pytest
from api_faults import Fault, status
from api_server import UID
from cluster_runs import run
from conformance_cloud import running
from conformance_runs import GOOD, conformance, hasten, leaves_nothing
from fix_runs import PASSWORD, SECRET, SUBJECT, fix, interactive, owned_by, owner, sent
from test_cluster_report import report, served
from test_cluster_resync import WEB, broken, resync
from test_cluster_resync import cluster as resync_cluster

from ccmcheck.cluster.access.audit import About, AuditLog, write_of
from ccmcheck.cluster.access.exchange import Question
from ccmcheck.cluster.access.requests import SELF
from ccmcheck.cluster.access.transport import HTTPAnswer
from ccmcheck.cluster.access.writing import Writer

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer
    from loopback import Asked

    from ccmcheck.cluster.access.writing import WritingConnection

LOG = "writes.jsonl"
FIELDS = {
    "time", "command", "server", "cluster", "user", "verb", "object", "before", "after", "changed", "outcome",
}  # fmt: skip


def lines(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log; every one has the same fields, and no secret."""
    text = (folder / LOG).read_text()
    assert PASSWORD not in text
    found = [json.loads(line) for line in text.splitlines()]
    assert [set(one) - FIELDS or FIELDS - set(one) for one in found] == [set()] * len(found)
    return found


def written(folder: Path, server: ApiServer, *arguments: str) -> list[dict[str, Any]]:
    """The log of a fix that writes."""
    fix(folder, server, "--write", "--yes", "--audit-log", LOG, *arguments)
    return lines(folder)


def test_a_fix_is_one_line(tmp_path: Path) -> None:
    server = interactive()
    (line,) = written(tmp_path, server)
    assert line["command"] == "cluster fix"
    assert (line["server"], line["cluster"]) == (f"http://127.0.0.1:{server.port}", UID)
    assert (line["user"], line["verb"], line["object"], line["outcome"]) == (server.user, "patch", SUBJECT, "written")
    assert (line["before"], line["after"]) == ("41", server.objects[SECRET]["metadata"]["resourceVersion"])
    assert line["changed"] == ['data["cloud.conf"]', "LoadBalancer.monitor-delay"]


def test_the_file_is_its_owner_s_and_lines_are_added(tmp_path: Path) -> None:
    written(tmp_path, interactive())
    assert stat.S_IMODE((tmp_path / LOG).stat().st_mode) == 0o600
    assert len(written(tmp_path, interactive())) == 2


def answering_writes_with(server: ApiServer, fault: Fault) -> ApiServer:
    """A server that answers each change that is no dry run so."""
    proper = server.answer

    def answer(asked: Asked) -> Fault:
        is_write = asked.method == "PATCH" and "dryRun" not in asked.query
        return fault if is_write else proper(asked)

    server.answer = answer  # type: ignore[method-assign]
    return server


def test_dry_runs_and_refused_writes_are_no_lines(tmp_path: Path) -> None:
    server = owned_by(owner("helm"))
    assert written(tmp_path, server) == []
    assert sent(server) == []
    assert written(tmp_path, answering_writes_with(interactive(), status(403))) == []


def test_a_write_without_an_answer_may_have_been_made(tmp_path: Path) -> None:
    def cut(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        handler.wfile.flush()

    for fault in (Fault(write=cut), status(500), status(504)):
        (line,) = written(tmp_path, answering_writes_with(interactive(), fault))
        assert (line["verb"], line["object"], line["outcome"], line["after"]) == ("patch", SUBJECT, "unknown", "")
        (tmp_path / LOG).unlink()


def test_a_write_that_is_interrupted_may_have_been_made(tmp_path: Path) -> None:
    class Interrupted:
        server = "https://c.example.org"

        def send(self, question: Question, **_: object) -> HTTPAnswer:
            if question.path == SELF.path:
                return HTTPAnswer(404, "application/json", None, b"{}")
            raise KeyboardInterrupt

    audit = AuditLog("cluster fix", pytest.fail, path=str(tmp_path / LOG))
    with pytest.raises(KeyboardInterrupt):
        Writer(cast("WritingConnection", Interrupted()), audit=audit).send("DELETE", "/api/v1/namespaces/a/services/b")
    audit.close()
    (line,) = lines(tmp_path)
    assert (line["verb"], line["object"], line["outcome"]) == ("delete", "Service a/b", "unknown")


def test_a_sync_is_one_line(tmp_path: Path) -> None:
    kube = resync_cluster()
    done = resync(tmp_path, kube, broken(), "shop/web", "--write", "--yes", "--audit-log", LOG)
    assert done.code == 0, done.said
    (line,) = lines(tmp_path)
    assert (line["command"], line["object"]) == ("cluster resync", "Service shop/web")
    assert line["changed"] == ['metadata.annotations["ccmcheck.dev/resync"]']
    assert line["after"] == kube.objects[WEB]["metadata"]["resourceVersion"]


def test_reports_that_are_written_and_removed_are_lines(tmp_path: Path) -> None:
    server = served()
    assert report(tmp_path, server, "--write", "--audit-log", LOG).code == 0
    applied = lines(tmp_path)
    assert {(one["verb"], one["command"]) for one in applied} == {("apply", "cluster report")}
    assert {one["object"] for one in applied} == {"Report kube-system/ccmcheck", "Report shop/ccmcheck"}
    assert report(tmp_path, server, "--write", "--audit-log", LOG).code == 0
    assert len(lines(tmp_path)) == len(applied)  # they say the same already


def test_conformance_notes_everything_that_it_creates_and_deletes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasten(monkeypatch)
    with running(GOOD) as cloud:
        done = conformance(tmp_path, cloud, "--case", "port-change", "--audit-log", LOG)
        assert done.code == 0, done.said
        leaves_nothing(cloud)
        changes = [asked for asked in cloud.server.asked if asked.method != "GET" and "selfsubject" not in asked.path]
    found = lines(tmp_path)
    assert len(found) == len(changes)
    assert [one["object"].partition(" ")[0] for one in found if one["verb"] == "create"] == [
        "Namespace", "ConfigMap", "Deployment", "Service",
    ]  # fmt: skip
    assert "spec.ports" in {name for one in found for name in one["changed"]}
    assert found[-1]["verb"] == "delete"
    assert found[-1]["object"].startswith("Namespace ccmcheck-conformance-")
    assert "audit:" not in done.said


@pytest.mark.parametrize("command", ["fix", "report"])
def test_without_write_there_is_no_log(command: str, tmp_path: Path) -> None:
    done = run(tmp_path, command, "--audit-log", LOG)
    assert done.code == 2
    assert "--audit-log needs --write." in done.err
    assert not (tmp_path / LOG).exists()


@pytest.mark.parametrize("kind", ["folder", "pipe", "nowhere"])
def test_a_log_that_cannot_be_written_ends_it_before_anything_is_asked(kind: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    if kind == "folder":
        log.mkdir()
    elif kind == "pipe":
        os.mkfifo(log)
    server = interactive()
    path = "no/such/folder/log" if kind == "nowhere" else "log"
    done = fix(tmp_path, server, "--write", "--yes", "--audit-log", path)
    assert done.code == 2
    assert f"--audit-log {path} " in done.err
    assert server.asked == []


def test_a_log_that_fails_later_is_said_once_and_changes_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccmcheck.cluster.access.audit.os.write", full)
    done = fix(tmp_path, interactive(), "--write", "--yes", "--audit-log", LOG)
    assert done.code == 3
    assert done.err.count(f"--audit-log {LOG} cannot be written: no space left on device") == 1
    assert "1 of 1 object written." in done.err


@pytest.mark.parametrize(
    ("question", "verb", "subject", "changed"),
    [
        (
            Question("PATCH", "/apis/apps/v1/namespaces/a%20b/daemonsets/x", {}, b'{"spec": {"a-b": {"c": null}}}'),
            "patch", "DaemonSet a b/x", ('spec["a-b"].c',),
        ),
        (Question("POST", "/api/v1/namespaces", {}, b'{"metadata": {"name": "n"}}'), "create", "Namespace n", ()),
        (Question("POST", "/api/v1/namespaces/n/services", {}, b'{"metadata": {"name": "s"}}'), "create", "Service n/s", ()),
        (Question("DELETE", "/api/v1/namespaces/n", {}), "delete", "Namespace n", ()),
        (Question("PUT", "/apis/x.org/v1/namespaces/n/odds/o", {}, b"{}"), "update", "odd n/o", ()),
    ],
)  # fmt: skip
def test_a_path_says_what_is_written(question: Question, verb: str, subject: str, changed: tuple[str, ...]) -> None:
    found = write_of(question, {"metadata": {"resourceVersion": "9"}}, "me", About("8"))
    assert (found.verb, found.object, found.changed, found.before) == (verb, subject, changed, "8")
    assert found.after == ("" if verb == "delete" else "9")


def test_a_log_without_a_file_asks_nobody_who_they_are(tmp_path: Path) -> None:
    server = served()
    assert report(tmp_path, server, "--write").code == 0
    assert not [asked for asked in server.asked if "selfsubject" in asked.path]
