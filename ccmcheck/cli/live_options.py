"""The options by which live clusters are judged, for `cluster lint`, `fix`, `report` and `fleet`."""

from __future__ import annotations

JUDGE_BY = "Judge by this profile; repeatable."


def judging(cluster: str = "the", profile: str = JUDGE_BY) -> dict[str, str]:
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
