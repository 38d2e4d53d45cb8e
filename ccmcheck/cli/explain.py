"""``ccmcheck explain``: the page of a rule, a key, a section, an annotation or a profile."""

from __future__ import annotations

import click

from ccmcheck.cli import completion, console


@click.command("explain", short_help="Explain a rule, a key, an annotation, a section or a profile.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=completion.topics)
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Default: text."
)
def command(names: tuple[str, ...], form: str) -> int:
    """Explain NAME, offline.

    NAME is a rule (duration-bad), a key (LoadBalancer.monitor-delay, or monitor-delay), a section (LoadBalancer), an
    annotation of a Service (loadbalancer.openstack.org/enable-health-monitor, or without the prefix), or a profile
    (profile:scs, profile:site.ini).
    """
    from ccmcheck.explain import page
    from ccmcheck.explain.lookup import explain

    pages = [found for name in names for found in explain(name)]
    if form == "json":
        import json

        document = {"version": 1, "pages": [page.as_data(one) for one in pages]}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
    elif form == "markdown":
        console.write(["\n".join(page.as_markdown(one) for one in pages)])
    else:
        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        console.write(["\n".join(page.as_text(one, width) for one in pages)])
    return 0
