"""One cluster of a fleet: reached, read as `cluster lint` reads it, judged, and kept as a record."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from ccmcheck.base.errors import CcmcheckError, described
from ccmcheck.cluster.errors import UNAUTHORIZED, ApiError, Refused, Unreachable
from ccmcheck.cluster.expiry import expired
from ccmcheck.cluster.fleet.alike import likeness, lint_once, subject
from ccmcheck.cluster.fleet.connection import FleetConnection
from ccmcheck.cluster.fleet.deadline import Deadline
from ccmcheck.cluster.fleet.producer import producer
from ccmcheck.cluster.fleet.record import Record, failed, made
from ccmcheck.cluster.fleet.service_state import service_states
from ccmcheck.cluster.snapshot import Reader
from ccmcheck.cluster.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.cluster.fleet.deadline import Patience
    from ccmcheck.cluster.fleet.targets import Source, Target
    from ccmcheck.cluster.snapshot import Snapshot
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.run_options import RunOptions

_judging = threading.Lock()
"""Rules run in one thread at a time: they only compute, and share what they have compiled and read."""


class Judge(Protocol):
    """The options of the rules for one cluster."""

    def __call__(self, facts: ClusterFacts, judged: tuple[TargetRelease, ...]) -> tuple[RunOptions, ClusterFacts]:
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
        source: Source,
        judge: Judge,
        patience: Patience,
        namespaces: Sequence[str] = (),
        delivered: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self._source = source
        self._judge = judge
        self._patience = patience
        self._namespaces = namespaces
        self._delivered = delivered or {}

    def __call__(self, target: Target) -> Record:
        """The record of a cluster; nothing is raised."""
        server = ""
        try:
            credentials = self._source.credentials(target)
            connection = FleetConnection(credentials)
            server = connection.server
            try:
                snapshot = self._read(target, connection)
            except ApiError as error:
                said = expired(credentials.token, credentials.certificate) if _is_about_login(error) else ""
                message = f"{error.message}: {said}" if said else error.message
                return failed(target, message, "Get new credentials." if said else error.hint, server)
            finally:
                connection.close()
            return self._judged(target, snapshot)
        except CcmcheckError as error:
            return failed(target, error.message, error.hint, server)
        except Exception as error:  # noqa: BLE001 - one cluster must not stop the others; its text may hold secrets
            return failed(target, f"internal error: {described(error)}", "", server)

    def _read(self, target: Target, connection: FleetConnection) -> Snapshot:
        deadline = Deadline(connection, self._patience)
        reader = Reader(Transport(deadline, sleep=deadline.sleep), target.context, self._namespaces, keep=True)
        identity = reader.identity()
        deadline.answered()
        return reader.read(identity, with_files=False)

    def _judged(self, target: Target, snapshot: Snapshot) -> Record:
        with _judging:
            options, facts = self._judge(snapshot.facts, snapshot.judged)
            likenesses = [likeness(service) for service in snapshot.objects]
            result = lint_once(snapshot, options, likenesses)
            states = list(service_states(snapshot, facts, likenesses))
            producers = self._producers(target, snapshot, {finding.place.path for finding in result.findings})
            return made(target, snapshot, result.findings, result.failures, states, producers)

    def _producers(self, target: Target, snapshot: Snapshot, wanted: AbstractSet[str]) -> dict[str, str]:
        """From the names of objects to what made them."""
        found = {}
        for config in snapshot.configs:
            delivered = self._delivered.get((target.name, config.file.subject), "")
            found[config.file.subject] = delivered or producer(config.object, "data", config.place.key)
        for obj in snapshot.objects:
            if subject(obj) in wanted:
                found[subject(obj)] = producer(obj)
        return found


def _is_about_login(error: ApiError) -> bool:
    return isinstance(error, Unreachable) or (isinstance(error, Refused) and error.status == UNAUTHORIZED)
