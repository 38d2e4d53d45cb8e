"""``ccmcheck explain``: the page of a rule, a key, a section, an annotation, a profile or a row of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.cloud_options import CloudArguments, cloud_options
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.create_monitor import (
    CREATE_MONITOR,
    AssumptionArguments,
    answered,
    assumption_options,
    has_input,
    written,
)
from ccmcheck.cli.options import (
    CLOUD_CONFIG,
    RELEASE,
    VERBOSE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import resolve_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.explain.page import Page

UNREADABLE = 3
FORMATS = ("text", "markdown", "json")
_WALKED = frozenset({CREATE_MONITOR, f"LoadBalancer.{CREATE_MONITOR}", f"[LoadBalancer] {CREATE_MONITOR}"})


@click.command(
    "explain",
    cls=Command,
    short_help="Explain a rule, key, annotation, section, profile or matrix row.",
    examples=(
        ("ccmcheck explain duration-bad", "A rule"),
        ("ccmcheck explain LoadBalancer.monitor-delay", "A key"),
        ("ccmcheck explain create-monitor --nodes 12 manifests/", "Whether create-monitor should be on there"),
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME... [PATH]...", shell_complete=completion.topics)
@options(CLOUD_CONFIG, RELEASE)
@assumption_options
@cloud_options
@input_options
@options(VERBOSE)
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what ExplainArguments declares
    """Explain NAME, offline.

    NAME is a rule (duration-bad), a key (LoadBalancer.monitor-delay, or monitor-delay), a section (LoadBalancer), an
    annotation of a Service (loadbalancer.openstack.org/enable-health-monitor, or without the prefix), a profile
    (profile:scs, profile:site.ini), or a row of the create-monitor matrix (M13).

    ``explain create-monitor`` with --cloud-config, or followed by files and folders of Services, evaluates the matrix
    for them: which row decides for each, and why none before it does. The options about releases, the cloud and files
    are for this. Without them it shows the key's page and the matrix.
    """
    return explain(ExplainArguments(**values))


class ExplainArguments(NamedTuple):
    """The arguments of ``explain``; see the options above."""

    names: tuple[str, ...]
    cloud_config: str | None
    releases: tuple[str, ...]
    assumptions: AssumptionArguments
    cloud: CloudArguments
    inputs: InputArguments
    outputs: OutputArguments
    verbose: int


def explain(arguments: ExplainArguments) -> int:
    """Explain, print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    paths = _paths(arguments)
    if paths is None:
        _show(arguments)
        return 0
    inputs = resolve_inputs(arguments.inputs, (*paths, *filter(None, [arguments.cloud_config])) or (".",))
    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=inputs.run.color)
    arguments = arguments._replace(cloud=resolve_cloud(arguments.cloud, inputs.shared))
    answer = answered(arguments, arguments.cloud_config, paths, arguments.releases, inputs)
    outputs.write_painted(lambda form: written(answer.pages, form, arguments.verbose, whole=False))
    for failure in answer.failures:
        console.warn(f"{failure.place}: {failure.message}")
    return UNREADABLE if answer.failures else 0


def _paths(arguments: ExplainArguments) -> tuple[str, ...] | None:
    """The files behind ``create-monitor``; None where there is only a name to explain."""
    from ccmcheck.explain.lookup import is_name

    first, *rest = arguments.names
    asked = arguments.cloud_config is not None or bool(arguments.releases) or has_input(arguments)
    if first.strip("`\"'") not in _WALKED:
        if asked:
            raise WrongUse(
                f"--cloud-config, --release and what describes a cluster go with {CREATE_MONITOR} alone",
                f"Write ccmcheck explain {CREATE_MONITOR} --cloud-config cloud.conf.",
            )
        return None
    if asked:
        return tuple(rest)
    if rest and not any(is_name(one) for one in rest):
        return tuple(rest)
    return None


def _show(arguments: ExplainArguments) -> None:
    from ccmcheck.explain import page
    from ccmcheck.explain.lookup import explain as look_up

    pages: list[Page] = [found for name in arguments.names for found in look_up(name)]

    def report(form: str) -> Iterator[str]:
        if form == "json":
            from ccmcheck.report.records import dumped_lines

            document = {"version": 1, "pages": [page.as_data(one) for one in pages]}
            yield dumped_lines(document)
        elif form == "markdown":
            yield "\n".join(page.as_markdown(one) for one in pages)
        else:
            width = min(console.width() or console.DEFAULT_WIDTH, 120)
            yield "\n".join(page.as_text(one, width) for one in pages)

    resolve_outputs(arguments.outputs, FORMATS).write_painted(report)
