"""``make demo-cluster``: the commands of ``ccmcheck cluster`` at a real cluster, or what was recorded at one without Go."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from kube_build import NotAvailableError
from kube_recordings import FILES, RUNNING, Scene
from kube_stack import Stack, stack
from kube_traffic import CLIENT_PROGRAM, traffic
from recordings import AT, CLOUD, KUBE, filled, load

from ccmcheck.cli.cluster import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = "v1.36.0"
LIMIT_SECONDS = int(os.environ.get("CCMCHECK_DEMO_SECONDS", "2400"))
"""For building, once, and starting."""
_STARTS = f"""\
This starts a cluster on loopback: kube-apiserver with etcd, its controllers and scheduler, the CCM {RELEASE} as a DaemonSet,
three nodes by kwok, and a cloud: a Keystone, Nova and Neutron of ours, and the real Octavia API. It takes half a minute and
1 GB of memory; programs that are not in ~/.cache/ccmcheck yet are built first by Go, once, which takes up to 20 minutes and
6 GB of disk (after 40 minutes what was recorded is shown). The CCM's pod is dated ten minutes back, so that it counts as running steadily. Nothing outside of a temporary folder and that cache is changed, and everything ends with the demonstration.
"""
_RECORDED = """\
{reason}: this shows what the same commands printed at the same cluster when they were recorded.
"""


def main() -> int:
    """Show everything; the exit code."""
    if shutil.which("go") is None:
        return _show_recorded("Go is not on PATH")
    print(_STARTS, flush=True)
    started = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that everything ends as after Ctrl-C
    try:
        with ExitStack() as ending:
            folder = ending.enter_context(tempfile.TemporaryDirectory())
            try:
                with _limited():
                    cluster = ending.enter_context(stack(Path(folder), ccm=RELEASE))
            except (NotAvailableError, subprocess.SubprocessError, OSError) as error:
                ending.close()
                lines = str(error).strip().splitlines() or [type(error).__name__]
                return _show_recorded(lines[-1])
            print(f"It runs after {time.monotonic() - started:.0f} s; logs are in {folder}.", flush=True)
            for scene in _scenes():
                _show(scene, cluster)
    except KeyboardInterrupt:
        print("\nStopped; the cluster is gone.")
        return 130
    print(f"\nThe cluster is gone; this took {time.monotonic() - started:.0f} s.")
    return 0


@contextmanager
def _limited() -> Iterator[None]:
    """End what takes longer than the limit: building and starting on a busy machine may."""

    def end(*_: object) -> NoReturn:
        raise NotAvailableError(
            f"building and starting took longer than {LIMIT_SECONDS // 60} min {LIMIT_SECONDS % 60} s"
        )

    signal.signal(signal.SIGALRM, end)
    signal.alarm(LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _scenes() -> list[Scene]:
    """Those whose commands there are."""
    return [scene for scene in RUNNING if scene.needs in COMMANDS]


def _show(scene: Scene, cluster: Stack) -> None:
    """Run the commands of a scene as a user does."""
    print(f"\n## {_sentence(scene.title)}", flush=True)
    scene.prepare(cluster)
    urls = {KUBE: f"https://127.0.0.1:{cluster.server.port}", CLOUD: cluster.cloud.url}
    with tempfile.TemporaryDirectory() as folder:
        for path, text in filled({**FILES, **scene.files}, urls).items():
            at = Path(folder) / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_text(text)
        shutil.copyfile(cluster.kubeconfig, Path(folder) / "kubeconfig")
        shutil.copyfile(cluster.cloud.clouds_yaml, Path(folder) / "clouds.yaml")
        with traffic(cluster) if scene.has_traffic else nullcontext() as port:
            # addresses of load balancers lead to a server on loopback
            how = ("-m", "ccmcheck") if port is None else ("-c", CLIENT_PROGRAM.format(port=port))
            for command in scene.commands:
                print(f"\n$ ccmcheck cluster {' '.join(command)}", flush=True)
                done = subprocess.run([sys.executable, *how, "cluster", *command], cwd=folder, check=False)
                print(f"[exit code {done.returncode}]", flush=True)


def _show_recorded(reason: str) -> int:
    print(_RECORDED.format(reason=reason))
    for scene in _scenes():
        if (AT / f"{scene.name}.jsonl").exists():
            print(f"## {_sentence(scene.title)}\n\n{load(scene.name).printed.read_text(encoding='utf-8')}")
    return 0


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


if __name__ == "__main__":
    os.environ.pop("KUBECONFIG", None)
    sys.exit(main())
