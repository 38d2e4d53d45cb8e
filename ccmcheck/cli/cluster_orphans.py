"""``ccmcheck cluster orphans``: what the CCM made in OpenStack and no Service owns any more."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import AccessOptions, opened
from ccmcheck.cli.cluster_octavia import OS_CLOUD, OpenProject, open_project
from ccmcheck.cli.given import Declared, flag, text, texts
from ccmcheck.cli.output import resolve_outputs, written_as
from ccmcheck.cli.running import declared_with
from ccmcheck.cluster.access.kubeconfig import Access

if TYPE_CHECKING:
    from ccmcheck.base.result import Failure
    from ccmcheck.cluster.octavia.orphans_report import SearchedCluster
    from ccmcheck.cluster.octavia.services import Owners

FOUND, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_DEFAULT_NAME = "kubernetes"
_STATEMENT = "--only-cluster-of-that-name"


class Age(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 alone
    """``30m``, ``1h``, ``7d``."""

    name = "age"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:  # noqa: ANN401 - click's
        """A text as a duration."""
        if isinstance(value, timedelta):
            return value
        number, unit = str(value)[:-1], str(value)[-1:]
        if unit not in _UNITS or not number.isdecimal() or not number.isascii() or len(number) > 5:
            self.fail(f"`{value}` is not an age; write 30m, 1h or 7d", param, ctx)
        return timedelta(**{_UNITS[unit]: int(number)})


class OrphansArguments(AccessOptions):
    """The arguments of ``orphans``."""

    contexts = texts()
    searched_name = text()
    is_only = flag()
    older_than = Declared(timedelta(hours=1), type=Age())
    access_rules = flag()


@declared_with(
    OrphansArguments,
    "cluster orphans",
    "contexts kubeconfig in_cluster NAMESPACES searched_name is_only older_than os_cloud access_rules quiet OUTPUTS",
    formats=FORMATS,
    says={
        "contexts": "Context of the kubeconfig. Default: the current one. Repeat it for every cluster of that name.",
        "os_cloud": OS_CLOUD,
    },
)
def command(arguments: OrphansArguments) -> int:
    """List load balancers, floating IPs and security groups that the CCM made and no Service owns any more.

    Nothing is deleted; the openstack commands that do it are printed. Needs pip install '.[cluster,octavia]',
    and credentials of clouds.yaml or OS_* variables. Only GET is sent, besides the POST that gets a token.

    The Services of all clusters of that name in the project must be read: repeat --context, or state
    --only-cluster-of-that-name. Without either, the name kubernetes, the CCM's default, is not judged.

    Exit code: 0 none, 1 some, 2 wrong use, 3 something could not be read, so that the result is partial.
    """
    return _print_rules(arguments.os_cloud) if arguments.access_rules else orphans(arguments)


def orphans(arguments: OrphansArguments) -> int:
    """Read, compare, print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, an API that does not answer, or Services that cannot all be read.
    """
    from ccmcheck.cluster.octavia import orphans_report
    from ccmcheck.cluster.octavia.orphans import Judged, find_orphans, youngest
    from ccmcheck.cluster.octavia.orphans_report import OrphansReport

    outputs = resolve_outputs(arguments, FORMATS)
    clusters, owners, unread = _read_clusters(arguments)
    name = clusters[0].name
    _refuse_ambiguous(name, clusters, arguments)
    project = open_project(arguments.os_cloud)
    inventory = project.reader.balancers()
    if not inventory.failures:
        _refuse_other_project(inventory, owners, project, arguments)
    judged = Judged(name, owners, youngest(arguments.older_than))
    found_orphans = find_orphans(inventory, judged, project.reader.ports_of)
    failures = (*unread, *project.reader.failures)
    report = OrphansReport(clusters, name, project.line, found_orphans, failures, arguments.is_only)
    outputs.write_painted(lambda form: written_as(form, orphans_report, report, quiet=arguments.quiet))
    for failure in failures:
        console.warn(f"{failure.path}: {failure.message}")
    if failures:
        return UNREADABLE
    return FOUND if found_orphans.orphans else 0


def _read_clusters(arguments: OrphansArguments) -> tuple[tuple[SearchedCluster, ...], Owners, list[Failure]]:
    """The clusters, each once, the Services of all of them, and what could not be read of their CCMs."""
    from ccmcheck.cluster.octavia.services import owners_of

    owners = owners_of(())
    found: dict[str, SearchedCluster] = {}
    unread: list[Failure] = []
    for context in dict.fromkeys(arguments.contexts or ("",)):
        access = Access(context, arguments.kubeconfig, arguments.in_cluster)
        cluster, theirs, failures = _read_cluster(access, arguments, must_have_name=not found)
        unread += failures
        if not cluster.identity.uid or cluster.identity.uid not in found:
            found[cluster.identity.uid or cluster.identity.line] = cluster
            owners = owners.joined(theirs)
    return tuple(found.values()), owners, unread


def _read_cluster(
    access: Access, arguments: OrphansArguments, *, must_have_name: bool
) -> tuple[SearchedCluster, Owners, tuple[Failure, ...]]:
    from ccmcheck.cluster.access.errors import name_cluster
    from ccmcheck.cluster.live.snapshot import ClusterReader
    from ccmcheck.cluster.octavia.orphans_report import SearchedCluster
    from ccmcheck.cluster.octavia.services import read_owners

    with opened(access) as (transport, context):
        reader = ClusterReader(transport, context, arguments.namespaces)
        with name_cluster(context, reader.server, "the Services could not all be read, so nothing is judged"):
            identity = reader.identity()
            owners = read_owners(transport)
        name = arguments.searched_name
        if name is None:
            name = _name(reader, must_have_name=must_have_name)
        return SearchedCluster(identity, owners.total, name), owners, reader.failures


def _name(reader: Any, *, must_have_name: bool) -> str:  # noqa: ANN401 - the snapshot's Reader, imported lazily
    """``--cluster-name`` of the CCM that runs; empty where that is unknown and need not be known."""
    names = {ccm.pod.cluster_name or _DEFAULT_NAME for ccm in reader.ccms()}
    if len(names) == 1:
        return str(names.pop())
    if not must_have_name:
        return ""
    why = f"the CCMs that run have several names: {', '.join(sorted(names))}" if names else "no CCM was found"
    raise WrongUse(f"the name of the cluster in OpenStack is not known: {why}", "Name it with --cluster-name.")


def _refuse_ambiguous(name: str, clusters: tuple[SearchedCluster, ...], arguments: OrphansArguments) -> None:
    alike = [cluster for cluster in clusters if cluster.identity.uid and cluster.name == name]
    if name == _DEFAULT_NAME and len(alike) < 2 and not arguments.is_only:
        raise WrongUse(
            f"the cluster has the name {_DEFAULT_NAME}, the CCM's default: what has no Service here may belong to "
            "another cluster of that name",
            f"Name every cluster of that name in the project with --context, or state {_STATEMENT}.",
        )


def _refuse_other_project(inventory: Any, owners: Owners, project: OpenProject, arguments: OrphansArguments) -> None:  # noqa: ANN401 - an Inventory
    """Refuse a project in which nothing belongs to the clusters: everything of theirs would seem to be orphaned."""
    from ccmcheck.cluster.octavia.orphans import has_any_of

    if has_any_of(inventory, owners) or arguments.is_only:
        return
    if owners.total:
        raise WrongUse(
            f"project {project.project} has no load balancer of the {owners.total} Services: is it the project of the "
            "CCM?",
            f"Name its cloud with --os-cloud. If it is, state {_STATEMENT}.",
        )
    raise WrongUse(
        "the cluster has no Service with a load balancer, so nothing shows that it is the cluster of this project",
        f"If it is, state {_STATEMENT}.",
    )


def _print_rules(os_cloud: str) -> int:
    import json

    from ccmcheck.cluster.octavia.requests import access_rules

    server = None
    if os_cloud:
        from ccmcheck.cluster.octavia.client import open_cloud

        cloud = open_cloud(os_cloud)
        server = lambda service: cloud.connection(service).server  # noqa: E731 - one line says it
    console.write([json.dumps(access_rules(server), indent=2) + "\n"])
    return 0
