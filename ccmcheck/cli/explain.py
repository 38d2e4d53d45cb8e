"""``ccmcheck explain``: the page of a rule, a key, a section, an annotation, a profile or a row of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.create_monitor import CREATE_MONITOR, answered, has_input, written
from ccmcheck.cli.output import Report, resolve_outputs
from ccmcheck.cli.running import CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.cli.options import Given
    from ccmcheck.explain.log_lines import ExplainedLog
    from ccmcheck.explain.page import Page

UNEXPLAINED = 1
STANDARD_INPUT = "-"
UNKNOWN_MESSAGE = "Nothing is known about this message: no program on the CCM's paths that ccmcheck has read gives it."
FORMATS = ("text", "markdown", "json")
_WALKED = frozenset({CREATE_MONITOR, f"LoadBalancer.{CREATE_MONITOR}", f"[LoadBalancer] {CREATE_MONITOR}"})


@declared(
    "explain",
    "names cloud_config releases ASSUMPTIONS CLOUD INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """Explain NAME, offline.

    NAME is a rule (duration-bad), a key (LoadBalancer.monitor-delay, or monitor-delay), a section (LoadBalancer), an
    annotation of a Service (loadbalancer.openstack.org/enable-health-monitor, or without the prefix), a profile
    (profile:scs, profile:site.ini), a row of the create-monitor matrix (M13), a release, whose bugs it lists (v1.24.3),
    or a message of a log or an event in quotes: what the CCM, its service controller, OpenStack or Kubernetes means by
    it, and what to do. ``-`` explains a whole log on standard input: each kind of message once, the most frequent
    first. Exit code 1 where an error in it is not known.

    ``explain create-monitor`` with --cloud-config, or followed by files and folders of Services, evaluates the matrix
    for them: which row decides for each, and why none before it does. The options about releases, the cloud and files
    are for this. Without them it shows the key's page and the matrix.
    """
    arguments = run.given
    paths = _paths(arguments)
    if paths is None:
        return _show(run)
    run.paths = (*paths, *filter(None, [arguments.cloud_config])) or (".",)
    _ = run.outputs
    arguments = arguments.but(cloud=resolve_cloud(arguments.cloud, run.inputs.shared))
    answer = answered(arguments, arguments.cloud_config, paths, arguments.releases, run.inputs)
    run.write(lambda form: written(answer.pages, form, arguments.verbose, whole=False))
    return run.ended(answer.failures)


def _paths(arguments: Given) -> tuple[str, ...] | None:
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


def _show(run: CommandRun) -> int:
    from ccmcheck.explain import page

    pages, remarks = _pages(run.given.names)

    def report(form: str) -> Report:
        if form == "json":
            return {"version": 1, "pages": [page.as_data(one) for one in pages]}
        if form == "markdown":
            return ("\n".join(page.as_markdown(one) for one in pages),)
        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        return ("\n".join(page.as_text(one, width) for one in pages),)

    resolve_outputs(run.given, FORMATS).write_painted(report)  # no configuration is read
    for _, remark in remarks:
        console.warn(remark)
    return UNEXPLAINED if any(is_gap for is_gap, _ in remarks) else 0


def _pages(names: Sequence[str]) -> tuple[list[Page], list[tuple[bool, str]]]:
    """The pages of some names, messages and logs, and remarks beside them, each with whether something is unknown."""
    from ccmcheck.explain.lookup import explain as look_up
    from ccmcheck.explain.lookup import is_name

    pages: list[Page] = []
    remarks: list[tuple[bool, str]] = []
    for name in names:
        if name == STANDARD_INPUT:
            log = _log()
            pages += log.pages
            remarks.append((bool(log.unknown), log.summary))
            continue
        if not is_name(name.strip().strip("`\"'")):
            from ccmcheck.explain.log_lines import is_message, line_page

            if is_message(name):
                known = line_page(name)
                pages += filter(None, [known])
                remarks += [] if known else [(True, UNKNOWN_MESSAGE)]
                continue
        pages += look_up(name)
    return pages, remarks


def _log() -> ExplainedLog:
    """Standard input, explained.

    Raises:
        WrongUse: There is none.
    """
    import sys

    from ccmcheck.catalog.bug_messages import bug_wordings
    from ccmcheck.catalog.messages import LONGEST_LINE
    from ccmcheck.explain.log_lines import log_pages

    def lines() -> Iterator[str]:
        while piece := sys.stdin.buffer.readline(4 * LONGEST_LINE):
            yield piece.decode(errors="replace")

    log = log_pages(lines(), bug_wordings())
    if not log.lines:
        raise WrongUse("Standard input is empty.", "Pipe a log into it: kubectl logs … | ccmcheck explain -")
    return log
