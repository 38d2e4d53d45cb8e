"""The settings as the map ``cloudConfig`` of the upstream chart, where it can say them.

The chart prints each entry of six sections once, quoted by Go. So it has no subsections, no key in several lines, and
no value whose quoting gcfg reads otherwise than Go wrote it; its ``cloudConfigContents`` is the whole text and has none
of these limits.

Source: cloud-provider-openstack charts/openstack-cloud-controller-manager/templates/_helpers.tpl, secret.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck import gcfg
from ccmcheck.carriers.chart_rendering import SECTIONS, quoted
from ccmcheck.catalog import Schema
from ccmcheck.conf import reading
from ccmcheck.render.settings import ConfSection, SettingLine

_NAMES = {section: name for name, section in SECTIONS.items()}


def fits(sections: Iterable[ConfSection], schema: Schema) -> bool:
    """Whether the chart can print all of it, so that the CCM reads the same.

    Args:
        sections: What the cloud.conf holds.
        schema: Who reads it.
    """
    return all(
        section.subsection is None
        and section.name in _NAMES
        and len(dict(section.entries)) == len(section.entries)
        and all(_is_kept(section.name, entry, schema) for entry in section.entries)
        for section in sections
    )


def chart_values(sections: Iterable[ConfSection]) -> dict[str, dict[str, str]]:
    """The map, with the chart's names of sections.

    Args:
        sections: What the cloud.conf holds; it must be such that it `fits`.
    """
    return {_NAMES[section.name]: dict(section.entries) for section in sections}


def _is_kept(section: str, entry: SettingLine, schema: Schema) -> bool:
    """Whether the CCM reads a value that the chart printed."""
    document = gcfg.parse(f"[{section}]\n{entry.key} = {quoted(entry.value)}\n")
    entries = document.sections[0].entries if document.sections else ()
    return not reading.read(document, schema).stops and len(entries) == 1 and entries[0].value == entry.value
