"""Reads the fields of an object as the API server does, and collects what it would refuse."""

from __future__ import annotations

from ccmcheck.records import NamedTuple

MOST_PORT = 65535


class Opaque(str):
    """A text with a template mark in it: only rendering will tell what it is."""

    __slots__ = ()


class Fault(NamedTuple):
    """Something that the API server refuses.

    Attributes:
        path: Where it is.
        text: What is wrong, in a clause.
        help: What to write; may be empty.
    """

    path: tuple[str | int, ...]
    text: str
    help: str = ""


class Fields:
    """Reads fields, and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.open: list[str] = []

    def fault(self, path: tuple[str | int, ...], text: str, advice: str = "") -> None:
        """Note something that the API server refuses."""
        self.faults.append(Fault(path, text, advice))

    def mapping(self, data: object, name: str) -> dict[str, object]:
        """A part that must be a mapping; an empty one where it is none."""
        value = data.get(name) if isinstance(data, dict) else None
        if isinstance(value, dict):
            return value
        if isinstance(value, Opaque):
            self.open.append(name)
        elif value is not None:
            self.fault((name,), f"{name} is {kind_of(value)}, not a mapping")
        elif name == "spec":
            self.fault((), "a Service needs a spec with ports")
        return {}

    def text(self, data: dict[str, object], path: tuple[str | int, ...], name: str) -> str:
        """A text; empty where there is none."""
        value = data.get(name)
        if isinstance(value, Opaque):
            self.open.append(dotted((*path, name)))
            return value
        if value is None or isinstance(value, str):
            return value or ""
        self.fault((*path, name), f"{name} is {kind_of(value)}, not a text", f'Write `{name}: "{plain(value)}"`.')
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
            self.fault((*path, name), f"{name} is {kind_of(value)}, not a whole number", _unquoted(name, value))
            return 0
        if not least <= value <= most:
            self.fault((*path, name), f"{name} {value} is not between {least} and {most}")
            return 0
        return value


def kind_of(value: object) -> str:
    """A value's type as people say it."""
    if isinstance(value, bool):
        return f"the bool {plain(value)}"
    if isinstance(value, int | float):
        return f"the number {shortened(plain(value))}"
    if isinstance(value, str):
        return f"the text `{shortened(value)}`"
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


def _unquoted(name: str, value: object) -> str:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return f"Write `{name}: {value}`, without quotes."
    return ""


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as people write it: ``spec.ports[0].port``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text
