"""`render admission` in a real API server: its policies agree with the rules, and are in nobody's way.

``admission_compare.py`` creates the policies of some configurations, each for a namespace of its own, and asks for
generated Services by dry runs: a warning of the API server must be a finding of the rule, and the other way round.
``--record`` writes the warnings down, so that `make test` compares them without an API server. With ``--stack`` the real
CCM runs beside policies that refuse.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import admission_recorded as recorded
import kube_build
from admission_enforced import check_cost, check_enforced, check_types
from admission_generate import CONFIGURATIONS, services
from admission_ours import differences, rendered
from admission_server import create, send, wait
from kube_build import NotAvailableError
from kube_checks import Checks
from kube_server import Running, running

if TYPE_CHECKING:
    from collections.abc import Iterator

SKIPPED = 77
WRONG = {"name": "web", "annotations": {"loadbalancer.openstack.org/typo": "x"}}


def agree(checks: Checks, server: Running, seed: int, number: int) -> dict[str, list[list[str]]]:
    """Compare the warnings with the rules; the warnings."""
    probe = services(seed, 1)[0] | {"metadata": WRONG}
    for one in CONFIGURATIONS:
        send(server, "POST", "/api/v1/namespaces", {"metadata": {"name": one.name}})
        if rendered(one):
            create(server, rendered(one), one.name)
    for one in CONFIGURATIONS:
        if rendered(one):
            wait(server, one.name, probe)
    warnings: dict[str, list[list[str]]] = {}
    for one in CONFIGURATIONS:
        found = warnings[one.name] = []
        gaps: list[object] = []
        for service in services(seed, number):
            answer = send(server, "POST", f"/api/v1/namespaces/{one.name}/services?dryRun=All", service)
            found.append(answer.warnings)
            if answer.status == 201:
                gaps += [(gap, service) for gap in differences(one, service, answer.warnings)]
        said = sum(map(len, found))
        checks.hold(f"{one.name}: {said:,} warnings about {number:,} Services agree with the rules", not gaps, gaps[:5])
    return warnings


@contextmanager
def status_controller(server: Running) -> Iterator[None]:
    """The controller that writes what the type checker says."""
    config = server.kubeconfig("admin")
    command = [str(kube_build.control_plane()), "controllers", f"--kubeconfig={config}", "--leader-elect=false"]
    command += ["--controllers=validatingadmissionpolicy-status-controller", "--secure-port=0"]
    with (server.folder / "controllers.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=20)


def beside_the_ccm(checks: Checks) -> None:
    """The real CCM reconciles Services that were wrong before the policies, and new ones that are right."""
    from kube_stack import stack

    conf = "create-monitor = false\n"
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder), ccm="v1.36.0", nodes=2) as cluster:
        cluster.ccm.start(cluster.cloud.conf(conf))
        cluster.ccm.wait_for_start()
        cluster.wait_for_nodes()
        cluster.ccm.stop()
        spec = {
            "type": "LoadBalancer",
            "selector": {"app": "web"},
            "ports": [{"port": 80}],
            "externalTrafficPolicy": "Local",
        }
        monitored = {"loadbalancer.openstack.org/enable-health-monitor": "true"}
        cluster.create_service({"metadata": {"name": "wrong-before"}, "spec": spec})
        names = create(cluster.server, rendered(CONFIGURATIONS[0], enforce=True), "default")
        wait(cluster.server, "default", {"metadata": {"name": "probe"}, "spec": spec})
        cluster.create_service({"metadata": {"name": "right", "annotations": monitored}, "spec": spec})
        cluster.ccm.start(cluster.cloud.conf(conf))
        for name in ("wrong-before", "right"):
            address = cluster.wait_for_address(name)
            checks.hold(
                f"the real CCM gives Service {name} an address beside {len(names)} policies", bool(address), address
            )
        path = "/api/v1/namespaces/default/services"
        for name in ("wrong-before", "right"):
            cluster.server.request("DELETE", f"{path}/{name}")
        ends = time.monotonic() + 60
        left = [""]
        while left and time.monotonic() < ends:
            left = [one["metadata"]["name"] for one in cluster.server.request("GET", path)["items"]]
            left = [name for name in left if name != "kubernetes"]
            time.sleep(0.5)
        checks.hold("and deletes both", not left, left)


def main() -> int:
    """Run everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write the API server's warnings down")
    parser.add_argument("--sample", action="store_true", help="few Services, and without the CCM")
    parser.add_argument("--seed", type=int, default=recorded.SEED, help="of the generated Services")
    asked = parser.parse_args()
    number = 400 if asked.sample else recorded.NUMBER
    checks = Checks()
    try:
        with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
            warnings = agree(checks, server, asked.seed, number)
            if asked.record:
                recorded.write(warnings)
            check_cost(checks, server, "plain")
            check_enforced(checks, server, rendered(CONFIGURATIONS[0], enforce=True))
            path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
            with status_controller(server):
                check_types(
                    checks, server, [one["metadata"]["name"] for one in send(server, "GET", path).body["items"]]
                )
        if not asked.sample:
            beside_the_ccm(checks)
    except NotAvailableError as error:
        print(f"skipped: {error}")
        return SKIPPED
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
