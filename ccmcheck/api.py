"""The stable Python surface.

::

    from ccmcheck.api import read_config

    result = read_config(Path("cloud.conf").read_bytes(), reader="ccm@release-1.31")
    result.outcome, result.error, result.values
"""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from ccmcheck import catalog, reading
from ccmcheck.gcfg import parse

__all__ = ["ReadResult", "ReadResultDict", "read_config"]


class ReadResultDict(TypedDict):
    """A `ReadResult` as plain data."""

    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]


class ReadResult(NamedTuple):
    """What a consumer of cloud.conf gets out of a file. It holds the secrets of the file.

    Attributes:
        outcome: ``ok``, or ``fatal`` where the reader ends with an error.
        error: The reader's words when fatal.
        values: What the file sets, by section and key; empty when fatal.
        ignored: The names in the file that go nowhere: ``section``, ``subsection``, ``key``; empty when fatal.
    """

    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]

    def as_dict(self) -> ReadResultDict:
        """The same as plain data, for JSON."""
        return {"outcome": self.outcome, "error": self.error, "values": self.values, "ignored": self.ignored}

    def __repr__(self) -> str:
        return f"<ReadResult {self.outcome}>"  # the values may be secrets


def read_config(data: bytes, reader: str = "ccm@master") -> ReadResult:
    """Read a cloud.conf exactly as one of its consumers does.

    Args:
        data: The file.
        reader: Who reads it: a consumer and a release, such as ``ccm@release-1.31``, ``ccm@v1.31.2``,
            ``cinder-csi-plugin@master``; a consumer alone is its newest release.

    Returns:
        Outcome, error, values, ignored names.

    Raises:
        WrongUse: There is no such reader.
    """
    consumer, release = catalog.reader(reader)
    document = parse(data.decode("utf-8", "surrogateescape"))
    found = reading.read(document, catalog.schema(release, consumer))
    return ReadResult(found.outcome, found.error, found.values, found.ignored)
