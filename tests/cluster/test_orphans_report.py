"""The report of `cluster orphans` as a whole, with everything that may be in it and without."""

from __future__ import annotations

import pytest

from ccmcheck.base.result import Failure
from ccmcheck.cluster.live.snapshot import ClusterIdentity
from ccmcheck.cluster.octavia.orphans import LeftOut, Orphan, Orphans
from ccmcheck.cluster.octavia.orphans_report import OrphansReport, SearchedCluster, as_data, as_lines

CLUSTER = SearchedCluster(ClusterIdentity("prod", "https://k", "u1"), 2, "kubernetes")
SAME_NAME = CLUSTER._replace(identity=ClusterIdentity("test", "https://m", "u2"), services=1)
SECOND = SearchedCluster(ClusterIdentity("", "https://l", ""), 3, "dev")
BALANCER = Orphan(
    "load balancer", "b1", "old", "shop/old", "orphaned", "2026-01-02", ("one", "two"), ("delete b1", "and")
)
GROUP = Orphan("security group", "g1", "lb-sg", "shop/old", "orphaned", "")
LEFT_OUT = LeftOut("floating IP", "f1", "203.0.113.9", "it is young")
NOTHING = OrphansReport((CLUSTER,), "kubernetes", "Cloud: c", Orphans(), (), is_stated=False)
FULL = OrphansReport(
    (CLUSTER, SECOND, SAME_NAME),
    "kubernetes",
    "Cloud: c",
    Orphans((GROUP, BALANCER), (LEFT_OUT,)),
    (Failure("Neutron: ports", "HTTP 403", "Ask."),),
    is_stated=True,
)

HEAD = "Cluster: context prod, https://k, kube-system u1\n"
FULL_HEAD = f"{HEAD}Cluster: in cluster, https://l, kube-system of unknown UID\n"
FULL_HEAD += "Cluster: context test, https://m, kube-system u2\nCloud: c\n\n"
FULL_JUDGED = (
    "Judged by the 6 Services with a load balancer of 3 clusters, 2 of them named kubernetes; as stated, there is no "
    "other of that name in the project.\n\n"
)
NOTHING_JUDGED = (
    "Judged by the 2 Services with a load balancer of 1 cluster named kubernetes; there must be no other of that name "
    "in the project.\n\nNothing is without a Service.\n"
)
LISTED = """\
Load balancers without a Service: 1
  · old (b1), created 2026-01-02: made for shop/old, orphaned
    one
    two

Security groups without a Service: 1
  · lb-sg (g1), of unknown age: made for shop/old, orphaned

To remove them
  Nothing was deleted. These commands remove what is listed above; check each of it first.
    delete b1
    and
"""
REST = """
Not judged: 1
  · floating IP 203.0.113.9 (f1): it is young

2 without a Service; this is a partial result: what could not be read is not judged.
"""


@pytest.mark.parametrize(
    ("report", "quiet", "expected"),
    [
        (FULL, False, FULL_HEAD + FULL_JUDGED + LISTED + REST),
        (FULL, True, FULL_HEAD + LISTED),
        (NOTHING, False, f"{HEAD}Cloud: c\n\n{NOTHING_JUDGED}"),
        (NOTHING, True, f"{HEAD}Cloud: c\n"),
    ],
    ids=["all", "all, quiet", "nothing", "nothing, quiet"],
)
def test_as_text(report: OrphansReport, quiet: bool, expected: str) -> None:
    assert "\n".join(as_lines(report, "text", quiet=quiet)) + "\n" == expected


def test_markdown_has_the_same() -> None:
    whole, quiet = ("\n".join(as_lines(FULL, "markdown", quiet=quiet)) for quiet in (False, True))
    assert "delete b1" in quiet
    assert "Not judged" in whole
    assert "Not judged" not in quiet


def test_as_data() -> None:
    assert as_data(FULL) == {
        "version": 1,
        "clusters": [
            {"context": "prod", "server": "https://k", "uid": "u1", "services": 2, "name": "kubernetes"},
            {"context": "", "server": "https://l", "uid": "", "services": 3, "name": "dev"},
            {"context": "test", "server": "https://m", "uid": "u2", "services": 1, "name": "kubernetes"},
        ],
        "cluster_name": "kubernetes",
        "cloud": "Cloud: c",
        "orphans": [
            {**GROUP._asdict(), "notes": [], "commands": []},
            {**BALANCER._asdict(), "notes": ["one", "two"], "commands": ["delete b1", "and"]},
        ],
        "left_out": [{"kind": "floating IP", "id": "f1", "name": "203.0.113.9", "why": "it is young"}],
        "failures": [{"path": "Neutron: ports", "message": "HTTP 403", "hint": "Ask."}],
        "partial": True,
    }
    assert as_data(NOTHING)["partial"] is False
