"""Which values a fault may advise: those that the API server does not refuse in their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ccmcheck.predict.inputs.fields import Fault

_SPEC_WORDS = ("type", "externalTrafficPolicy")
"""Fields of the spec that decide what else is checked."""


def advised(
    faults: Iterable[Fault], data: dict[str, object], read: Callable[[dict[str, object]], tuple[Fault, ...]]
) -> Iterator[Fault]:
    """The faults without the values that are wrong, too.

    Each value is tried in a Service that has nothing else, so that the cost stays linear.

    Args:
        faults: The faults of a Service.
        data: The Service.
        read: Gives the faults of a Service.
    """
    for fault in faults:
        if fault.better is None or fault.about == "field":
            yield fault
            continue
        alone = _alone(data, fault.path, fault.better)
        if alone is None:
            yield fault
            continue
        service, path = alone
        wrong = any(again.path == path and again.holds("") for again in read(service))
        yield fault._replace(better=None, help="") if wrong else fault


def _alone(
    data: dict[str, object], path: tuple[str | int, ...], value: str | int
) -> tuple[dict[str, object], tuple[str | int, ...]] | None:
    """A Service with a value at a path and little else, and the value's path there."""
    if len(path) < 2 or not isinstance(path[0], str):
        return None
    spec = data.get("spec")
    words = {name: spec[name] for name in _SPEC_WORDS if name in spec} if isinstance(spec, dict) else {}
    if len(path) == 4 and path[:2] == ("spec", "ports"):
        name = path[3]
        port = {"port": 80, name: value}
        return {"metadata": {"name": "web"}, "spec": {**words, "ports": [port]}}, ("spec", "ports", 0, name)
    inner: object = value
    for part in reversed(path[1:]):
        if not isinstance(part, str):
            return None
        inner = {part: inner}
    top = path[0]
    metadata: dict[str, object] = {"name": "web"}
    spec_alone: dict[str, object] = {**words, "ports": [{"port": 80}]}
    if not isinstance(inner, dict):
        return None
    if top == "metadata":
        metadata |= inner
    elif top == "spec":
        spec_alone |= inner
    else:
        return None
    return {"metadata": metadata, "spec": spec_alone}, path
