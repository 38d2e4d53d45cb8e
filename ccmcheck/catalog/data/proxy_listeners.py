"""Programs behind a Service that can expect a PROXY header, and what lets them; ``proxy_listeners.txt`` has the sources."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class ProxyListener(NamedTuple):
    """One program; its patterns are looked for in arguments, the environment and ConfigMaps, a line each.

    Attributes:
        name: Its name, that of its chart.
        image: Its image.
        on: What lets it expect a header.
        remedy: What to write where it is to expect one.
        flag: The flag that names the ConfigMap with its settings; empty where it reads files.
        mounted: Where its files are; empty where it reads none.
        other: What else may let it expect a header.
        requires: Whether it refuses connections without a header then.
        needs_file: Whether it has no settings without a file.
    """

    name: str
    image: str
    on: str
    remedy: str
    flag: str = ""
    mounted: str = ""
    other: str = ""
    requires: bool = False
    needs_file: bool = False


LISTENERS = {row.name: row for row in records(read_paragraphs(__file__, "proxy_listeners.txt"), ProxyListener)}
"""By their names."""
