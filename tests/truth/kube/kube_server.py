"""A real API server on loopback: etcd and kube-apiserver of one release in one program of ours, built once and kept."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "reader")]
from reader_build import NotAvailableError, default_work_dir, go  # noqa: E402 - the folder beside this one

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = "v1.36.3"
SOURCE = HERE / "oracle" / "kube.go"
START_SECONDS = 60

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

    def kubeconfig(self, *users: str) -> Path:
        """A kubeconfig with a context for each user."""
        path = self.folder / "kubeconfig"
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


def program() -> Path:
    """The program, built unless it is there already; that takes six minutes.

    Raises:
        NotAvailableError: Go or a module cannot be had.
    """
    work = default_work_dir("kube")
    digest = hashlib.sha256(SOURCE.read_bytes() + RELEASE.encode()).hexdigest()[:12]
    built = work / f"kube-{RELEASE}-{digest}"
    if built.exists():
        return built
    folder = work / "src"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.go").write_bytes(SOURCE.read_bytes())
    (folder / "go.mod").write_text("module ccmcheck.test/kube\n")
    (folder / "go.mod").write_text(_module(folder))
    print(f"building kube-apiserver {RELEASE}, which takes some minutes", flush=True)
    go(["mod", "tidy"], folder)
    minor = RELEASE.split(".")[1]
    version = "k8s.io/component-base/version"
    values = {"gitVersion": RELEASE, "gitMajor": "1", "gitMinor": minor}
    flags = " ".join(["-s -w", *(f"-X {version}.{name}={value}" for name, value in values.items())])
    unfinished = built.with_suffix(".new")
    go(["build", "-trimpath", "-ldflags", flags, "-o", str(unfinished), "."], folder)
    unfinished.replace(built)
    return built


def _module(folder: Path) -> str:
    """The go.mod of a program that imports k8s.io/kubernetes: its staging modules by their published versions."""
    got = json.loads(go(["mod", "download", "-json", f"k8s.io/kubernetes@{RELEASE}"], folder))
    theirs = Path(got["GoMod"]).read_text()
    staging = "v0." + RELEASE.removeprefix("v1.")
    staged = re.findall(r"^\s+(k8s\.io/\S+) v0\.0\.0$", theirs, re.MULTILINE)
    etcd = re.search(r"go\.etcd\.io/etcd/server/v3 (\S+)", theirs)
    language = re.search(r"^go (\S+)", theirs, re.MULTILINE)
    assert etcd is not None
    assert language is not None
    lines = [
        "module ccmcheck.test/kube",
        f"go {language[1]}",
        f"require k8s.io/kubernetes {RELEASE}",
        f"require go.etcd.io/etcd/server/v3 {etcd[1]}",
        *(f"replace {name} => {name} {staging}" for name in staged),
    ]
    return "\n".join(lines) + "\n"


@contextmanager
def running(folder: Path, *flags: str) -> Iterator[Running]:
    """An API server until the block ends.

    Args:
        folder: An empty folder for its data.
        flags: Further flags of kube-apiserver.

    Raises:
        NotAvailableError: It cannot be built here.
    """
    binary = program()
    folder = folder.resolve()
    key = folder / "service-accounts.key"
    subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
    tokens = {"admin": secrets.token_hex(16), "reader": secrets.token_hex(16)}
    lines = [f'{tokens["admin"]},admin,admin,"system:masters"', f"{tokens['reader']},reader,reader"]
    (folder / "tokens.csv").write_text("\n".join(lines) + "\n")
    server = Running(_free_port(), folder, tokens)
    with (folder / "kube.log").open("wb") as log:
        command = [str(binary), str(folder), str(server.port), *flags]
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait(server, process)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _wait(server: Running, process: subprocess.Popen[bytes]) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    ends = time.monotonic() + START_SECONDS
    request = urllib.request.Request(
        f"https://127.0.0.1:{server.port}/readyz", headers={"Authorization": f"Bearer {server.tokens['admin']}"}
    )
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise NotAvailableError((server.folder / "kube.log").read_text()[-2000:])
        try:
            with urllib.request.urlopen(request, context=context, timeout=2) as answer:  # noqa: S310 - https
                if answer.read() == b"ok":
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise NotAvailableError(f"kube-apiserver was not ready after {START_SECONDS} s")


__all__ = ["NotAvailableError", "Object", "Running", "program", "running"]
