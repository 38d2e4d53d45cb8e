"""The requests of a run to the API server: what fails for a while is tried again, and every wait has a limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import CONFLICT, NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.requests import MERGE_PATCH
from ccmcheck.cluster.access.transport import RETRIED, Document, items
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.conformance import objects
from ccmcheck.cluster.conformance.objects import RunPlace
from ccmcheck.cluster.conformance.records import Reply
from ccmcheck.cluster.core import NamedTuple

Thing = TypeVar("Thing")

POLL_SECONDS = 2.0
"""Between two looks at an object that is waited for."""


class RunEvent(Exception):
    """What ends a step, a case or the run.

    Args:
        text: What was seen, or why.
        replies: The requests that were sent.
        hint: What to do next.
    """

    def __init__(self, text: str, replies: Iterable[Reply] = (), hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.replies = tuple(replies)
        self.hint = hint

    @property
    def sentence(self) -> str:
        """The text with its hint."""
        return f"{self.text}. {self.hint}" if self.hint else self.text


class StepFailed(RunEvent):
    """A step did not hold."""


class NotApplicable(RunEvent):
    """A case cannot be tried on this cluster."""


class RunStopped(RunEvent):
    """The run ends here: its time is up, or the API server is gone."""


class WaitLimits(NamedTuple):
    """How long a run waits.

    Attributes:
        wait: Seconds for one thing: pods, an address, a removal, an API server that is gone.
        total: Seconds for all cases, without the removal at their end.
    """

    wait: float = 600.0
    total: float = 3600.0


class Session:
    """The API server, as a run uses it.

    Args:
        writer: Asks and changes.
        place: Where the run's objects are.
        limits: How long it waits.
        sleep: Waits some seconds.
        clock: The time in seconds.
    """

    def __init__(
        self,
        writer: Writer,
        place: RunPlace,
        limits: WaitLimits,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.writer = writer
        self.place = place
        self.limits = limits
        self.clock = clock
        self.ends = clock() + limits.total
        self.made: dict[str, str] = {}
        """What may be in the cluster, by its path: a line for people. Noted before it is created."""
        self._sleep = sleep

    def for_removal(self) -> Session:
        """The same API server, with time for the removal that begins now."""
        limits = WaitLimits(self.limits.wait, 2 * self.limits.wait)
        removal = Session(self.writer, self.place, limits, sleep=self._sleep, clock=self.clock)
        removal.made = self.made
        return removal

    def pause(self, seconds: float = POLL_SECONDS) -> None:
        """Wait a little.

        Raises:
            RunStopped: The time of the run is up.
        """
        if self.clock() >= self.ends:
            why = f"the time limit of {self.limits.total:g} s is over"
            raise RunStopped(why, hint="--time-limit sets another one.")
        self._sleep(seconds)

    def create(self, path: str, obj: Document) -> Document:
        """Create an object, or take the one that an earlier, cut request made.

        Args:
            path: The list's.
            obj: The object; it carries the run's label.
        """
        metadata = mapping(obj.get("metadata"))
        own_path = f"{path}/{text(metadata.get('name'))}"
        self.made[own_path] = f"{text(obj.get('kind'))} {text(metadata.get('name'))}"

        def attempt() -> Document:
            try:
                return self.writer.send("POST", path, obj, query={"fieldManager": FIELD_MANAGER})
            except Refused as error:
                if error.status != CONFLICT:
                    raise
                existing = self.writer.get(own_path)
                if not objects.is_of_run(existing, self.place.run_id):
                    raise
                return existing

        try:
            return self.insist(attempt)
        except Refused:
            self.made.pop(own_path, None)
            raise

    def patch(self, path: str, body: Document) -> Document:
        """Change an object by a merge patch; sent twice, it changes nothing more."""
        query = {"fieldManager": FIELD_MANAGER}
        return self.insist(lambda: self.writer.send("PATCH", path, body, query=query, content_type=MERGE_PATCH))

    def delete(self, path: str, uid: str = "") -> None:
        """Delete an object; one that is not there is as good.

        Args:
            path: The object's.
            uid: Deletes no other one of that name.
        """
        body: Document = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
        if uid:
            body["preconditions"] = {"uid": uid}

        def attempt() -> None:
            try:
                self.writer.send("DELETE", path, body)
            except Refused as error:
                if error.status != NOT_FOUND:
                    raise

        self.insist(attempt)

    def get(self, path: str) -> Document | None:
        """An object; None where there is none."""

        def attempt() -> Document | None:
            try:
                return self.writer.get(path)
            except Refused as error:
                if error.status != NOT_FOUND:
                    raise
                return None

        return self.insist(attempt)

    def list(self, path: str, query: Mapping[str, str] | None = None) -> list[Document]:
        """The objects of a list."""
        return self.insist(lambda: list(items(self.writer, path, query)))

    def insist(self, attempt: Callable[[], Thing]) -> Thing:
        """Do something until it is done or refused.

        Raises:
            Refused: The API server does not allow it.
            RunStopped: The API server is gone for longer than the limit, or the time of the run is up.
        """
        gives_up = self.clock() + self.limits.wait
        while True:
            try:
                return attempt()
            except ApiError as error:
                if isinstance(error, Refused) and error.status not in RETRIED:
                    raise
                if self.clock() >= gives_up:
                    why = f"the API server is gone for {self.limits.wait:g} s: {error.message}"
                    raise RunStopped(why, hint=error.hint) from None
            self.pause()

    def until(
        self,
        look: Callable[[], Thing | None],
        late: Callable[[], str],
        *,
        seconds: float | None = None,
        pause: float = POLL_SECONDS,
        replies: Iterable[Reply] = (),
    ) -> Thing:
        """Look at something until it is there.

        Args:
            look: Gives it; None while it is not there.
            late: What is said where the time is up.
            seconds: The limit, where it is not the usual one.
            pause: Seconds between two looks.
            replies: The requests that the looks send.

        Raises:
            StepFailed: It does not come within the limit.
            RunStopped: The time of the run is up, or the API server is gone.
        """
        gives_up = self.clock() + (self.limits.wait if seconds is None else seconds)
        while True:
            thing = look()
            if thing is not None:
                return thing
            if self.clock() >= gives_up:
                raise StepFailed(late(), replies)
            self.pause(pause)
