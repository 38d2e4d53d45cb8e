"""The echo workload: nginx answers with the name of its pod and the address that it sees, over HTTP, PROXY and UDP.

nginx, not agnhost's netexec that Kubernetes' own tests use: a load balancer may have a public address, and netexec runs
any command that a request asks for (``/shell``) and cannot read PROXY headers. The image is the one that Kubernetes'
tests pull from registry.k8s.io, which has no pull limit (kubernetes v1.36.3 test/utils/image/manifest.go, NginxNew).
"""

from __future__ import annotations

from ccmcheck.cluster.core import NamedTuple

IMAGE = "registry.k8s.io/e2e-test-images/nginx:1.27-0"
HTTP_PORT, UDP_PORT, PROXY_PORT, HEALTH_PORT = 8080, 8081, 8082, 8083
"""The ports of the pod; the PROXY port takes nothing but connections that begin with a PROXY header."""
FIRST_LINE = "ccmcheck-echo 1"
MOST_BYTES = 4096
"""Of an answer; all of its texts are short, unless a proxy answers in its place."""

_CONFIGURATION = f"""\
worker_processes 1;
pid /tmp/nginx.pid;
error_log /dev/stderr warn;
events {{ worker_connections 256; }}
http {{
  access_log off;
  default_type text/plain;
  client_body_temp_path /tmp/client;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  keepalive_timeout 0;
  server {{
    listen {HTTP_PORT};
    listen [::]:{HTTP_PORT};
    return 200 "{FIRST_LINE}\\npod=$hostname\\nclient=$remote_addr\\nforwarded=$http_x_forwarded_for\\n";
  }}
  server {{
    listen {PROXY_PORT} proxy_protocol;
    listen [::]:{PROXY_PORT} proxy_protocol;
    return 200 "{FIRST_LINE}\\npod=$hostname\\nclient=$remote_addr\\nproxy=$proxy_protocol_addr\\n";
  }}
  server {{
    listen {HEALTH_PORT};
    listen [::]:{HEALTH_PORT};
    return 200 "ok\\n";
  }}
}}
stream {{
  server {{
    listen {UDP_PORT} udp;
    listen [::]:{UDP_PORT} udp;
    return "{FIRST_LINE}\\npod=$hostname\\nclient=$remote_addr\\n";
  }}
}}
"""


def configuration(*, ipv6: bool) -> str:
    """The nginx.conf.

    Args:
        ipv6: Whether it listens on IPv6 as well; a node without IPv6 would not start it.
    """
    return (
        _CONFIGURATION if ipv6 else "".join(f"{line}\n" for line in _CONFIGURATION.splitlines() if "[::]" not in line)
    )


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
