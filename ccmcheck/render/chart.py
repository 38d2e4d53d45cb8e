"""The settings as the map ``cloudConfig`` of the upstream chart, where it can say them.

The chart prints each entry of six sections once, quoted by Go. So it has no subsections, no key in several lines, and
no value whose quoting gcfg reads otherwise than Go wrote it; its ``cloudConfigContents`` is the whole text and has none
of these limits.

Source: cloud-provider-openstack charts/openstack-cloud-controller-manager/templates/_helpers.tpl, secret.yaml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import gcfg, reading
from ccmcheck.carriers.chart_map import SECTIONS
from ccmcheck.carriers.go_values import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ccmcheck.catalog import Schema
    from ccmcheck.render.settings import Section

_NAMES = {section: name for name, section in SECTIONS.items()}


def chart_values(sections: Iterable[Section], schema: Schema) -> dict[str, dict[str, str]] | None:
    """The map, with the chart's names of sections.

    Args:
        sections: What the cloud.conf holds.
        schema: Who reads it.

    Returns:
        The map; None where the chart could not print all of it.
    """
    found: dict[str, dict[str, str]] = {}
    for section in sections:
        held = dict(section.entries)
        if section.subsection is not None or section.name not in _NAMES or len(held) < len(section.entries):
            return None
        if not all(_is_kept(section.name, key, value, schema) for key, value in held.items()):
            return None
        found[_NAMES[section.name]] = held
    return found


def _is_kept(section: str, key: str, value: str, schema: Schema) -> bool:
    """Whether the CCM reads a value that the chart printed."""
    document = gcfg.parse(f"[{section}]\n{key} = {quoted(value)}\n")
    entries = document.sections[0].entries if document.sections else ()
    return not reading.read(document, schema).stops and len(entries) == 1 and entries[0].value == value
