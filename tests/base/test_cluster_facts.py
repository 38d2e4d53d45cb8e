"""Facts of a cluster from several sources: the first that knows one wins, and an unknown one hides nothing."""

from __future__ import annotations

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge

PROFILE = ClusterFacts(octavia_release="yoga", nodes=12, pod_cidrs=("10.244.0.0/16",), monitor_quota=-1)


def test_the_first_source_that_knows_a_fact_wins() -> None:
    options = ClusterFacts(octavia_release="2024.1", monitors_used=0)
    files = ClusterFacts(nodes=3, cluster_name="prod", octavia_release="train")
    assert merge(options, PROFILE, files) == PROFILE._replace(
        octavia_release="2024.1", cluster_name="prod", monitors_used=0
    )


def test_zero_is_known_and_empty_is_not() -> None:
    assert merge(ClusterFacts(nodes=0, providers=(), topology=""), PROFILE) == PROFILE._replace(nodes=0)


def test_unknown_facts_change_nothing() -> None:
    assert merge() == NO_FACTS
    assert merge(NO_FACTS, PROFILE, NO_FACTS) == PROFILE
    assert not NO_FACTS.known()
