"""The echo workload: nginx answers with the name of its pod and the address that it sees, over HTTP, PROXY and UDP.

nginx, not agnhost's netexec that Kubernetes' own tests use: a load balancer may have a public address, and netexec runs
any command that a request asks for (``/shell``) and cannot read PROXY headers. The image is the one that Kubernetes'
tests pull from registry.k8s.io, which has no pull limit (kubernetes v1.36.3 test/utils/image/manifest.go, NginxNew).
"""

from __future__ import annotations

import os

from ccmcheck.cluster.core import NamedTuple, read_input

IMAGE = "registry.k8s.io/e2e-test-images/nginx:1.27-0"
HTTP_PORT, UDP_PORT, PROXY_PORT, HEALTH_PORT = 8080, 8081, 8082, 8083
"""The ports of the pod; the PROXY port takes nothing but connections that begin with a PROXY header."""
FIRST_LINE = "ccmcheck-echo 1"
MOST_BYTES = 4096
"""Of an answer; all of its texts are short, unless a proxy answers in its place."""


def filled(name: str) -> str:
    """A file beside this module, with the names between ``@`` filled in."""
    text = read_input(os.path.join(os.path.dirname(__file__), name)).decode()
    for constant in ("HTTP_PORT", "UDP_PORT", "PROXY_PORT", "HEALTH_PORT", "FIRST_LINE"):
        text = text.replace(f"@{constant}@", str(globals()[constant]))
    return text


def configuration(*, ipv6: bool) -> str:
    """The ``nginx.conf`` beside this module.

    Args:
        ipv6: Whether it listens on IPv6 as well; a node without IPv6 would not start it.
    """
    text = filled("nginx.conf")
    return text if ipv6 else "".join(f"{line}\n" for line in text.splitlines() if "[::]" not in line)


class Echo(NamedTuple):
    """What a pod answered.

    Attributes:
        pod: Its name.
        client: The address that the connection came from.
        forwarded: X-Forwarded-For; empty without it.
        proxy: The client's address of the PROXY header; empty without one.
    """

    pod: str
    client: str = ""
    forwarded: str = ""
    proxy: str = ""


def parse(body: bytes) -> Echo | None:
    """The answer of a pod; None where something else answered."""
    first, *lines = body[:MOST_BYTES].decode("utf-8", "replace").split("\n")
    if first != FIRST_LINE:
        return None
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    known = {name: fields[name].strip() for name in Echo._fields if name in fields}
    return Echo(**known) if known.get("pod") else None
