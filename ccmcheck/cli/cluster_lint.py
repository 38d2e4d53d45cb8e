"""``ccmcheck cluster lint``: the rules of ``lint`` on what an API server holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli.cluster_access import PLACE, AccessOptions, judging, read_snapshot
from ccmcheck.cli.cluster_octavia import OS_CLOUD, open_both
from ccmcheck.cli.lint import judge
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cli.run_options import ConfiguredOptions, Live
from ccmcheck.cli.running import declared_with
from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.base.result import LintResult
    from ccmcheck.lint.run_options import RunOptions


@declared_with(
    AccessOptions,
    "cluster lint",
    "ACCESS NAMESPACES octavia os_cloud select ignore baseline write_baseline no_suppress JUDGING CONFIG fail_on "
    "max_findings statistics jobs quiet verbose OUTPUTS",
    formats=REPORTERS,
    says={**judging(), "os_cloud": OS_CLOUD, "formats": "text, on GitHub Actions github"},
)
def command(arguments: AccessOptions) -> int:
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
    if arguments.os_cloud and not arguments.octavia:
        raise WrongUse("--os-cloud needs --octavia.", "Without it OpenStack is not asked.")
    return lint(arguments)


def lint(arguments: AccessOptions, look: Callable[[LintResult], None] | None = None) -> int:
    """Read the cluster, run the rules, report, and return the exit code.

    Args:
        arguments: What is asked for.
        look: Gets the result before it is reported.

    Raises:
        CcmcheckError: Wrong use, a configuration that cannot be used, or an API server that does not answer.
    """
    from ccmcheck.cluster.live.lint import lint as lint_snapshot

    inputs = resolve_inputs(arguments.inputs, (PLACE,))
    ConfiguredOptions(arguments, inputs)(PLACE)  # what is wrong with the options is said before anything is asked
    access, namespaces = arguments.access, arguments.namespaces
    both = open_both(access, namespaces, arguments.os_cloud) if arguments.octavia else None
    snapshot = both.snapshot if both is not None else read_snapshot(access, namespaces)
    options_of = ConfiguredOptions(arguments, inputs, live=Live(snapshot.facts, snapshot.judged))

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
