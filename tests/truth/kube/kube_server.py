"""A real API server on loopback: etcd and kube-apiserver of one release, in one process."""

from __future__ import annotations

import json
import secrets
import shutil
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import kube_build
from kube_build import NotAvailableError
from kube_processes import free_port, process

if TYPE_CHECKING:
    from collections.abc import Iterator

START_SECONDS = 60
ATTEMPTS = 5
_TAKEN = "address already in use"

Object = dict[str, Any]


class Running(NamedTuple):
    """An API server that runs.

    Attributes:
        port: On 127.0.0.1.
        folder: Its certificates, tokens and log.
        tokens: By the user's name: ``admin``, who may do everything, and ``reader``, who may do nothing yet.
    """

    port: int
    folder: Path
    tokens: dict[str, str]

    @property
    def authority(self) -> Path:
        """The certificate of its own authority."""
        return self.folder / "certs" / "apiserver.crt"

    def request(
        self, method: str, path: str, body: Object | None = None, content_type: str = "application/json"
    ) -> Object:
        """A request of the administrator's, to set the stage; the answer."""
        request = urllib.request.Request(
            f"https://127.0.0.1:{self.port}{path}",
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {self.tokens['admin']}", "Content-Type": content_type},
        )
        context = ssl.create_default_context(cafile=str(self.authority))
        try:
            with urllib.request.urlopen(request, context=context, timeout=20) as answer:  # noqa: S310 - https
                found: Object = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()[:500]}") from None

    def kubeconfig(self, *users: str, name: str = "kubeconfig") -> Path:
        """A kubeconfig with a context for each user; the first is the current one."""
        path = self.folder / name
        cluster = {"server": f"https://127.0.0.1:{self.port}", "certificate-authority": str(self.authority)}
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": users[0],
            "clusters": [{"name": "kube", "cluster": cluster}],
            "users": [{"name": user, "user": {"token": self.tokens[user]}} for user in users],
            "contexts": [{"name": user, "context": {"cluster": "kube", "user": user}} for user in users],
        }
        path.write_text(json.dumps(document))
        path.chmod(0o600)
        return path


@contextmanager
def running(folder: Path, *flags: str) -> Iterator[Running]:
    """An API server until the block ends.

    Args:
        folder: An empty folder for its data.
        flags: Further flags of kube-apiserver.

    Raises:
        NotAvailableError: It cannot be built here.
    """
    binary = kube_build.control_plane()
    folder = folder.resolve()
    key = folder / "service-accounts.key"
    if shutil.which("openssl") is None:
        raise NotAvailableError("openssl is not on PATH")
    subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
    tokens = {"admin": secrets.token_hex(16), "reader": secrets.token_hex(16)}
    lines = [f'{tokens["admin"]},admin,admin,"system:masters"', f"{tokens['reader']},reader,reader"]
    (folder / "tokens.csv").write_text("\n".join(lines) + "\n")
    for attempt in range(ATTEMPTS):
        # somebody else may take the port between its choice and its use
        server = Running(free_port(), folder, tokens)
        with process([str(binary), str(folder), str(server.port), *flags], folder / "kube.log") as started:
            if _is_ready(server, started):
                yield server
                return
        if attempt == ATTEMPTS - 1 or _TAKEN not in (folder / "kube.log").read_text():
            break
    raise NotAvailableError(f"kube-apiserver does not start: {(folder / 'kube.log').read_text()[-2000:]}")


def _is_ready(server: Running, process: subprocess.Popen[bytes]) -> bool:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    ends = time.monotonic() + START_SECONDS
    request = urllib.request.Request(
        f"https://127.0.0.1:{server.port}/readyz", headers={"Authorization": f"Bearer {server.tokens['admin']}"}
    )
    while time.monotonic() < ends:
        if process.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(request, context=context, timeout=2) as answer:  # noqa: S310 - https
                if answer.read() == b"ok":
                    return True
        except OSError:
            pass
        time.sleep(0.05)
    return False


__all__ = ["NotAvailableError", "Object", "Running", "running"]
