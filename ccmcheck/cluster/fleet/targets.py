"""The clusters of a fleet: which there are, and how the credentials of each are found when its turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ccmcheck.cluster.core import NamedTuple, errors, printable
from ccmcheck.cluster.fleet.credentials import Credentials


class ClusterTarget(NamedTuple):
    """One cluster, not read yet.

    Attributes:
        name: What it is called in the table.
        source: What it is found by: the path of a kubeconfig, or the namespace of a Cluster; with the context or the
            name the same in every run.
        context: The context, or the name of the Cluster.
        labels: The Cluster's labels.
    """

    name: str
    source: str
    context: str
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """What tells it from all others, the same in every run and in every file of results."""
        return printable(f"{self.source} {self.context}")


class ClusterSource(Protocol):
    """Where clusters come from."""

    def targets(self) -> Sequence[ClusterTarget]:
        """All of them.

        Raises:
            CcmcheckError: They cannot be listed.
        """

    def credentials(self, target: ClusterTarget) -> Credentials:
        """How one is reached; called in any thread.

        Raises:
            CcmcheckError: Its kubeconfig cannot be read or used.
        """


class Shard(NamedTuple):
    """One of several parts of a fleet.

    Attributes:
        number: Which, from 0.
        total: How many there are.
    """

    number: int = 0
    total: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    def has(self, target: ClusterTarget) -> bool:
        """Whether a cluster is in it: decided by its name alone, so that other clusters may come and go."""
        if self.total == 1:
            return True
        from hashlib import sha256

        return (
            int.from_bytes(sha256(target.name.encode("utf-8", "replace")).digest()[:8], "big") % self.total
            == self.number
        )


MOST_SHARDS = 10_000


def shard_of(text: str, index: str | None) -> Shard:
    """Read ``--shard``.

    Args:
        text: ``I/N``, or ``N`` alone.
        index: ``JOB_COMPLETION_INDEX`` of an Indexed Job, which is I where the option has none; None outside of one.

    Raises:
        WrongUse: It is neither.
    """
    first, slash, last = text.partition("/")
    if not slash:
        first, last = index or "", text
        if not first:
            raise errors.WrongUse(
                f"--shard {text} has no index, and there is no JOB_COMPLETION_INDEX",
                f"Write --shard 0/{text} to --shard {int(text) - 1 if text.isdecimal() else 'N-1'}/{text}.",
            )
    if not (first.isascii() and first.isdecimal() and last.isascii() and last.isdecimal() and len(first + last) < 12):
        raise errors.WrongUse(f"--shard `{text}` is not I/N", "Write 0/4 for the first of four shards.")
    shard = Shard(int(first), int(last))
    if not 0 < shard.total <= MOST_SHARDS or shard.number >= shard.total:
        raise errors.WrongUse(f"there is no shard {shard}", "I counts from 0 to N-1.")
    return shard
