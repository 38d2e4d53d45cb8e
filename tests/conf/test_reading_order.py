"""The order of errors, and what becomes of entries besides."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.base.model import Span
from ccmcheck.conf.reading import Reading, read
from ccmcheck.gcfg import parse
from ccmcheck.gcfg.errors import VALUE_KINDS


def reading_of(text: str, release: str = "master", consumer: str = "ccm") -> Reading:
    return read(parse(text), catalog.schema(release, consumer))


def kinds(text: str, release: str = "master") -> list[str]:
    return [stop.kind for stop in reading_of(text, release).stops]


def test_values_and_syntax_in_the_order_of_the_file() -> None:
    text = "[LoadBalancer]\nmonitor-delay = 3\nlb_method = x\ncreate-monitor = y\n[A\n"
    assert kinds(text) == ["bad-duration", "illegal-character", "bad-bool", "bad-header"]


def test_subsections_come_in_a_second_pass() -> None:
    text = '[LoadBalancerClass "a"]\nsubnet-id\n[LoadBalancer]\nenabled = x\n[B c]\n'
    assert kinds(text) == ["bad-bool", "bad-header", "blank-value"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("[LoadBalancer]\nenabled = x\n\0", ["illegal-nul", "bad-bool"]),
        ("[LoadBalancer]\nenabled = x\n \0", ["bad-bool", "illegal-nul"]),
        ("[LoadBalancer]\nenabled = x\r\n\udcff", ["illegal-utf8", "bad-bool"]),
        ("[LoadBalancer]\nenabled = x\n=", ["bad-bool", "expected-key"]),
        ("[LoadBalancer]\nenabled = x # \udcff\n", ["illegal-utf8"]),
    ],
)
def test_the_scanner_looks_one_character_ahead(text: str, order: list[str]) -> None:
    assert kinds(text) == order


VALUES = [
    ("[Global]\nusername\n", "blank-value", "username"),
    ("[LoadBalancer]\nenabled = x # c\n", "bad-bool", "x"),
    ('[LoadBalancer]\nenabled = "x"\n', "bad-bool", '"x"'),
    ("[LoadBalancer]\nenabled =\n", "empty-value", "enabled"),
    ('[LoadBalancer]\nenabled = ""\n', "empty-value", '""'),
    ("[LoadBalancer]\nmonitor-max-retries = -1\n", "bad-uint", "-1"),
    ("[LoadBalancer]\nmax-shared-lb = x\n", "bad-int", "x"),
    ("[LoadBalancer]\nmonitor-delay = 5\n", "bad-duration", "5"),
    ("[Global]\nos-endpoint-type = a b\n", "bad-word", "a b"),
    ("[LoadBalancer]\nlbclasses = a\n", "reserved-key", "a"),
    ("[LoadBalancer]\nlbclasses =\n", "reserved-key", "lbclasses"),
]


@pytest.mark.parametrize(("text", "kind", "shown"), VALUES)
def test_kinds_and_places_of_value_errors(text: str, kind: str, shown: str) -> None:
    (stop,) = reading_of(text).stops
    assert (stop.kind, text[slice(*stop.span)]) == (kind, shown)


def test_every_kind_of_value_error_is_tried() -> None:
    assert {kind for _, kind, _ in VALUES} == set(VALUE_KINDS)


def test_entries() -> None:
    text = (
        "[Global]\npassword = p\nnope = 1\n[LoadBalancer]\nmonitor-delay = 5s\nenabled = x\nmonitor_delay = 3\n"
        "[Nowhere]\nregion = r\n[Networking]\npublic-network-name = a\npublic-network-name = b\n"
    )
    found = reading_of(text)
    entries = [entry for section in found.document.sections for entry in section.entries]
    names = [spec.name if (spec := found.specs.get(entry.key_start)) else None for entry in entries]
    assert names == ["password", None, "monitor-delay", "enabled", None, None, "public-network-name", "public-network-name"]  # fmt: skip
    values = [found.typed.get(entry.key_start) for entry in entries]
    assert values == ["p", None, 5_000_000_000, None, None, None, ["a", "b"], ["a", "b"]]


def test_entries_of_another_gcfg() -> None:
    text = '[Global]\nusername = \\"u\\"\npassword = p\n'
    document = parse(text)
    found = read(document, catalog.schema("1.20", "legacy-in-tree"))
    assert document.stops == ()
    assert [stop.span for stop in found.stops] == [Span(20, 22)]
    assert found.typed[document.sections[0].entries[1].key_start] == "p"


def test_a_guess_is_not_judged() -> None:
    assert kinds('[LoadBalancer]\nenabled = "maybe\n') == ["unterminated-string"]


def test_a_large_section_is_read_like_a_small_one() -> None:
    lines = "a = 1\nenabled = x\npublic = 2\n"
    small = reading_of(f"[LoadBalancer]\n{lines}")
    large = reading_of("[LoadBalancer]\n" + lines * 4_000)
    assert [stop.error for stop in large.stops] == [small.stops[0].error] * 4_000
    good = "a = 1\nregion = r\nb = 2\n"
    assert reading_of("[Global]\n" + good * 4_000).ignored == reading_of(f"[Global]\n{good}").ignored
    assert reading_of("[Global]\n" + good * 4_000).values == {"Global": {"region": "r"}}
    assert reading_of("[Global]\n" + "b = 2\n" * 20_000).ignored == [{"section": "Global", "key": "b"}]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("[Global]\nuse-clouds = true\n[LoadBalancer]\nmonitor-delay = 3\n", True),
        ("[Global]\nuse-clouds\nauth_url = x\n", True),
        ("[LoadBalancer]\nmonitor-delay = 3\n[Global]\nuse-clouds = true\n", False),
        ("[Global]\nuse-clouds = true\nuse-clouds = false\nauth_url = x\n", False),
        ("[Global]\nuse-clouds = x\n", False),
        ('[LoadBalancerClass "a"]\nsubnet-id\n[Global]\nuse-clouds = true\n', True),
        ("[Global]\nauth_url = x\n", False),
    ],
)
def test_hidden_errors(text: str, hidden: bool) -> None:
    found = reading_of(text, "1.18")
    assert found.outcome == "fatal"
    assert found.hidden_error == (found.error if hidden else None)
    assert reading_of(text, "1.19").hidden_error is None


def test_refusals_of_the_in_tree_provider() -> None:
    text = '[Global]\nnope\n[Nowhere]\nx = 1\n[Global "s"]\n'
    found = reading_of(text, "1.24", "legacy-in-tree")
    assert found.outcome == "ok"
    assert found.refusal == (
        "warnings:\n"
        'can\'t store data at section "Global", variable "nope"\n'
        'can\'t store data at section "Nowhere"\n'
        'can\'t store data at section "Nowhere"\n'
        'can\'t store data at section "Global", subsection "s"\n'
        'can\'t store data at section "Nowhere"\n'
        'can\'t store data at section "Nowhere"\n'
    )
    one = reading_of("[Global]\nnope\n", "1.24", "legacy-in-tree").refusal
    assert one == 'warning:\ncan\'t store data at section "Global", variable "nope"\n'
    assert reading_of(text, "1.25", "legacy-in-tree").refusal is None
    assert reading_of(text, "1.24").refusal is None
    assert reading_of("[Global]\n", "1.24", "legacy-in-tree").refusal is None


def test_repr_shows_no_values() -> None:
    assert repr(reading_of("[Global]\npassword = hunter2\n")) == "<Reading by <Schema of ccm@master>: ok>"
