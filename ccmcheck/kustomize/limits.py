"""How much a build may read, do and make: a checkout is not trusted, and a few lines can ask for any amount of work."""

from __future__ import annotations

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.records import NamedTuple

MOST_FILES = 2_000
"""Files of one build."""
DEEPEST = 32
"""How many kustomizations may include one another."""
DEEPEST_VALUE = 64
"""Levels of nesting of a value that a patch makes, as of an object that is read; a Deployment has twelve."""
MOST_VALUES = 100_000
"""Values of an object after a patch; as many as an object may have that is read."""
LONGEST_NAME = 253
"""Characters of a name that a selector's pattern is tried on; Kubernetes allows no longer one."""

INCLUDE = 50
"""Steps that including a kustomization counts as, for it costs that much more than looking at a value."""
ENTRY = 10
"""The same for an entry of a kustomization, which may name a file."""
OBJECT = 4
"""The same for an object that a transformer looks at."""
OPERATION = 20
"""The same for an operation of a JSON patch."""
PARSED_A_STEP = 2
"""Characters of an inline patch that are read in the time of a step."""
MADE_A_STEP = 8
"""Characters of a name or an image that is made; so those of a build fill no more than some megabytes."""
MOST_KEPT = 2_000_000
"""Characters of the builds that a run keeps until they are searched, some 80 bytes of memory each; it builds all others
again."""


class BuildLimits(NamedTuple):
    """What a build, or all those of a run, may add up to.

    Attributes:
        objects: Objects, those of bases that are included several times counted as often.
        characters: The text of all files, one that is used several times counted as often, and that of the objects.
        steps: Values that are looked at, compared, copied or written; a step takes a microsecond or two.
    """

    objects: int
    characters: int
    steps: int


OF_BUILD = BuildLimits(20_000, 32 * 1024 * 1024, 2_000_000)
"""A build of 1,000 Services with ten transformers takes 40,000 steps; this stops others after a few seconds."""
OF_RUN = BuildLimits(30_000, 128 * 1024 * 1024, 6_000_000)
"""An object of a build takes 0.4 ms to build and judge, so this stops a run after some 15 s."""


class BuildTooLarge(TooLarge):
    """A build exceeds a limit; nothing of it is judged."""


class BuildWork:
    """Counts what a build does.

    Args:
        limits: How much it may be.
        run: Counts what all builds of a run do together.
    """

    def __init__(self, limits: BuildLimits | None = None, run: BuildWork | None = None) -> None:
        self._objects, self._characters, self._steps = limits if limits is not None else OF_BUILD
        self._run = run

    def left(self) -> BuildWork:
        """A new counter for what this one still allows, without that of the run."""
        return BuildWork(BuildLimits(self._objects, self._characters, self._steps))

    def step(self, count: int = 1) -> None:
        """Count steps.

        Raises:
            BuildTooLarge: There are too many; the other methods raise it too.
        """
        self._steps -= count
        if self._steps < 0:
            raise BuildTooLarge("building this kustomization takes too many steps")
        if self._run is not None:
            self._run.step(count)

    def add_object(self) -> None:
        """Count an object."""
        self._objects -= 1
        if self._objects < 0:
            raise BuildTooLarge("this kustomization has too many objects")
        if self._run is not None:
            self._run.add_object()

    def text(self, characters: int) -> None:
        """Count text that is read, or written."""
        self._characters -= characters
        if self._characters < 0:
            raise BuildTooLarge("this kustomization reads or makes too much text")
        if self._run is not None:
            self._run.text(characters)
