"""Which OpenStack project belongs to a cluster, and by which credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import CLUSTER, option

if TYPE_CHECKING:
    from ccmcheck.cluster.octavia.reader import CloudReader

OS_CLOUD = option(
    "--os-cloud",
    default="",
    section=CLUSTER,
    metavar="NAME",
    help="Cloud of clouds.yaml. Default: OS_CLOUD, else the other OS_* variables.",
)


class OpenProject(NamedTuple):
    """A cloud that is open.

    Attributes:
        reader: Reads the project.
        line: Which cloud and project, for people.
        project: The project's ID.
    """

    reader: CloudReader
    line: str
    project: str


def open_project(name: str) -> OpenProject:
    """Log in, and say where.

    Args:
        name: ``--os-cloud``.

    Raises:
        CcmcheckError: openstacksdk is not installed, or the cloud cannot be used.
    """
    from ccmcheck.cluster.octavia.client import open_cloud
    from ccmcheck.cluster.octavia.reader import CloudReader
    from ccmcheck.cluster.octavia.requests import LOAD_BALANCER
    from ccmcheck.cluster.octavia.transport import CloudTransport

    cloud = open_cloud(name)
    transport = CloudTransport(cloud.connection)
    called = f"cloud {cloud.name}, " if cloud.name else ""
    line = f"OpenStack: {called}{transport.server(LOAD_BALANCER)}, project {cloud.project}"
    return OpenProject(CloudReader(transport, cloud.project), line, cloud.project)
