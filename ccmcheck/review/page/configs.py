"""What changes in a cloud.conf, for the page of a review."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block
from ccmcheck.review.change.records import ConfigChange, SettingChange

_MOST = 200


def config_blocks(config: ConfigChange) -> Iterator[Block]:
    """One cloud.conf before and after."""
    title = b.Code(config.title or "defaults, without a cloud.conf")
    yield b.ReportSection(title, tuple(_blocks(config)), aside=(b.Badge(config.change.value),))


def _blocks(config: ConfigChange) -> Iterator[Block]:
    if config.old_title and config.old_title != config.title:
        yield b.Paragraph(("Before: ", b.Code(config.old_title)), "quiet")
    if config.changes_release:
        yield b.Paragraph(f"CCM {config.release_before} → {config.release_after}")
    upgrade = config.upgrade
    if config.stop_after:
        since = f" since {upgrade.fatal_since}" if upgrade is not None and upgrade.fatal_since else ""
        badge = b.Badge("no load balancers" if config.runs_after else "fatal", "bad")
        yield b.Paragraph((badge, f" {config.stop_after}{since}"))
    elif config.stop_before:
        yield b.Paragraph((b.Badge("the CCM runs again", "good"), f" Before, {config.stop_before}"))
    changes = tuple(_changes(config))
    yield from changes
    if not changes and not config.stop_after and not config.stop_before:
        yield b.Paragraph("The CCM reads the same values.", "quiet")
    restart = f"The CCM {'must' if config.restart else 'need not'} be restarted for it."
    if config.stop_after and not config.runs_after:
        restart = "It shows when the CCM starts the next time."
    yield b.Paragraph(f"{restart} {config.services} Service{' uses' if config.services == 1 else 's use'} it.")


def _changes(config: ConfigChange) -> Iterator[Block]:
    if config.settings:
        rows = tuple(map(_setting, config.settings[:_MOST]))
        columns: tuple[str, ...] = ("key", "before", "after", "effect")
        if not any(row[-1] for row in rows):
            rows, columns = tuple(row[:-1] for row in rows), columns[:-1]
        yield b.Table("Keys whose values change", columns, rows)
    if config.upgrade is not None and config.upgrade.keys:
        rows = tuple(
            (
                b.Code(f"[{change.section}] {change.key}"),
                change.kind,
                b.Code(change.before) if change.before else "",
                b.Code(change.after) if change.after else "",
                change.since,
                change.do,
            )
            for change in config.upgrade.keys[:_MOST]
        )
        yield b.Table(
            "Keys that the other release reads differently",
            ("key", "change", "before", "after", "since", "what to do"),
            rows,
        )
    keys = config.upgrade.keys if config.upgrade is not None else ()
    more = max(len(config.settings), len(keys)) - _MOST
    if more > 0:
        yield b.Paragraph((f"And {more} more, which ", b.Code("--format json"), " has."), "quiet")


def _setting(setting: SettingChange) -> tuple[b.Text, ...]:
    default = b.Quiet(" default")
    return (
        b.Code(f"[{setting.section}] {setting.key}"),
        *(
            (*((b.Code(value),) if value else ("–",)), *((default,) if is_default else ()))
            for value, is_default in ((setting.before, setting.from_default), (setting.after, setting.to_default))
        ),
        (b.Badge("ignored", "warn"), f" {setting.effect}") if setting.ignored else setting.effect,
    )
