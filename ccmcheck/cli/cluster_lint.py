"""``ccmcheck cluster lint``: the rules of ``lint`` on what an API server holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cluster_access import NAMESPACE, PLACE, access_options, read_snapshot
from ccmcheck.cli.cluster_octavia import OS_CLOUD, open_both
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.lint import configured_options, judge
from ccmcheck.cli.live_options import judging_options
from ccmcheck.cli.options import Given, output_options
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cli.run_options import Live
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.base.result import LintResult
    from ccmcheck.lint.run_options import RunOptions


@click.command(
    "lint",
    cls=Command,
    short_help="Report what is wrong with the CCM of a running cluster, and where.",
    examples=(
        ("ccmcheck cluster lint", "The cluster of the current context"),
        ("ccmcheck cluster lint --context prod --format json", "Another one, for programs"),
        ("ccmcheck cluster lint --octavia --os-cloud prod", "With its load balancers"),
    ),
)
@access_options
@options(
    NAMESPACE,
    Given.octavia,
    OS_CLOUD,
    Given.taking("select ignore baseline write_baseline no_suppress"),
    *judging_options(),
)
@Given.taking("config_file no_config")
@Given.taking("fail_on max_findings statistics jobs quiet verbose")
@output_options(REPORTERS, "text, on GitHub Actions github")
def command(access: Access, namespaces: tuple[str, ...], **values: Any) -> int:  # noqa: ANN401 - click's
    """Report what is wrong with the CCM of a running cluster: its cloud.conf, its flags, its Services.

    Says first what was looked at, and whether the CCM runs. Finds the CCM in kube-system, in OpenShift's namespace,
    and wherever else may be read; reads the Secret or ConfigMap that it mounts, the Services of type LoadBalancer with
    their events, and the Nodes. Nothing is changed; nothing but GET is sent.

    --octavia compares each load balancer in OpenStack with the one that the CCM would make, and reports what corrects
    a difference: the next sync, a change of the nodes, or nothing. It needs pip install
    '.[cluster,octavia]'.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use, 3 something could not be
    read, so that the result is partial.
    """
    cloud = OctaviaArguments(values.pop("octavia"), values.pop("os_cloud"))
    if cloud.os_cloud and not cloud.is_wanted:
        raise WrongUse("--os-cloud needs --octavia.", "Without it OpenStack is not asked.")
    arguments = Given(**values)
    return lint(arguments, access, namespaces, cloud)


class OctaviaArguments(NamedTuple):
    """Whether Octavia is asked, and which cloud."""

    is_wanted: bool = False
    os_cloud: str = ""


def lint(
    arguments: Given,
    access: Access,
    namespaces: tuple[str, ...],
    cloud: OctaviaArguments = OctaviaArguments(),  # noqa: B008 - a plain record
    look: Callable[[LintResult], None] | None = None,
) -> int:
    """Read the cluster, run the rules, report, and return the exit code.

    Args:
        arguments: What is asked for.
        access: Which cluster.
        namespaces: Where the CCM is looked for.
        cloud: Whether the load balancers are compared, and in which cloud.
        look: Gets the result before it is reported.

    Raises:
        CcmcheckError: Wrong use, a configuration that cannot be used, or an API server that does not answer.
    """
    from ccmcheck.cluster.live.lint import lint as lint_snapshot

    inputs = resolve_inputs(arguments.inputs, (PLACE,))
    configured_options(arguments, inputs)(PLACE)  # what is wrong with the options is said before anything is asked
    both = open_both(access, namespaces, cloud.os_cloud) if cloud.is_wanted else None
    snapshot = both.snapshot if both is not None else read_snapshot(access, namespaces)
    options_of = configured_options(arguments, inputs, live=Live(snapshot.facts, snapshot.judged))

    octavia = None
    if both is not None:
        of_cluster = options_of(PLACE)
        octavia = both.compare(of_cluster.settings.judged, of_cluster.facts)

    def run(options: RunOptions, progress: Callable[[int, int], None] | None) -> LintResult:
        of_place = options_of(PLACE)
        result = lint_snapshot(snapshot, options._replace(options_of=lambda _: of_place), progress, octavia)
        if look is not None:
            look(result)
        return result

    return judge(arguments, inputs, options_of, run)
