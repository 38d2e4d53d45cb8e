"""``ccmcheck explain``: the page of a rule, a key, a section, an annotation, a profile or a row of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.create_monitor import CREATE_MONITOR, answered, has_input, written
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.running import Run, declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cli.options import Given
    from ccmcheck.explain.page import Page

FORMATS = ("text", "markdown", "json")
_WALKED = frozenset({CREATE_MONITOR, f"LoadBalancer.{CREATE_MONITOR}", f"[LoadBalancer] {CREATE_MONITOR}"})


@declared(
    "explain",
    "names cloud_config releases ASSUMPTIONS CLOUD INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
    examples=(
        ("ccmcheck explain duration-bad", "A rule"),
        ("ccmcheck explain LoadBalancer.monitor-delay", "A key"),
        ("ccmcheck explain create-monitor --nodes 12 manifests/", "Whether create-monitor should be on there"),
    ),
)
def command(run: Run) -> int:
    """Explain NAME, offline.

    NAME is a rule (duration-bad), a key (LoadBalancer.monitor-delay, or monitor-delay), a section (LoadBalancer), an
    annotation of a Service (loadbalancer.openstack.org/enable-health-monitor, or without the prefix), a profile
    (profile:scs, profile:site.ini), or a row of the create-monitor matrix (M13).

    ``explain create-monitor`` with --cloud-config, or followed by files and folders of Services, evaluates the matrix
    for them: which row decides for each, and why none before it does. The options about releases, the cloud and files
    are for this. Without them it shows the key's page and the matrix.
    """
    given = run.given
    paths = _paths(given)
    if paths is None:
        _show(run)
        return 0
    run.paths = (*paths, *filter(None, [given.cloud_config])) or (".",)
    _ = run.outputs
    given = given.but(cloud=resolve_cloud(given.cloud, run.inputs.shared))
    answer = answered(given, given.cloud_config, paths, given.releases, run.inputs)
    run.write(lambda form: written(answer.pages, form, given.verbose, whole=False))
    return run.ended(answer.failures)


def _paths(given: Given) -> tuple[str, ...] | None:
    """The files behind ``create-monitor``; None where there is only a name to explain."""
    from ccmcheck.explain.lookup import is_name

    first, *rest = given.names
    asked = given.cloud_config is not None or bool(given.releases) or has_input(given)
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


def _show(run: Run) -> None:
    from ccmcheck.explain import page
    from ccmcheck.explain.lookup import explain as look_up

    pages: list[Page] = [found for name in run.given.names for found in look_up(name)]

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

    resolve_outputs(run.given, FORMATS).write_painted(report)  # no configuration is read
