"""A cluster beside its OpenStack project, for the commands that compare the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cluster_access import opened, read_named, resolve_access
from ccmcheck.cli.cluster_cloud import open_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.cli.cluster_access import AccessArguments
    from ccmcheck.cli.cluster_cloud import OpenProject
    from ccmcheck.cluster.live.load_balancers import LiveOctavia
    from ccmcheck.cluster.live.snapshot import Snapshot
    from ccmcheck.cluster.octavia.snapshot import KeepingReader
    from ccmcheck.conf.target_release import TargetRelease


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
        found = read_octavia(self.snapshot, self.reader, self.project.reader, judged[0], facts)
        return found._replace(line=self.project.line)


def open_both(access: AccessArguments, namespaces: tuple[str, ...], os_cloud: str) -> OpenCluster:
    """Log in to the project, and read the cluster.

    Raises:
        CcmcheckError: Credentials cannot be used, or the API server or Keystone does not answer.
    """
    from ccmcheck.cluster.octavia.snapshot import KeepingReader

    project = open_project(os_cloud)
    with opened(resolve_access(access)) as (transport, context):
        reader = KeepingReader(transport, context, namespaces)
        return OpenCluster(read_named(reader), reader, project)
