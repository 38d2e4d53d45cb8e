"""``ccmcheck rules``: the list of the rules."""

from __future__ import annotations

import click

from ccmcheck.cli import console


@click.command("rules", short_help="List the rules.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="markdown gives every rule's page. Default: text.",
)
def command(form: str) -> int:
    """List the rules: name, severity, fix, what each finds."""
    from ccmcheck.explain.page import as_data, as_markdown
    from ccmcheck.explain.rules import rule_page
    from ccmcheck.lint.selection import RULE_NAMES

    pages = [rule_page(name) for name in RULE_NAMES]
    if form == "json":
        import json

        document = {"version": 1, "rules": [as_data(page) for page in pages]}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
    elif form == "markdown":
        console.write(["# Rules of ccmcheck\n\n| rule | severity | fix | what it finds |\n|---|---|---|---|\n"])
        for page in pages:
            facts = dict(page.facts)
            console.write([f"| [{page.name}](#{page.name}) | {facts['severity']} | {facts['fix']} | {page.title} |\n"])
        console.write(["\n"])
        console.write(as_markdown(page, level=2) + "\n" for page in pages)
    else:
        width = max(len(page.name) for page in pages)
        for page in pages:
            facts = dict(page.facts)
            console.write([f"{page.name:<{width}}  {facts['severity']:<7}  {facts['fix']:<6}  {page.title}\n"])
    return 0
