"""`cluster report` on a real kube-apiserver with the CustomResourceDefinitions of openreports' reports-api.

``reports_compare.py --record`` writes the definition's schema into ``tests/report``, where `make test` reads it. The
definition comes from the Go module, the API server is that of the comparison ``kube``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import kube_objects as objects
import yaml
from kube_checks import Checks
from kube_server import NotAvailableError, Running, running
from reader_build import go

HERE = Path(__file__).resolve().parent

SKIPPED = 77
MODULE = "github.com/openreports/reports-api@v0.2.1"
DEFINITION = "config/crd/openreports.io_reports.yaml"
SCHEMA = HERE.parents[1] / "report" / "openreports_reports.json"
API = "/apis/openreports.io/v1alpha1"
REPORTS = f"{API}/namespaces/shop/reports"
OURS = f"{REPORTS}/ccmcheck"

Object = dict[str, Any]


class Done:
    """What a run of ccmcheck left behind."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def all(self) -> str:
        """Both outputs and the code, to be printed."""
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def ccmcheck(*arguments: str) -> Done:
    """Run ccmcheck."""
    command = [sys.executable, "-m", "ccmcheck", "cluster", *arguments]
    done = Done(subprocess.run(command, capture_output=True, text=True, timeout=120, check=False))
    assert objects.PASSWORD not in done.all, "a secret is shown"
    return done


def definition() -> Object:
    """The CustomResourceDefinition of the Go module."""
    found = json.loads(go(["mod", "download", "-json", MODULE], HERE))
    parsed: Object = yaml.safe_load((Path(found["Dir"]) / DEFINITION).read_text(encoding="utf-8"))
    return parsed


def without_descriptions(value: Any, *, names: bool = False) -> Any:
    """A schema without its prose; ``properties`` may have a field of that name."""
    if isinstance(value, dict):
        kept = {key: child for key, child in value.items() if names or key != "description"}
        return {
            key: without_descriptions(child, names=key == "properties" and not names) for key, child in kept.items()
        }
    return [without_descriptions(item) for item in value] if isinstance(value, list) else value


def schema_text(crd: Object) -> str:
    """The schema as it is recorded."""
    schema = without_descriptions(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def stage(server: Running, crd: Object) -> None:
    """A CCM with findings, and the definition."""
    for path, body, manager in objects.STAGE:
        server.request("POST", f"{path}?fieldManager={manager}", body)
    server.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
    for _ in range(100):
        name = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + crd["metadata"]["name"]
        conditions = server.request("GET", name).get("status", {}).get("conditions") or []
        if any(one["type"] == "Established" and one["status"] == "True" for one in conditions):
            time.sleep(1.0)  # the API server serves it a moment later
            return
        time.sleep(0.1)
    raise AssertionError("the definition was not established")


def account(server: Running) -> None:
    """A user with the rights of `cluster rbac --for report` alone."""
    for path, body in objects.created(ccmcheck("rbac", "--for", "report").out):
        server.request("POST", path, body)
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 600}}
    path = "/api/v1/namespaces/kube-system/serviceaccounts/ccmcheck/token"
    server.tokens["account"] = server.request("POST", path, request)["status"]["token"]


def versions(server: Running) -> dict[str, str]:
    """The resourceVersion of each report."""
    return {
        one["metadata"]["namespace"]: one["metadata"]["resourceVersion"]
        for one in server.request("GET", f"{API}/reports")["items"]
    }


def compare(checks: Checks, server: Running) -> None:
    """Write, repeat, change, remove."""
    account(server)
    config = str(server.kubeconfig("account"))

    def write() -> Done:
        return ccmcheck("report", "--write", "--kubeconfig", config)

    done = write()
    for _ in range(50):  # the authorizer learns of new roles after a moment
        if done.code != 3:
            break
        time.sleep(0.2)
        done = write()
    checks.hold("the rights of `rbac --for report` suffice to write", done.code == 0, done.all)
    first = versions(server)
    checks.hold("there is a report in each namespace with findings", set(first) == {"kube-system", "shop"}, first)
    report = server.request("GET", OURS)
    managers = {(one["manager"], one["operation"]) for one in report["metadata"]["managedFields"]}
    checks.hold("they are applied by ccmcheck alone", managers == {("ccmcheck", "Apply")}, managers)
    printed = {
        one["metadata"]["namespace"]: one for one in yaml.safe_load_all(ccmcheck("report", "--kubeconfig", config).out)
    }
    same = all(report[key] == printed["shop"][key] for key in ("source", "summary", "results", "configuration"))
    checks.hold("the API server keeps every field that is printed", same, report)
    subjects = [one["resources"][0]["name"] for one in report["results"]]
    checks.hold("results name the Services", subjects == ["local"], report)
    done = write()
    checks.hold("unchanged reports are not sent", versions(server) == first and "2 unchanged" in done.err, done.all)
    strict = {**printed["shop"], "metadata": {"name": "strict", "namespace": "shop"}}
    server.request("POST", f"{REPORTS}?fieldValidation=Strict", strict)
    checks.hold("no field is unknown to the definition", True)
    other = "/api/v1/namespaces/shop/services"
    local = next(body for path, body, _ in objects.STAGE if path == other and body["metadata"]["name"] == "local")
    server.request("POST", other, {**local, "metadata": {**local["metadata"], "name": "more"}})
    done = write()
    second = versions(server)
    changed = {name for name in first if second[name] != first[name]}
    checks.hold("a new finding changes the report of its namespace alone", changed == {"shop"}, done.all)
    for name in ("local", "more"):
        server.request("DELETE", f"{other}/{name}")
    done = write()
    left = {one["metadata"]["name"] for one in server.request("GET", REPORTS)["items"]}
    checks.hold(
        "ours without findings is removed, and no other", done.code == 0 and left == {"strict"}, (left, done.all)
    )
    foreign = {**strict, "metadata": {"name": "ccmcheck", "namespace": "shop"}}
    server.request("POST", REPORTS, foreign)
    server.request("POST", other, local)
    before = server.request("GET", OURS)
    done = write()
    untouched = server.request("GET", OURS) == before and done.code == 3 and "somebody else wrote" in done.err
    checks.hold("a report of our name that somebody else wrote is left alone", untouched, done.all)


def cron_job(checks: Checks, server: Running) -> None:
    """The CronJob is taken as it is rendered, and its pod in a namespace with the profile "restricted"."""
    labels = {"pod-security.kubernetes.io/enforce": "restricted"}
    server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "tools", "labels": labels}})
    server.request("POST", "/api/v1/namespaces/tools/serviceaccounts", {"metadata": {"name": "ccmcheck"}})
    gateway = "pushgateway=http://pushgateway.monitoring:9091"
    for what, options in (("alone", []), ("with a Pushgateway", ["--var", gateway])):
        command = [sys.executable, "-m", "ccmcheck", "render", "report-cronjob", "--namespace", "tools", *options]
        job = yaml.safe_load(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        path = "/apis/batch/v1/namespaces/tools/cronjobs?dryRun=All&fieldValidation=Strict"
        server.request("POST", path, job)
        template = job["spec"]["jobTemplate"]["spec"]["template"]
        pod = {"metadata": {"name": "try"}, **template}
        made = server.request("POST", "/api/v1/namespaces/tools/pods?dryRun=All&fieldValidation=Strict", pod)
        checks.hold(f"the CronJob {what} and its restricted pod are accepted", made["kind"] == "Pod", made)
    plain = {"metadata": {"name": "try"}, "spec": {"containers": [{"name": "x", "image": "x"}]}}
    try:
        server.request("POST", "/api/v1/namespaces/tools/pods?dryRun=All", plain)
    except AssertionError as error:
        checks.hold("another pod is not", "violates PodSecurity" in str(error), error)
    else:
        checks.hold("another pod is not", holds=False)


def main() -> int:
    """Run everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the definition's schema into the tests")
    parser.add_argument("--sample", action="store_true", help="has no effect: it takes seconds")
    parser.add_argument("--seed", type=int, help="has no effect: nothing depends on chance")
    asked = parser.parse_args()
    checks = Checks()
    try:
        crd = definition()
        if asked.record:
            SCHEMA.write_text(schema_text(crd), encoding="utf-8")
        checks.hold("the recorded schema is the definition's", SCHEMA.read_text(encoding="utf-8") == schema_text(crd))
        with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
            stage(server, crd)
            compare(checks, server)
            cron_job(checks, server)
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
