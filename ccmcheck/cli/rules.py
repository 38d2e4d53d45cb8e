"""``ccmcheck rules``: the list of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cli.running import Run, declared

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = ("text", "markdown", "json")


@declared("rules", "OUTPUTS", formats=FORMATS)
def command(run: Run) -> int:
    """List the rules: name, severity, fix, what each finds; markdown has every rule's page."""
    from ccmcheck.explain.page import as_data, as_markdown
    from ccmcheck.explain.rules import rule_page
    from ccmcheck.lint.selection import RULE_NAMES

    pages = [rule_page(name) for name in RULE_NAMES]

    def report(form: str) -> Iterator[str]:
        if form == "json":
            from ccmcheck.report.records import dumped_lines

            document = {"version": 1, "rules": [as_data(page) for page in pages]}
            yield dumped_lines(document)
        elif form == "markdown":
            yield "# Rules of ccmcheck\n\n| rule | severity | fix | what it finds |\n|---|---|---|---|\n"
            for page in pages:
                facts = dict(page.facts)
                yield f"| [{page.name}](#{page.name}) | {facts['severity']} | {facts['fix']} | {page.title} |\n"
            yield "\n"
            yield from (as_markdown(page, level=2) + "\n" for page in pages)
        else:
            width = max(len(page.name) for page in pages)
            for page in pages:
                facts = dict(page.facts)
                yield f"{page.name:<{width}}  {facts['severity']:<7}  {facts['fix']:<6}  {page.title}\n"

    run.write(report)
    return 0
