"""The history of create-monitor, what others set, and the reasons for and against: data that names its sources."""

from __future__ import annotations

import re

import pytest

from ccmcheck.policy.create_monitor.story import (
    ADVICE,
    ANSWER,
    FOR,
    INSTEAD,
    LINKS,
    OPTION,
    PAST,
    RISKS,
    SET,
    SETTERS,
    STEPS,
    UNSET,
    UPSTREAM,
    Reason,
    counted,
)
from ccmcheck.policy.profiles import loading as profiles


def test_every_step_says_who_when_and_where() -> None:
    for step in STEPS:
        assert step.what
        assert step.source
        assert step.who in ("upstream", "SCS")
        assert step.effect in ("on", "off", "open")
        assert re.fullmatch(r"\d{4}(-\d\d(-\d\d)?|/\d\d)?|v1\.\d+\.\d+", step.when), step.when


def test_dated_steps_stand_in_order() -> None:
    dates = [step.when for step in STEPS if re.fullmatch(r"\d{4}-\d\d(-\d\d)?", step.when)]
    assert [date[:7] for date in dates] == sorted(date[:7] for date in dates)
    tags = [tuple(map(int, step.when[1:].split("."))) for step in STEPS if step.when.startswith("v")]
    assert tags == sorted(tags)


@pytest.mark.parametrize("reasons", [FOR, RISKS, INSTEAD])
def test_every_reason_has_a_source_and_a_name_of_its_own(reasons: tuple[Reason, ...]) -> None:
    assert len({one.name for one in reasons}) == len(reasons)
    for one in reasons:
        assert one.source
        assert one.text
        assert not one.text.endswith(".")


def test_the_answer_and_the_links_are_whole() -> None:
    assert all(text.endswith(".") for text in ANSWER)
    assert all(link.url.startswith("https://") and link.title for link in LINKS)


def test_every_setter_names_file_commit_and_date() -> None:
    for setter in SETTERS:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", setter.repository)
        assert re.fullmatch(r"[\w./-]+\.\w+", setter.path)
        assert re.fullmatch(r"[0-9a-f]{12}", setter.commit)
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", setter.date)
        read_at = setter.tag or setter.commit
        line = f"#L{setter.line}" if setter.tag else ""
        assert setter.url == f"https://github.com/{setter.repository}/blob/{read_at}/{setter.path}{line}"
        assert all(part in setter.source for part in (setter.repository, setter.path, read_at))
        assert setter.kind in (UPSTREAM, SET, OPTION, UNSET, ADVICE, PAST)
        assert (setter.value is None) == (setter.kind == UNSET) or setter.kind in (UPSTREAM, PAST)


def test_there_is_one_row_for_each_project_and_the_counts_add_up() -> None:
    assert len({setter.name for setter in SETTERS}) == len(SETTERS)
    deployers = [setter for setter in SETTERS if setter.kind in {SET, OPTION, UNSET}]
    places = [(setter.repository, setter.path) for setter in deployers]
    assert len(set(places)) == len(places)
    count = counted()
    assert count.set_on + count.option_on + count.unset == count.all == len(deployers)
    assert count.set_on + count.option_on == sum(setter.value is True for setter in deployers)
    organisations = [setter.repository.partition("/")[0] for setter in deployers]
    assert len(set(organisations)) == len(organisations)


def test_every_project_that_deploys_clusters_today_has_tag_and_line() -> None:
    for setter in SETTERS:
        assert (bool(setter.tag), bool(setter.line)) == ((setter.kind in (SET, OPTION, UNSET)),) * 2 or (
            setter.kind == UPSTREAM
        ), setter.name


def test_import_dates_are_not_decisions() -> None:
    dates = {setter.name: (setter.commit, setter.date) for setter in SETTERS}
    assert dates["SCS openstack-csp-helper"] == ("76015e6bb147", "2024-02-29")
    assert dates["Gardener"] == ("b4936dea26da", "2023-03-29")


@pytest.mark.parametrize(
    ("setter", "profile", "value"),
    [
        ("kOps", "kops", ("true",)),
        ("Gardener", "gardener", ("true",)),
        ("Magnum (Heat)", "magnum", ("true",)),
        ("OpenShift's documentation, Local", "openshift", ()),
    ],
)
def test_the_table_and_the_built_in_profiles_agree(setter: str, profile: str, value: tuple[str, ...]) -> None:
    (one,) = [one for one in SETTERS if one.name == setter]
    requirements = {requirement.key: requirement for requirement in profiles.load(profile).requirements}
    keys = ("monitor-delay", "monitor-timeout", "monitor-max-retries")
    assert one.value is True
    assert requirements["create-monitor"].values == value
    assert "/".join(requirements[key].values[0] for key in keys) == one.timers
