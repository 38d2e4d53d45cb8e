"""The echo configuration in a real nginx, where one is installed: what pods answer over HTTP, PROXY and UDP."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ccmcheck.cluster.conformance import echo
from ccmcheck.cluster.conformance.stage import ProbeTarget, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""
_STREAM = Path(NGINX).parents[1] / "lib/nginx/modules/ngx_stream_module.so" if NGINX else Path()
"""Debian's stream module beside Debian's nginx, wherever both are unpacked; that of nginx's image is built in."""
_PORTS = (echo.HTTP_PORT, echo.UDP_PORT, echo.PROXY_PORT, echo.HEALTH_PORT)

pytestmark = pytest.mark.skipif(not NGINX, reason="nginx is not installed; .ci/run installs it")


def free_ports() -> dict[int, int]:
    """A free port for each of the configuration's."""
    with socket.socket() as one, socket.socket() as two, socket.socket() as three, socket.socket() as four:
        ports = {}
        for wanted, opened in zip(_PORTS, (one, two, three, four), strict=True):
            opened.bind(("", 0))
            ports[wanted] = opened.getsockname()[1]
        return ports


@contextmanager
def nginx(folder: Path, *, ipv6: bool) -> Iterator[dict[int, int]]:
    """Run it; the ports in place of the configuration's."""
    ports = free_ports()
    text = echo.configuration(ipv6=ipv6).replace("/tmp/", f"{folder}/")
    for wanted, port in ports.items():
        text = text.replace(str(wanted), str(port))
    if _STREAM.exists():
        text = f"load_module {_STREAM};\n{text}"
    (folder / "nginx.conf").write_text(text)
    with subprocess.Popen([NGINX, "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]) as process:
        try:
            for _ in range(100):
                if ask(ProbeTarget("127.0.0.1", ports[echo.HTTP_PORT]), 1).problem is None:
                    break
                time.sleep(0.05)
            yield ports
        finally:
            process.terminate()


@pytest.mark.parametrize("ipv6", [True, False])
def test_pods_answer_with_their_name_and_the_client(ipv6: bool, tmp_path: Path) -> None:
    host = socket.gethostname().lower()
    with nginx(tmp_path, ipv6=ipv6) as ports:
        web = ask(ProbeTarget("127.0.0.1", ports[echo.HTTP_PORT]), 2)
        datagram = ask(ProbeTarget("127.0.0.1", ports[echo.UDP_PORT], udp=True), 2)
        plain = ask(ProbeTarget("127.0.0.1", ports[echo.PROXY_PORT]), 2)
        with socket.create_connection(("127.0.0.1", ports[echo.PROXY_PORT]), timeout=2) as proxied:
            proxied.sendall(b"PROXY TCP4 192.0.2.1 192.0.2.2 40000 80\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = echo.parse(proxied.recv(4096).partition(b"\r\n\r\n")[2])
        with socket.create_connection(("127.0.0.1", ports[echo.HEALTH_PORT]), timeout=2) as health:
            health.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            healthy = health.recv(4096)
    assert (web.problem, web.pod, web.client) == (None, host, "127.0.0.1")
    assert (datagram.problem, datagram.pod, datagram.client) == (None, host, "127.0.0.1")
    assert plain.problem is not None, "a connection without a PROXY header is not answered"
    assert answer == echo.Echo(host, "127.0.0.1", "", "192.0.2.1")
    assert healthy.startswith(b"HTTP/1.1 200 OK")
