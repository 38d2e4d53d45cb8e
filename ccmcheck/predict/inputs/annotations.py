"""A Service's annotations as one release reads them, with a note of everything that it ignores."""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.catalog import Release
from ccmcheck.catalog.service_annotations import BOOLEANS, PREFIX, SOURCE_RANGES, integer, is_known, proxy_protocols
from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.records import Ignored


class CcmError(Exception):
    """The CCM ends the reconcile; the message is its own."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CcmCrash(CcmError):
    """The CCM ends altogether; the message is Go's."""


class Annotations:
    """Reads annotations by their names without the prefix."""

    def __init__(self, annotations: Mapping[str, str], behaviours: Behaviours) -> None:
        self._annotations = annotations
        self.behaviours = behaviours
        self.ignored: list[Ignored] = []

    def has(self, name: str) -> bool:
        """Whether the annotation is set, even if it is empty."""
        return PREFIX + name in self._annotations

    def text(self, name: str, default: str = "") -> str:
        """An annotation's text; an empty one counts."""
        return self._annotations.get(PREFIX + name, default)

    def given(self, name: str) -> str:
        """An annotation's text by its whole name; empty without one."""
        return self._annotations.get(name, "")

    def source_ranges(self) -> str:
        """Kubernetes' own annotation for source ranges."""
        return self._annotations.get(SOURCE_RANGES, "")

    def number(self, name: str, default: int) -> int:
        """An integer as ``strconv.Atoi`` reads it, or the default."""
        text = self._annotations.get(PREFIX + name)
        if text is None:
            return default
        value = integer(text)
        if value is not None:
            return value
        logged = "" if self.behaviours["bad-integer-is-silent"] else " with a warning in the log"
        self._ignore(PREFIX + name, f"`{_cut(text)}` is not an integer; {default} is used{logged}")
        return default

    def maybe_number(self, name: str) -> int | None:
        """The annotation's integer; anything else is silently ignored and gives None (up to 1.18)."""
        text = self._annotations.get(PREFIX + name)
        if text is None:
            return None
        value = integer(text)
        if value is None:
            self._ignore(PREFIX + name, f"`{_cut(text)}` is not an integer; nothing is sent")
        return value

    def switch(self, name: str, default: bool) -> bool:
        """A bool: exactly ``true`` or ``false``.

        Raises:
            CcmError: It is neither, and the release treats that as an error.
        """
        full = name if "/" in name else PREFIX + name
        text = self._annotations.get(full)
        if text is None:
            return default
        if text in BOOLEANS:
            return BOOLEANS[text]
        if self.behaviours["bad-bool-is-an-error"]:
            raise CcmError(f'unknown {full} annotation: {text}, specify "true" or "false" ')
        self._ignore(full, f"`{_cut(text)}` is neither `true` nor `false`; {'true' if default else 'false'} is used")
        return default

    def proxy(self) -> str:
        """The pool's protocol that ``proxy-protocol`` asks for; empty for none."""
        name = "proxy-protocol"
        if not self.behaviours["proxy-versions"]:
            return "PROXY" if self.switch(name, False) else ""
        text = self.text(name, "false")
        protocols = proxy_protocols(self.behaviours.release)
        if text not in protocols:
            self._ignore(PREFIX + name, f"`{_cut(text)}` is not one of true, v1, v2, false; PROXY is off")
        return protocols.get(text, "")

    def unknown(self, release: Release) -> list[Ignored]:
        """The annotations under the CCM's prefix that the release does not read."""
        return [
            Ignored(name, f"CCM {release.name} does not know this annotation")
            for name in self._annotations
            if name.startswith(PREFIX) and not is_known(name, release)
        ]

    def _ignore(self, what: str, why: str) -> None:
        if not any(ignored.what == what for ignored in self.ignored):
            self.ignored.append(Ignored(what, why))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
