"""``ccmcheck cluster fleet``: ``cluster lint`` for many clusters, in one table."""

from __future__ import annotations

from ccmcheck.cli.cluster_access import judging
from ccmcheck.cli.fleet_options import PLACE, FleetArguments, FleetJudge, check, shard
from ccmcheck.cli.fleet_output import FORMATS
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cli.running import declared_with


@declared_with(
    FleetArguments,
    "cluster fleet",
    "contexts all_contexts kubeconfig kubeconfig_dir management management_only in_cluster cluster_namespaces selector "
    "exec_policy exec_plugins exec_timeout at_once timeout cluster_timeout shard resume ccm_namespaces select ignore "
    "JUDGING CONFIG fail_on details max_clusters exit_zero jobs quiet verbose OUTPUTS",
    formats=FORMATS,
    says=judging("each"),
)
def command(arguments: FleetArguments) -> int:
    """Check the CCMs of many clusters: `cluster lint` for each, a row in a table, the worst first.

    Says once what many clusters have in common and what produced it, and what clusters share that they should not: a
    load balancer, an address, a load balancer's name. A cluster that hangs or is broken stops no other.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use, 3 a cluster was not read,
    or not completely.
    """
    from ccmcheck.base.errors import WrongUse
    from ccmcheck.cli.fleet_run import run_fleet, run_management_only
    from ccmcheck.cluster.access.client import INSTALL, is_installed

    arguments = check(arguments)
    if not is_installed():
        raise WrongUse("the kubernetes client is not installed", INSTALL)
    inputs = resolve_inputs(arguments.inputs, (PLACE,))
    outputs = resolve_outputs(arguments, FORMATS, configured_color=inputs.run.color)
    arguments = arguments.but(fail_on=arguments.fail_on or inputs.run.fail_on)
    judge = FleetJudge(arguments, inputs)
    part = shard(arguments)
    if arguments.management_only:
        return run_management_only(arguments, judge, outputs)
    return run_fleet(arguments, judge, outputs, part)
