"""`cluster` on a real kube-apiserver, and predictions beside what the real CCM does in a whole cluster.

``kube_compare.py`` builds the programs where they were not built before, which needs Go and takes 20 minutes; afterwards it
takes ten. ``--record`` makes the recordings of ``tests/cluster/recorded`` and nothing else.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import kube_objects as objects
from kube_checks import Checks
from kube_conformance import check_conformance
from kube_drift import check_drift
from kube_faults import check_faults
from kube_fix_checks import check_fix, check_restart
from kube_fleet_checks import check_fleet
from kube_octavia_checks import RELEASES, check_octavia
from kube_real_fleet import check_real_fleet, fitting
from kube_recordings import runs
from kube_server import NotAvailableError, Running, running
from kube_services_checks import check_services
from kube_size import check_size
from kube_stack_checks import check_stack

from ccmcheck.cluster.access.client import open_cluster
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.transport import PAGE, Transport, items

SKIPPED = 77
COMPACTION = "--etcd-compaction-interval=5s"
_CANARIES = (  # of the texts that no output may hold
    objects.PASSWORD,
    base64.b64encode(objects.CONF.encode()).decode(),
)


class Said:
    """What a run of ccmcheck left behind."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def everything(self) -> str:
        """Both outputs and the code, to be printed."""
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def ccmcheck(*arguments: str) -> Said:
    """Run ccmcheck."""
    command = [sys.executable, "-m", "ccmcheck", "cluster", *arguments]
    said = Said(subprocess.run(command, capture_output=True, text=True, timeout=120, check=False))
    leaked = [canary for canary in _CANARIES if canary in said.everything]
    assert not leaked, "a secret is shown"
    return said


def lint(checks: Checks, server: Running) -> None:
    """The administrator sees everything."""
    said = ccmcheck("lint", "--kubeconfig", str(server.kubeconfig("admin", "reader")), "--format", "json")
    report = json.loads(said.out)
    uid = server.request("GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"]
    checks.hold("lint finds errors", said.code == 1, said.everything)
    checks.hold("context, server and UID are named", uid in said.out and "context admin" in said.out, said.out)
    checks.hold("the release is that of the image", report["summary"]["releases"] == ["v1.31.2"], said.out)
    places = {(finding["rule"], finding["route"], finding["line"]) for finding in report["findings"]}
    expected = ("duration-bad", 'Secret kube-system/cloud-config › data["cloud.conf"] (base64)', objects.FATAL_LINE)
    checks.hold("the fatal line of the Secret", expected in places, places)
    local = [finding for finding in report["findings"] if finding["rule"] == "svc-local-no-monitor"]
    named = [finding["path"] for finding in local]
    checks.hold("the Local Service without a monitor", named == ["Service shop/local"], said.out)
    said_of_id = [finding for finding in report["findings"] if "load-balancer-id" in finding["label"]]
    checks.hold("the ID that the CCM wrote is no finding", not said_of_id, said_of_id)
    checks.hold("nothing failed", report["failures"] == [], report["failures"])


def rights(checks: Checks, server: Running) -> None:
    """Without rights everything that is missing is named; with the roles of `cluster rbac`, nothing is missing."""
    config = str(server.kubeconfig("admin", "reader"))
    said = ccmcheck("lint", "--kubeconfig", config, "--context", "reader")
    missing = ("Namespace kube-system", "DaemonSets of namespace kube-system", "Services of all namespaces", "Nodes")
    named = all(f"{name}  could not be read" in said.out for name in missing)
    checks.hold("missing rights are named", said.code == 3 and named and "cluster rbac" in said.out, said.everything)
    for path, body in objects.created(ccmcheck("rbac").out):
        server.request("POST", path, body)
    fixed = base64.b64encode(objects.CONF.replace("monitor-delay = 3", "monitor-delay = 3s").encode()).decode()
    holder = "/api/v1/namespaces/kube-system/secrets/cloud-config"
    merge = "application/merge-patch+json"
    server.request("PATCH", f"{holder}?fieldManager=kubectl-edit", {"data": {"cloud.conf": fixed}}, merge)
    account = "/api/v1/namespaces/kube-system/serviceaccounts/ccmcheck/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 600}}
    server.tokens["account"] = server.request("POST", account, request)["status"]["token"]
    for _ in range(50):  # the authorizer learns of new roles after a moment
        said = ccmcheck("lint", "--kubeconfig", str(server.kubeconfig("account")), "--format", "json")
        if said.code != 3:
            break
        time.sleep(0.2)
    report = json.loads(said.out)
    checks.hold("the roles of `cluster rbac` suffice", said.code == 1 and not report["failures"], said.everything)
    labels = [finding["label"] for finding in report["findings"] if finding["rule"] == "svc-local-no-monitor"]
    slices = len(labels) == 1 and labels[0].startswith("1 of 2 nodes have no pod of this Service now")
    checks.hold("EndpointSlices say where the pods are", slices, labels)
    server.tokens["stranger"] = "no-such-token-of-anybody"
    said = ccmcheck("lint", "--kubeconfig", str(server.kubeconfig("stranger")))
    checks.hold("a wrong token ends the run", said.code == 3 and "HTTP 401" in said.err, said.everything)
    checks.hold("its text is not shown", "no-such-token" not in said.everything, said.everything)


def compaction(checks: Checks, server: Running) -> None:
    """A list that etcd has compacted meanwhile goes on by the token in the body of the 410."""
    path = "/api/v1/namespaces/shop/configmaps"
    for number in range(PAGE + 100):
        server.request("POST", path, {"metadata": {"name": f"filler-{number:04}"}, "data": {"x": "y"}})
    opened = open_cluster(Access(kubeconfig=str(server.kubeconfig("admin"))))
    transport = Transport(opened.connection)
    listing = items(transport, path)
    names = [one["metadata"]["name"] for one in islice(listing, PAGE)]
    for number in range(12):
        time.sleep(1.5)
        server.request("POST", path, {"metadata": {"name": f"a-{number:04}"}, "data": {"x": "y"}})
    asked = _statuses(opened.connection)
    names += [one["metadata"]["name"] for one in listing]
    opened.connection.close()
    fillers = [name for name in names if name.startswith("filler-")]
    checks.hold("the API server answered 410", 410 in asked, asked)
    whole = fillers == [f"filler-{number:04}" for number in range(PAGE + 100)]
    checks.hold("the list goes on without a gap", whole, (len(fillers), fillers[-3:]))


def _statuses(connection: object) -> list[int]:
    """The statuses of all answers from now on."""
    statuses: list[int] = []
    get = connection.get  # type: ignore[attr-defined]

    def recorded(*arguments: object, **named: object) -> object:
        answer = get(*arguments, **named)
        statuses.append(answer.status)
        return answer

    connection.get = recorded  # type: ignore[attr-defined]
    return statuses


def main() -> int:
    """Run everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sample", action="store_true", help="a fifth of the Services, without etcd's compaction and conformance"
    )
    parser.add_argument("--seed", type=int, help="has no effect: nothing depends on chance")
    parser.add_argument("--record", nargs="*", metavar="NAME", help="make these recordings, by default all")
    asked = parser.parse_args()
    checks = Checks()
    try:
        if asked.record is not None:
            _record(checks, asked.record)
            return _end(checks)
        with tempfile.TemporaryDirectory() as folder, running(Path(folder), COMPACTION) as server:
            for path, body, manager in objects.STAGE:
                server.request("POST", f"{path}?fieldManager={manager}", body)
            for path, body, manager in objects.PATCHES:
                server.request("PATCH", f"{path}?fieldManager={manager}", body, "application/merge-patch+json")
            lint(checks, server)
            rights(checks, server)
            check_drift(checks, server, Path(folder))
            check_fix(checks, server)
            if not asked.sample:
                compaction(checks, server)
        with tempfile.TemporaryDirectory() as folder:
            check_stack(checks, Path(folder))
        with tempfile.TemporaryDirectory() as folder:
            check_octavia(checks, Path(folder), *(RELEASES[:1] if asked.sample else RELEASES))
        with tempfile.TemporaryDirectory() as folder:
            check_restart(checks, Path(folder))
        if not asked.sample:
            with tempfile.TemporaryDirectory() as folder:
                check_conformance(checks, Path(folder))
        with tempfile.TemporaryDirectory() as folder:
            check_services(checks, Path(folder), sample=asked.sample)
        if not asked.sample:
            with tempfile.TemporaryDirectory() as folder:
                check_faults(checks, Path(folder))
            with tempfile.TemporaryDirectory() as folder:
                check_size(checks, Path(folder))
            with tempfile.TemporaryDirectory() as folder:
                check_fleet(checks, Path(folder))
            with tempfile.TemporaryDirectory() as folder:
                check_real_fleet(checks, Path(folder), fitting())
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    return _end(checks)


def _record(checks: Checks, names: list[str]) -> None:
    """Make recordings; one that holds a credential, or cannot stand for the servers, is not written."""
    for run, scene in runs(names):
        name = run.recording.name
        unshown = [words for words in scene.shows if words not in run.printed]
        checks.hold(f"{name} shows what it is for", not unshown, (unshown, run.printed))
        checks.hold(f"{name}: {len(run.recording.exchanges)} exchanges", not run.problems, "\n".join(run.problems))
        if not run.problems and not unshown:
            run.recording.save()
            run.recording.printed.write_text(run.printed, encoding="utf-8")


def _end(checks: Checks) -> int:
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
