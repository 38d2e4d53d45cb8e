"""``ccmcheck profiles``: the list of the profiles."""

from __future__ import annotations

from ccmcheck.cli.output import Destination, Report
from ccmcheck.cli.running import CommandRun, declared

FORMATS = ("text", "json", "ini")


@declared(
    "profiles",
    "profile_names OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """List the built-in profiles, or those that are named: what each is, and how much it requires.

    A file that is named is read and checked as `--profile FILE` would be. `ccmcheck explain profile:NAME` shows
    all of it; --format ini writes one file that extends nothing, a start for a profile of your own.
    """
    from ccmcheck.base.escape import printable
    from ccmcheck.base.profile import SOFT
    from ccmcheck.explain.profiles import as_data
    from ccmcheck.policy.profiles.facts import known_facts
    from ccmcheck.policy.profiles.loading import load
    from ccmcheck.policy.profiles.standards import BUILT_IN
    from ccmcheck.report.document.layout import table

    profiles = [load(name) for name in run.given.profile_names or BUILT_IN]

    def report(destination: Destination) -> Report:
        if destination.format == "json":
            return {"version": 1, "profiles": [as_data(profile) for profile in profiles]}
        if destination.format == "ini":
            from ccmcheck.policy.profiles.serialization import write

            return ("\n".join(write(profile) for profile in profiles),)
        rows = []
        for profile in profiles:
            hard = sum(requirement.check not in SOFT for requirement in profile.requirements)
            counts = (
                (hard, "requirement", "requirements"),
                (len(profile.requirements) - hard, "recommended or usual value", "recommended or usual values"),
                (len(known_facts(profile.facts)), "fact", "facts"),
            )
            content = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
            title = printable(str(as_data(profile)["title"]))
            rows.append((printable(profile.name), f"{title} ({content or 'empty'})"))
        return (f"{line}\n" for line in table(rows, destination.width))

    run.outputs.write(report)
    return 0
