"""Reviews that a person has read: their cases, and how they are written again (``python golden_reviews.py``)."""

from __future__ import annotations

import json
from pathlib import Path

from review_cases import MONITOR, THREE, Json, manifest, reviewed

from ccmcheck.review.change.json_form import as_data
from ccmcheck.review.change.records import Review
from ccmcheck.review.change.report import as_markdown, as_text

GOLDEN = Path(__file__).parent / "golden"
FORMS = ("txt", "md")
LONG_FORMS = {"proxy-protocol-on": ("verbose.txt", "json"), "nothing": ("json",)}
"""Forms with the bodies of requests, or with everything: few are enough."""
SUBNETS: Json = {"subnets": {"5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69": "10.0.0.0/24"}, "topology": "ACTIVE_STANDBY"}
PROXY = manifest("shop/web", "TCP/80/30081", {"proxy-protocol": "true"})
OLD = "use-octavia = true\nmanage-security-groups = true\n" + MONITOR


def cases() -> dict[str, Review]:
    """All cases by their names."""
    return {
        "monitors-on": reviewed("", MONITOR, THREE),
        "monitors-off": reviewed(MONITOR, "", THREE, **SUBNETS),
        "amphora-to-ovn": reviewed("", "lb-provider = ovn\nmanage-security-groups = true\n", THREE),
        "proxy-protocol-on": reviewed(MONITOR, MONITOR, THREE, (THREE[0], PROXY, THREE[2])),
        "faster-timers": reviewed(MONITOR, MONITOR + "monitor-delay = 3s\nmonitor-timeout = 2s\n", THREE, **SUBNETS),
        "upgrade": reviewed(OLD, OLD, THREE, release="1.25", new_release="1.36", **SUBNETS),
        "fatal": reviewed(MONITOR, MONITOR + "monitor-delay = 3\ncreate-montior = true\n", THREE),
        "quota": reviewed("", MONITOR, THREE, monitor_quota=4),
        "nothing": reviewed(MONITOR, "# a comment\n" + MONITOR, THREE),
        "services": reviewed("", "", THREE[:2], (THREE[1], manifest("shop/new", "TCP/80/30082", {"class": "gold"}))),
    }


def written(found: Review, form: str) -> str:
    """One case in one form."""
    if form == "json":
        return json.dumps(as_data(found), indent=2, ensure_ascii=False) + "\n"
    lines = as_markdown(found) if form == "md" else as_text(found, verbose=2 if form == "verbose.txt" else 0)
    return "".join(f"{line}\n" for line in lines)


def forms(name: str) -> tuple[str, ...]:
    """The forms in which a case is kept."""
    return (*FORMS, *LONG_FORMS.get(name, ()))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, review in cases().items():
        for form in forms(name):
            (GOLDEN / f"{name}.{form}").write_text(written(review, form), encoding="utf-8")
