"""How commands present themselves: options in sections, examples, 80 columns; old spellings that name the new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from ccmcheck.base import boundary
from ccmcheck.base.errors import WrongUse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


Function = TypeVar("Function", bound="Callable[..., Any]")

FILES, RELEASES, CLUSTER, RULES, CHANGE, OUTPUT, OTHER = (
    "Files and configuration",
    "Releases",
    "Cloud and cluster",
    "Rules",
    "Change",
    "Output",
    "Other",
)
SECTIONS = (CHANGE, RULES, RELEASES, CLUSTER, FILES, OUTPUT, OTHER)
"""The sections of ``--help``, in order; a command's own options come first."""


class Option(click.Option):
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
        retired: Options that were renamed or never were here, and what to write instead.
    """

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - click's
        examples: Sequence[tuple[str, str]] = (),
        retired: Mapping[str, str] | None = None,
        **attributes: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples
        if any(getattr(parameter, "section", None) in (FILES, OUTPUT) for parameter in self.params):
            self.params.append(_trust_checkout())
        self.params.extend(_retired(name, advice) for name, advice in (retired or {}).items())

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command; folders among its arguments are checkouts."""
        given = [
            ctx.params.get(argument.name or "") for argument in self.params if isinstance(argument, click.Argument)
        ]
        paths = [word for one in given for word in (one if isinstance(one, tuple) else (one,)) if isinstance(word, str)]
        boundary.name_folders(paths or (["."] if given else []))
        return super().invoke(ctx)

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


def option(*names: str, section: str | None = None, **attributes: Any) -> Callable[[Function], Function]:  # noqa: ANN401
    """Declare an option; the result decorates any number of commands.

    Args:
        names: As click takes them.
        section: Its section of ``--help``.
        attributes: As click takes them.
    """
    return click.option(*names, cls=Option, section=section, **attributes)


def options(*declared: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in the order of ``--help``."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(declared):
            function = decorator(function)
        return function

    return decorate


def as_record(
    name: str, record: Callable[..., tuple[Any, ...]], *declared: Callable[[Any], Any], fields: Sequence[str] = ()
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Several options that a command receives as one record.

    Args:
        name: The command's argument.
        record: Makes it; called with the options' parameters by name.
        declared: The options.
        fields: The parameters; the fields of the record where none are named.
    """
    from functools import wraps

    parameters: Sequence[str] = fields or record._fields  # type: ignore[attr-defined]  # a NamedTuple

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        @wraps(function)
        def call(**values: Any) -> int:  # noqa: ANN401 - click hands over what the record declares
            taken = {field: values.pop(field) for field in parameters}
            return function(**values, **{name: record(**taken)})

        decorated: Callable[..., int] = options(*declared)(call)
        return decorated

    return decorate


def _trust_checkout() -> Option:
    """``--trust-checkout``, heard before other options are read."""

    def lift(_ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        if value:
            boundary.trust()

    return Option(
        ["--trust-checkout"],
        section=FILES,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=lift,
        help="Follow links and paths that lead out of the checkout.",
    )


def _retired(name: str, advice: str) -> click.Option:
    """A hidden option that ends the command with what to write instead."""

    def refuse(ctx: click.Context, _param: click.Parameter, value: object) -> None:
        if value is not None and not ctx.resilient_parsing:
            raise WrongUse(f"`ccmcheck {ctx.info_name}` has no option {name}.", advice)

    return click.Option(
        [name, "retired_" + name.strip("-").replace("-", "_")],
        hidden=True,
        is_eager=True,
        expose_value=False,
        callback=refuse,
        default=None,
        is_flag=False,
        flag_value="",
    )
