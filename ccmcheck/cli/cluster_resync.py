"""``ccmcheck cluster resync``: make the CCM sync Services whose load balancers differ, where that corrects them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import NAMESPACE, AccessArguments, access_options, opened_for_writing, resolve_access
from ccmcheck.cli.cluster_cloud import OS_CLOUD
from ccmcheck.cli.cluster_octavia import open_both
from ccmcheck.cli.command import CHANGE, Command, option, options
from ccmcheck.cli.confirmation import YES, confirmed, refuse_if_nobody_can_confirm
from ccmcheck.cli.options import release_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.cli.cluster_octavia import OpenCluster
    from ccmcheck.cluster.client import Access
    from ccmcheck.cluster.octavia.live import LiveOctavia
    from ccmcheck.cluster.octavia.resync import Plan

LEFT, FAILED = 1, 3


class ResyncArguments(NamedTuple):
    """The arguments of ``resync``; see the options below."""

    services: tuple[str, ...]
    access: AccessArguments
    namespaces: tuple[str, ...]
    releases: tuple[str, ...]
    os_cloud: str
    is_all: bool
    is_dry: bool
    yes: bool


@click.command(
    "resync",
    cls=Command,
    short_help="Make the CCM sync Services whose load balancers differ.",
    examples=(
        ("ccmcheck cluster resync shop/web --os-cloud prod", "Show what a sync corrects, ask, and trigger it"),
        ("ccmcheck cluster resync --all --dry-run", "Only show it, for every Service"),
    ),
)
@click.argument("services", nargs=-1, metavar="[NAMESPACE/NAME]...")
@options(
    option("--all", "is_all", is_flag=True, section=CHANGE, help="Every Service that a sync corrects."),
    option("--dry-run", "is_dry", is_flag=True, section=CHANGE, help="Only show what a sync corrects."),
    YES,
)
@access_options
@options(NAMESPACE, OS_CLOUD, release_option("the release of the CCM's image"))
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what ResyncArguments declares
    """Make the CCM sync Services whose load balancers differ from what it would make, where it corrects that itself.

    The CCM has no periodic sync. This shows for each Service what the next sync corrects and what it does not, asks,
    and then writes the annotation ccmcheck.dev/resync with the time: any change of annotations triggers a sync. What no
    sync corrects is listed with what does. Needs pip install 'ccmcheck[cluster,octavia]'.

    Exit code: 0 a sync corrects everything, 1 something is left or nobody confirmed, 2 wrong use, 3 something could
    not be read or written.
    """
    return resync(ResyncArguments(**values))


def resync(arguments: ResyncArguments) -> int:
    """Read, compare, show, ask, write, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or an API that does not answer.
    """
    from ccmcheck.cli.resolve import target_releases
    from ccmcheck.cluster.octavia.resync import plans

    if bool(arguments.services) == arguments.is_all:
        raise WrongUse("name Services as NAMESPACE/NAME, or write --all")
    judged = target_releases(arguments.releases, None, ()) if arguments.releases else ()
    both = open_both(arguments.access, arguments.namespaces, arguments.os_cloud)
    octavia = both.compare(judged, both.snapshot.facts)
    titles = {service.title: service.uid for _, service in both.reader.services}
    failures = (*both.snapshot.failures, *octavia.failures)
    for failure in failures:
        console.warn(f"{failure.path}: {failure.message}")
    found = plans(arguments.services, octavia.balancers, titles)
    _show(both, octavia, found)
    triggered = [plan for plan in found if plan.is_triggered]
    left = any(plan.left or plan.refused for plan in found)
    code = FAILED if failures else LEFT if left else 0
    if not triggered:
        console.write(["No sync corrects anything here.\n" if left else "There is nothing to correct.\n"])
        return code
    if arguments.is_dry:
        console.write([f"A sync of {_services(triggered)} corrects this. Nothing was written.\n"])
        return code
    if not arguments.yes:
        refuse_if_nobody_can_confirm("Write --yes, or --dry-run.")
        if not confirmed(f"Trigger a sync of {_services(triggered)}", both.snapshot.identity):
            console.warn("Nothing was written.")
            return max(code, LEFT)
    # the context that was read: the kubeconfig's current one may be another by now
    access = resolve_access(arguments.access)._replace(context=both.snapshot.identity.context)
    return max(code, _write(access, triggered, titles))


def _show(both: OpenCluster, octavia: LiveOctavia, found: Sequence[Plan]) -> None:
    from ccmcheck.base.escape import printable
    from ccmcheck.cluster.octavia.resync import blocks
    from ccmcheck.cluster.restart import OLD, known
    from ccmcheck.document import text

    console.write([f"{printable(f'{both.snapshot.identity.line}; {octavia.line}')}\n\n"])
    console.write(f"{line}\n" for line in text.write(blocks(found)))
    if any(known(config).use == OLD for config in both.snapshot.configs):
        console.warn(
            "the CCM runs on an older cloud.conf, which a sync follows; a restart syncs every Service by the new one"
        )


def _write(access: Access, triggered: Sequence[Plan], uids: dict[str, str]) -> int:
    from ccmcheck.base.escape import printable
    from ccmcheck.cluster.errors import ApiError
    from ccmcheck.cluster.octavia.resync_write import trigger

    failed = False
    with opened_for_writing(access) as (writer, _):
        for plan in triggered:
            try:
                console.write([f"{printable(trigger(writer, plan.title, uids[plan.title]))}\n"])
            except ApiError as error:
                failed = True
                console.warn(f"Service {plan.title}: no sync was triggered: {error.message}")
    console.write(["`ccmcheck cluster lint --octavia` shows what the CCM made of it.\n"])
    return FAILED if failed else 0


def _services(found: Sequence[Plan]) -> str:
    return f"Service {found[0].title}" if len(found) == 1 else f"{len(found)} Services"
