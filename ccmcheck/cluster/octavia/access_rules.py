"""The access rules that limit an application credential to the requests of ccmcheck: GET on what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ccmcheck.cluster.octavia.requests import ALL

if TYPE_CHECKING:
    from collections.abc import Callable


def access_rules(server: Callable[[str], str] | None = None) -> list[dict[str, str]]:
    """The rules, as ``openstack application credential create --access-rules`` takes them.

    keystonemiddleware compares the whole path of a request, so where the catalogue's endpoint has a path, such as
    ``/load-balancer``, it is a part of the rule.

    Args:
        server: The URL of a service; None where no cloud is known.
    """
    rules = []
    for request in ALL:
        prefix = urlsplit(server(request.service)).path.rstrip("/") if server is not None else ""
        rules.append({"service": request.service, "method": "GET", "path": f"{prefix}{request.path}"})
    return rules
