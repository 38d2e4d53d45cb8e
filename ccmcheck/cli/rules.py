"""``ccmcheck rules``: the list of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cli.running import CommandRun, declared
from ccmcheck.report.document.blocks import Block

FORMATS = ("text", "markdown", "json")


@declared("rules", "OUTPUTS", formats=FORMATS)
def command(run: CommandRun) -> int:
    """List the rules: name, severity, fix, what each finds; markdown has every rule's page."""
    from ccmcheck.explain.page import as_data
    from ccmcheck.explain.page import blocks as page_blocks
    from ccmcheck.explain.rules import rule_page
    from ccmcheck.report.document import blocks as b
    from ccmcheck.rules import RULE_NAMES

    pages = [rule_page(name) for name in RULE_NAMES]

    def blocks(form: str) -> Iterator[Block]:
        in_full = form == "markdown"
        rows = []
        for page in pages:
            facts = dict(page.facts)
            name = b.Markup(f"[{page.name}](#{page.name})") if in_full else page.name
            rows.append((name, facts["severity"], facts["fix"], b.Markup(page.title)))
        if not in_full:
            yield b.Table("", (), tuple(rows))
            return
        yield b.Heading("Rules of ccmcheck", 1)
        yield b.Table("", ("rule", "severity", "fix", "what it finds"), tuple(rows))
        for page in pages:
            yield from page_blocks(page, level=2)

    run.outputs.write_blocks(blocks, lambda: {"version": 1, "rules": [as_data(page) for page in pages]})
    return 0
