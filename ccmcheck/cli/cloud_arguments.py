"""What the options say about the cloud and the cluster, as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts, merge
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.policy.profiles.standards import Standards


class CloudArguments(NamedTuple):
    """What the cloud and the cluster are like.

    Attributes:
        facts: What the options say about them.
        replicas: ``--replicas``.
        profiles: ``--profile``.
    """

    facts: ClusterFacts
    replicas: int | None
    profiles: Standards

    @property
    def is_empty(self) -> bool:
        """Whether none of the options is given."""
        return not self.facts.known() and self.replicas is None and not self.profiles.names

    @property
    def merged(self) -> ClusterFacts:
        """The facts of the options, and below them those of the profiles."""
        return merge(self.facts, self.profiles.facts)


class AssumptionArguments(NamedTuple):
    """What no file says and the matrix asks for; the options of the same names."""

    client_ip: bool | None
    strict_mtls: bool | None
    stable_node_set: bool | None
    probe_budget: float | None

    @property
    def is_silent(self) -> bool:
        """Whether none of them is given."""
        return all(value is None for value in self)
