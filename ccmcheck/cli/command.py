"""How commands present themselves: options in sections, examples, 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from ccmcheck.base import boundary
from ccmcheck.base.budget import cuts, limit_memory, limit_processor_time, limit_time
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
        examples: Command lines, each with what it is for.
    """

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - click's
        examples: Sequence[tuple[str, str]] = (),
        **attributes: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples
        sections = {getattr(parameter, "section", None) for parameter in self.params}
        if sections & {FILES, OUTPUT}:
            self.params.append(_trust_checkout())
        names = {name for parameter in self.params for name in parameter.opts}
        if (FILES in sections or "--quiet" in names) and "--exit-zero" not in names:
            self.params.append(_exit_zero())
        if "--time-limit" not in names:  # conformance has its own
            self.params.append(_time_limit())
        self.params += [_cpu_limit(), _memory_limit()]

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
        write_examples(self.examples, formatter)
        super().format_epilog(ctx, formatter)


def write_examples(examples: Sequence[tuple[str, str]], formatter: click.HelpFormatter) -> None:
    """Write the section of examples.

    Args:
        examples: Command lines, each with what it is for.
        formatter: Click's.
    """
    if examples:
        with formatter.section("Examples"):
            for line, purpose in examples:
                formatter.write_text(f"{purpose}:")
                formatter.write(f"{'':{formatter.current_indent + 2}}{line}\n")


def _limit(
    name: str,
    kind: click.IntRange | click.FloatRange,
    metavar: str,
    set_limit: Callable[[Any], None],
    words: str,
    default: int | None = None,
) -> SectionOption:
    """An option that limits the run, from the start of the command; an environment variable may set it, too."""

    def limit(_ctx: click.Context, _param: click.Parameter, most: float | None) -> None:
        if most:
            set_limit(most)

    return SectionOption(
        [name],
        section=OTHER,
        type=kind,
        metavar=metavar,
        default=default,
        is_eager=True,
        expose_value=False,
        callback=limit,
        envvar=f"CCMCHECK_{name.strip('-').replace('-', '_').upper()}",
        help=words,
    )


def _time_limit() -> SectionOption:
    words = "End after so many seconds, report what was found so far, and exit with 3."
    return _limit("--time-limit", click.FloatRange(0, max=86_400), "SECONDS", limit_time, words)


def _cpu_limit() -> SectionOption:
    words = f"The same for the processor time of each process. Default: {CPU_SECONDS}; 0 for none."
    return _limit("--cpu-limit", click.FloatRange(0, max=86_400), "SECONDS", limit_processor_time, words, CPU_SECONDS)


def _memory_limit() -> SectionOption:
    words = "Let a process take so much memory, report what was found until then, and exit with 3."
    return _limit("--memory-limit", click.IntRange(0, max=1_048_576), "MIB", limit_memory, words)


def _trust_checkout() -> SectionOption:
    """``--trust-checkout``, heard before other options are read."""

    def lift(_ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        if value:
            boundary.trust()

    return SectionOption(
        ["--trust-checkout"],
        section=FILES,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=lift,
        help="Follow links and paths that lead out of the checkout.",
    )


def _exit_zero() -> SectionOption:
    """``--exit-zero``, for every command that may find something."""

    def note(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        ctx.meta[EXIT_ZERO] = value

    return SectionOption(
        ["--exit-zero", EXIT_ZERO],
        section=OUTPUT,
        is_flag=True,
        expose_value=False,
        callback=note,
        help="Exit with 0 whatever is found.",
    )
