"""The real CCM as a process beside the API server."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import kube_processes

# it has no way to the cluster but this, and no port: several run side by side
_OWN = ("--secure-port=0", "--webhook-secure-port=0", "--leader-elect=false", "--use-service-account-credentials=false")
_RUNNING = "Starting service controller"


class Ccm:
    """One release, started and stopped at will."""

    def __init__(self, binaries: Mapping[str, Path], tag: str, folder: Path, kubeconfig: Path) -> None:
        """Nothing runs yet.

        Args:
            binaries: The programs by their releases.
            tag: The release that is started where no other is named.
            folder: For its configuration and log.
            kubeconfig: Its way to the cluster.
        """
        self.binaries, self.tag = binaries, tag
        self.config = folder / "cloud.conf"
        self.log_file = folder / "ccm.log"
        self._kubeconfig = kubeconfig
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, conf: str, *flags: str, tag: str = "", cluster_name: str = "kubernetes") -> None:
        """Start it, with a new log.

        Args:
            conf: The text of cloud.conf.
            flags: Further flags.
            tag: Another release.
            cluster_name: For ``--cluster-name``.
        """
        self.stop()
        self.config.touch(mode=0o600)
        self.config.write_text(conf)
        self.log_file.unlink(missing_ok=True)
        command = [
            f"--cloud-config={self.config}",
            "--cloud-provider=openstack",
            f"--cluster-name={cluster_name}",
            *flags,
        ]
        self._process = run(self.binaries[tag or self.tag], command, self._kubeconfig, self.log_file)

    def stop(self) -> None:
        """Stop it, where it runs."""
        if self._process is not None:
            kube_processes.stop(self._process)
            self._process = None

    def restart(self, conf: str | None = None, *flags: str, tag: str = "", cluster_name: str = "kubernetes") -> None:
        """Stop and start it, with the same configuration unless there is a new one."""
        self.start(self.config.read_text() if conf is None else conf, *flags, tag=tag, cluster_name=cluster_name)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """What it has logged since its last start."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    def wait_for_start(self) -> None:
        """Wait until its controllers run; it is an error where it ends before."""
        kube_processes.until(lambda: not self.alive or _RUNNING in self.log(), "the CCM starts")
        assert self.alive, f"the CCM has ended: {self.log()[-2000:]}"

    def wait_for_end(self, seconds: float = 30) -> int:
        """Wait until it has ended by itself; its exit code."""
        assert self._process is not None
        return self._process.wait(timeout=seconds)


def run(binary: Path, arguments: Sequence[str], kubeconfig: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start the CCM of one release."""
    named = {argument.partition("=")[0] for argument in arguments}
    own = [flag for flag in _OWN if flag.startswith("--secure") or flag.partition("=")[0] not in named]
    command = [str(binary), f"--kubeconfig={kubeconfig}", *arguments, *own]
    return kube_processes.start(command, log, {"HOME": str(log.parent), "PATH": "/usr/bin:/bin"})
