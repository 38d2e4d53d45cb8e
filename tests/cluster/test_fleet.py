"""`cluster fleet`: clusters by contexts, files and Cluster API, in one table; what is broken stops nothing."""

from __future__ import annotations

import json
import os
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import held, status
from api_server import UID, ApiServer, cluster, kubeconfig, serving
from cluster_runs import Done, run
from fleet_objects import MANAGEMENT_UID, PASSWORD, TOKEN
from fleet_runs import SMALL, fleet, lines, of_folder
from fleet_runs import serving as serving_fleet
from fleet_stand_in import StandIn

from ccmcheck.base.errors import WrongUse
from ccmcheck.cluster.fleet.results import Header, Results

if TYPE_CHECKING:
    from collections.abc import Callable

# on one worker, so that what is told once serves all
pytestmark = pytest.mark.xdist_group("fleet")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Thirty clusters, all of which answer."""
    folder = tmp_path_factory.mktemp("small")
    with serving_fleet(folder, SMALL) as stand_in:
        yield folder, stand_in


@pytest.fixture(scope="module")
def told(small: tuple[Path, StandIn]) -> Callable[..., Done]:
    """What a command says of the thirty, which stay as they are: each is run once."""
    return cache(partial(fleet, small[0]))


FORMS = ("json", "ndjson")


@pytest.fixture(scope="module")
def text(small: tuple[Path, StandIn], told: Callable[..., Done]) -> Done:
    """What one run says of them on the terminal; it writes the other forms into files."""
    return told(*(f"--output-file={form}={small[0] / form}" for form in FORMS))


@pytest.fixture(scope="module")
def report(small: tuple[Path, StandIn], text: Done) -> dict[str, Any]:
    """What it says of them as JSON."""
    assert text.code == 1
    written: dict[str, Any] = json.loads((small[0] / "json").read_text())
    return written


def names(done: Done) -> list[str]:
    return sorted(one["name"] for one in done.report["clusters"])


def test_contexts_of_a_kubeconfig_are_clusters(tmp_path: Path) -> None:
    first, second = cluster(), cluster()
    second.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = "another"
    with serving(first), serving(second):
        document = json.loads(kubeconfig(tmp_path, first).read_text())
        document["clusters"].append({"name": "d", "cluster": {"server": f"http://127.0.0.1:{second.port}"}})
        document["contexts"][1]["context"]["cluster"] = "d"
        (tmp_path / "kubeconfig").write_text(json.dumps(document))
        done = run(tmp_path, "fleet", "--kubeconfig", "kubeconfig", "--all-contexts", "--format", "json")
        one = run(tmp_path, "fleet", "--kubeconfig", "kubeconfig", "--context", "other", "--format", "json")
    assert names(done) == ["other", "test"]
    assert done.code == 1
    assert done.report["summary"]["clusters"] == 2
    assert [(group["rule"], group["clusters"]) for group in done.report["common"][:1]] == [("duration-bad", 2)]
    assert names(one) == ["other"]


def test_a_cluster_that_is_reached_twice_counts_once(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        kubeconfig(tmp_path, server)
        done = run(tmp_path, "fleet", "--kubeconfig", "kubeconfig", "--all-contexts")
    assert "1 cluster: 1 read; 1 Service of" in done.out
    assert "Reached twice, counted once:" in done.out


def test_two_clusters_under_one_context_name_stay_two(tmp_path: Path) -> None:
    first, second = cluster(), cluster()
    second.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = "another"
    with serving(first), serving(second):
        for name, server in (("a", first), ("b", second)):
            (tmp_path / name).mkdir()
            kubeconfig(tmp_path / name, server)
        files = os.pathsep.join(("a/kubeconfig", "b/kubeconfig"))
        done = run(tmp_path, "fleet", "--context", "test", "--format", "json", KUBECONFIG=files)
    assert names(done) == ["test (a/kubeconfig)", "test (b/kubeconfig)"]
    assert {one["uid"] for one in done.report["clusters"]} == {UID, "another"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no cluster is named"),
        (("--selector", "a=b", "--all-contexts"), "--selector is about the Clusters of a management cluster"),
        (("--management", "--all-contexts"), "--management reads the Clusters of one management cluster"),
        (("--all-contexts", "--exec-plugin", "x"), "--exec-plugin lists what --exec-policy Allowlist allows"),
        (("--all-contexts", "--exec-policy=Allowlist", "--exec-plugin='"), "--exec-plugin cannot be split into words"),
        (("--all-contexts", "--exec-policy=Allowlist", "--exec-plugin="), "--exec-plugin is empty"),
        (("--kubeconfig-dir", "missing"), "--kubeconfig-dir missing cannot be read"),
        (("--all-contexts", "--kubeconfig", "missing"), "there is no kubeconfig missing"),
        (("--all-contexts", "--shard", "5/4"), "there is no shard 5/4"),
        (("--in-cluster",), "--in-cluster is about the management cluster"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run(tmp_path, "fleet", *arguments)
    assert done.code == 2
    assert message in done.err


def test_a_context_that_is_misspelt_gets_a_suggestion(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        kubeconfig(tmp_path, server)
        done = run(tmp_path, "fleet", "--kubeconfig", "kubeconfig", "--context", "tets")
    assert done.code == 2
    assert "there is no context tets" in done.err
    assert "test" in done.err


def test_the_clusters_of_a_management_cluster_are_read_by_their_secrets(
    small: tuple[Path, StandIn], report: dict[str, Any]
) -> None:
    assert report["fleet"].endswith(f"https://127.0.0.1:{small[1].port}/m, kube-system {MANAGEMENT_UID}")
    totals = report["summary"]
    assert (totals["clusters"], totals["read"], totals["services"], totals["broken"]) == (30, 30, 120, 3)
    assert sorted(one["name"] for one in report["clusters"])[:2] == ["clusters/c0", "clusters/c1"]
    assert "must not be shared" in report["notes"][0]


def test_what_many_clusters_have_in_common_is_said_once_with_what_made_it(text: Done) -> None:
    assert "10 clusters: error duration-bad, fatal, from ClusterResourceSet clusters/ccm: a duration needs" in text.out
    assert text.out.count("duration-bad") == 1


def test_what_clusters_must_not_share_is_found(report: dict[str, Any]) -> None:
    shared = {(one["kind"], one["value"], tuple(sorted(one["names"]))) for one in report["across"]}
    assert shared == {
        ("load-balancer-shared", "0000000a-0000-4000-8000-000000000000", ("clusters/c10", "clusters/c20")),
        ("cluster-name-shared", "kubernetes", ("clusters/c7", "clusters/c8")),
    }


def test_services_without_an_address_are_found(report: dict[str, Any]) -> None:
    found = {one["name"]: (one["broken"], one["prediction"], one["differing"]) for one in report["clusters"]}
    assert found["clusters/c10"] == (
        [{"service": "team-5/web-10-5", "why": "it has no address", "basis": "status"}],
        {"compared": 4, "differ": 1},
        [{"service": "team-5/web-10-5", "how": "an address was predicted"}],
    )
    assert found["clusters/c11"] == ([], {"compared": 4, "differ": 0}, [])
    # the CCM does not run with this file, so nothing is predicted
    assert found["clusters/c0"][1] == {"compared": 0, "differ": 0}
    assert len(found["clusters/c0"][0]) == 1


def test_the_worst_cluster_comes_first(text: Done) -> None:
    rows = [line.split() for line in text.out.splitlines() if line.startswith("clusters/")]
    assert rows[0][0] == "clusters/c0"
    assert rows[0][3:] == ["1", "2", "-", "4", "1", "-", "-", "yes"]
    fatal = [row[3] for row in rows]
    assert fatal == sorted(fatal, reverse=True)


def test_details_are_printed_on_demand(text: Done, told: Callable[..., Done]) -> None:
    place = 'Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 12'
    assert place not in text.out
    done = told("--details", "*/c21", "--shard", "0/10")  # the tenth that has it
    assert place in done.out
    assert done.out.count(f"kube-system {21:032x}") == 1
    assert told("-v").out.count(place) == 10


def test_rows_are_limited(told: Callable[..., Done]) -> None:
    done = told("--max-clusters", "2", "--ignore", "auth-password,ccm-release-bug")
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith("clusters/")] == [
        "clusters/c0",
        "clusters/c12",
    ]
    assert "12 more clusters with something to say: --max-clusters 0 shows them." in done.out
    assert "16 clusters without findings." in done.out


@pytest.mark.usefixtures("text")
def test_ndjson_has_a_line_for_each_cluster(small: tuple[Path, StandIn]) -> None:
    found = lines((small[0] / "ndjson").read_text())
    assert [one["type"] for one in found] == ["header", *["cluster"] * 30, "summary", "end"]
    assert found[0]["clusters"] == found[-1]["clusters"] == 30


def test_a_run_goes_on_where_another_ended(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    file = tmp_path / "results"
    part = ("--shard", "0/3", "--resume", str(file))
    first = fleet(small[0], *part, "--format", "json")
    clusters = len(names(first))
    assert file.stat().st_mode & 0o777 == 0o600
    kept = file.read_bytes().splitlines(keepends=True)[: 1 + clusters // 2]
    file.write_bytes(b"".join(kept) + b'{"type":"cluster","name":"cut')
    before = [json.loads(line)["read_at"] for line in kept[1:]]
    assert before
    second = fleet(small[0], *part, "--format", "json")
    assert names(second) == names(first)
    times = {one["name"]: one["read_at"] for one in second.report["clusters"]}
    assert [times[json.loads(line)["name"]] for line in kept[1:]] == before
    assert len(lines(file.read_text())) == 1 + clusters + 1
    other = fleet(small[0], *part, "--ignore", "auth-password")
    assert other.code == 2
    assert "is of a run with other options" in other.err
    assert PASSWORD not in file.read_text()
    (tmp_path / "else").write_text("[Global]\n")
    assert fleet(small[0], "--resume", str(tmp_path / "else")).code == 2
    assert (tmp_path / "else").read_text() == "[Global]\n"


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path, header = str(tmp_path / "results"), Header("0/1", 1, "options")
    with Results(path, header), pytest.raises(WrongUse, match="another run writes"):
        Results(path, header)
    Results(path, header).__exit__(None, None, None)


def test_a_cluster_that_was_not_read_is_tried_again(tmp_path: Path) -> None:
    server = cluster()
    identity = "/api/v1/namespaces/kube-system"
    server.fail(identity, status(401))
    with serving(server):
        kubeconfig(tmp_path, server)
        arguments = ("fleet", "--kubeconfig", "kubeconfig", "--context", "test", "--resume", "results")
        assert run(tmp_path, *arguments).code == 3
        del server.faults[identity]
        assert run(tmp_path, *arguments).code == 1
        asked = len(server.asked)
        assert run(tmp_path, *arguments).code == 1
    assert len(server.asked) == asked


def with_folder(folder: Path, stand_in: StandIn, **documents: Any) -> None:
    configs = folder / "configs"
    configs.mkdir()
    for name, document in documents.items():
        (configs / f"{name}.yaml").write_text(document if isinstance(document, str) else json.dumps(document))
    (configs / "good.conf").write_text(json.dumps(stand_in.of_cluster(2)))
    (configs / "notes.txt").write_text("not a kubeconfig")
    (configs / ".hidden").write_text("not a kubeconfig")


def test_broken_clusters_stop_no_other(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    with_folder(tmp_path, small[1], **{f"c{number}": small[1].of_cluster(number) for number in range(92, 100)})
    done = of_folder(tmp_path, "--jobs", "2", "--format", "json")
    assert done.code == 3
    totals = done.report["summary"]
    assert (totals["read"], totals["partial"], totals["failed"]) == (5, 1, 3)
    said = {
        one["name"]: one.get("error", {}).get("message") for one in done.report["clusters"] if one["state"] != "read"
    }
    assert said == {
        "c96": None,
        "c97": "the connection to the API server failed or was cut",
        "c98": "HTTP 401: the credentials are not accepted: they are expired or revoked",
        "c99": "the API server did not answer in time",
    }
    forbidden = next(one for one in done.report["clusters"] if one["name"] == "c96")
    assert {failure["message"] for failure in forbidden["failures"]} == {"HTTP 403: the credentials do not allow it"}


def test_a_folder_of_kubeconfigs_is_a_fleet_and_a_broken_one_stops_nothing(
    small: tuple[Path, StandIn], tmp_path: Path
) -> None:
    stand_in = small[1]
    plugin = stand_in.kubeconfig("/c/4", {"exec": {"command": "touch", "args": [str(tmp_path / "ran")]}})
    insecure = stand_in.of_cluster(4)
    insecure["clusters"][0]["cluster"]["insecure-skip-tls-verify"] = True
    system = stand_in.of_cluster(4)
    del system["clusters"][0]["cluster"]["certificate-authority-data"]
    none = {**stand_in.of_cluster(4), "contexts": []}
    with_folder(
        tmp_path,
        stand_in,
        garbage="[",
        plugin=plugin,
        insecure=insecure,
        system=system,
        none={**none, "current-context": ""},
    )
    done = of_folder(tmp_path, "--format", "json")
    found = {one["name"]: one.get("error", {}).get("message", one["state"]) for one in done.report["clusters"]}
    assert found == {
        "garbage": "the kubeconfig is not YAML",
        "good": "read",
        "insecure": "the kubeconfig asks for insecure-skip-tls-verify, which is not allowed",
        "none": "the kubeconfig has no context",
        "plugin": "the kubeconfig runs a program to get its credentials (exec), which is not allowed",
        "system": "the certificate of the API server is not accepted",
    }
    assert not (tmp_path / "ran").exists()


def test_what_is_allowed_explicitly_is_done(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    insecure = small[1].of_cluster(4)
    insecure["clusters"][0]["cluster"] |= {"insecure-skip-tls-verify": True}
    del insecure["clusters"][0]["cluster"]["certificate-authority-data"]
    with_folder(tmp_path, small[1], insecure=insecure)
    done = of_folder(tmp_path, "--format", "json", "--exec-policy", "AllowAll")
    assert [one["state"] for one in done.report["clusters"]] == ["read", "read"]
    assert done.err == "ccmcheck: Fleet: configs\n"  # no warning of the library


def test_the_name_in_the_certificate_may_be_another_one(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    named, other = small[1].of_cluster(4), small[1].of_cluster(5)
    named["clusters"][0]["cluster"]["tls-server-name"] = "kube.internal"
    other["clusters"][0]["cluster"]["tls-server-name"] = "kube.example.org"
    with_folder(tmp_path, small[1], named=named, other=other)
    done = of_folder(tmp_path, "--format", "json")
    assert {one["name"]: one["state"] for one in done.report["clusters"]} == {
        "good": "read",
        "named": "read",
        "other": "failed",
    }


def test_a_proxy_is_that_of_the_environment(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    with_folder(tmp_path, small[1])
    nobody = "http://127.0.0.1:9"
    arguments = ("fleet", "--kubeconfig-dir", "configs", "--timeout", "1", "--format", "json")
    assert run(tmp_path, *arguments, HTTPS_PROXY=nobody).report["summary"]["failed"] == 1
    assert run(tmp_path, *arguments, HTTPS_PROXY=nobody, NO_PROXY="127.0.0.1").report["summary"]["read"] == 1


def test_a_management_cluster_that_refuses_is_named(tmp_path: Path) -> None:
    server = cluster()
    server.fail("/api/v1/namespaces/kube-system", status(401))
    with serving(server):
        kubeconfig(tmp_path, server)
        done = run(tmp_path, "fleet", "--management", "--kubeconfig", "kubeconfig")
    assert done.code == 3
    assert f"context test, http://127.0.0.1:{server.port}: HTTP 401" in done.err


def test_an_expired_token_is_named_as_such(small: tuple[Path, StandIn], tmp_path: Path) -> None:
    token = "eyJhbGciOiJub25lIn0.eyJleHAiOjE3MDAwMDAwMDB9.c2ln"
    with_folder(tmp_path, small[1], old=small[1].kubeconfig("/c/5", {"token": token}))
    done = of_folder(tmp_path)
    expected = "no: HTTP 401: the credentials are not accepted: they are expired or revoked: the token expired at 2023-11-14T22:13:20Z"
    assert expected in done.out
    assert token not in done.said


def test_the_management_side_alone_is_judged_without_any_cluster(small: tuple[Path, StandIn]) -> None:
    done = run(small[0], "fleet", "--management-only", "--kubeconfig", "management", "--format", "json")
    assert done.code == 1
    (fatal,) = [one for one in done.report["findings"] if one["rule"] == "duration-bad"]
    assert fatal["path"] == "Secret clusters/ccm-config"
    assert fatal["detail"] == "It is for 10 clusters: clusters/c0, clusters/c12, clusters/c15 and 7 more."
    assert done.report["summary"]["notes"][0].endswith("30 Clusters, their management side alone")


def test_a_cluster_without_cluster_api_is_no_management_cluster(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        kubeconfig(tmp_path, server)
        done = run(tmp_path, "fleet", "--management", "--kubeconfig", "kubeconfig")
    assert done.code == 3
    assert "this is no management cluster: it does not serve cluster.x-k8s.io" in done.err


@pytest.mark.usefixtures("report")
def test_no_secret_is_in_any_output(small: tuple[Path, StandIn], text: Done, told: Callable[..., Done]) -> None:
    printed = [text.said, *(told(argument).said for argument in ("-v", "--management-only"))]
    for said in (*printed, *((small[0] / form).read_text() for form in FORMS)):
        assert len(said) > 100
        for canary in (PASSWORD, TOKEN, "of-the-management", "BEGIN", small[1].key[:40]):
            assert canary not in said


def test_exit_zero_hides_what_was_found_and_for_pods_also_what_was_not_read(
    told: Callable[..., Done], tmp_path: Path
) -> None:
    assert [told("--shard", "0/10", *more).code for more in ((), ("--exit-zero",))] == [1, 0]
    with serving(cluster()) as server:
        configs = tmp_path / "configs"
        configs.mkdir()
        good = kubeconfig(configs, server)
        (configs / "broken").write_text(good.read_text().replace(f":{server.port}", ":1"))
        both = ("fleet", "--kubeconfig-dir", "configs", "--exit-zero")
        said = {form: run(tmp_path, *both, "--timeout", "2", "--format", form) for form in ("text", "ndjson")}
    assert {form: done.code for form, done in said.items()} == {"text": 3, "ndjson": 0}, said["text"].said
    (tmp_path / "results").write_text(said["ndjson"].out)
    assert run(tmp_path, "merge", "results", "--exit-zero").code == 3


def test_progress_is_told_on_standard_error(small: tuple[Path, StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cli.fleet_output._LINE_SECONDS", 0.0)
    part = ("--shard", "0/10", "--jobs", "1")
    clusters = len(names(fleet(small[0], *part, "--format", "json")))
    assert f"ccmcheck: {clusters} of {clusters} clusters, 0 not read" in fleet(small[0], *part).err
    assert fleet(small[0], *part, "--quiet").err == ""


def the_server() -> ApiServer:
    server = cluster()
    server.objects["/apis/cluster.x-k8s.io"] = {"preferredVersion": {"version": "v1beta1"}}
    return server


def test_a_management_cluster_without_clusters_says_so(tmp_path: Path) -> None:
    server = the_server()
    server.lists["/apis/cluster.x-k8s.io/v1beta1/clusters"] = []
    with serving(server):
        kubeconfig(tmp_path, server)
        done = run(tmp_path, "fleet", "--management", "--kubeconfig", "kubeconfig", "--selector", "team=web,stage!=dev")
    assert done.code == 2
    assert "has no cluster" in done.err
    (asked,) = [one for one in server.asked if one.path.endswith("/clusters")]
    assert asked.query["labelSelector"] == "team=web,stage!=dev"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_clusters_that_were_read_until_the_time_is_over_are_reported(tmp_path: Path, jobs: str) -> None:
    quick, slow = cluster(), cluster()
    slow.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = "another"
    gone: list[bool] = []
    slow.fail("/api/v1/nodes", held(gone))
    with serving(quick), serving(slow):
        document = json.loads(kubeconfig(tmp_path, quick).read_text())
        document["clusters"].append({"name": "d", "cluster": {"server": f"http://127.0.0.1:{slow.port}"}})
        document["contexts"][1]["context"]["cluster"] = "d"
        (tmp_path / "kubeconfig").write_text(json.dumps(document))
        limits = ("--time-limit", "3", "--jobs", jobs)
        done = run(
            tmp_path,
            "fleet",
            "--kubeconfig",
            "kubeconfig",
            "--all-contexts",
            "--format",
            "json",
            "--resume",
            "kept",
            *limits,
        )
    assert gone == [True]
    assert done.code == 3
    read, late = sorted(done.report["clusters"], key=lambda one: str(one["name"]) != "test")
    assert (read["name"], late["name"]) == ("test", "other")
    assert any(finding["rule"] == "duration-bad" for finding in read["findings"])
    assert "the time limit of 3 s is over" in json.dumps(late)
    assert (
        '"state": "read"' not in [line for line in (tmp_path / "kept").read_text().splitlines() if "other" in line][-1]
    )
