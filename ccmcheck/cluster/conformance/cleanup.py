"""Removal of everything that a run created, by its label; what is left where that fails, and what removes it later.

The namespace goes last: its Services are kept by their finalizer until the CCM has deleted their load balancers.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import objects
from ccmcheck.cluster.conformance.interrupts import Interrupted
from ccmcheck.cluster.conformance.records import Remains
from ccmcheck.cluster.conformance.session import RunStopped, Session, StepFailed
from ccmcheck.cluster.conformance.stage import ingress
from ccmcheck.cluster.core import NamedTuple


class Leftover(NamedTuple):
    """A run whose namespace is there.

    Attributes:
        run_id: Its ID.
        created: When, RFC 3339.
    """

    run_id: str
    created: str


def leftovers(namespaces: Iterable[Document]) -> list[Leftover]:
    """The runs that namespaces belong to."""
    found = []
    for namespace in namespaces:
        metadata = mapping(namespace.get("metadata"))
        run_id = text(mapping(metadata.get("labels")).get(objects.RUN_LABEL))
        if run_id and text(metadata.get("name")) == objects.RunPlace(run_id).namespace:
            found.append(Leftover(run_id, text(metadata.get("creationTimestamp"))))
    return found


def remove(session: Session, command: str) -> Remains | None:
    """Remove the namespace of a run and all that is in it, and wait until it is gone.

    Args:
        session: The API server, with the time that the removal may take as its limit.
        command: What removes the run later.

    Returns:
        What is left; None where nothing is.
    """
    try:
        _remove(session)
    except (ApiError, RunStopped) as error:
        why = error.message if isinstance(error, ApiError) else error.text
    except StepFailed as error:
        why = error.text
    except Interrupted:
        why = "the removal was interrupted"
        return Remains(tuple(session.made.values()), why, command)
    else:
        session.made.clear()
        return None
    return Remains(_left(session), why, command)


def _remove(session: Session) -> None:
    place = session.place
    namespace = session.get(place.namespace_path)
    if namespace is None:
        return
    if not objects.is_of_run(namespace, place.run_id):
        raise StepFailed(f"namespace {place.namespace} does not carry the label of the run")
    session.made.setdefault(place.namespace_path, f"Namespace {place.namespace}")
    for service in session.list(place.path("services")):
        session.delete(place.path("services", text(mapping(service.get("metadata")).get("name"))))
    session.delete(place.namespace_path, text(mapping(namespace.get("metadata")).get("uid")))
    session.until(
        lambda: True if session.get(place.namespace_path) is None else None,
        lambda: f"the namespace is still there after {session.limits.wait:g} s",
    )


def _left(session: Session) -> tuple[str, ...]:
    """What is left, as far as the API server still says so; else everything that may be."""
    place = session.place
    try:
        services = list(session.writer.get(place.path("services")).get("items") or ())
        namespace = f"Namespace {place.namespace}"
        return (namespace, *(_line(service) for service in services if isinstance(service, dict)))
    except (ApiError, Interrupted):
        return tuple(session.made.values())


def _line(service: Document) -> str:
    metadata = mapping(service.get("metadata"))
    addresses = ", ".join(ingress(service))
    finalizers = metadata.get("finalizers")
    kept = [str(name) for name in finalizers] if isinstance(finalizers, list) else []
    waits = f", kept by finalizer {', '.join(kept)}" if kept and metadata.get("deletionTimestamp") else ""
    return f"Service {text(metadata.get('name'))}" + (f" ({addresses})" if addresses else "") + waits
