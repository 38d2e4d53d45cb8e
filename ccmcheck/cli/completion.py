"""What a shell is offered when somebody presses Tab: names that exist, and files.

Click calls these with its own arguments; they answer with everything that begins as the incomplete word does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click
    from click.shell_completion import CompletionItem


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, which the shell itself lists."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def formats(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Formats of reports."""
    from ccmcheck.report import REPORTERS

    return _offer(REPORTERS, incomplete)


def rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Rules and groups, also after a comma."""
    from ccmcheck.lint.selection import RULE_NAMES
    from ccmcheck.rules import GROUPS

    done, comma, last = incomplete.rpartition(",")
    return _offer((done + comma + name for name in (*GROUPS, *RULE_NAMES)), done + comma + last)


def profiles(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Built-in profiles, and files."""
    from click.shell_completion import CompletionItem

    from ccmcheck.policy.profiles.standards import BUILT_IN

    return [*map(CompletionItem, _offer(BUILT_IN, incomplete)), CompletionItem(incomplete, type="file")]


def consumers(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Who reads cloud.conf."""
    from ccmcheck import catalog

    return _offer(catalog.CONSUMERS, incomplete)


def releases(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The CCM's releases by their minors, the newest first."""
    from ccmcheck import catalog
    from ccmcheck.base.errors import WrongUse

    newest = catalog.newest()
    found = []
    for minor in range(newest.minor, 0, -1):
        try:
            found.append(catalog.release(f"{newest.major}.{minor}").name)
        except WrongUse:
            break
    return _offer([*found, "master"], incomplete)


def topics(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Everything that ``ccmcheck explain`` knows; keys of a section once its name and the dot are there."""
    from ccmcheck.explain.lookup import names

    dotted = "." in incomplete
    return _offer((name for name in names() if dotted or "." not in name), incomplete)


def _offer(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
