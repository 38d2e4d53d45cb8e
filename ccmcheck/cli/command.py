"""How commands present themselves: options in sections, examples, 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from ccmcheck.base import boundary
from ccmcheck.base.budget import cuts, limit_memory, limit_processor_time, limit_time
from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import CcmcheckError, InputError
from ccmcheck.cli import console

FILES, RELEASES, CLUSTER, RULES, CHANGE, OUTPUT, OTHER = (
    "Files and configuration", "Releases", "Cloud and cluster", "Rules", "Change", "Output", "Other",
)  # fmt: skip
SECTIONS = (CHANGE, RULES, RELEASES, CLUSTER, FILES, OUTPUT, OTHER)
"""The sections of ``--help``, in order; a command's own options come first."""
EXIT_ZERO = "exit_zero"
CPU_SECONDS = 3_600
"""Of processor time, which no work takes that somebody waits for: 10,000 files take 20."""
_UNREADABLE = 3


class SectionOption(click.Option):
    """An option that knows its section of ``--help``.

    Args:
        section: One of `SECTIONS`; the command's own where it is None.
    """

    def __init__(self, *arguments: Any, section: str | None = None, **attributes: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(*arguments, **attributes)
        self.section = section


class Command(click.Command):
    """A command whose ``--help`` has sections and examples, and which stays in the checkout unless that is trusted.

    Args:
        words: Those that call it, without ``ccmcheck``.
    """

    def __init__(self, words: str, **attributes: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(words.rpartition(" ")[2], **attributes)
        self._words = words
        sections = {getattr(parameter, "section", None) for parameter in self.params}
        if sections & {FILES, OUTPUT}:
            said = "Follow links and paths that lead out of the checkout."
            self.params.append(_own(["--trust-checkout"], _trust, FILES, said, is_flag=True, is_eager=True))
        names = {name for parameter in self.params for name in parameter.opts}
        if (FILES in sections or "--quiet" in names) and "--exit-zero" not in names:
            said = "Exit with 0 whatever is found."
            self.params.append(_own(["--exit-zero", EXIT_ZERO], _exit_with_zero, OUTPUT, said, is_flag=True))
        # conformance has a --time-limit of its own
        self.params += [limit for limit in _limits() if names.isdisjoint(limit.opts)]

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command; folders among its arguments are checkouts."""
        values = [
            ctx.params.get(argument.name or "") for argument in self.params if isinstance(argument, click.Argument)
        ]
        words = [word for value in values for word in (value if isinstance(value, tuple) else (value,))]
        boundary.name_folders([word for word in words if isinstance(word, str)] or (["."] if values else []))
        try:
            code = super().invoke(ctx)
        except CcmcheckError as error:
            if cuts():  # such as "no cloud.conf" where not all files were read
                raise InputError(cuts()[-1], error.message) from None
            raise
        for said in cuts():
            console.warn(f"error: {said}; what is missing is unknown")
        return _UNREADABLE if cuts() else 0 if code == 1 and ctx.meta.get(EXIT_ZERO) else code

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section's options."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                section = getattr(parameter, "section", OTHER) or "Options"
                rows.setdefault(section, []).append(record)
        for section in ("Options", *SECTIONS):
            if section in rows:
                with formatter.section(section):
                    formatter.write_dl(rows[section], col_max=26)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the epilog."""
        write_examples(self._words, formatter)
        super().format_epilog(ctx, formatter)


def write_examples(words: str, formatter: click.HelpFormatter) -> None:
    """Write the section of examples.

    Args:
        words: Those that call the command.
        formatter: Click's.
    """
    rows = [row[1:] for row in read_table(__file__, "examples.tsv") if row[0] == words]
    if rows:
        with formatter.section("Examples"):
            for line, purpose in rows:
                formatter.write_text(f"{purpose}:")
                formatter.write(f"{'':{formatter.current_indent + 2}}{line}\n")


def _own(
    names: list[str],
    act: Callable[[click.Context, Any], None],
    section: str,
    says: str,
    **attributes: Any,  # noqa: ANN401 - click's
) -> SectionOption:
    """An option that acts where it is given, and that no command hears of."""

    def callback(ctx: click.Context, _param: click.Parameter, value: object) -> None:
        if value:
            act(ctx, value)

    return SectionOption(names, section=section, expose_value=False, callback=callback, help=says, **attributes)


def _trust(_ctx: click.Context, _value: bool) -> None:
    boundary.trust()


def _exit_with_zero(ctx: click.Context, value: bool) -> None:
    ctx.meta[EXIT_ZERO] = value


def _limit(name: str, set_limit: Callable[[Any], None], says: str, **attributes: Any) -> SectionOption:  # noqa: ANN401 - click's
    """An option that limits the run, from the start of the command; an environment variable may set it, too."""
    variable = f"CCMCHECK_{name.strip('-').replace('-', '_').upper()}"
    return _own([name], lambda _, most: set_limit(most), OTHER, says, is_eager=True, envvar=variable, **attributes)


_SECONDS = {"type": click.FloatRange(0, max=86_400), "metavar": "SECONDS"}
_MIB = {"type": click.IntRange(0, max=1_048_576), "metavar": "MIB"}


def _limits() -> Iterator[SectionOption]:
    said = "End after so many seconds, report what was found so far, and exit with 3."
    yield _limit("--time-limit", limit_time, said, **_SECONDS)
    said = f"The same for the processor time of each process. Default: {CPU_SECONDS}; 0 for none."
    yield _limit("--cpu-limit", limit_processor_time, said, default=CPU_SECONDS, **_SECONDS)
    said = "Let a process take so much memory, report what was found until then, and exit with 3."
    yield _limit("--memory-limit", limit_memory, said, **_MIB)
