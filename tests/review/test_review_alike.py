"""Services that differ in nothing but names and NodePorts are compared once, and the review is that of each alone."""

from __future__ import annotations

import pytest
from review_cases import LOCAL, MONITOR, Json, manifest, reviewed

from ccmcheck.predict.alike import MOST_ALONE
from ccmcheck.review.change import alike_services
from ccmcheck.review.change.records import Review
from ccmcheck.review.change.services import compare

COUNT = MOST_ALONE + 6
SAME = [manifest(f"shop/web-{number}", "TCP/80") for number in range(COUNT)]
UDP = [manifest(f"shop/web-{number}", "UDP/80") for number in range(COUNT)]
LOCALS = [manifest(f"shop/web-{number}", "TCP/80/30080", healthCheckNodePort=31000, **LOCAL) for number in range(COUNT)]
MOVED = [
    manifest(
        f"shop/web-{number}", f"TCP/80/{30100 + number} UDP/53/{31100 + number}", healthCheckNodePort=31000, **LOCAL
    )
    for number in range(COUNT)
]
BROKEN = [manifest(f"shop/web-{number}", "TCP/80/80") for number in range(COUNT)]

SIX = [f"TCP/{number}" for number in range(1, 7)]
GIVEN = [manifest(f"shop/web-{number}", " ".join(f"{port}/3100{port[-1]}" for port in SIX)) for number in range(COUNT)]
# the same ports by different ways: one says another of them than the other, and Kubernetes allocates the rest
MIXED = [
    manifest(f"shop/web-{number}", " ".join([*SIX[:at], f"{SIX[at]}/{30000 + at}", *SIX[at + 1 :]]))
    for number, at in enumerate([3, 4] * (COUNT // 2))
]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Services that are compared."""
    names: list[str] = []

    def counted(before: object, settled: object, after: object) -> object:
        names.append("")
        return compare(before, settled, after)  # type: ignore[arg-type]

    monkeypatch.setattr(alike_services, "compare", counted)
    return names


@pytest.mark.part(of=3)
@pytest.mark.parametrize(
    ("before", "after", "old", "new", "once"),
    [
        ("", "lb-method = SOURCE_IP\n", SAME, SAME, True),
        ("", "", SAME, UDP, True),
        ("", "manage-security-groups = true\n", LOCALS, LOCALS, True),
        ("", "manage-security-groups = true\n", MOVED, MOVED, True),
        ("", "", SAME, MOVED, True),
        ("", "", MOVED, LOCALS, True),
        ("", "", SAME, [], True),
        ("", "", [], SAME, True),
        ("", "", SAME[: COUNT - 1], [*SAME[1:-1], *UDP[-1:]], False),
        ("", MONITOR, LOCALS, LOCALS, False),  # the monitors so far count
        ("", "", SAME, BROKEN, False),
        ("", "", BROKEN, SAME, False),
        ("bad\n", "", SAME, SAME, True),
        ("", "", GIVEN, MIXED, False),
    ],
)
def test_the_review_is_that_of_each_alone(
    before: str,
    after: str,
    old: list[Json],
    new: list[Json],
    once: bool,
    compared: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found() -> Review:
        compared.clear()
        return reviewed(before, after, old, new, nodes=3)

    together = found()
    if once:
        assert len(compared) == MOST_ALONE + 1
    monkeypatch.setattr(alike_services, "likeness", lambda *_: None)
    alone = found()
    assert len(compared) == len(alone.services)
    assert together == alone
