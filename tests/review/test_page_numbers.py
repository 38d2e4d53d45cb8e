"""Every sentence with a number on the create-monitor page is held to the data that the number comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from test_question import HEAD, page

from ccmcheck import catalog
from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.behaviour import STRETCHES
from ccmcheck.catalog.data.octavia import BODY_LIMIT
from ccmcheck.policy.create_monitor.history import DRAFT, STEPS
from ccmcheck.policy.create_monitor.matrix import ROWS
from ccmcheck.policy.create_monitor.others import counted
from ccmcheck.policy.create_monitor.reasons import AGAINST, ANSWER, FOR, INSTEAD, RISKS
from ccmcheck.policy.create_monitor.timers import per_second
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.records import Prediction
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.create_monitor.summary import DRAFT_REVISED, PROPOSED_SINCE

_NUMBER = re.compile(r"(?<![\w#./=-])\d+(?:\.\d+)*(?![\w-])(?!/\d)")
"""A number of its own: not an issue's, a commit's, a date's or a part of a name."""

_DATE = re.compile(r"\b20\d\d(?:-\d\d){0,2}(?:/\d\d)?\b(?!\.)")


def numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(_DATE.sub("", text)))


def starts(behaviour: str, release: str) -> bool:
    """Whether the CCM behaves in a way from one release on."""
    return any(first == f"v{release}" for first, _ in STRETCHES[behaviour])


def ends(behaviour: str, release: str) -> bool:
    """Whether the CCM no longer behaves in a way from one release on."""
    return any(end == f"v{release}" for _, end in STRETCHES[behaviour])


def ovn_fixed() -> bool:
    fixed, before = ("2.2.0", "3.1.2", "4.0.2", "5.0.0"), ("2.1.0", "3.1.1", "4.0.1")
    has = [octavia.ovn_has("monitor-on-floating-ip", release) for release in (*fixed, *before)]
    return has == [True] * len(fixed) + [False] * len(before)


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
    ("udp-delay", "3"): lambda: octavia.UDP_CONNECT_SECONDS == 3,
    ("sub-second", "1"): lambda: read_options(f"{HEAD}monitor-delay=999ms\n", "1.36").monitor_delay == 0,
    ("sub-second", "0"): lambda: read_options(f"{HEAD}monitor-delay=999ms\n", "1.36").monitor_delay == 0,
    ("retries-down", "0"): lambda: octavia.RETRIES[0] > 0,
    ("units", "5"): lambda: (
        "missing unit" in read_options(f"{HEAD}create-monitor=true\nmonitor-delay=5\n", "1.36").stop
    ),
    ("body", "152"): lambda: octavia.MONITOR_BYTES == 152,
    ("body", "114688"): lambda: BODY_LIMIT[0] == 114688,
    ("body", "14.0.0"): lambda: octavia.series_of("14.0.0") == BODY_LIMIT[1],
    ("body", "2024.1"): lambda: BODY_LIMIT[1] == "2024.1",
    ("redispatch", "4"): lambda: octavia.CONNECT_TRIES == 4,
    ("redispatch", "5"): lambda: octavia.MEMBER_CONNECT_SECONDS == 5,
    ("lag", "10"): lambda: octavia.HEARTBEAT_SECONDS == 10,
    ("draft", "1"): lambda: any("Option 1" in step.what for step in DRAFT),
}


def written() -> Iterator[tuple[str, str]]:
    """The sentences that a person wrote down, by the name of what they belong to."""
    yield from ((reason.name, reason.text) for reason in (*FOR, *AGAINST, *RISKS, *INSTEAD))
    yield from (("answer", text) for text in ANSWER)
    for step in STEPS:
        yield from (("history", text) for text in (step.what, step.why))
    yield from (("draft", step.what) for step in DRAFT)


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
    for case in found.services:
        predictions += [one for one in (case.now, case.then) if one is not None]
        known |= spoken(case.ports) | {port.split("/")[1] for port in case.ports}
    for one in predictions:
        known |= spoken(flat([dict(answer.numbers) for answer in one.answers]))
        for plan in one.plans:
            known |= spoken([plan.node_port, plan.monitor_port or 0])
        for answer in one.answers:  # the mean of a range stands for ends that are the same
            first = answer.numbers.get("first_connections")
            if isinstance(first, dict):
                known |= {f"{round(50 * sum(first[share]))}" for share in ("at_once", "waiting", "closed")}
    for point in found.timers:
        known |= spoken(flat(list(point)))
        known |= set(re.findall(r"\d+", point.timers))
    return known


@pytest.mark.parametrize("case", ["amphora", "ovn", "unknown", "quota"])
def test_a_number_of_the_cluster_comes_from_its_predictions(case: str) -> None:
    found = page(case)
    known = data_of(found)
    count = counted()
    known |= spoken(count) | spoken([count.on, PROPOSED_SINCE, "7.0.1"])  # --ovn-octavia-release of a case
    texts = [text for figure in found.figures for text in (figure.now, figure.then)]
    texts += [one.here for one in (*found.arguments_for, *found.arguments_against, *found.risks, *found.instead)]
    texts += [claim.text for claim in found.summary]
    for text in texts:
        assert numbers(text) <= known, text


def test_the_summary_says_what_the_data_say() -> None:
    found = page("amphora")
    claims = found.summary
    assert PROPOSED_SINCE == "1.26"
    assert RELEASES[PROPOSED_SINCE]()
    exceptions = claims[0].numbers["exceptions"]
    assert isinstance(exceptions, list)
    assert set(exceptions) <= {row.id for row in ROWS}
    assert claims[1].numbers == {"on": counted().on, "all": counted().all}
    assert claims[-1].numbers == {"draft": DRAFT_REVISED}
    assert [step.when for step in DRAFT if "last revision" in step.what] == [DRAFT_REVISED]
    for claim in claims:
        assert numbers(claim.text) <= spoken(flat(claim.numbers)) | {exception[1:] for exception in exceptions}, claim
