"""Changes to a cluster: what is sent, what is repeated, what a refusal says; and the server of the tests itself."""

from __future__ import annotations

import base64
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import Fault, status
from api_server import TOKEN, cluster, kubeconfig, secret, serving

from ccmcheck.cluster.access.errors import Cause, Refused, Unreachable
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.requests import APPLY_PATCH, MERGE_PATCH
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from api_server import ApiServer

CANARY = "c4nary-of-a-password-31be"
SECRETS = "/api/v1/namespaces/kube-system/secrets"
SECRET = f"{SECRETS}/cloud-config"
QUERY = {"fieldManager": FIELD_MANAGER}


@contextmanager
def writing(folder: Path, server: ApiServer, sleep: Callable[[float], None] = lambda _: None) -> Iterator[Writer]:
    with serving(server):
        connection, _ = open_for_writing(Access(kubeconfig=str(kubeconfig(folder, server))))
        try:
            yield Writer(connection, sleep=sleep)
        finally:
            connection.close()


def owner(manager: str, operation: str = "Update", key: str = "cloud.conf") -> dict[str, Any]:
    return {"manager": manager, "operation": operation, "fieldsV1": {"f:data": {f"f:{key}": {}}}}


def owned_by(*entries: dict[str, Any], **fields: Any) -> ApiServer:
    server = cluster()
    server.put(SECRET, {"apiVersion": "v1", "kind": "Secret", **secret(managedFields=list(entries)), **fields})
    server.objects[SECRET]["metadata"]["resourceVersion"] = "7"
    return server


def patch(text: str = "[Global]\n", version: str | None = "7", **metadata: Any) -> dict[str, Any]:
    precondition = {} if version is None else {"resourceVersion": version}
    head = {**metadata, **precondition}
    return {"metadata": head, "data": {"cloud.conf": base64.b64encode(text.encode()).decode()}}


def applied(text: str = "[Global]\n", version: str | None = None) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", **patch(text, version, name="cloud-config")}


def held(server: ApiServer) -> str:
    return base64.b64decode(server.objects[SECRET]["data"]["cloud.conf"]).decode()


def managers(server: ApiServer) -> list[tuple[str, str]]:
    return [(one["manager"], one["operation"]) for one in server.objects[SECRET]["metadata"]["managedFields"]]


def test_a_merge_patch_takes_the_field_over(tmp_path: Path) -> None:
    server = owned_by(owner("kubectl-edit"), owner("helm", key="other"))
    with writing(tmp_path, server) as writer:
        found = writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert held(server) == "[Global]\n"
    assert found["metadata"]["resourceVersion"] == server.objects[SECRET]["metadata"]["resourceVersion"] != "7"
    assert managers(server) == [("helm", "Update"), ("ccmcheck", "Update")]
    sent = server.asked[-1]
    assert (sent.method, sent.headers["content-type"], sent.query) == ("PATCH", MERGE_PATCH, QUERY)
    assert server.lists[SECRETS] == [server.objects[SECRET]]


def test_an_older_resource_version_is_a_conflict(tmp_path: Path) -> None:
    server = owned_by()
    before = held(server)
    with writing(tmp_path, server) as writer, pytest.raises(Refused) as refused:
        writer.send("PATCH", SECRET, patch(version="6"), query=QUERY, content_type=MERGE_PATCH)
    assert refused.value.status == 409
    assert refused.value.message == "HTTP 409: the object was changed meanwhile"
    assert held(server) == before


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    server = owned_by()
    before = held(server)
    with writing(tmp_path, server) as writer:
        found = writer.send("PATCH", SECRET, patch(), query={**QUERY, "dryRun": "All"}, content_type=MERGE_PATCH)
    assert base64.b64decode(found["data"]["cloud.conf"]) == b"[Global]\n"
    assert held(server) == before
    assert server.objects[SECRET]["metadata"]["resourceVersion"] == "7"


def test_an_apply_conflicts_with_the_owner_of_a_field(tmp_path: Path) -> None:
    server = owned_by(owner("kustomize-controller", "Apply"))
    with writing(tmp_path, server) as writer:
        with pytest.raises(Refused) as refused:
            writer.send("PATCH", SECRET, applied(), query=QUERY, content_type=APPLY_PATCH)
        assert refused.value.status == 409
        assert refused.value.causes == (Cause("FieldManagerConflict", ".data.cloud.conf", "kustomize-controller"),)
        writer.send("PATCH", SECRET, applied(), query={**QUERY, "force": "true"}, content_type=APPLY_PATCH)
        assert managers(server) == [("ccmcheck", "Apply")]
        theirs = {"fieldManager": "kustomize-controller"}
        with pytest.raises(Refused) as refused:
            writer.send("PATCH", SECRET, applied("[Global]\nx=1\n"), query=theirs, content_type=APPLY_PATCH)
        assert refused.value.causes[0].manager == "ccmcheck"


def test_what_is_applied_no_more_is_removed(tmp_path: Path) -> None:
    server = owned_by(owner("a", "Apply"))
    only_labels = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cloud-config", "labels": {"a": "b"}}}
    with writing(tmp_path, server) as writer:
        writer.send("PATCH", SECRET, only_labels, query={"fieldManager": "a"}, content_type=APPLY_PATCH)
    assert server.objects[SECRET]["data"] == {}


def test_an_immutable_secret_is_refused(tmp_path: Path) -> None:
    server = owned_by(immutable=True)
    with writing(tmp_path, server) as writer, pytest.raises(Refused) as refused:
        writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert refused.value.status == 422
    assert refused.value.causes == (Cause("FieldValueForbidden", "data", ""),)


def test_objects_are_created_replaced_and_deleted(tmp_path: Path) -> None:
    server = cluster()
    one = {"metadata": {"generateName": "run-"}, "spec": {"type": "ClusterIP"}}
    path = "/api/v1/namespaces/shop/services"
    with writing(tmp_path, server) as writer:
        made = writer.send("POST", path, one, query=QUERY)
        name = made["metadata"]["name"]
        assert name.startswith("run-")
        assert (made["kind"], made["metadata"]["namespace"]) == ("Service", "shop")
        assert [obj["metadata"]["name"] for obj in server.lists["/api/v1/services"]] == ["web", name]
        with pytest.raises(Refused) as refused:
            writer.send("POST", path, {"metadata": {"name": name}}, query=QUERY)
        assert refused.value.status == 409
        writer.send("PUT", f"{path}/{name}", {**made, "spec": {"type": "LoadBalancer"}}, query=QUERY)
        assert server.objects[f"{path}/{name}"]["spec"] == {"type": "LoadBalancer"}
        with pytest.raises(Refused) as refused:
            writer.send("DELETE", f"{path}/{name}", {"preconditions": {"uid": "another"}})
        assert refused.value.status == 409
        writer.send("DELETE", f"{path}/{name}", {"preconditions": {"uid": made["metadata"]["uid"]}})
        with pytest.raises(Refused) as refused:
            writer.send("DELETE", f"{path}/{name}")
        assert refused.value.status == 404
    assert [obj["metadata"]["name"] for obj in server.lists["/api/v1/services"]] == ["web"]


def test_a_deleted_namespace_takes_its_objects_along(tmp_path: Path) -> None:
    server = cluster()
    with writing(tmp_path, server) as writer:
        writer.send("POST", "/api/v1/namespaces", {"metadata": {"name": "run"}})
        writer.send("POST", "/api/v1/namespaces/run/services", {"metadata": {"name": "echo"}})
        writer.send("DELETE", "/api/v1/namespaces/run")
    assert not any("/namespaces/run" in path for path in server.objects)
    assert [obj["metadata"]["name"] for obj in server.lists["/api/v1/services"]] == ["web"]


def test_a_finalizer_keeps_an_object(tmp_path: Path) -> None:
    server = cluster()
    path = "/api/v1/namespaces/shop/services/web"
    server.objects[path]["metadata"]["finalizers"] = ["service.kubernetes.io/load-balancer-cleanup"]
    with writing(tmp_path, server) as writer:
        assert writer.send("DELETE", path)["metadata"]["deletionTimestamp"]
    assert path in server.objects


def test_only_a_429_is_repeated(tmp_path: Path) -> None:
    server = owned_by()
    pauses: list[float] = []
    wait = Fault(429, b"{}", headers=(("Retry-After", "2"),))
    server.fail(SECRET, wait, status(429), Fault(200, b'{"kind": "Secret"}'))
    with writing(tmp_path, server, pauses.append) as writer:
        writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert pauses == [2.0, 1.0]
    assert len(server.asked) == 3
    assert len({asked.body for asked in server.asked}) == 1


@pytest.mark.parametrize("code", [500, 502, 503, 504, 409])
def test_what_may_have_been_done_is_not_repeated(code: int, tmp_path: Path) -> None:
    server = owned_by()
    server.fail(SECRET, status(code, CANARY))
    with writing(tmp_path, server) as writer, pytest.raises(Refused) as refused:
        writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert refused.value.status == code
    assert len(server.asked) == 1


def test_a_cut_connection_is_not_repeated(tmp_path: Path) -> None:
    def cut(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        handler.wfile.flush()

    server = owned_by()
    server.fail(SECRET, Fault(write=cut))
    with writing(tmp_path, server) as writer, pytest.raises(Unreachable):
        writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert len(server.asked) == 1


def test_a_long_retry_after_ends_the_request(tmp_path: Path) -> None:
    server = owned_by()
    server.fail(SECRET, Fault(429, b"{}", headers=(("Retry-After", "3600"),)))
    pauses: list[float] = []
    with writing(tmp_path, server, pauses.append) as writer, pytest.raises(Refused):
        writer.send("PATCH", SECRET, patch(), query=QUERY, content_type=MERGE_PATCH)
    assert pauses == []


@pytest.mark.parametrize("code", [400, 409, 410, 422, 500])
def test_nothing_of_a_refusal_is_kept_but_reasons_fields_and_managers(code: int, tmp_path: Path) -> None:
    causes = [
        {"reason": "FieldValueInvalid", "message": f'Invalid value: "{CANARY}"', "field": "data[cloud.conf]"},
        {"reason": f"Odd {CANARY}!", "message": CANARY, "field": f"data {CANARY}"},
        {"reason": "FieldManagerConflict", "message": f'conflict with "helm" using v1: {CANARY}', "field": ".data"},
        {"reason": "FieldManagerConflict", "message": f'value "{CANARY}" conflicts', "field": ".data"},
        CANARY,
    ]
    server = owned_by()
    server.fail(SECRET, status(code, f"cannot be handled: {CANARY}", CANARY, causes=causes, details=CANARY))  # type: ignore[arg-type]
    with writing(tmp_path, server) as writer, pytest.raises(Refused) as refused:
        writer.send("PATCH", SECRET, patch(CANARY), query=QUERY, content_type=MERGE_PATCH)
    error = refused.value
    shown = f"{error!s} {error!r} {error.message} {error.hint} {error.causes} {error.args} {error.__dict__}"
    assert CANARY not in shown
    assert TOKEN not in shown
    assert error.__cause__ is None
    if code in (409, 422):
        assert error.causes == (
            Cause("FieldValueInvalid", "data[cloud.conf]", ""),
            Cause("", "", ""),
            Cause("FieldManagerConflict", ".data", "helm"),
            Cause("FieldManagerConflict", ".data", ""),
        )
