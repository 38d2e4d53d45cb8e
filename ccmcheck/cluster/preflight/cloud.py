"""What is asked of one project: each object once, within a limit; what was asked stands in the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from ccmcheck.cluster.access.documents import mappings
from ccmcheck.cluster.access.errors import NOT_FOUND, ApiError
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.octavia.client import LoggedIn, ServiceConnection
from ccmcheck.cluster.octavia.requests import CloudRequest
from ccmcheck.cluster.octavia.transport import CloudError, CloudRefused, CloudTransport

AskedCloud: TypeAlias = "PreflightCloud | SavedCloud"
"""What answers: a project, or files with what one answered."""
_Answer = TypeVar("_Answer")
MOST_ASKED = 1000
"""Requests of one run: that many IDs are in no configuration that a person wrote."""
MOST_OBJECTS = 20_000
"""Objects of a kind; more are not looked at."""
UNKNOWN = "no file shows"
"""How the errors begin: of what is not in the files nothing is said."""
_NO_ID = 400
"""What Neutron and Octavia answer to some texts that can be no ID."""


class PreflightCheck(NamedTuple):
    """Something that was asked.

    Attributes:
        about: Which key, annotation or service it is about.
        passed: Whether all is well; None where that could not be found out.
        text: What was seen.
        hint: What to do where it did not pass.
        asked: The request; empty for what was concluded from others.
    """

    about: str
    passed: bool | None
    text: str
    hint: str = ""
    asked: str = ""


class ShownAnswer(NamedTuple):
    """The answer to one question.

    Attributes:
        asked: The request.
        document: The object; None where there is none, or no answer.
        error: Why there is no answer; None where there is one.
    """

    asked: str
    document: Document | None = None
    error: ApiError | None = None

    def unanswered(self, about: str) -> PreflightCheck:
        """The check where there was no answer."""
        assert self.error is not None  # noqa: S101 - asked for where there is one
        return PreflightCheck(about, None, self.error.message, self.error.hint, self.asked)


class ListedAnswer(NamedTuple):
    """The answer to a question for a list; see `ShownAnswer`."""

    asked: str
    documents: tuple[Document, ...] = ()
    error: ApiError | None = None


class PreflightCloud:
    """One project, and what it answered.

    Args:
        logged: The login.

    Attributes:
        project: The project's ID.
        logged: The login.
    """

    def __init__(self, logged: LoggedIn, project: str) -> None:
        self.logged = logged
        self.project = project
        self._urls: dict[str, str] = {requests.IDENTITY: logged.login.keystone}
        self._transport = CloudTransport(self._connection)
        self._left = MOST_ASKED
        self._seen: dict[str, ShownAnswer] = {}
        self._listed: dict[str, ListedAnswer] = {}

    def url(self, service: str) -> str:
        """The URL of a service; empty where the catalogue has none."""
        if service not in self._urls:
            self._urls[service] = self.logged.endpoint(service)
        return self._urls[service]

    def show(self, request: CloudRequest, identifier: str) -> ShownAnswer:
        """One object by its ID.

        Args:
            request: Of which kind.
            identifier: Its ID, or what stands in its place.
        """
        request = request.of(identifier)
        asked = f"GET {request.path}"
        if asked not in self._seen:
            self._seen[asked] = self._shown(request, asked)
        return self._seen[asked]

    def _shown(self, request: CloudRequest, asked: str) -> ShownAnswer:
        try:
            answer = self._guarded(request, lambda: self._transport.get(request))
        except CloudRefused as error:
            return ShownAnswer(asked) if error.status in (NOT_FOUND, _NO_ID) else ShownAnswer(asked, error=error)
        except ApiError as error:
            return ShownAnswer(asked, error=error)
        document = answer.get(request.key) if request.key else answer
        if not isinstance(document, dict):
            return ShownAnswer(asked, error=CloudError(f"the answer has no {request.key}"))
        return ShownAnswer(asked, document)

    def list(self, request: CloudRequest, query: Mapping[str, str] | None = None) -> ListedAnswer:
        """All objects of a kind; of a partial list nothing is used.

        Args:
            request: Of which kind.
            query: Which of them.
        """
        words = "&".join(f"{key}={value}" for key, value in (query or {}).items())
        asked = f"GET {request.path}" + (f"?{words}" if words else "")
        return self._once(asked, request, lambda: tuple(self._transport.items(request, query)))

    def versions(self) -> ListedAnswer:
        """Octavia's API versions, which are one answer: it refuses a limit there."""
        request = requests.VERSIONS
        return self._once(
            f"GET {request.path}", request, lambda: tuple(mappings(self._transport.get(request).get(request.key)))
        )

    def _once(self, asked: str, request: CloudRequest, read: Callable[[], tuple[Document, ...]]) -> ListedAnswer:
        if asked not in self._listed:
            try:
                self._listed[asked] = ListedAnswer(asked, self._guarded(request, read))
            except ApiError as error:
                self._listed[asked] = ListedAnswer(asked, error=error)
        return self._listed[asked]

    def of_project(self, request: CloudRequest) -> ListedAnswer:
        """All objects of a kind that the project has."""
        return self.list(request, {"project_id": self.project})

    def _guarded(self, request: CloudRequest, ask: Callable[[], _Answer]) -> _Answer:
        if not self.url(request.service):
            raise CloudError(f"the service catalogue has no {requests.TITLES[request.service]}")
        self._left -= 1
        if self._left < 0:
            raise CloudError(f"not asked: a run sends at most {MOST_ASKED:,} requests")
        return ask()

    def _connection(self, service: str) -> ServiceConnection:
        return ServiceConnection(self.logged.session, service, self.url(service))


class SavedCloud:
    """A project by what files hold of answers: what is in none is unknown, but for whole lists; see `PreflightCloud`.

    Args:
        answers: What the files hold, see `ccmcheck.carriers.saved_answers`.

    Attributes:
        kinds: The kinds of objects that they show.
    """

    project = ""

    def __init__(self, answers: Iterable[tuple[str, str, tuple[Document, ...], bool]]) -> None:
        self._items: dict[str, list[tuple[str, Document]]] = {}
        self._whole: dict[str, str] = {}
        for path, kind, items, is_whole in answers:
            if is_whole:
                self._whole[kind] = path
            known = self._items.setdefault(kind, [])
            known.extend((path, item) for item in items[: MOST_OBJECTS - len(known)])
        self.kinds = tuple(self._items)

    def show(self, request: CloudRequest, identifier: str) -> ShownAnswer:
        """One object by its ID, with what all files say of it."""
        kind, where = f"{request.key}s", ""
        document: Document = {}
        for path, item in self._items.get(kind, ()):
            if identifier and item.get("id") == identifier:
                document, where = document | item, path
        if document or kind in self._whole:
            return ShownAnswer(where or self._whole[kind], document or None)
        if other := self.place_of_other(kind, identifier):
            return ShownAnswer(other[0])
        return ShownAnswer("", error=CloudError(f"{UNKNOWN} {request.title} `{identifier}`"))

    def place_of_other(self, kind: str, identifier: str) -> tuple[str, str] | None:
        """The file with an object of another kind that has an ID, and its kind: IDs of one are no other's."""
        for other, items in self._items.items():
            for path, item in items if identifier else ():
                if other != kind and item.get("id") == identifier:
                    return path, other.removesuffix("s").replace("_", " ")
                if other == "subnets" and kind != "networks" and item.get("network_id") == identifier:
                    return path, "network"
        return None

    def list(self, request: CloudRequest, query: Mapping[str, str] | None = None) -> ListedAnswer:
        """The objects that files show, by their IDs, as Neutron lists them; an error beside them where more may be."""
        wanted = {key: True if value == "true" else value for key, value in (query or {}).items()}
        rows = self._items.get(request.key, [])
        found: dict[str, Document] = {}
        where = ""
        for number, (path, item) in enumerate(rows):
            if all(item.get(key) == value for key, value in wanted.items()):
                identifier = str(item.get("id") or number)
                found[identifier] = found.get(identifier, {}) | item
                where = where or path
        documents = tuple(found[identifier] for identifier in sorted(found))
        is_known = request.key in self._whole and all(key in item for _, item in rows for key in wanted)
        error = None if is_known else CloudError(f"{UNKNOWN} all {request.title}")
        return ListedAnswer(self._whole.get(request.key, where), documents, error)
