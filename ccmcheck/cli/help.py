"""``ccmcheck help``: the guides of ``ccmcheck/docs/``, and the table of all options."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.command import SECTIONS
from ccmcheck.cli.command_group import all_commands
from ccmcheck.cli.guides import OPTIONS, guide, guides
from ccmcheck.cli.main import NAMES, cli
from ccmcheck.cli.running import CommandRun, declared


@declared("help", "topic output")
def command(run: CommandRun) -> int:
    """Show a guide; without TOPIC, list them. The topic `options` is the table of all options; a command without a
    guide gets its --help.
    """  # noqa: D205 - shown as written
    topic, output = run.given.topic, run.given.output
    text = "".join(topics()) if topic is None else _text(click.get_current_context(), topic)
    if output is None or output == "-":
        console.write([text])
    else:
        console.save(output, [text])
    return 0


LONGEST_LINE = 120
"""Columns of a guide on a wider terminal."""


def topics() -> Iterator[str]:
    """The list of the topics, with their titles."""
    yield "Guides; read one with ccmcheck help TOPIC:\n\n"
    for name in guides():
        title = guide(name).partition("\n")[0].lstrip("# ")
        yield f"  {name:<15} {title}\n"
    yield f"  {OPTIONS:<15} Every option, and the commands that have it\n"
    yield "\nRules, keys and annotations: ccmcheck explain NAME. Commands: ccmcheck COMMAND --help.\n"


def _text(ctx: click.Context, topic: str) -> str:
    if topic == OPTIONS:
        return _on_screen("\n".join(option_table()) + "\n")
    if topic in guides():
        return _on_screen(guide(topic))

    found = cli.get_command(ctx, topic)
    if found is not None:
        with click.Context(found, info_name=topic, parent=ctx.parent) as inner:
            return found.get_help(inner) + "\n"
    from ccmcheck.base.suggest import hint

    known = (*guides(), OPTIONS, *NAMES)
    raise WrongUse(f"There is no guide `{topic}`.", hint(topic, known) or "List them with ccmcheck help.")


def _on_screen(markdown: str) -> str:
    """A guide as it fits the terminal, in which tables stand without bars; in a file or pipe it stays Markdown."""
    width = min(console.width(), LONGEST_LINE)
    return "".join(f"{line}\n" for line in _lines(markdown, width)) if width else markdown


def _lines(markdown: str, width: int) -> Iterator[str]:
    from ccmcheck.report.document.layout import fitted, table, wrap

    waiting: list[str] = []  # of one paragraph or table
    in_code = False
    for line in (*markdown.split("\n"), ""):
        in_code ^= line.startswith("```")
        begins = not line or in_code or line.startswith(("```", "#", "- ", "* ", "> ")) or line[:1].isdigit()
        is_row, was_row = line.startswith("|"), bool(waiting) and waiting[0].startswith("|")
        if waiting and (begins or is_row != was_row):
            text = " ".join(map(str.strip, waiting))
            if was_row:
                rows = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in waiting]
                yield from table([row for row in rows if set("".join(row)) - set("-|")], width)
            else:
                yield from fitted(text, width) if text[:2] in ("- ", "* ") else wrap(text, width)
            waiting = []
        if in_code or not line or line.startswith(("```", "#")):
            yield line
        else:
            waiting.append(line)


def option_table() -> Iterator[str]:
    """Every option of every command, in Markdown, by section: made from the commands themselves."""
    rows: dict[str, dict[str, tuple[str, list[str]]]] = {section: {} for section in (*SECTIONS, "")}
    for name, found in all_commands(cli):
        for parameter in found.params:
            if not isinstance(parameter, click.Option) or parameter.hidden:
                continue
            section = getattr(parameter, "section", None) or ""
            spelling = ", ".join((*parameter.opts, *parameter.secondary_opts))
            if parameter.metavar and not parameter.is_flag and not parameter.count:
                spelling += f" {parameter.metavar}"
            rows[section].setdefault(spelling, ((parameter.help or "").partition(". ")[0], []))[1].append(name)
    yield "# Options"
    yield ""
    yield "Each option has the same name and meaning in every command that has it."
    for section, found_options in rows.items():
        if found_options:
            yield ""
            yield f"## {section or 'Of one command'}"
            yield ""
            yield "| option | meaning | commands |"
            yield "|---|---|---|"
            for spelling, (meaning, commands) in found_options.items():
                cells = (f"`{spelling}`", meaning.rstrip("."), ", ".join(commands))
                yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
