"""What makes a cluster of an API server: controllers and scheduler, and kwok in the place of kubelets."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import kube_build
from kube_processes import process
from kube_server import Running

PODS = "10.244.0.0/16"
_ALONE = ("--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0")
LEASE_SECONDS = 40


@contextmanager
def controllers(server: Running) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """kube-controller-manager, kube-scheduler and kwok, by short names, until the block ends; none listens on a port.

    Raises:
        NotAvailableError: One of them cannot be built here.
    """
    binary, kwok, stages = kube_build.control_plane(), kube_build.kwok(), kube_build.kwok_stages()
    config = server.kubeconfig("admin", name="components.kubeconfig")
    folder = server.folder
    key = f"--service-account-private-key-file={folder / 'service-accounts.key'}"
    commands = {
        "controllers": [str(binary), "controllers", f"--kubeconfig={config}", *_ALONE, "--controllers=*", key],
        "scheduler": [str(binary), "scheduler", f"--kubeconfig={config}", *_ALONE],
        "kwok": [
            str(kwok), f"--kubeconfig={config}", "--manage-all-nodes=true", f"--cidr={PODS}",
            f"--node-lease-duration-seconds={LEASE_SECONDS}", *(f"--config={stage}" for stage in stages),
        ],
    }  # fmt: skip
    with ExitStack() as running:
        yield {
            name: running.enter_context(process(command, folder / f"{name}.log")) for name, command in commands.items()
        }
