"""Programs behind a Service that can expect a PROXY header, and what lets them; ``proxy_listeners.txt`` has the sources."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple

NEVER = r"\Z\A."
"""A pattern that matches nothing."""


class ProxyListener(NamedTuple):
    """One program; its patterns are looked for in arguments, the environment and ConfigMaps, a line each.

    Attributes:
        name: Its name, that of its chart.
        image: Its image.
        on: What lets it expect a header.
        off: What shows that it expects none, and passes none on either; empty where that is so unless something lets it.
        remedy: What to write where it is to expect one.
        flag: The flag that names the ConfigMap with its settings; empty where it reads files.
        mounted: Where its files are.
        other: What else may let it expect a header, also of paths at which something is mounted.
        requires: Whether it refuses connections without a header then.
        needs_file: Whether it has no settings without a file.
    """

    name: str
    image: str
    on: str
    remedy: str
    off: str = ""
    flag: str = ""
    mounted: str = NEVER
    other: str = NEVER
    requires: bool = False
    needs_file: bool = False


LISTENERS = {row.name: row for row in records(read_paragraphs(__file__, "proxy_listeners.txt"), ProxyListener)}
"""By their names."""
