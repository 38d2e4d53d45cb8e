"""``ccmcheck profiles``: the list of the profiles."""

from __future__ import annotations

import click

from ccmcheck.cli import completion, console


@click.command("profiles", short_help="List the profiles that files can be judged by.")
@click.argument("names", nargs=-1, metavar="[NAME|FILE]...", shell_complete=completion.profiles)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "ini"]),
    default="text",
    help="ini writes one file that extends nothing. Default: text.",
)
def command(names: tuple[str, ...], form: str) -> int:
    """List the built-in profiles, or those that are named: what each is, and how much it wants.

    A file that is named is read and checked as `--profile FILE` would be. `ccmcheck explain profile:NAME` tells the
    whole, and --format ini is a start for a profile of your own.
    """
    from ccmcheck.base.escape import printable
    from ccmcheck.base.profile import SOFT
    from ccmcheck.explain.profiles import as_data
    from ccmcheck.policy.profiles.facts import told
    from ccmcheck.policy.profiles.loading import load
    from ccmcheck.policy.profiles.standards import BUILT_IN

    found = [load(name) for name in names or BUILT_IN]
    if form == "json":
        import json

        document = {"version": 1, "profiles": [as_data(profile) for profile in found]}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
        return 0
    if form == "ini":
        from ccmcheck.policy.profiles.writing import write

        console.write(["\n".join(write(profile) for profile in found)])
        return 0
    shown = [as_data(profile) for profile in found]
    width = max(len(profile.name) for profile in found)
    for profile, data in zip(found, shown, strict=True):
        hard = sum(requirement.check not in SOFT for requirement in profile.requirements)
        counts = (
            (hard, "wish", "wishes"),
            (len(profile.requirements) - hard, "value told", "values told"),
            (len(told(profile.facts)), "fact", "facts"),
        )
        content = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
        console.write([f"{printable(profile.name):<{width}}  {printable(str(data['title']))} ({content or 'empty'})\n"])
    return 0
