"""``ccmcheck explain``: the page of a rule, a key, a section, an annotation, a profile or a row of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.cloud_options import CloudArguments, cloud_options
from ccmcheck.cli.options import variable_options
from ccmcheck.cli.questioning import CREATE_MONITOR, answered, demand_options, has_input, written

if TYPE_CHECKING:
    from ccmcheck.explain.page import Page

UNREADABLE = 3
_WALKED = frozenset({CREATE_MONITOR, f"LoadBalancer.{CREATE_MONITOR}", f"[LoadBalancer] {CREATE_MONITOR}"})


@click.command(
    "explain", short_help="Explain a rule, a key, an annotation, a section, a profile or a row of the matrix."
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=completion.topics)
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Default: text."
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="With create-monitor: the cloud.conf, in any carrier.",
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="R",
    shell_complete=completion.releases,
    help="CCM release. Default: from its image among the files, else the newest.",
)
@demand_options
@cloud_options
@variable_options
@click.option("-v", "--verbose", count=True, help="All Services, however many there are.")
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what ExplainArguments declares
    """Explain NAME, offline.

    NAME is a rule (duration-bad), a key (LoadBalancer.monitor-delay, or monitor-delay), a section (LoadBalancer), an
    annotation of a Service (loadbalancer.openstack.org/enable-health-monitor, or without the prefix), a profile
    (profile:scs, profile:site.ini), or a row of the create-monitor matrix (M13).

    ``explain create-monitor`` with --config, or with files and folders of Services behind it, goes through the matrix
    for them: which row decides for each, and why none before it does; all options but --format are for this. Without
    them it shows the key's page and the matrix.
    """
    return explain(ExplainArguments(**options))


class ExplainArguments(NamedTuple):
    """What was typed; see the options above."""

    names: tuple[str, ...]
    form: str
    config_file: str | None
    releases: tuple[str, ...]
    client_ip: bool | None
    strict_mtls: bool | None
    stable_node_set: bool | None
    probe_budget: float | None
    cloud: CloudArguments
    template: bool | None
    max_size: int | None
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    verbose: int


def explain(given: ExplainArguments) -> int:
    """Explain, print, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    paths = _paths(given)
    if paths is None:
        _show(given)
        return 0
    found = answered(given, given.config_file, paths, given.releases)
    console.write(written(found.pages, given.form, given.verbose, whole=False))
    for failure in found.failures:
        console.warn(f"{failure.place}: {failure.message}")
    return UNREADABLE if found.failures else 0


def _paths(given: ExplainArguments) -> tuple[str, ...] | None:
    """The files behind ``create-monitor``; None where there is only a name to explain."""
    from ccmcheck.explain.lookup import is_name

    first, *rest = given.names
    asked = given.config_file is not None or bool(given.releases) or has_input(given)
    if first.strip("`\"'") not in _WALKED:
        if asked:
            raise WrongUse(
                f"--config, --release and what describes a cluster go with {CREATE_MONITOR} alone",
                f"Write ccmcheck explain {CREATE_MONITOR} --config cloud.conf.",
            )
        return None
    if asked:
        return tuple(rest)
    if rest and not any(is_name(one) for one in rest):
        return tuple(rest)
    return None


def _show(given: ExplainArguments) -> None:
    from ccmcheck.explain import page
    from ccmcheck.explain.lookup import explain as look_up

    pages: list[Page] = [found for name in given.names for found in look_up(name)]
    if given.form == "json":
        import json

        document = {"version": 1, "pages": [page.as_data(one) for one in pages]}
        console.write([json.dumps(document, indent=2, ensure_ascii=False), "\n"])
    elif given.form == "markdown":
        console.write(["\n".join(page.as_markdown(one) for one in pages)])
    else:
        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        console.write(["\n".join(page.as_text(one, width) for one in pages)])
