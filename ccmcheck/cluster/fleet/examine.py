"""One cluster of a fleet: reached, read as `cluster lint` reads it, judged, and kept as a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Protocol, TypeVar

from ccmcheck.cluster.access.documents import title_of
from ccmcheck.cluster.access.errors import UNAUTHORIZED, ApiError, Refused, Unreachable
from ccmcheck.cluster.access.expiry import expired
from ccmcheck.cluster.access.transport import Transport
from ccmcheck.cluster.core import budget, cluster_facts, errors, lint_texts, run_options, target_release
from ccmcheck.cluster.fleet.connection import Deadline, FleetConnection, Patience
from ccmcheck.cluster.fleet.credentials import Credentials
from ccmcheck.cluster.fleet.record import Record, failed, made, producer
from ccmcheck.cluster.fleet.service_state import carried_confs, service_states
from ccmcheck.cluster.fleet.targets import ClusterSource, ClusterTarget
from ccmcheck.cluster.fleet.workers import FleetStep, Reached
from ccmcheck.cluster.live.lint import lint
from ccmcheck.cluster.live.snapshot import ClusterReader, Snapshot

_Made = TypeVar("_Made")


class ClusterJudge(Protocol):
    """The options of the rules for one cluster."""

    def __call__(
        self, facts: cluster_facts.ClusterFacts, judged: tuple[target_release.TargetRelease, ...]
    ) -> tuple[run_options.RunOptions, cluster_facts.ClusterFacts]:
        """The options, and what is known of the cluster by all of them.

        Args:
            facts: What the cluster says of itself.
            judged: The releases of its CCMs.
        """


class Examiner:
    """Reads and judges clusters, several at a time.

    Args:
        source: Gives the credentials.
        judge: Gives the options of the rules for a cluster.
        patience: How long to wait.
        namespaces: Where the CCM is looked for.
        delivered: From the names of a cluster and an object to what delivers it, as the management cluster knows.
    """

    def __init__(
        self,
        source: ClusterSource,
        judge: ClusterJudge,
        patience: Patience,
        namespaces: Sequence[str] = (),
        delivered: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self._source = source
        self._judge = judge
        self._patience = patience
        self._namespaces = namespaces
        self._delivered = delivered or {}

    def __call__(self, target: ClusterTarget) -> Record | FleetStep:
        """The record of a cluster that is not reached, else what reads it and then judges it; nothing is raised."""
        cluster = _Cluster(target)
        return cluster.guarded(partial(self._reach, cluster))

    @staticmethod
    def prepare() -> None:
        """Load what judges a cluster: processes that are forked afterwards have it in common."""
        lint_texts.prepare()

    def _reach(self, cluster: _Cluster) -> FleetStep:
        connection = cluster.connect(self._source)
        deadline = Deadline(connection, self._patience)
        transport = Transport(deadline, sleep=deadline.sleep)
        reader = ClusterReader(transport, cluster.target.context, self._namespaces, keep=True)
        identity = reader.identity()

        def read() -> FleetStep:
            deadline.answered()
            try:
                snapshot = reader.read(identity, with_files=False)
            finally:
                connection.close()
            return partial(cluster.guarded, partial(self._judged, cluster.target, snapshot))

        return Reached(partial(cluster.guarded, read), connection.close)

    def _judged(self, target: ClusterTarget, snapshot: Snapshot) -> Record:
        options, facts = self._judge(snapshot.facts, snapshot.judged)
        result = lint(snapshot, options)
        confs = carried_confs(snapshot.configs)
        states = list(service_states(snapshot, facts, confs))
        producers = self._producers(target, snapshot, {finding.place.path for finding in result.findings})
        return made(target, snapshot, result.findings, result.failures, states, producers, confs)

    def _producers(self, target: ClusterTarget, snapshot: Snapshot, wanted: AbstractSet[str]) -> dict[str, str]:
        """From the names of objects to what made them."""
        found = {}
        for config in snapshot.configs:
            delivered = self._delivered.get((target.name, config.file.subject), "")
            found[config.file.subject] = delivered or producer(config.object, "data", config.place.key)
        for obj in snapshot.objects:
            subject = f"Service {title_of(obj)}"
            if subject in wanted:
                found[subject] = producer(obj)
        return found


class _Cluster:
    """A cluster that is examined: whatever goes wrong with it makes its record.

    Args:
        target: Which it is.
    """

    def __init__(self, target: ClusterTarget) -> None:
        self.target = target
        self._credentials: Credentials | None = None
        self._connection: FleetConnection | None = None

    def connect(self, source: ClusterSource) -> FleetConnection:
        """Make the connection; nothing is sent yet.

        Raises:
            CcmcheckError: There are no credentials for it, or they cannot be used.
        """
        self._credentials = source.credentials(self.target)
        self._connection = FleetConnection(self._credentials)
        return self._connection

    def guarded(self, step: Callable[[], _Made]) -> _Made | Record:
        """What a step makes, or the record of a cluster in which it failed."""
        try:
            return step()
        except ApiError as error:
            said = self._expired() if _is_about_login(error) else ""
            message = f"{error.message}: {said}" if said else error.message
            return self._failed(message, "Get new credentials." if said else error.hint)
        except errors.CcmcheckError as error:
            return self._failed(error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - one cluster must not stop the others; its text may hold secrets
            if budget.is_out_of_memory(error):
                return self._failed(*budget.ended_by(error))
            return self._failed(f"internal error: {errors.described(error)}", "")

    def _expired(self) -> str:
        credentials = self._credentials
        return expired(credentials.token, credentials.certificate) if credentials is not None else ""

    def _failed(self, message: str, hint: str) -> Record:
        connection = self._connection
        if connection is not None:
            connection.close()
        return failed(self.target, message, hint, connection.server if connection is not None else "")


def _is_about_login(error: ApiError) -> bool:
    return isinstance(error, Unreachable) or (isinstance(error, Refused) and error.status == UNAUTHORIZED)
