"""Upgrades as a report, and as plain data for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.document import blocks as b
from ccmcheck.review.upgrade.words import lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.document.blocks import Block
    from ccmcheck.review.upgrade.meaning import Upgrade


def as_text(upgrades: Iterable[Upgrade], old: str, new: str) -> Iterator[str]:
    """Upgrades for a terminal, from the old release to the new one."""
    from ccmcheck.document import text

    return text.write(_upgrade(upgrade, old, new) for upgrade in upgrades)


def as_markdown(upgrades: Iterable[Upgrade], old: str, new: str) -> Iterator[str]:
    """Upgrades as Markdown, from the old release to the new one."""
    from ccmcheck.document import markdown

    return markdown.write(_upgrade(upgrade, old, new) for upgrade in upgrades)


def _upgrade(upgrade: Upgrade, old: str, new: str) -> Block:
    carrier = "" if upgrade.carrier == "file" else upgrade.carrier
    items = tuple(b.Item(line, details=(f"→ {do}",) if do else ()) for line, do in lines(upgrade, new))
    return b.Section(upgrade.source, (b.Items(items, is_plain=True),), aside=(carrier, f"CCM {old} → {new}"))


def as_data(upgrade: Upgrade) -> dict[str, object]:
    """An upgrade as plain data, for JSON."""
    from ccmcheck.report.records import finding_record

    return {
        **upgrade._asdict(),
        "keys": [change._asdict() for change in upgrade.keys],
        "appear": [finding_record(finding, "") for finding in upgrade.appear],
        "gone": [finding_record(finding, "") for finding in upgrade.gone],
        "fatal_between": [{"releases": where, "error": error} for where, error in upgrade.fatal_between],
        "turns": [{**change._asdict(), "severity": change.severity.word} for change in upgrade.turns],
        "flags": [flag._asdict() for flag in upgrade.flags],
        "services": [{**change._asdict(), "severity": change.severity.word} for change in upgrade.services],
    }
