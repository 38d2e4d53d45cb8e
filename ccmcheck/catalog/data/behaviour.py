"""What the CCM does, or fails to do, in some releases only, by tag.

The unit is a release tag, because fixes are backported: a stretch runs from its first tag up to, but not including, the
first tag of the same line that behaves otherwise. A branch tip is after all tags of its branch.

Sources: kubernetes/cloud-provider-openstack at the tags named, and its issues.
"""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import read_table

FIRST_PREDICTED = "1.14"
"""The first branch whose requests were read: in older ones their names and most of their fields differ."""

WITHOUT = "not "
"""Before the name of a behaviour: that a release does not have it."""

_ROWS = read_table(__file__, "behaviour.tsv")

BEHAVIOURS: dict[str, str] = {row[0]: row[1] for row in _ROWS}
"""For each behaviour its `stretches`, as the file has them; their sources are there."""

UNTIL_GONE: dict[str, list[str]] = {row[0]: row[2].split() for row in _ROWS if len(row) > 2}
"""The behaviours in spite of which the end of another one helps nobody, by that one's name."""

KUBERNETES: dict[str, tuple[int, int]] = {
    feature: (int(major), int(minor))
    for feature, version in read_table(__file__, "kubernetes_features.tsv")
    for major, minor in (version.split("."),)
}
"""What Kubernetes itself brings, by version."""


@cache
def stretches(name: str) -> tuple[tuple[str, str], ...]:
    """The releases with a behaviour: first tag (empty: from the beginning), first tag without it (empty: still).

    Args:
        name: Its name in `BEHAVIOURS`; with ``not`` before it, for the releases without it.

    Raises:
        KeyError: Nothing is known by that name.
    """
    if name.startswith(WITHOUT):
        edges = ["", *[edge for one in stretches(name.removeprefix(WITHOUT)) for edge in one], ""]
        return tuple([one for one in zip(edges[::2], edges[1::2], strict=True) if any(one)])
    parts = [stretch.partition("..") for stretch in BEHAVIOURS[name].split(" ")]
    return tuple([(since, before) for since, _, before in parts])
