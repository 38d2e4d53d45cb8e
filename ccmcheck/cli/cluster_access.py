"""Which cluster, and by which credentials: the options of every command about a running cluster."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.cli.given import Declared, flag, texts, word
from ccmcheck.cli.options import Given
from ccmcheck.cluster.access.kubeconfig import Access

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.access.audit import AuditLog
    from ccmcheck.cluster.access.transport import Transport
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.live.snapshot import ClusterReader, Snapshot

PLACE = "cluster"
"""Stands for all objects where ccmcheck's own configuration is looked for: that of the current folder."""


_EVERYWHERE = "ccmcheck.every-namespace"


def _everywhere(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    ctx.meta[_EVERYWHERE] = value


def _namespaces(ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """The namespaces; an empty one for all of them."""
    if value and ctx.meta.get(_EVERYWHERE):
        raise WrongUse("--namespace and --all-namespaces exclude each other.")
    return ("",) if ctx.meta.get(_EVERYWHERE) else value


class Duration(click.ParamType[float]):
    """A time as kubectl takes it: ``30``, ``1.5m``, ``500ms``."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Turn it into seconds."""
        match = _DURATION.fullmatch(str(value))
        seconds = float(match[1]) * _UNITS[match[2]] if match is not None else 0.0
        if not 0 < seconds <= _LONGEST:
            self.fail(f"`{value}` is not a time; write 30s or 2m", param, ctx)
        return seconds


_DURATION = lazy_regex(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(ms|s|m|h|)")
_UNITS = {"": 1.0, "s": 1.0, "ms": 0.001, "m": 60.0, "h": 3600.0}
_LONGEST = 3600.0


class AccessOptions(Given):
    """Which cluster, and by which credentials."""

    context = word()
    kubeconfig = word()
    in_cluster = flag()
    cluster = word()
    user = word()
    as_user = word()
    as_groups = texts()
    seconds: Declared[float | None] = Declared(None, type=Duration())
    namespaces: Declared[tuple[str, ...]] = Declared((), multiple=True, callback=_namespaces)
    all_namespaces = Declared(default=False, is_flag=True, is_eager=True, expose_value=False, callback=_everywhere)

    @property
    def access(self) -> Access:
        """Which cluster, and by which credentials."""
        return Access(**{name: getattr(self, name) for name in Access._fields})


def judging(cluster: str = "the", profile: str = "Judge by this profile; repeatable.") -> dict[str, str]:
    """What the help says of the options by which a live cluster is judged.

    Args:
        cluster: Of which cluster the defaults are: ``the`` one, or ``each``.
        profile: What profiles are used for.
    """
    return {
        "releases": f"the release of {cluster} CCM's image, else release in ccmcheck.toml",
        "nodes": f"the Nodes of {cluster} cluster",
        "profiles": profile,
    }


def check_access(access: Access) -> Access:
    """The same, where the options name one cluster.

    Raises:
        WrongUse: They name two.
    """
    if access.in_cluster and (access.context or access.kubeconfig or access.cluster or access.user):
        raise WrongUse("--in-cluster uses no kubeconfig", "Leave out --context and --kubeconfig.")
    return access


def read_snapshot(access: Access, namespaces: tuple[str, ...], *, keep: bool = False) -> Snapshot:
    """Open a cluster, and read what the rules need of it.

    Args:
        access: Which cluster.
        namespaces: Where the CCM is looked for.
        keep: Whether the Services are kept as the API server sent them.

    Raises:
        CcmcheckError: The kubeconfig cannot be used, or the API server does not answer.
    """
    from ccmcheck.cluster.live.snapshot import ClusterReader

    with opened(access) as (transport, context):
        return read_named(ClusterReader(transport, context, namespaces, keep=keep))


@contextmanager
def opened(access: Access) -> Iterator[tuple[Transport, str]]:
    """Open a cluster for reading, and close it; with the context's name.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.access.client import open_cluster
    from ccmcheck.cluster.access.limits import SECONDS
    from ccmcheck.cluster.access.transport import Transport

    cluster = open_cluster(check_access(access))
    try:
        seconds = access.seconds or SECONDS
        yield Transport(cluster.connection, seconds=seconds), cluster.context
    finally:
        cluster.connection.close()


@contextmanager
def opened_for_writing(access: Access, audit: AuditLog) -> Iterator[tuple[Writer, str]]:
    """Open a cluster that may be changed, and close it; with the context's name.

    Args:
        access: Which cluster.
        audit: Gets every change.

    Raises:
        CcmcheckError: The kubeconfig cannot be used.
    """
    from ccmcheck.cluster.access.limits import SECONDS
    from ccmcheck.cluster.access.writing import Writer, open_for_writing

    connection, context = open_for_writing(check_access(access))
    try:
        yield Writer(connection, audit=audit, seconds=access.seconds or SECONDS), context
    finally:
        connection.close()


def read_named(reader: ClusterReader) -> Snapshot:
    """Read what the rules need of a cluster that is open; where it does not answer, the error names it.

    Raises:
        ApiError: The API server does not answer.
    """
    from ccmcheck.cluster.access.errors import name_cluster
    from ccmcheck.redact.run_secrets import hide_those_of

    with name_cluster(reader.context, reader.server):
        identity = reader.identity()
    snapshot = reader.read(identity)
    hide_those_of(snapshot.conf_texts)
    return snapshot
