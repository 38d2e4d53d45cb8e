"""What one release of the CCM does and does not do when it asks Octavia for a load balancer."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.catalog import Release
from ccmcheck.catalog.behaviour import behaves


class Behaviours:
    """The behaviours of one release, each by its name in the catalogue.

    Looking a behaviour up costs a walk over stretches of tags; a thousand Services ask for the same ones.
    """

    __slots__ = ("_known", "release")

    def __init__(self, release: Release) -> None:
        self.release = release
        self._known: dict[str, bool] = {}

    def __getitem__(self, name: str) -> bool:
        """Whether the release behaves so.

        Args:
            name: A name in ``ccmcheck.catalog.data.behaviour.BEHAVIOURS``.
        """
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = behaves(name, self.release)
        return known


@lru_cache(maxsize=64)
def behaviours_of(release: Release) -> Behaviours:
    """The behaviours of a release; made once for each."""
    return Behaviours(release)
