"""Requests to OpenStack: the limits and retries of the cluster's transport, and lists in pages by marker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ccmcheck.cluster.access.errors import FORBIDDEN, UNAUTHORIZED, ApiError, NoJson, Refused
from ccmcheck.cluster.access.limits import Allowance, pages
from ccmcheck.cluster.access.transport import Connection, Document, Transport
from ccmcheck.cluster.core import cluster_names
from ccmcheck.cluster.octavia.requests import TITLES, CloudRequest


class CloudError(ApiError):
    """A request to OpenStack that failed."""


class CloudRefused(CloudError):
    """A service of OpenStack, or a proxy before it, answered with an error.

    Args:
        service: ``Octavia``.
        status: The HTTP status.
    """

    def __init__(self, service: str, status: int) -> None:
        _, meaning = cluster_names.statuses().get(str(status), ("", ""))
        super().__init__(f"HTTP {status}: {service} {meaning or 'answered with an error'}", _hint(service, status))
        self.status = status


def _hint(service: str, status: int) -> str:
    if status in (UNAUTHORIZED, FORBIDDEN):
        if service == "Octavia":
            return (
                "The role load-balancer_observer is enough; `ccmcheck cluster orphans --access-rules` prints the rules "
                "of an application credential."
            )
        return "`ccmcheck cluster orphans --access-rules` prints the rules of an application credential."
    return ""


PAGE = 1000
"""What Octavia and Neutron allow by default at most; where they allow less, a page is shorter."""


class CloudTransport:
    """Asks the services of one cloud.

    Args:
        connect: The connection to a service.
        limits: Passed on to `Transport`; what all answers may take holds for all services together.
    """

    def __init__(self, connect: Callable[[str], Connection], **limits: Any) -> None:  # noqa: ANN401 - of `Transport`
        self._connect, self._limits = connect, {"allowance": Allowance(), **limits}
        self._transports: dict[str, Transport] = {}

    def server(self, service: str) -> str:
        """The URL of a service without userinfo."""
        return self._to(service).server

    def _to(self, service: str) -> Transport:
        if service not in self._transports:
            self._transports[service] = Transport(self._connect(service), title=TITLES[service], **self._limits)
        return self._transports[service]

    def get(self, request: CloudRequest, query: Mapping[str, str] | None = None) -> Document:
        """The answer of one request.

        Raises:
            ApiError: There is none.
        """
        title = TITLES[request.service]
        try:
            return self._to(request.service).get(request.path, query)
        except Refused as error:
            raise CloudRefused(title, error.status) from None
        except NoJson:
            raise CloudError(f"the answer of {title} is not JSON; is there a proxy or a login page in front?") from None

    def items(self, request: CloudRequest, query: Mapping[str, str] | None = None) -> Iterator[Document]:
        """The objects of a list, page after page.

        Raises:
            ApiError: A page cannot be read; what was yielded before is not all.
        """

        def ask(marker: str) -> tuple[Document, str]:
            asked = {**(query or {}), "limit": str(PAGE), **({"marker": marker} if marker else {})}
            page = self.get(request, asked)
            last = _objects(page, request)[-1:]
            if not last or not _goes_on(page.get(f"{request.key}_links")):
                return page, ""
            return page, str(last[0].get("id") or marker)

        for page in pages(ask, self._to(request.service).clock, f"the list of {request.title} does not end"):
            yield from _objects(page, request)


def _objects(page: Document, request: CloudRequest) -> list[Document]:
    """The objects of a page."""
    objects = page.get(request.key)
    if not isinstance(objects, list):
        raise CloudError(f"the answer of {TITLES[request.service]} has no {request.key}")
    return [document for document in objects if isinstance(document, dict)]


def _goes_on(links: object) -> bool:
    """Whether a page names a next one; its URL is not used, as a proxy may not have its host."""
    return isinstance(links, list) and any(isinstance(link, dict) and link.get("rel") == "next" for link in links)
