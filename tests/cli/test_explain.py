"""``ccmcheck explain`` and ``ccmcheck rules``: a page for every name, in every form."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from command_line import run

from ccmcheck import catalog
from ccmcheck.catalog.key_effects import CHANGED_LATER
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations
from ccmcheck.explain import page
from ccmcheck.explain.lookup import explain
from ccmcheck.rules import GROUP_OF, RULE_NAMES

RULES = list(RULE_NAMES)
SECTIONS = list(catalog.all_sections())
KEYS = [f"{section}.{key}" for section in SECTIONS for key in catalog.all_keys(section)]
ANNOTATIONS = [annotation.name for annotation in all_annotations()]
WORKPLACE = re.compile(r"(?<![\w/-])(?!openstack-cloud-controller-manager)[\w-]+\.md\b|\bTODO\b|\bNone\b|\bfacts/")


@cache
def forms(name: str) -> tuple[str, str, object]:
    (found,) = explain(name)
    return page.as_text(found, 80), page.as_markdown(found), page.as_data(found)


@pytest.mark.parametrize("name", [*RULES, *SECTIONS, *KEYS, *ANNOTATIONS])
def test_every_name_has_a_page_in_three_forms(name: str) -> None:
    text, markdown, data = forms(name)
    assert text.startswith(f"{name}: ")
    assert markdown.startswith(f"# {name}\n")
    assert isinstance(data, dict)
    assert data["name"] == name
    assert data["title"]
    assert data["facts"]
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data, ensure_ascii=False))
    for form in (text, markdown):
        assert not WORKPLACE.search(form)
        assert not re.search(r"\n\n\n", form)
        assert form.endswith("\n")


@pytest.mark.parametrize("name", GROUP_OF)
def test_the_page_of_a_rule_says_what_a_person_needs(name: str) -> None:
    (found,) = explain(name)
    headings = dict(found.paragraphs)
    assert {"What it does", "Why", "Releases"} <= set(headings)
    assert any(heading.startswith("Fix") for heading in headings)
    assert found.examples
    assert dict(found.facts)["severity"] in {"error", "warning", "info"}


@pytest.mark.parametrize("name", KEYS)
def test_what_a_page_points_to_exists(name: str) -> None:
    (found,) = explain(name)
    for other in found.see:
        assert explain(other)
    for history in [line for label, line in found.facts if label == "releases"]:
        assert re.match(r"v?\d", history)


def test_names_as_people_write_them(tmp_path: Path) -> None:
    def first(name: str) -> str:
        done = run(tmp_path, "explain", name)
        assert (done.code, done.err) == (0, "")
        return done.out.partition(":")[0]

    assert first("monitor-delay") == first("LoadBalancer.monitor-delay") == "LoadBalancer.monitor-delay"
    assert first("[LoadBalancer] monitor-delay") == "LoadBalancer.monitor-delay"
    assert first("[LoadBalancer]") == first("loadbalancer") == first(" LoadBalancer ") == "LoadBalancer"
    assert first("enable-health-monitor") == first(f"{PREFIX}enable-health-monitor") == f"{PREFIX}enable-health-monitor"
    assert first("`duration-bad`") == "duration-bad"


@pytest.mark.parametrize(
    ("name", "later"),
    [
        (
            "LoadBalancer.flavor-id",
            "new load balancers alone: make the Service again; the CCM reads cloud.conf at its start",
        ),
        ("loadbalancer.openstack.org/flavor-id", "counts for new load balancers alone: make the Service again"),
        ("loadbalancer.openstack.org/health-monitor-delay", "existing health monitors follow from CCM 1.24 on"),
        ("LoadBalancer.lb-method", "existing pools follow from CCM 1.32 on"),
        ("loadbalancer.openstack.org/lb-method", "from CCM 1.34 on, which is the first that reads it"),
    ],
)
def test_what_a_later_change_does_is_told(tmp_path: Path, name: str, later: str) -> None:
    assert later in " ".join(run(tmp_path, "explain", name).out.split())


def test_each_name_that_may_change_later_is_a_key_or_an_annotation() -> None:
    known = {*catalog.all_keys("LoadBalancer"), *(one.name.rpartition("/")[2] for one in all_annotations())}
    assert {name.removesuffix(" of a Service") for name in CHANGED_LATER} <= known


def test_a_key_of_several_sections_gets_a_page_for_each(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "floating-network-id")
    assert re.findall(r"^(\S+): Key", done.out, re.MULTILINE) == [
        "LoadBalancer.floating-network-id",
        "LoadBalancerClass.floating-network-id",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("duration-bda", "Did you mean `duration-bad`?"),
        ("create-montior", "Did you mean `create-monitor`?"),
        ("LoadBalancer.monitor-dealy", "Did you mean `LoadBalancer.monitor-delay`?"),
        ("Netwrking", "Did you mean `Networking`?"),
        ("enable-helth-monitor", "Did you mean `enable-health-monitor`?"),
        ("qqqqqqqqqq", "`ccmcheck rules` lists the rules."),
        ("", "`ccmcheck rules` lists the rules."),
        ("\x1b[31m", "\\x1b[31m"),
        ("x" * 5000, "There is nothing to explain"),
    ],
)
def test_a_name_that_does_not_exist(tmp_path: Path, name: str, said: str) -> None:
    done = run(tmp_path, "explain", name)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_several_pages_at_once(tmp_path: Path, form: str) -> None:
    done = run(tmp_path, "explain", f"--format={form}", "duration-bad", "create-monitor", "LoadBalancer")
    assert (done.code, done.err) == (0, "")
    if form == "json":
        document = json.loads(done.out)
        assert document["version"] == 1
        assert [one["kind"] for one in document["pages"]] == ["rule", "key", "section"]
    else:
        assert "duration-bad" in done.out
        assert "Section [LoadBalancer]" in done.out


def test_the_width_of_the_terminal(tmp_path: Path) -> None:
    prose = [
        line for line in run(tmp_path, "explain", "duration-bad", COLUMNS="60").out.splitlines() if "  " in line[:2]
    ]
    assert max(map(len, prose)) <= 60


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_rules_lists_every_rule(tmp_path: Path, form: str) -> None:
    done = run(tmp_path, "rules", f"--format={form}")
    assert (done.code, done.err) == (0, "")
    if form == "json":
        document = json.loads(done.out)
        assert [one["name"] for one in document["rules"]] == RULES
    elif form == "text":
        assert [line.split()[0] for line in done.out.splitlines()] == RULES
    else:
        assert re.findall(r"^## (\S+)$", done.out, re.MULTILINE) == RULES


def test_a_404_while_a_load_balancer_is_deleted(tmp_path: Path) -> None:
    """The load balancer had been made, so that use-octavia has no part in it."""
    line = "Error deleting load balancer (will retry): Resource not found"
    out = " ".join(run(tmp_path, "explain", line).out.split())
    assert "use-octavia" not in out
    assert "Delete the load balancer by hand" in out
