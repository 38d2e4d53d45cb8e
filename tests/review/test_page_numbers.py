"""Every sentence with a number on the create-monitor page is held to the data that the number comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from review_made import nodes
from test_question import API, HEAD, WEB, page

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data import octavia as octavia_data
from ccmcheck.catalog.data.behaviour import stretches
from ccmcheck.catalog.data.octavia import API_FEATURES, BODY_LIMIT
from ccmcheck.policy.create_monitor.matrix import ROWS
from ccmcheck.policy.create_monitor.story import ANSWER, FOR, INSTEAD, OPTIONS, RISKS, STEPS, counted
from ccmcheck.policy.create_monitor.timers import (
    AMPHORAE,
    PROBES_PER_SECOND,
    PROFILES,
    per_second,
)
from ccmcheck.predict.conformance import ASKED, PATIENCE_SECONDS
from ccmcheck.predict.drivers.ovn import DRIVER as OVN
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Prediction
from ccmcheck.review.create_monitor.json_form import as_data
from ccmcheck.review.create_monitor.motion import EXAMPLE, OVN_SINCE, PROPOSED_SINCE
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.create_monitor.report import as_lines

_NUMBER = re.compile(r"(?<![\w#./=-])\d+(?:\.\d+)*(?![\w-])(?!/\d)")
"""A number of its own: not an issue's, a commit's, a date's or a part of a name."""

_DATE = re.compile(r"\b20\d\d(?:-\d\d){0,2}(?:/\d\d)?\b(?!\.)")


def numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(_DATE.sub("", text)))


def starts(behaviour: str, release: str) -> bool:
    """Whether the CCM behaves in a way from one release on."""
    return any(first == f"v{release}" for first, _ in stretches(behaviour))


def ends(behaviour: str, release: str) -> bool:
    """Whether the CCM no longer behaves in a way from one release on."""
    return any(end == f"v{release}" for _, end in stretches(behaviour))


def ovn_fixed() -> bool:
    fixed, before = ("2.2.0", "3.1.2", "4.0.2", "5.0.0"), ("2.1.0", "3.1.1", "4.0.1")
    has = [OVN.has("monitor-on-floating-ip", release) for release in (*fixed, *before)]
    return has == [True] * len(fixed) + [False] * len(before)


def starts_with_zero_timers() -> bool:
    """Whether the last release that needs all timers stops without them."""
    return "monitor-delay" in read_options(f"{HEAD}use-octavia=true\ncreate-monitor=true\n", "1.17").stop


def quota_status() -> int:
    """What Octavia answers to a monitor above the quota, as predicted."""
    cloud = CloudState(facts=ClusterFacts(monitor_quota=0), nodes=nodes(3))
    return predict(read_options(f"{HEAD}create-monitor=true\n", "1.36"), API, cloud).refusals[0].status


def asks_for_200() -> bool:
    """Whether the monitor that the CCM asks for with Local expects that answer."""
    prediction = predict(read_options(f"{HEAD}create-monitor=true\n", "1.36"), WEB, CloudState(nodes=nodes(3)))
    return any("'expected_codes': '200'" in str(request.body) for request in prediction.requests)


# where a number that a person wrote down comes from
RELEASES: dict[str, Callable[[], bool]] = {
    "1.18": lambda: ends("zero-timers-end", "1.18.0"),
    "1.23.0": lambda: behaves("monitor-port-lost", catalog.release("1.23.0")),
    "1.23.1": lambda: ends("monitor-port-lost", "1.23.1"),
    "1.26": lambda: starts("groups-open-check-port", "1.26.0") and starts("asks-for-http-on-udp", "1.26.0"),
    "1.26.0": lambda: starts("groups-open-check-port", "1.26.0"),
    "1.27": lambda: starts("keeps-unready-nodes", "1.27.0"),
    "1.26.4": lambda: starts("renames-monitors", "1.26.4"),
    "1.27.3": lambda: starts("renames-monitors", "1.27.3"),
    "1.28.1": lambda: starts("renames-monitors", "1.28.1"),
    "1.29.0": lambda: behaves("renames-monitors", catalog.release("1.29.0")),
    "2.2.0": ovn_fixed,
    "3.1.2": ovn_fixed,
    "4.0.2": ovn_fixed,
    "5.0.0": ovn_fixed,
}
FIGURES: dict[tuple[str, str], Callable[[], bool]] = {
    ("udp-delay", "3"): lambda: octavia_data.UDP_CONNECT_SECONDS == 3,
    ("sub-second", "1"): lambda: read_options(f"{HEAD}monitor-delay=999ms\n", "1.36").monitor_delay == 0,
    ("sub-second", "0"): lambda: read_options(f"{HEAD}monitor-delay=999ms\n", "1.36").monitor_delay == 0,
    ("retries-down", "0"): lambda: octavia_data.RETRIES[0] > 0,
    ("units", "5"): lambda: (
        "missing unit" in read_options(f"{HEAD}create-monitor=true\nmonitor-delay=5\n", "1.36").stop
    ),
    ("body", "152"): lambda: octavia_data.MONITOR_BYTES == 152,
    ("body", "114688"): lambda: BODY_LIMIT[0] == 114688,
    ("body", "14.0.0"): lambda: octavia.series_of("14.0.0") == BODY_LIMIT[1],
    ("body", "2024.1"): lambda: BODY_LIMIT[1] == "2024.1",
    ("redispatch", "4"): lambda: octavia_data.CONNECT_TRIES == 4,
    ("redispatch", "5"): lambda: octavia_data.MEMBER_CONNECT_SECONDS == 5,
    ("dead-nodes", "1.26"): lambda: starts("local-keeps-unready-nodes", "1.26.0"),
    ("lag", "10"): lambda: octavia_data.HEARTBEAT_SECONDS == 10,
    ("M02", "0"): starts_with_zero_timers,
    ("serial", "200"): asks_for_200,
    ("M04", "200"): asks_for_200,
    ("M07", "1.2.0"): lambda: "1.2.0" in OVN.releases["monitor-in-create"],
    ("M07", "2.1.0"): lambda: "2.1.0" in OVN.releases["monitor-in-create"],
    ("M07", "3.1.0"): lambda: "3.1.0" in OVN.releases["monitor-in-create"],
    ("M07", "4.0.0"): lambda: "4.0.0" in OVN.releases["monitor-in-create"],
    ("M08", "11.0.0"): lambda: OVN.releases["source-ip"] == ("11.0.0",),
    ("M11", "2.16"): lambda: API_FEATURES["http-monitors-on-udp"] == (2, 16),
    ("M12", "1.21"): lambda: starts("ingress-hostname", "1.21.0"),
    ("M12", "1.30"): lambda: starts("sets-ip-mode", "1.30.0"),
    ("M08", "1.28"): lambda: stretches("managed-groups-shut-ovn-clients-out") == (("", "v1.28.0"),),
    ("M18", "403"): lambda: quota_status() == 403,
}


def rows_written() -> Iterator[tuple[str, str]]:
    """The sentences of the matrix, by their rows."""
    for row in ROWS:
        yield from ((row.id, text) for text in (row.why, *row.actions, *(caution.text for caution in row.cautions)))


def written() -> Iterator[tuple[str, str]]:
    """The sentences that a person wrote down, by the name of what they belong to."""
    yield from ((reason.name, reason.text) for reason in (*FOR, *RISKS, *INSTEAD))
    yield from (("answer", text) for text in ANSWER)
    for step in STEPS:
        yield from (("history", text) for text in (step.what, step.why))
    yield from rows_written()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text in written() if numbers(text)])
def test_a_written_number_is_that_of_the_catalogue(name: str, text: str) -> None:
    for number in numbers(text):
        check = FIGURES.get((name, number)) or RELEASES.get(number)
        assert check is not None, f"{number} of {name} has no data: add it to FIGURES or RELEASES"
        assert check(), f"{number} of {name} is not what the data say: {text}"


def test_a_number_without_data_is_noticed() -> None:
    assert numbers("after 17 s in 1.99.0, KEP-3458, #12, 2024-02-29, commit 002cecdc") == {"17", "1.99.0"}


def flat(value: object) -> Iterator[float | str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from flat(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from flat(one)
    elif isinstance(value, int | float | str) and not isinstance(value, bool):
        yield value


def spoken(values: Iterable[float | str]) -> set[str]:
    """Numbers as a sentence writes them: as they are, rounded, or as a percentage."""
    found: set[str] = set()
    for value in values:
        if isinstance(value, str):
            found |= numbers(value) | set(_DATE.findall(value))
        else:
            found |= {
                f"{value:g}",
                per_second(float(value)),
                f"{round(value)}",
                f"{round(value, 1):g}",
                f"{round(100 * value)}",
            }
    return found


def data_of(found: QuestionPage) -> set[str]:
    """Every number that the predictions, the files and the catalogue give for a page."""
    known = spoken(flat([figure.numbers for figure in found.figures])) | spoken([found.release, found.nodes or 0])
    predictions: list[Prediction] = []
    for case in (*found.services, *found.tenants):
        predictions += [one for one in (case.now, case.then) if one is not None]
        known |= spoken(case.ports) | {port.split("/")[1] for port in case.ports}
    for one in predictions:
        known |= spoken(flat([dict(answer.numbers) for answer in one.answers]))
        probes = one.answer("probes")
        if probes is not None and "active-standby" in probes.text:  # a pair sends twice as many
            known |= spoken(2 * number for number in flat(dict(probes.numbers)) if not isinstance(number, str))
        for plan in one.plans:
            # a Service that names no health check port is assumed to get the one after its NodePorts
            known |= spoken([plan.node_port, plan.node_port + 1, plan.monitor_port or 0])
        for answer in one.answers:  # the mean of a range stands for ends that are the same
            first = answer.numbers.get("first_connections")
            if isinstance(first, dict):
                known |= {f"{round(50 * sum(first[share]))}" for share in ("at_once", "waiting", "closed")}
    for shares in found.first_connections:
        known |= set(re.findall(r"\d+", " ".join(map(str, shares[1:])))) | numbers(shares.label)
    return known


CASES = ("amphora", "ovn", "unknown", "quota", "one-node-count-missing")
SCRIPT = spoken(
    [
        ASKED,
        PATIENCE_SECONDS,
        octavia_data.CONNECT_TRIES,
        octavia_data.MEMBER_CONNECT_SECONDS,
        octavia_data.CONNECT_TRIES * octavia_data.MEMBER_CONNECT_SECONDS,
    ]
)
"""What the draft's scripts say themselves, and HAProxy behind Octavia."""


_LOAD = re.compile(r"(\d+) ports? × (\d+) nodes(?: × (\d) amphorae?)?.*? / (\d+) s = ([\d.]+) probes/s")


def of_profiles(found: QuestionPage) -> set[str]:
    """The sizes that sets of timers are for, the budget, and the loads that they come to."""
    known = data_of(found) | spoken([PROBES_PER_SECOND, *AMPHORAE.values(), *(one.most_nodes for one in PROFILES)])
    ports = [len(case.ports) for case in found.services]
    known |= spoken([*ports, *(one.delay for one in PROFILES)])
    for amphorae in (1, *AMPHORAE.values()):
        known |= {per_second(count * (found.nodes or 0) * amphorae / one.delay) for count in ports for one in PROFILES}
    return known


@pytest.mark.parametrize("case", ["amphora", "ovn", "quota"])
def test_the_load_of_timers_is_worked_out_as_it_says(case: str) -> None:
    found = page(case)
    whys = (found.recommendation.timers_why, *(case.timers_why for case in found.services))
    loads = [load for why in whys for load in _LOAD.findall(why)]
    assert loads
    for ports, nodes_, amphorae, delay, rate in loads:
        assert rate == per_second(int(ports) * int(nodes_) * int(amphorae or 1) / int(delay))


def of_script(found: QuestionPage) -> set[str]:
    nodes_ = found.nodes or 0
    return data_of(found) | SCRIPT | spoken([nodes_, nodes_ - 1])


def of_others(found: QuestionPage) -> set[str]:
    count = counted()
    return (
        data_of(found) | spoken(count) | spoken([count.set_on + count.option_on, PROPOSED_SINCE, "7.0.1"])
    )  # the last one: of a case


def of_matrix(_: QuestionPage | None = None) -> set[str]:
    """The rows' numbers, each checked by `test_a_written_number_is_that_of_the_catalogue`."""
    return {number for _, sentence in rows_written() for number in numbers(sentence)}


def of_catalogue(_: QuestionPage | None = None) -> set[str]:
    """What stands in written sentences, each number checked by `test_a_written_number_is_that_of_the_catalogue`."""
    return {number for _, sentence in written() for number in numbers(sentence)} | {PROPOSED_SINCE}


def of_assumptions(found: QuestionPage) -> set[str]:
    """The Octavia API that has everything that the CCM asks for."""
    return data_of(found) | {"{}.{}".format(*max(API_FEATURES.values()))}


def of_answer(found: QuestionPage) -> set[str]:
    """A verdict's numbers are in its record, or are those of the Service's ports and of Octavia."""
    refusals = [
        one.status for case in found.services for side in (case.now, case.then) if side for one in side.refusals
    ]
    return data_of(found) | SCRIPT | spoken(refusals) | numbers("from 0.0.0.0/0")


def of_options(_: QuestionPage | None = None) -> set[str]:
    """The numbers of the draft's options."""
    return spoken(one.number for one in OPTIONS)


PLACES: dict[str, Callable[[QuestionPage], set[str]]] = {
    "release": lambda found: spoken([found.release]),
    "recommendation.timers_why": of_profiles,
    "recommendation.config": data_of,
    "services.timers_why": of_profiles,
    "services.annotations": data_of,
    "services.why": of_matrix,
    "services.actions": of_matrix,
    "services.cautions": of_matrix,
    "services.tried.why": of_matrix,
    "services.now.answers": of_answer,
    "services.then.answers": of_answer,
    "answer": of_catalogue,
    "figures.now": of_others,
    "figures.then": of_others,
    "scripts.now_text": of_script,
    "scripts.then_text": of_script,
    "timeline.what": of_catalogue,
    "timeline.why": of_catalogue,
    "arguments.text": of_catalogue,
    "arguments.here": of_others,
    "risks.text": of_catalogue,
    "risks.here": of_others,
    "instead.text": of_catalogue,
    "instead.here": of_others,
    "motion.now": of_others,
    "motion.then": lambda found: of_others(found) | {PROPOSED_SINCE, *OVN_SINCE},
    "first_connections.label": lambda found: of_others(found) | spoken(EXAMPLE),
    "options.consequence": of_options,
    "options.rollout": lambda found: of_options(found) | of_others(found) | spoken([len(found.services)]),
    "options.needs": of_options,
    "options.rollback": of_options,
    "tenants.now.answers": of_answer,
    "tenants.then.answers": of_answer,
    "tenants.why": of_matrix,
    "tenants.actions": of_matrix,
    "tenants.cautions": of_matrix,
    "tenants.tried.why": of_matrix,
    "tenants.timers_why": of_profiles,
    "settings.why": of_options,
    "setting.why": of_options,
    "assumed": of_assumptions,
}
"""Where a page's data hold sentences with numbers, and what the numbers there may be."""

CITED = ("others.", "links.", "timeline.source", "draft.source", "draft.url", "source")
"""Rows of data that are sources themselves, each with its commit and date."""


def sentences(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of the page's data, and where it stands; names that come from a case are left out of the place."""
    if isinstance(value, dict):
        for name, one in value.items():
            is_case = place.endswith((".answers", ".annotations", ".config", ".numbers"))
            yield from sentences(one, place if is_case else f"{place}.{name}".strip("."))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from sentences(one, place)
    elif isinstance(value, str):
        yield place, value


def unknown_numbers(found: QuestionPage) -> Iterator[str]:
    """The numbers in a page's data that nothing gives."""
    for place, text in sentences(as_data(found)):
        if not numbers(text) or place.startswith(CITED) or place.endswith(".source"):
            continue
        if place not in PLACES:
            yield f"nothing says where the numbers of {place} come from: {text}"
        elif unknown := numbers(text) - PLACES[place](found):
            yield f"{unknown} of {place} are not in the data: {text}"


def unknown_numbers_of_lines(found: QuestionPage, lines: Iterable[str]) -> Iterator[str]:
    """The lines that show a number that the page's data, and so the check above, do not have."""
    known = {number for _, text in sentences(as_data(found)) for number in numbers(text)}
    known |= data_of(found) | spoken(flat(as_data(found)))
    known |= spoken(counted())
    yield from (line for line in lines if not numbers(line) <= known)


@pytest.mark.parametrize("case", CASES)
def test_every_number_of_the_page_comes_from_data(case: str) -> None:
    found = page(case)
    assert list(unknown_numbers(found)) == []
    assert list(unknown_numbers_of_lines(found, as_lines(found, "text", verbose=1))) == []


def test_the_sizes_that_timers_are_for_are_those_that_choose_them() -> None:
    for timers in PROFILES:
        assert numbers(timers.use) <= spoken(one.most_nodes for one in PROFILES if one.most_nodes)
