"""Releases of the CCM, in an order, by the names that people give them."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.releases import BRANCHES, CONSUMERS, LAST_PATCH

CCM = "ccm"
MASTER = "master"
_IN_TREE = "legacy-in-tree"
_BRANCH = "release-"

# later than every number there is
_TIP = 1 << 30

_MOST_DIGITS = 6

OLDER = tuple([f"1.{minor}" for minor in range(3, 9)])
"""Branches of Kubernetes before the first of the CCM, of which the in-tree provider is known."""

_ALL = (*OLDER, *BRANCHES)


class Release(NamedTuple):
    """A release tag, or the tip of a branch, which is later than every tag of the branch.

    Attributes:
        major: 1.
        minor: As in 1.31; ``master`` is later than all.
        patch: As in v1.31.2; of a minor release that of its newest tag; later than all for a branch's tip.
        name: ``1.31`` for a minor release, ``v1.31.2`` for a tag, ``release-1.31`` for a branch's tip, ``master``.
    """

    major: int
    minor: int
    patch: int
    name: str

    @property
    def is_minor(self) -> bool:
        """Whether its name leaves the patch open: ``1.31``, which stands for its newest tag."""
        return self.name == self.branch

    @property
    def branch(self) -> str:
        """The branch it belongs to: ``1.31``, ``master``."""
        return MASTER if self.minor == _TIP else f"{self.major}.{self.minor}"

    def at_least(self, name: str) -> bool:
        """Whether it is a release or a later one.

        Args:
            name: A tag such as ``v1.26.4``; or ``1.26``, which every tag of that branch fulfils.
        """
        return self[:3] >= _bound(name)

    def within(self, releases: str) -> bool:
        """Whether its branch is among some.

        Args:
            releases: A branch, or the first and the last: ``1.26``, ``1.9..1.25``, ``1.26..master``; empty for none.
        """
        first, last = _limits(releases)
        return first <= self.minor <= last

    def __str__(self) -> str:
        return self.name


@lru_cache(maxsize=256)
def _bound(name: str) -> tuple[int, int, int]:
    if name == MASTER:
        return (1, _TIP, 0)
    numbers = _numbers(name)
    if numbers is None:
        raise ValueError(f"not a release: {name}")
    return (numbers[0], numbers[1], numbers[2] or 0)


def _numbers(name: str) -> tuple[int, int, int | None] | None:
    """Major, minor and, of a tag, patch, without what the tag is marked with; None for what is no name of a release."""
    parts = name.removeprefix(_BRANCH).removeprefix("v").split(".", 2)
    if len(parts) == 3:
        parts[2] = parts[2].partition("+")[0].partition("-")[0]
    if len(parts) == 1 or not all(_is_number(part) for part in parts):
        return None
    return int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) == 3 else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


@lru_cache(maxsize=256)
def _limits(releases: str) -> tuple[int, int]:
    """The minor numbers of the first and the last branch of a stretch."""
    if not releases:
        return (1, 0)
    first, _, last = releases.partition("..")
    return (_bound(first)[1], _bound(last or first)[1])


@lru_cache(maxsize=256)
def release(name: str, consumer: str = CCM) -> Release:
    """Find a release by the name that somebody gives it.

    Args:
        name: ``1.31`` (its newest tag), ``v1.31.2`` or ``1.31.2`` (a tag), ``latest`` (the newest minor release),
            ``release-1.31`` (the branch's tip, which may hold changes that no tag has), ``master``.
        consumer: Who reads the file; each exists in some releases only.

    Returns:
        The release. A tag of a known branch is taken as it is, also one that is newer than the facts.

    Raises:
        WrongUse: No such release, or not of this consumer.
    """
    first, last = _lifetime(consumer)
    if name == "latest":
        return newest(consumer)
    if name == MASTER:
        found_release = Release(1, _TIP, _TIP, MASTER)
    else:
        numbers = _numbers(name)
        if numbers is None:
            raise WrongUse(f"`{name}` is no release of the {consumer}", _known(consumer))
        major, minor, patch = numbers
        if major == 0:
            from ccmcheck.catalog.data.installed_releases import EARLY_TAGS

            tag = f"v0.{minor}.{patch}"
            found_release = Release(*EARLY_TAGS.get(tag, (0, 0, 0)), tag)
        elif patch is None and name.startswith(_BRANCH):
            found_release = Release(major, minor, _TIP, f"{_BRANCH}{major}.{minor}")
        elif patch is None:
            found_release = Release(major, minor, _newest_patch(f"{major}.{minor}", consumer), f"{major}.{minor}")
        else:
            found_release = Release(major, minor, patch, f"v{major}.{minor}.{patch}")
    if found_release.branch not in _ALL or not found_release.within(f"{first}..{last}"):
        raise WrongUse(f"release {name} of the {consumer} is not known", _known(consumer))
    return found_release


def _newest_patch(minor: str, consumer: str) -> int:
    """The patch that a minor release means; that of the tip where no tags are known, as of Kubernetes' own."""
    return LAST_PATCH.get(minor, _TIP) if consumer != _IN_TREE else _TIP


@lru_cache(maxsize=16)
def newest(consumer: str = CCM) -> Release:
    """The newest minor release.

    Args:
        consumer: Who reads the file.

    Raises:
        WrongUse: Nobody of that name reads it.
    """
    _, last = _lifetime(consumer)
    return release(BRANCHES[-2] if last == MASTER else last, consumer)


def oldest(consumer: str = CCM) -> Release:
    """The oldest branch whose facts are known.

    Args:
        consumer: Who reads the file.

    Raises:
        WrongUse: Nobody of that name reads it.
    """
    first, _ = _lifetime(consumer)
    return release(first, consumer)


def minors(consumer: str) -> tuple[Release, ...]:
    """The minor releases of a consumer, the newest first.

    Args:
        consumer: Who reads the file.

    Raises:
        WrongUse: Nobody of that name reads it.
    """
    first, last = _lifetime(consumer)
    return tuple(release(name, consumer) for name in reversed(_ALL[_ALL.index(first) : _ALL.index(last) + 1]))


def reader(text: str) -> tuple[str, Release]:
    """Take apart the name of a reader.

    Args:
        text: ``ccm@release-1.31``, ``cinder-csi-plugin@master``; ``ccm`` alone is its newest release, and ``v1.31.2``
            alone is that release of the CCM.

    Returns:
        The consumer and the release.

    Raises:
        WrongUse: There is none of that name.
    """
    consumer, at, name = text.partition("@")
    if not at:
        return (consumer, newest(consumer)) if consumer in CONSUMERS else (CCM, release(consumer))
    return consumer, release(name, consumer)


def _lifetime(consumer: str) -> tuple[str, str]:
    lifetime = CONSUMERS.get(consumer)
    if lifetime is None:
        raise WrongUse(f"`{consumer}` is not known to read cloud.conf", "Known: " + ", ".join(CONSUMERS))
    return lifetime


def _known(consumer: str) -> str:
    first, last = CONSUMERS[consumer]
    if last == MASTER:
        return f"Known: {first} to {BRANCHES[-2]}, their tags such as v{BRANCHES[-2]}.0, master, latest"
    return f"Known: {first} to {last}; it ended there, and the nearest to an older one is {first}"
