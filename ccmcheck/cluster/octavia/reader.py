"""Reads what a project has of load balancers: one list of each kind, and the members of the pools that matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from ccmcheck.cluster.access.errors import NOT_FOUND, ApiError
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, lazy_regex, lint_results
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.octavia.requests import CloudRequest
from ccmcheck.cluster.octavia.transport import CloudRefused, CloudTransport

_UUID = lazy_regex(r"[0-9A-Za-z-]{1,64}")
_THREADS = 8
"""Members are one request a pool; so many at a time, as Octavia's API has about as many workers."""


class OctaviaInventory(NamedTuple):
    """What a project has.

    Attributes:
        project: Its ID.
        server: Octavia's URL without userinfo.
        balancers: Its load balancers by ID.
        listeners: Its listeners by ID.
        pools: Its pools by ID.
        monitors: Its health monitors by ID.
        members: Members by the ID of their pool, for the pools that were asked for.
        floating_ips: Its floating IPs.
        groups: Its security groups that the CCM made, with their rules.
        subnets: Its subnets, and those shared with it, by ID.
        api: Octavia's newest API version; None when unknown.
        failures: What could not be read.
        unread: The kinds of objects of which not all could be read, by the request's key.
        ports: Its ports by the ID of their server, where there are such groups.
    """

    project: str
    server: str
    balancers: Mapping[str, Document]
    listeners: Mapping[str, Document]
    pools: Mapping[str, Document]
    monitors: Mapping[str, Document]
    members: Mapping[str, tuple[Document, ...]]
    floating_ips: tuple[Document, ...]
    groups: tuple[Document, ...]
    subnets: Mapping[str, Document]
    api: tuple[int, int] | None
    failures: tuple[lint_results.Failure, ...]
    unread: frozenset[str]
    ports: Mapping[str, list[Document]] = {}

    def listeners_of(self, balancer: Document) -> list[Document]:
        """The listeners of a load balancer, in its order."""
        return self._parts(balancer, "listeners", self.listeners)

    def pools_of(self, balancer: Document) -> list[Document]:
        """The pools of a load balancer, in its order."""
        return self._parts(balancer, "pools", self.pools)

    def _parts(self, balancer: Document, key: str, known: Mapping[str, Document]) -> list[Document]:
        references = balancer.get(key)
        identifiers = [reference.get("id") for reference in references or () if isinstance(reference, dict)]
        return [known[identifier] for identifier in identifiers if isinstance(identifier, str) and identifier in known]


class CloudReader:
    """Reads one project.

    Args:
        transport: Asks its services.
        project: Its ID.
    """

    def __init__(self, transport: CloudTransport, project: str) -> None:
        self._transport = transport
        self._project = project
        self._failures: list[lint_results.Failure] = []
        self._unread: set[str] = set()

    def balancers(self) -> OctaviaInventory:
        """What `cluster orphans` needs: load balancers, floating IPs and security groups."""
        return self._inventory(whole=False)

    def everything(self) -> OctaviaInventory:
        """What `cluster lint --octavia` needs, except for members, which `with_members` adds."""
        return self._inventory(whole=True)

    def with_members(self, inventory: OctaviaInventory, pools: Iterable[str]) -> OctaviaInventory:
        """The same with the members of some pools."""
        asked = list(dict.fromkeys(pools))
        with ThreadPoolExecutor(_THREADS) as threads:
            members = dict(zip(asked, threads.map(self._members, asked), strict=True))
        known = {pool: found for pool, found in members.items() if found is not None}
        return inventory._replace(members=known, failures=tuple(self._failures), unread=frozenset(self._unread))

    def is_gone(self, identifier: str) -> bool:
        """Whether a load balancer that the project's list does not have exists nowhere; else a failure says why."""
        if not _UUID.fullmatch(identifier):
            return True
        request = requests.BALANCER.of(identifier)
        named = request._replace(title=f"{request.title} {identifier}")
        try:
            self._transport.get(request)
        except CloudRefused as error:
            if error.status == NOT_FOUND:
                return True
            self._fail(named, error)
        except ApiError as error:
            self._fail(named, error)
        else:
            why = f"it is not in project {self._project}, so it is not judged"
            self._failures.append(
                lint_results.Failure(f"Octavia: {named.title}", why, "Name its cloud with --os-cloud.")
            )
        return False

    def ports_of(self, group: str) -> list[Document]:
        """The ports that have a security group."""
        return self._list(requests.PORTS, {"security_groups": group})

    @property
    def failures(self) -> tuple[lint_results.Failure, ...]:
        """What could not be read so far."""
        return tuple(self._failures)

    def _inventory(self, *, whole: bool) -> OctaviaInventory:
        of_project = {"project_id": self._project}
        balancers = self._by_id(requests.BALANCERS, of_project)
        listeners = self._by_id(requests.LISTENERS, of_project) if whole else {}
        pools = self._by_id(requests.POOLS, of_project) if whole else {}
        monitors = self._by_id(requests.MONITORS, of_project) if whole else {}
        floating_ips = self._list(requests.FLOATING_IPS, of_project)
        groups = [
            group
            for group in self._list(requests.GROUPS, of_project)
            if str(group.get("name") or "").startswith("lb-sg-")
        ]
        ports: dict[str, list[Document]] = {}
        for port in self._list(requests.PORTS, of_project) if whole and groups else ():
            ports.setdefault(str(port.get("device_id")), []).append(port)
        subnets = self._by_id(requests.SUBNETS, {}) if whole else {}
        api = self._api() if whole else None
        return OctaviaInventory(
            self._project,
            self._transport.server(requests.LOAD_BALANCER),
            balancers,
            listeners,
            pools,
            monitors,
            {},
            tuple(floating_ips),
            tuple(groups),
            subnets,
            api,
            tuple(self._failures),
            frozenset(self._unread),
            ports,
        )

    def _by_id(self, request: CloudRequest, query: Mapping[str, str]) -> dict[str, Document]:
        return {str(found["id"]): found for found in self._list(request, query) if found.get("id")}

    def _list(self, request: CloudRequest, query: Mapping[str, str]) -> list[Document]:
        found: list[Document] = []
        try:
            found.extend(self._transport.items(request, query))
        except ApiError as error:
            self._fail(request, error)
        return found

    def _members(self, pool: str) -> tuple[Document, ...] | None:
        request = requests.MEMBERS.of(pool)
        try:
            return tuple(self._transport.items(request))
        except ApiError as error:
            self._fail(request._replace(title=f"{request.title} {pool}"), error)
            return None

    def _api(self) -> tuple[int, int] | None:
        try:
            versions = self._transport.get(requests.VERSIONS).get("versions")
        except ApiError as error:
            self._fail(requests.VERSIONS, error)
            return None
        return requests.newest_version(versions if isinstance(versions, list) else ())

    def _fail(self, request: CloudRequest, error: ApiError) -> None:
        self._unread.add(request.key)
        title = f"{requests.TITLES[request.service]}: {request.title}"
        self._failures.append(lint_results.Failure(title, error.message, error.hint))
