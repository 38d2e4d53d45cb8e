"""A whole cluster on loopback: a real control plane, the real CCM, nodes by kwok, and a cloud with the real Octavia API.

    with stack(folder, ccm="v1.36.0", nodes=3) as cluster:
        cluster.ccm.start(cluster.cloud.conf("create-monitor = true\\n"))  # a process beside the API server, or
        cluster.install_ccm(cluster.cloud.conf())                         # a DaemonSet, whose pods are run

Several run side by side; each takes seconds to start and some 700 MB. What is missing on a machine is a `NotAvailableError`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import kube_build
import kube_nodes
import kube_workload
from kube_build import NotAvailableError
from kube_ccm import Ccm
from kube_cloud import Cloud, cloud
from kube_controllers import controllers
from kube_kubelet import Kubelet
from kube_processes import until
from kube_server import Running, running

Json = dict[str, Any]


class Stack(NamedTuple):
    """A cluster that runs.

    Attributes:
        server: The API server; ``server.request`` is the administrator's way to it.
        kubeconfig: The administrator's, for clients.
        cloud: What was asked of the cloud, what is in it, and ``clouds.yaml``.
        ccm: The CCM as a process.
        kubelet: Runs the CCM's pods.
        folder: Everything is in here, all logs among it.
        kwok: Its process.
    """

    server: Running
    kubeconfig: Path
    cloud: Cloud
    ccm: Ccm
    kubelet: Kubelet
    folder: Path
    kwok: subprocess.Popen[bytes]

    def install_ccm(
        self, conf: str, *flags: str, tag: str = "", cluster_name: str = "kubernetes", manager: str = "kubectl-create"
    ) -> None:
        """Let a DaemonSet run the CCM; do not start it as a process, too.

        Args:
            conf: The text of cloud.conf, for the Secret ``kube-system/cloud-config``.
            flags: Further flags.
            tag: Another release; it must be among those that the stack was started with.
            cluster_name: For ``--cluster-name``.
            manager: The field manager that owns Secret and DaemonSet.
        """
        kube_workload.install(self.server, conf, tag or self.ccm.tag, cluster_name, *flags, manager=manager)

    def wait_for_nodes(self) -> None:
        """Wait until the CCM has initialized all nodes."""
        until(lambda: kube_nodes.initialized(self.server), "the CCM initializes the nodes")

    def create_service(self, service: Json, namespace: str = "default", manager: str = "kubectl-create") -> None:
        """Create a Service."""
        self.server.request("POST", f"/api/v1/namespaces/{namespace}/services?fieldManager={manager}", service)

    def service(self, name: str, namespace: str = "default") -> Json:
        """A Service as it is now."""
        return self.server.request("GET", f"/api/v1/namespaces/{namespace}/services/{name}")

    def wait_for_address(self, name: str, namespace: str = "default", seconds: float = 60) -> str:
        """Wait until a Service has an address; the address or host name."""

        def ingress() -> list[Json]:
            status: Json = self.service(name, namespace).get("status", {}).get("loadBalancer", {})
            return status.get("ingress") or []

        found = until(ingress, f"Service {namespace}/{name} has an address", seconds)
        return str(found[0].get("ip") or found[0].get("hostname"))

    def events(self, name: str, namespace: str = "default") -> list[Json]:
        """The events of an object, by its name."""
        selector = quote(f"involvedObject.name={name}")
        path = f"/api/v1/namespaces/{namespace}/events?fieldSelector={selector}"
        found: list[Json] = self.server.request("GET", path)["items"]
        return found


@contextmanager
def stack(
    folder: Path, *api_server_flags: str, ccm: str | tuple[str, ...] = "v1.36.0", nodes: int = 3
) -> Iterator[Stack]:
    """Start a cluster without a CCM, whose nodes wait for it; the block starts one.

    Args:
        folder: An empty folder.
        api_server_flags: Further flags of kube-apiserver.
        ccm: The release of the CCM; several where the cluster changes from one to another, the first first.
        nodes: How many worker nodes; there is one more for the control plane.

    Raises:
        NotAvailableError: Go, a module, or Octavia cannot be had here.
    """
    tags = (ccm,) if isinstance(ccm, str) else ccm
    binaries = {tag: kube_build.ccm(tag) for tag in tags}
    folder = folder.resolve()
    wanted = kube_nodes.nodes(nodes)
    with ExitStack() as started:
        server = started.enter_context(running(folder, *api_server_flags))
        kwok = started.enter_context(controllers(server))["kwok"]
        a_cloud = started.enter_context(cloud(folder, wanted))
        kube_nodes.register(server, wanted)
        config = server.kubeconfig("admin", name="ccm.kubeconfig")
        process = Ccm(binaries, tags[0], folder, config)
        started.callback(process.stop)
        kubelet = Kubelet(server, binaries, config)
        started.callback(kubelet.close)
        yield Stack(server, server.kubeconfig("admin"), a_cloud, process, kubelet, folder, kwok)


__all__ = ["NotAvailableError", "Stack", "stack"]
