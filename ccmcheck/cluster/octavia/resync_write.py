"""Triggers a sync of a Service: a merge patch of one annotation, with the resourceVersion as its precondition."""

from __future__ import annotations

from ccmcheck.cluster.access.documents import mapping, moment_text, text
from ccmcheck.cluster.access.errors import CONFLICT, Refused
from ccmcheck.cluster.access.requests import CORE, GET, MERGE_PATCH, RequestKind
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.octavia.resync import ANNOTATION

_TRIES = 3
"""The CCM and others write to Services as well; the annotation depends on nothing of that."""


def trigger(writer: Writer, title: str, uid: str) -> None:
    """Write the annotation.

    Args:
        writer: Writes to the API server.
        title: ``shop/web``.
        uid: The Service that was judged.

    Raises:
        ApiError: It was not written, or nobody knows.
    """
    namespace, _, name = title.partition("/")
    path = RequestKind(CORE, "v1", "services", GET, namespace, name).path
    now = moment_text()
    for left in reversed(range(_TRIES)):
        metadata = mapping(writer.get(path).get("metadata"))
        if text(metadata.get("uid")) != uid:
            raise Refused(CONFLICT)  # another Service of that name
        version = text(metadata.get("resourceVersion"))
        patch = {"metadata": {"resourceVersion": version, "annotations": {ANNOTATION: now}}}
        try:
            writer.send("PATCH", path, patch, query={"fieldManager": FIELD_MANAGER}, content_type=MERGE_PATCH)
        except Refused as error:
            if error.status != CONFLICT or not left:
                raise
        else:
            return
