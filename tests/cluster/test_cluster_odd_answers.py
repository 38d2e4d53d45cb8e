"""An API server that answers anything: other types, control characters, deep and endless values."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from api_server import TOKEN, ApiServer, cluster, daemonset, kubeconfig, serving
from cluster_runs import failures, lint, run

from ccmcheck.cluster.access.documents import moment
from ccmcheck.cluster.access.errors import Unintelligible
from ccmcheck.cluster.access.limits import Allowance
from ccmcheck.cluster.access.transport import HTTPAnswer, Transport
from ccmcheck.cluster.live.ownership import owners

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cluster_runs import Done

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CAPI = "/apis/infrastructure.cluster.x-k8s.io"
_POD = {
    "metadata": {
        "name": "p",
        "namespace": "kube-system",
        "labels": {"app": "ccm"},
        "ownerReferences": [{"kind": "DaemonSet"}],
    },
    "spec": {"nodeName": "n0", "containers": []},
    "status": {"containerStatuses": [{"name": "ccm", "state": {"running": {"startedAt": "2020-01-01T00:00:00Z"}}}]},
}
_BALANCER = "loadbalancer.openstack.org/load-balancer-id"


def nested(depth: int, name: str = "f:a") -> dict[str, Any]:
    """A mapping within a mapping, that deep."""
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {name: found}
    return found


def owned(fields: object, manager: str = "kubectl") -> list[dict[str, Any]]:
    """An entry of managedFields."""
    return [{"manager": manager, "operation": "Update", "time": "2021-01-01T00:00:00Z", "fieldsV1": fields}]


def usual() -> ApiServer:
    """A cluster with everything that is read."""
    server = cluster()
    server.add("/api/v1/namespaces/kube-system/pods", json.loads(json.dumps(_POD)), kind="Pod")
    secret = server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"]
    secret["metadata"]["managedFields"] = owned({"f:data": {"f:cloud.conf": {}}})
    metadata = server.lists["/api/v1/services"][0]["metadata"]
    metadata["annotations"][_BALANCER] = "x"
    annotations: dict[str, Any] = {"f:metadata": {"f:annotations": {f"f:{_BALANCER}": {}}}}
    metadata["managedFields"] = owned(annotations, "openstack-cloud-controller-manager")
    server.objects[_CAPI] = {"preferredVersion": {"version": "v1beta1"}}
    server.lists[f"{_CAPI}/v1beta1/openstackclusters"] = [{"metadata": {"name": "c", "namespace": "x"}, "spec": {}}]
    return server


VALUES: list[Any] = [
    None,
    True,
    -1,
    1e308,
    float("inf"),
    10**400,
    "",
    "\0",
    "a\x1b[31mred\x1b]0;t\x07b",
    "a\nb\r\nc",
    "\u202eabc\u2066",
    "\ud800",
    "x" * 5_000,
    [],
    {},
    [None, [], {}],
    {"": None, "a": {"b": [1, {"c": None}]}},
    nested(70),
    nested(600),
    "../../x?y#z%2f\r\nX: y",
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+23:59",
    "v1." + "9" * 5_000,
    "v\u0661.\u0663\u0661",
    "{{ .x }}",
    "&a *b",
    "<<",
    owned(nested(600)),
]


def clean(done: Done, *arguments: str) -> None:
    """Hold what a run says: no fault of ours, no control character, no secret."""
    assert done.code in (0, 1, 3), (arguments, done.said[-500:])
    assert "internal error" not in done.said
    assert "Traceback" not in done.said
    assert not _CONTROL.search(done.said)
    for canary in ("hunter2-is-the-secret", TOKEN):
        assert canary not in done.said


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in an object."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, below in pairs:
        yield from places(below, (*path, name))


@pytest.mark.part(of=4)
@pytest.mark.parametrize("seed", range(60))
def test_any_answer_is_read_or_a_failure(seed: int, tmp_path: Path) -> None:
    chosen = random.Random(seed)  # noqa: S311 - generated answers
    server = usual()
    stores: list[tuple[dict[str, Any], str]] = [(server.lists, path) for path in server.lists]
    stores += [(server.objects, path) for path in server.objects]
    store, name = chosen.choice([one for one in stores if one[0][one[1]]])
    place = chosen.choice(list(places(store[name])))
    holder, last = [store[name]], 0
    for part in place:
        holder, last = holder[last], part
    holder[last] = chosen.choice(VALUES)
    if not place:
        store[name] = holder[0] if store is server.objects or isinstance(holder[0], list) else [holder[0]]
    form = chosen.choice(["text", "json", "sarif", "github", "junit"])
    clean(lint(tmp_path, server, "--format", form), form)


def test_names_on_a_terminal_have_no_control_characters(tmp_path: Path) -> None:
    server = usual()
    name = "a\x1b[31m\0\u202e\nb"
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [daemonset(name, holder=name, cluster_name=name)]
    server.lists["/api/v1/services"][0]["metadata"]["name"] = name
    server.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = name
    for arguments in ((), ("-vv",), ("--format", "json")):
        clean(lint(tmp_path, server, *arguments), *arguments)


def test_names_have_no_control_characters_before_a_cluster_is_changed(tmp_path: Path) -> None:
    name = "a\x1b[31m\0\u202e\nb"
    for command in (("fix",), ("conformance", "--cleanup", "--yes", "--wait", "1"), ("conformance", "--cleanup")):
        server = usual()
        server.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = name
        namespace = {
            "metadata": {
                "name": f"ccmcheck-conformance-{name}",
                "labels": {"ccmcheck.dev/conformance-run": name},
                "creationTimestamp": name,
            },
        }
        server.lists["/api/v1/namespaces"] = [namespace]
        with serving(server):
            done = run(tmp_path, *command, "--kubeconfig", str(kubeconfig(tmp_path, server)))
        shown = [character for character in done.said if not character.isprintable() and character != "\n"]
        assert shown == [], command
        # `fix` repeats no UID that is none; the others name the namespace
        assert ("kube-system of unknown UID" if command == ("fix",) else "a\\x1b[31m") in done.out


def test_a_version_that_is_none_is_not_used(tmp_path: Path) -> None:
    for version in ("0001-01-01", "v1." + "9" * 5_000, "v\u0661.\u0663\u0661", "v1", "1.99999", "v1.3\x1b[31m"):
        server = usual()
        server.objects["/version"]["gitVersion"] = version
        assert lint(tmp_path, server).code == 1


def test_a_secret_of_many_keys_names_some(tmp_path: Path) -> None:
    server = usual()
    server.objects["/api/v1/namespaces/kube-system/secrets/cloud-config"]["data"] = {
        f"key-{number:04}": "" for number in range(1_000)
    }
    done = lint(tmp_path, server, "--format", "json")
    (message,) = [one for one in failures(done).values() if "has no key" in one]
    assert message.endswith("key-0019 and 980 more")


def test_deep_owners_and_odd_times() -> None:
    entry = {"metadata": {"managedFields": owned(nested(5_000))}}
    assert owners(entry, "a")[0].owns_more is False
    assert moment("9999-12-31T23:59:59-23:59") is None
    assert moment("0001-01-01T00:00:00+23:59") is None
    assert moment("2020-01-01T00:00:00Z") is not None


def test_a_run_reads_no_more_than_its_limit() -> None:
    class Endless:
        server = ""

        def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
            del path, query, seconds, most_bytes
            return HTTPAnswer(200, "application/json", None, b'{"a": "' + b"x" * 1_000 + b'"}')

    transport = Transport(Endless(), allowance=Allowance(most_bytes=2_500))
    for _ in range(3):
        transport.get("/x")
    with pytest.raises(Unintelligible, match="more than a run reads"):
        transport.get("/x")
