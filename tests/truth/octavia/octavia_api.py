"""Has the real Octavia API on loopback: installed into a cache with pip, started, asked, and stopped."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PACKAGES = ("octavia==19.0.0", "ovn-octavia-provider==11.0.0")
CONSTRAINTS = HERE / "constraints.txt"
PROJECT = "8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11"
INSTALL_SECONDS = 1200
START_SECONDS = 120
_READY = re.compile(r"^ready (\d+)$", re.MULTILINE)

Json = dict[str, Any]


class NotAvailableError(Exception):
    """Octavia cannot be had here; the message says why."""


class Reply(NamedTuple):
    """What the API answered: the status, and the body or the reason."""

    status: int
    body: Json

    @property
    def taken(self) -> bool:
        """Whether it did what was asked."""
        return 200 <= self.status < 300

    @property
    def fault(self) -> str:
        """Why not."""
        return "" if self.taken else str(self.body.get("faultstring", ""))


class Octavia:
    """A running API.

    Attributes:
        port: On loopback.
        folder: Its files, the database ``octavia.db`` among them.
    """

    def __init__(self, port: int, folder: Path) -> None:
        self.port, self.folder = port, folder
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: Json | None = None) -> Reply:
        """Make one request.

        Args:
            method: The HTTP method.
            path: What follows ``/v2.0/lbaas/``.
            body: The body.
        """
        sent = b"" if body is None else json.dumps(body).encode()
        # the server reads a body in any case
        headers = {"Accept": "application/json", "X-Project-Id": PROJECT, "Content-Length": str(len(sent))}
        if sent:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, f"/v2.0/lbaas/{path}", sent, headers)
        answer = self._connection.getresponse()
        raw = answer.read()
        try:
            said = json.loads(raw) if raw else {}
        except ValueError:
            said = {"faultstring": raw.decode(errors="replace")}
        if answer.will_close:
            self._connection.close()
        return Reply(answer.status, said if isinstance(said, dict) else {})


def default_work_dir() -> Path:
    """Where Octavia is kept between runs, under the user's cache directory."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "ccmcheck" / "truth-octavia"


def installed(work_dir: Path) -> Path:
    """The Python that has Octavia, installed unless it is there already.

    Raises:
        NotAvailableError: It cannot be installed here.
    """
    made_from = hashlib.sha256(" ".join((*PACKAGES, sys.version)).encode() + CONSTRAINTS.read_bytes()).hexdigest()[:12]
    folder = work_dir / f"venv-{made_from}"
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    _run([*pip, "--constraint", str(CONSTRAINTS), *PACKAGES])
    (folder / "complete").touch()
    return python


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise NotAvailableError(f"{' '.join(command[1:4])} takes too long") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotAvailableError(f"{' '.join(command[1:4])}: {said[-1] if said else 'no words'}")


@contextmanager
def running(python: Path, world: Json, script: Path = HERE / "octavia_server.py") -> Iterator[Octavia]:
    """Start the API, and stop it at the end.

    Args:
        python: The Python that has Octavia.
        world: The networks, subnets and ports that there are.
        script: What serves it.

    Raises:
        NotAvailableError: It does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "world.json"
        known.write_text(json.dumps(world), encoding="utf-8")
        output, errors = Path(folder) / "output", Path(folder) / "errors"
        with output.open("w", encoding="utf-8") as stdout, errors.open("w", encoding="utf-8") as stderr:
            server = subprocess.Popen(
                [str(python), "-W", "ignore", str(script), folder, str(known)],
                stdout=stdout,
                stderr=stderr,
                cwd=folder,
                env={"HOME": folder, "PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(HERE)},
            )
        try:
            yield Octavia(_port(server, output, errors), Path(folder))
        finally:
            server.kill()
            server.wait()


def _port(server: subprocess.Popen[bytes], output: Path, errors: Path) -> int:
    """Wait until the server says that it is ready."""
    until = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < until:
        if ready := _READY.search(output.read_text(encoding="utf-8")):
            return int(ready[1])
        time.sleep(0.1)
    said = errors.read_text(encoding="utf-8").strip().splitlines()
    raise NotAvailableError(f"Octavia does not start: {said[-1] if said else 'no words'}")
