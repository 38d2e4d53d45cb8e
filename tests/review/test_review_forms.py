"""How reviews are reported: as text, Markdown and JSON, held to what they looked like when a person read them."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from golden_reviews import GOLDEN, cases, forms, written
from review_cases import MONITOR, Json, manifest, reviewed

from ccmcheck.review.change.records import Review
from ccmcheck.review.change.report import COMMENT, as_markdown, as_text
from ccmcheck.review.change.summary import summary

LOCAL = {"externalTrafficPolicy": "Local", "healthCheckNodePort": 31000}
GROUPS = "manage-security-groups = true\n"
NAMES = (
    "monitors-on", "monitors-off", "amphora-to-ovn", "proxy-protocol-on", "faster-timers", "upgrade", "fatal", "quota",
    "nothing", "services",
)  # fmt: skip


@cache
def _cases() -> dict[str, Review]:
    return cases()


def test_every_case_is_held() -> None:
    assert tuple(_cases()) == NAMES
    assert {path.name for path in GOLDEN.iterdir()} == {f"{name}.{form}" for name in NAMES for form in forms(name)}


@pytest.mark.parametrize(("case", "form"), [(name, form) for name in NAMES for form in forms(name)])
def test_a_review_reads_as_it_did(case: str, form: str) -> None:
    assert written(_cases()[case], form) == (GOLDEN / f"{case}.{form}").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", NAMES)
def test_the_summary_fits_a_glance(case: str) -> None:
    lines = list(as_text(_cases()[case]))
    summary = lines[: lines.index("")] if "" in lines else lines
    assert 1 <= len(summary) <= 8
    assert all(len(line) <= 160 for line in summary)


@pytest.mark.parametrize("case", NAMES)
def test_counts_lead_and_nothing_is_said_twice(case: str) -> None:
    found = _cases()[case]
    lines = list(as_text(found))
    if found.is_quiet:
        return
    assert re.match(
        r"(\d+ worse, )?\d+ still broken( \([^)]+\))?, \d+ better, (\d+ as before, )?\d+ warnings?; ", lines[1]
    )
    end = next((at for at, line in enumerate(lines) if line.startswith("Service")), len(lines))
    said = [
        re.sub(r"^[ ·!✗✓]*(cloud\.conf: )?", "", line).partition(" → ")[0]
        for line in lines[:end]
        if line and not line.startswith("  → ")
    ]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("case", NAMES)
def test_each_warning_and_error_says_what_to_do_and_where_to_read_it(case: str) -> None:
    lines = list(as_text(_cases()[case]))
    for number, line in enumerate(lines):
        if line.startswith(("✗ ", "! ")):
            assert re.match(r"  → .+ \[.+\]$", lines[number + 1])


@pytest.mark.parametrize("case", NAMES)
def test_json_keeps_its_contract(case: str) -> None:
    data: Json = json.loads(written(_cases()[case], "json"))
    assert data["version"] == 2
    assert set(data) == {
        "version", "base", "head", "verdict", "worst", "summary", "totals", "points", "configs", "services", "notes",
        "stand_ins",
    }  # fmt: skip
    for point in data["points"]:
        assert point["severity"] in ("error", "warning", "info")
        assert set(point) == {"severity", "kind", "text", "subjects", "do", "evidence"}
    for service in data["services"]:
        assert {"service", "fate", "health_before", "health_after", "monitors", "requests", "facts"} <= set(service)


EVIL = "\x1b[31m|<script>alert(1)</script>`]( \u202e\r\n## x @all"


@pytest.mark.parametrize("verbose", [0, 2])
def test_no_name_leaves_its_place(verbose: int) -> None:
    before, after = manifest(), manifest(annotations={"proxy-protocol": "true", "hostname": EVIL, "class": EVIL})
    for body in (before, after):
        body["metadata"]["name"] = body["metadata"]["namespace"] = EVIL
        body["spec"]["ports"][0]["name"] = EVIL
    found = reviewed(f'[LoadBalancerClass "{EVIL[5:40]}"]\n', f"flavor-id = {EVIL[5:30]}\n", [before], [after])
    for line in as_text(found, verbose=verbose):
        assert line.isprintable()
    for line in as_markdown(found, verbose=verbose):
        assert line.isprintable()
        bare = line.replace("\\<", "").replace("&lt;", "")
        if not line.startswith("<details>"):
            bare = "".join(part for at, part in enumerate(bare.split("`")) if at % 2 == 0)
        assert "<script" not in bare
        assert "](" not in bare.replace("\\]", "")
        assert not line.startswith("## x")


def _many(count: int) -> list[Json]:
    """Services that differ, each in its own port."""
    return [manifest(f"shop/web-{number}", f"TCP/{8000 + number}/{30000 + number}") for number in range(count)]


def test_markdown_fits_a_comment() -> None:
    found = reviewed("", MONITOR + GROUPS, _many(200))
    text = "\n".join(as_markdown(found))
    assert len(text) <= COMMENT
    assert "does not fit a comment" in text
    assert text.startswith("### ")
    everything = "\n".join(as_markdown(found, verbose=1))
    assert "web-199" in everything


def test_long_lists_are_cut_short() -> None:
    lines = list(as_text(reviewed("", MONITOR + GROUPS, _many(50))))
    assert sum(line.startswith("Service ") for line in lines) == 20
    assert lines[-1] == "… and 30 more Services; -v shows them"
    warned = list(as_text(reviewed("", MONITOR, [one | {"spec": one["spec"] | LOCAL} for one in _many(50)])))
    assert any(line.startswith("! ") and "shop/web-3 and 46 more: " in line for line in warned)


def test_services_with_the_same_report_are_grouped() -> None:
    services = [manifest(f"shop/web-{number}", "TCP/80/30080") for number in range(9)]
    found = reviewed("", MONITOR, services)
    assert "Services shop/web-0, shop/web-1, shop/web-2, shop/web-3 and 5 more   load balancer reconciled" in as_text(
        found
    )
    assert sum(line.startswith("<details>") for line in as_markdown(found)) == 1
    assert "Services shop/web-0, shop/web-1" in "\n".join(as_text(found, verbose=2))


def test_the_summary_alone() -> None:
    found = _cases()["monitors-on"]
    lines = list(as_text(found, quiet=True))
    assert lines == list(as_text(found))[: len(lines)]
    head = list(summary(found))
    assert lines[: len(head)] == head
    points = [line for line in as_text(found) if line.startswith(("✗", "!", "  → "))]
    assert lines[len(head) :] == (["", *points] if points else [])
    assert not any(line.startswith("|") for line in as_markdown(found, quiet=True))


def test_nothing_is_one_line() -> None:
    assert list(as_text(_cases()["nothing"])) == ["base → head: nothing changes"]
