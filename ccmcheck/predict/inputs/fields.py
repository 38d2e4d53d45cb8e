"""Reads the fields of an object as the API server does, and collects what it would refuse."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.behaviour import kubernetes_has, minor_of

MOST_PORT = 65535

Path = tuple[str | int, ...]
"""The way to a field."""


class Opaque(str):
    """A string with a template mark in it: its value is known only after rendering."""

    __slots__ = ()


def at(data: object, *names: str) -> object:
    """Walk down plain data; None where the way breaks off."""
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


class Fault(NamedTuple):
    """Something that the API server refuses.

    Attributes:
        path: Where it is.
        text: What is wrong, in a clause.
        help: What to write; may be empty.
        about: ``annotation`` for an annotation that is no string, ``check port`` for what contradicts the health check
            node port, ``port range`` for a port outside the default range of NodePorts, ``missing`` for what is not
            there, ``clash`` for what is listed twice, ``field`` for an unknown field, which only strict clients refuse,
            ``old`` for what counts only where an old version is given; empty for anything else.
        better: The value to write, where there is a single candidate.
        since: What of Kubernetes (`ccmcheck.catalog.data.behaviour.KUBERNETES`) brings the refusal; empty for always.
        until: What of Kubernetes ends it; empty for never.
    """

    path: tuple[str | int, ...]
    text: str
    help: str = ""
    about: str = ""
    better: str | int | None = None
    since: str = ""
    until: str = ""

    def holds(self, kubernetes: str) -> bool | None:
        """Whether the API server of a Kubernetes version refuses it; None where that depends on an unknown version.

        Args:
            kubernetes: As a user gives it; empty when unknown.
        """
        if not self.since and not self.until:
            return True
        if minor_of(kubernetes) is None:
            return False if self.about == "old" else None
        if self.until and kubernetes_has(self.until, kubernetes):
            return False
        return not self.since or kubernetes_has(self.since, kubernetes)

    def refuses(self, kubernetes: str) -> bool:
        """Whether the Service is refused for it for sure, whichever client sends it.

        Args:
            kubernetes: See `holds`.
        """
        return self.about not in ("field", "port range") and self.holds(kubernetes) is True


class Fields:
    """Reads fields, and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.open: list[str] = []

    def fault(
        self,
        path: tuple[str | int, ...],
        text: str,
        advice: str = "",
        *,
        about: str = "",
        better: str | int | None = None,
    ) -> None:
        """Note something that the API server refuses; see `Fault`."""
        self.faults.append(Fault(path, text, advice, about, better))

    def mapping(self, data: object, name: str) -> dict[str, object]:
        """A part that must be a mapping; an empty one where it is none."""
        value = data.get(name) if isinstance(data, dict) else None
        if isinstance(value, dict) and (value or name != "spec"):
            return value
        if isinstance(value, Opaque):
            self.open.append(name)
        elif value is not None and value != {}:
            self.fault((name,), f"{name} is {kind_of(value)}, not a mapping")
        elif name == "spec":
            self.fault((), "a Service needs a spec with ports", about="missing")
        return {}

    def text(self, data: dict[str, object], path: tuple[str | int, ...], name: str) -> str:
        """A text; empty where there is none."""
        value = data.get(name)
        if isinstance(value, Opaque):
            self.open.append(dotted((*path, name)))
            return value
        if value is None or isinstance(value, str):
            return value or ""
        better = plain(value) if isinstance(value, bool | int | float) else None
        advice = f'Write `{name}: "{plain(value)}"`.'
        self.fault((*path, name), f"{name} is {kind_of(value)}, not a string", advice, better=better)
        return ""

    def word(self, data: dict[str, object], name: str, words: tuple[str, ...], default: str) -> str:
        """One word of a few in the spec; the default where it is none of them."""
        value = self.text(data, ("spec",), name)
        if isinstance(value, Opaque) or not value:
            return default
        if value not in words:
            near = next((word for word in words if word.lower() == value.lower()), "")
            self.fault(
                ("spec", name),
                f"`{shortened(value)}` is not one of {', '.join(words)}",
                f"Write `{near}`." if near else "",
                better=near or None,
            )
            return default
        return value

    def number(
        self, data: dict[str, object], path: tuple[str | int, ...], name: str, least: int = 1, most: int = MOST_PORT
    ) -> int:
        """A whole number; 0 where there is none."""
        value = data.get(name)
        if value is None:
            return 0
        if isinstance(value, Opaque):
            self.open.append(dotted((*path, name)))
            return 0
        if isinstance(value, float) and value.is_integer() and abs(value) <= MOST_PORT:
            value = int(value)  # 80.0 in YAML becomes 80 in JSON
        if isinstance(value, bool) or not isinstance(value, int):
            better = _unquoted(value)
            advice = f"Write `{name}: {better}`, without quotes." if better is not None else ""
            self.fault((*path, name), f"{name} is {kind_of(value)}, not an integer", advice, better=better)
            return 0
        if not least <= value <= most:
            text = f"{name} {value} is not between {least} and {most}"
            self.fault((*path, name), text, f"Write a number from {least} to {most}.")
            return 0
        return value


def kind_of(value: object) -> str:
    """A value's type as people say it."""
    if isinstance(value, bool):
        return f"the boolean {plain(value)}"
    if isinstance(value, int | float):
        return f"the number {shortened(plain(value))}"
    if isinstance(value, str):
        return f"the string `{shortened(value)}`"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return "empty"


def plain(value: object) -> str:
    """A value as it was written."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else "…"


def shortened(text: str) -> str:
    """A text, cut where it is long."""
    return text if len(text) <= 60 else text[:57] + "…"


def _unquoted(value: object) -> int | None:
    """The number in a text that was quoted."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    return None


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as people write it: ``spec.ports[0].port``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text
