"""Which existing listener each port of the Service reuses; the CCM deletes the rest.

Source: cloud-provider-openstack popListener. Up to 1.23 it puts the last listener in the place of the one
that is taken.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.inputs.cloud_state import Listener


class ListenerAllocation:
    """The existing listeners that no port has taken yet, by their places."""

    def __init__(self, listeners: tuple[Listener, ...], behaviours: Behaviours) -> None:
        self._places = list(listeners)
        self._count = len(listeners)
        self._moves = behaviours["moves-last-listener"]

    def at(self, place: int) -> Listener:
        """The listener in a place now."""
        return self._places[place]

    def take(self, listener_id: str) -> None:
        """Take a listener out."""
        for place in range(self._count):
            if self._places[place].id == listener_id:
                if self._moves:
                    self._places[place] = self._places[self._count - 1]
                else:
                    del self._places[place]
                self._count -= 1
                return

    def rest(self) -> list[Listener]:
        """The listeners that no port took."""
        return self._places[: self._count]
