"""`render fleet-job`: an Indexed Job or CronJob whose pods read a shard each, with no more rights than that needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from cluster_runs import run as run_cluster

from ccmcheck.base.errors import WrongUse
from ccmcheck.render.fleet_job import job

if TYPE_CHECKING:
    from pathlib import Path

IMAGE = {"image": "registry.example.org/ccmcheck:1"}


def documents(**variables: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(job("", "", {**IMAGE, **variables})))


def workload(**variables: str) -> dict[str, Any]:
    return documents(**variables)[-1]


def test_a_job_has_a_pod_for_each_shard() -> None:
    made = workload(shards="8", at_once="3")
    assert (made["kind"], made["apiVersion"]) == ("Job", "batch/v1")
    spec = made["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 8, 3)
    container = spec["template"]["spec"]["containers"][0]
    assert "--shard=$(JOB_COMPLETION_INDEX)/8" in container["args"]
    assert {"--management", "--in-cluster", "--format=ndjson", "--exit-zero"} <= set(container["args"])
    assert container["image"] == IMAGE["image"]


def test_a_schedule_makes_a_cron_job_of_the_same() -> None:
    made = workload(schedule="0 3 * * *")
    assert made["kind"] == "CronJob"
    assert made["spec"]["schedule"] == "0 3 * * *"
    assert made["spec"]["jobTemplate"]["spec"] == workload()["spec"]


def test_results_go_to_a_claim_where_there_is_one() -> None:
    pod = workload(claim="results")["spec"]["template"]["spec"]
    container = pod["containers"][0]
    assert "--resume=/results/$(JOB_NAME)-$(JOB_COMPLETION_INDEX).ndjson" in container["args"]
    assert {"name": "results", "persistentVolumeClaim": {"claimName": "results"}} in pod["volumes"]
    assert not any("resume" in argument for argument in workload()["spec"]["template"]["spec"]["containers"][0]["args"])


def test_pods_are_restricted() -> None:
    """The policy "restricted" of Kubernetes' pod security standards."""
    pod = workload()["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    container = pod["containers"][0]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"] == {"memory": "256Mi"}


def test_secrets_are_readable_by_their_names_alone() -> None:
    made = documents(clusters="clusters/a, clusters/b,other/c", resources="clusters/ccm")
    rules = [
        (document["metadata"].get("namespace"), rule)
        for document in made
        if document["kind"] in ("Role", "ClusterRole")
        for rule in document["rules"]
        if "secrets" in rule.get("resources", ())
    ]
    assert [(namespace, rule["resourceNames"], rule["verbs"]) for namespace, rule in rules] == [
        ("clusters", ["a-kubeconfig", "b-kubeconfig"], ["get"]),
        ("clusters", ["ccm"], ["get"]),
        ("other", ["c-kubeconfig"], ["get"]),
    ]
    assert not any("secrets" in rule.get("resources", ()) for one in documents() for rule in one.get("rules", ()))
    assert {verb for one in made for rule in one.get("rules", ()) for verb in rule["verbs"]} == {"get", "list"}


def test_the_pods_use_the_account_that_has_the_roles() -> None:
    made = documents(clusters="clusters/a")
    (account,) = [one["metadata"] for one in made if one["kind"] == "ServiceAccount"]
    assert account == {"name": "ccmcheck", "namespace": "ccmcheck"}
    assert made[-1]["metadata"]["namespace"] == "ccmcheck"
    assert made[-1]["spec"]["template"]["spec"]["serviceAccountName"] == "ccmcheck"


WRONG = {
    "shards": ("0", "many", "99999", "2\n  hostNetwork: true"),
    "at_once": ("-1",),
    "schedule": ("often", "* * * *"),
    "claim": ("Not A Name", "a\nb"),
    "cluster_namespace": ("a b",),
    "memory": ("lots", "1Mi\n"),
    "cpu": ("1 core",),
    "clusters": ("a", "a/b/c", "A/b"),
    "resources": ("/x",),
    "image": ("",),
    "shard": ("4",),
}


@pytest.mark.parametrize(("variable", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_variable_that_is_wrong_is_refused(variable: str, value: str) -> None:
    with pytest.raises(WrongUse):
        job("", "", {**IMAGE, variable: value})


@pytest.mark.parametrize("value", ["a: b", "'", '"', "x\ny: z", "${HOME}", "{{ 1 }}"])
def test_texts_stay_texts(value: str) -> None:
    container = workload(selector=value, image=value)["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == value
    assert f"--selector={value}" in container["args"]


def test_the_roles_are_those_of_cluster_rbac(tmp_path: Path) -> None:
    arguments = (
        "--for",
        "fleet",
        "--cluster",
        "clusters/a",
        "--resource",
        "clusters/ccm",
        "--account-namespace",
        "ccmcheck",
    )
    done = run_cluster(tmp_path, "rbac", *arguments)
    assert done.code == 0
    assert list(yaml.safe_load_all(done.out)) == documents(clusters="clusters/a", resources="clusters/ccm")[:-1]


@pytest.mark.parametrize("value", ["a", "a/b/c", "/b", "a/"])
def test_a_cluster_without_a_namespace_is_refused(value: str, tmp_path: Path) -> None:
    done = run_cluster(tmp_path, "rbac", "--for", "fleet", "--cluster", value)
    assert done.code == 2
    assert "is not NAMESPACE/NAME" in done.err


def test_rights_of_fleet_without_clusters_say_what_is_missing(tmp_path: Path) -> None:
    done = run_cluster(tmp_path, "rbac", "--for", "fleet")
    assert done.code == 0
    assert "no kubeconfig Secret can be read" in done.err
