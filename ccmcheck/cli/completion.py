"""What a shell is offered when somebody presses Tab: names that exist, and files; and the script that asks for it.

Click calls the functions with its own arguments; they answer with everything that begins as the incomplete word does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.base.data_files import read_text
from ccmcheck.base.errors import WrongUse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from click.shell_completion import CompletionItem

    from ccmcheck.catalog import KeySpec, Release, Schema

SHELLS = ("bash", "zsh", "fish")
_CHANGES = read_text(__file__, "completion_changes.txt").split("----\n")
SCRIPT_CHANGES = {"bash": (_CHANGES[0], _CHANGES[1]), "zsh": (_CHANGES[2], _CHANGES[3])}
"""By shell: a line of click's script, and what replaces it."""


@click.command("completion", short_help="Print the script that completes ccmcheck in bash, zsh or fish.")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes ccmcheck's commands, options, rules, releases, keys and values in a shell.

    In ~/.bashrc: eval "$(ccmcheck completion bash)"; in ~/.zshrc, after compinit: eval "$(ccmcheck completion zsh)";
    in ~/.config/fish/completions/ccmcheck.fish: ccmcheck completion fish | source
    """
    from ccmcheck.cli import console

    console.write([script(shell)])


def script(shell: str) -> str:
    """The completion script of a shell.

    Args:
        shell: One of `SHELLS`.
    """
    from click.shell_completion import get_completion_class

    from ccmcheck.cli.main import cli

    writer = get_completion_class(shell)
    assert writer is not None  # noqa: S101 - click knows all of SHELLS
    text = writer(cli, {}, "ccmcheck", "_CCMCHECK_COMPLETE").source()
    if shell in SCRIPT_CHANGES:
        text = text.replace(*SCRIPT_CHANGES[shell])
    return text.strip("\n") + "\n"


def formats(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Formats of reports."""
    from ccmcheck.report import REPORTERS

    return _offer(REPORTERS, incomplete)


def rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Rules and groups, also after a comma."""
    from ccmcheck.rules import GROUPS, RULE_NAMES

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


def guides(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The topics of ``ccmcheck help``."""
    from ccmcheck.cli.guides import OPTIONS
    from ccmcheck.cli.guides import guides as names

    return _offer((*names(), OPTIONS), incomplete)


def assignments(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file first, then the keys of the release, and after ``=`` the values that a key of it accepts.

    bash cuts words at ``=``, so that the value is a word of its own there; zsh and fish complete the whole.
    """
    from click.shell_completion import CompletionItem

    words: tuple[str, ...] = ctx.params.get("words") or ()
    after_dashes: tuple[str, ...] | None = ctx.meta.get("ccmcheck.set.after_dashes")
    if after_dashes is not None:
        words = after_dashes
    elif not ctx.params.get("files"):
        if not words:
            return [CompletionItem(incomplete, type="file")]
        words = words[1:]  # the first one is the file
    return list(map(CompletionItem, _assignments(ctx, words, incomplete)))


def _assignments(ctx: click.Context, words: tuple[str, ...], incomplete: str) -> list[str]:
    schema, release = _schema(ctx)
    name, equals, value = incomplete.partition("=")
    if equals:
        return [f"{name}={accepted}" for accepted in _offer(_values(name, schema, release), value)]
    before = words[:-1] if words and words[-1] == "=" else words
    if before and "=" not in before[-1]:  # the word before is a key that still needs its value
        return _offer(_values(before[-1], schema, release), incomplete)
    return [f"{key}=" for key in _offer(_keys(schema), incomplete)]


def keys(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The keys of the release."""
    return _offer(_keys(_schema(ctx)[0]), incomplete)


def _schema(ctx: click.Context) -> tuple[Schema, Release]:
    """The schema of the release and consumer given before this word; without options, the newest release of the CCM."""
    from ccmcheck import catalog

    consumer = ctx.params.get("consumer") or catalog.CONSUMERS[0]
    names: tuple[str, ...] = ctx.params.get("releases") or ()
    try:
        release = catalog.release(names[0], consumer) if names else catalog.newest(consumer)
    except WrongUse:  # incomplete or unknown; the command itself reports it
        consumer, release = catalog.CONSUMERS[0], catalog.newest()
    return catalog.schema(release, consumer), release


def _keys(schema: Schema) -> list[str]:
    """Keys that belong to a single section by their plain name, then all keys with their section."""
    plain = [section for section in schema.sections if not section.needs_name]
    names = [key.name for section in plain for key in section.keys]
    alone = [name for name in names if names.count(name) == 1]
    return alone + [f"{section.name}.{key.name}" for section in plain for key in section.keys]


def _values(name: str, schema: Schema, release: Release) -> list[str]:
    from ccmcheck.catalog.allowed_values import allowed_values

    key = _key(name, schema)
    if key is None or key.secret:
        return []
    if key.type == "bool":
        return ["true", "false"]
    words = allowed_values(key.section, key.name, release)
    listed = list(words.words) if words is not None else []
    if key.default and not isinstance(key.default, tuple):
        listed.append(str(key.default))
    return listed


def _key(name: str, schema: Schema) -> KeySpec | None:
    head, dot, key = name.rpartition(".")
    if dot:
        section = schema.section(head.partition(".")[0])
        return section.key(key) if section is not None else None
    return next(filter(None, (section.key(key) for section in schema.sections)), None)


def _offer(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
