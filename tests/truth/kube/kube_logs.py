"""The logs of the CCM's pods, by the API server's own way to a kubelet: a tunnel, TLS, and the kubelet's path.

kube-apiserver is given an egress selector, by which it asks for a tunnel to a node's address at a socket of ours; what comes
through that tunnel is answered as a kubelet would. Anything else that it wants to reach, such as a webhook, is not there.
"""

from __future__ import annotations

import json
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingUnixStreamServer
from urllib.parse import parse_qs, urlsplit

Log = Callable[[str, bool], str | None]
"""What the pod of a name has logged; of the run before, or now."""


class NodeLogs:
    """Answers in the place of all kubelets.

    Attributes:
        log: Where the logs come from; there are none before it is set.
        flags: What kube-apiserver needs.
    """

    def __init__(self, folder: Path) -> None:
        self.log: Log = lambda _name, _previous: None
        self._socket = folder / "egress.sock"
        self._key = folder / "kubelet.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=kubelet", "-days", "2"]
        files = ["-keyout", str(self._key), "-out", str(folder / "kubelet.crt")]
        subprocess.run([*command, *files], check=True, capture_output=True)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(folder / "kubelet.crt", self._key)
        selector = folder / "egress.json"
        way = {"proxyProtocol": "HTTPConnect", "transport": {"uds": {"udsName": str(self._socket)}}}
        selector.write_text(
            json.dumps(
                {
                    "apiVersion": "apiserver.k8s.io/v1beta1",
                    "kind": "EgressSelectorConfiguration",
                    "egressSelections": [{"name": "cluster", "connection": way}],
                }
            )
        )
        self.flags = (f"--egress-selector-config-file={selector}",)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer until the block ends."""
        logs = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_CONNECT(self) -> None:
                if ".svc:" in self.path:  # a Service in the cluster, as of a webhook
                    self._say(502, "nobody is there")
                    return
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                self.connection = logs._tls.wrap_socket(self.connection, server_side=True)
                self.setup()
                self.close_connection = False

            def setup(self) -> None:
                if not hasattr(self, "connection"):
                    self.connection = self.request
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)

            def do_GET(self) -> None:
                split = urlsplit(self.path)
                asked = parse_qs(split.query)
                found = logs.log(split.path.split("/")[3], "previous" in asked)
                if found is None:
                    self._say(400, "container not found")
                    return
                lines = found.splitlines(keepends=True)
                self._say(200, "".join(lines[-int(asked.get("tailLines", ["1000000"])[0]) :]))

            def _say(self, status: int, text: str) -> None:
                out = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(out)))
                self.end_headers()
                self.wfile.write(out)

            def address_string(self) -> str:
                return "kube-apiserver"

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        with ThreadingUnixStreamServer(str(self._socket), Handler) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield
            finally:
                server.shutdown()
