"""Lists in pages: 500 objects a request, continued by a token, resumed where the API server calls the token too old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.errors import GONE, Refused, Unintelligible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.cluster.access.transport import Document, Transport

PAGE = 500
MOST_PAGES = 2_000
"""A million objects."""
MOST_SECONDS = 300.0
"""For one list."""


def items(transport: Transport, path: str, query: Mapping[str, str] | None = None) -> Iterator[Document]:
    """The objects of a list, one page in memory at a time.

    Args:
        transport: Asks the API server.
        path: The list's.
        query: Selectors.

    Raises:
        ApiError: A page cannot be had; what was yielded before is not all.
    """
    started = transport.clock()
    token = ""
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page, token = _page(transport, path, query or {}, token)
        objects = page.get("items")
        if objects is None:
            objects = []
        if not isinstance(objects, list):
            raise Unintelligible("the answer is not a list")
        head = _head(page)
        for item in objects:
            if isinstance(item, dict):
                yield {**head, **item}
        if not token:
            return
        if token in seen or transport.clock() - started > MOST_SECONDS:
            break
        seen.add(token)
    raise Unintelligible("the list does not end; the objects up to here are judged")


def _page(transport: Transport, path: str, query: Mapping[str, str], token: str) -> tuple[Document, str]:
    for _ in range(2):
        asked = {**query, "limit": str(PAGE), **({"continue": token} if token else {})}
        try:
            page = transport.get(path, asked)
        except Refused as error:
            if error.status != GONE or not error.resume or error.resume == token:
                raise
            # the token is older than what etcd keeps; this one goes on after the same object, at the present state
            token = error.resume
            continue
        metadata = page.get("metadata")
        following = metadata.get("continue") if isinstance(metadata, dict) else None
        return page, following if isinstance(following, str) else ""
    raise Refused(GONE)


def _head(page: Document) -> Document:
    """What the objects of a list do not say themselves."""
    kind = page.get("kind")
    is_list = isinstance(kind, str) and kind.endswith("List")
    return {"apiVersion": page.get("apiVersion"), "kind": str(kind)[: -len("List")]} if is_list else {}
