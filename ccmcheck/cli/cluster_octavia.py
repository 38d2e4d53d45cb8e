"""A cluster beside its OpenStack project, for the commands that compare the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cluster_access import opened, read_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.cluster.access.kubeconfig import Access
    from ccmcheck.cluster.live.lint import LiveOctavia
    from ccmcheck.cluster.live.snapshot import Snapshot
    from ccmcheck.cluster.octavia.live import KeepingReader
    from ccmcheck.cluster.octavia.reader import CloudReader
    from ccmcheck.conf.target_release import TargetRelease


OS_CLOUD = "OS_CLOUD, else the other OS_* variables"
"""What the help says of --os-cloud."""


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


class OpenCluster(NamedTuple):
    """A cluster that was read, and its project, which is open.

    Attributes:
        snapshot: What was read of the cluster.
        reader: The Services and nodes as they are.
        project: The project.
    """

    snapshot: Snapshot
    reader: KeepingReader
    project: OpenProject

    def compare(self, releases: Sequence[TargetRelease], facts: ClusterFacts) -> LiveOctavia:
        """Read the load balancers, and compare each with its Service.

        Args:
            releases: Those that the user names; of several, the first one counts.
            facts: What options and configuration say of the cluster.
        """
        from ccmcheck.cluster.octavia.live import read_octavia
        from ccmcheck.conf.target_release import NOTHING_FOUND

        judged = tuple(releases) or self.snapshot.judged or (NOTHING_FOUND.target,)
        octavia = read_octavia(self.snapshot, self.reader, self.project.reader, judged[0], facts)
        return octavia._replace(line=self.project.line)


def open_both(access: Access, namespaces: tuple[str, ...], os_cloud: str) -> OpenCluster:
    """Log in to the project, and read the cluster.

    Raises:
        CcmcheckError: Credentials cannot be used, or the API server or Keystone does not answer.
    """
    from ccmcheck.cluster.octavia.live import KeepingReader

    project = open_project(os_cloud)
    with opened(access) as (transport, context):
        reader = KeepingReader(transport, context, namespaces)
        return OpenCluster(read_named(reader), reader, project)
