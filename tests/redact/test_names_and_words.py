"""Which names are secret and how text is folded, which words are found, and what a line or a report shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import copy_context
from enum import Enum
from typing import NamedTuple

import pytest

from ccmcheck.base.model import Span
from ccmcheck.redact import MASK, masked_heading, masker
from ccmcheck.redact.masker import JointMasker, Masker, mask_text, mask_value
from ccmcheck.redact.matcher import Matcher
from ccmcheck.redact.names import (
    fold,
    fold_with_offsets,
    is_conf_key,
    is_known_name,
    is_plain,
    is_public_field,
    is_secret_name,
)
from ccmcheck.redact.report import redact_report
from ccmcheck.redact.run_secrets import (
    _SECRETS,
    hide_those_of,
    hiding,
    joined,
    run_secrets,
    secrets_of_texts,
    told_apart,
)


@pytest.fixture(autouse=True)
def no_secrets_of_other_tests() -> Iterator[None]:
    """The secrets of a run are those of a process, and other tests may have run in this one."""
    token = _SECRETS.set(frozenset())
    yield
    _SECRETS.reset(token)


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *((name, True) for name in ("passwrd", "passwdor", "tokn", "aplicationcredentilsecrt", "trustepasswrd", "p-a-s-s-w-o-r-d")),
        *((name, True) for name in ("xPassword", "myApiKey", "p@ssw0rd", "pаssword", "pass\u200bword", "api.key", "trust_ids", "P@$$word", "рin", "myPin")),
        *((name, False) for name in ("pasowdr", "pasrdwo", "pswrd", "aplicationcredentilscrt", "server", "secrets", "secret-name", "image-pull-secrets")),
        *((name, False) for name in ("taken", "pinned", "", "region", "secret_key_ref", "bypass-x", "é")),
    ],
)  # fmt: skip
def test_names_up_to_three_edits_away_are_secret(name: str, *, secret: bool) -> None:
    assert is_secret_name(name) is secret


def test_names_that_everybody_may_see() -> None:
    assert all(map(is_conf_key, ("auth-url", "auth_url", "AUTH-URL", "authUrl", "AuthUrl", "use-octavia")))
    assert not any(map(is_conf_key, ("foo", "password", "name", "x" * 2_000)))
    assert is_known_name("tolerations")
    assert not is_known_name("hunter")
    assert is_public_field("loadbalancer.openstack.org/network-id", "annotations")
    assert not is_public_field("example.org/network-id", "annotations")
    assert is_public_field("key", "secretKeyRef")
    assert not is_public_field("key", "data")


@pytest.mark.parametrize(
    ("text", "folded", "offsets"),
    [
        ("é b", "e b", [0, 1, 2, 3]),
        ("a\u200bb", "ab", [0, 2, 3]),
        ("a\u00a0b\u2028c", "a b c", [0, 1, 2, 3, 4, 5]),
        ("ﬁ\tx\x7f", "fi\tx", [0, 0, 1, 2, 4]),
        ("раss~", "pass~", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_text_as_people_see_it(text: str, folded: str, offsets: list[int]) -> None:
    assert fold(text) == folded
    assert fold_with_offsets(text) == (folded, offsets)
    assert not is_plain(text)
    assert (fold("a b"), is_plain("a\tb\r\n~ "), is_plain("a\x0b")) == ("a b", True, False)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["abcd"], "xabcd abcd abcdx abcd", ["abcd", "abcd"]),
        (["abcd"], "abcd", ["abcd"]),
        (["abcd"], "-ABCD.", ["ABCD"]),
        (["abcd"], "éabcdé", ["abcd"]),
        (["abcd"], "9abcd abcd9", []),
        (["abc", ""], "abc", []),
        (["abcdefgh"], "xabcdefghx", ["abcdefgh"]),
        (["abcdefg"], "xabcdefgx abcdefg", ["abcdefg"]),
        (["abcd", "abcd efgh"], "abcd efgh abcd", ["abcd efgh", "abcd"]),
        (["aaaabbbbcc", "bbbbccdddd"], "xaaaabbbbccddddx", ["aaaabbbbccdddd"]),
        (["aaaabbbb", "ccccdddd"], "aaaabbbbccccdddd", ["aaaabbbb", "ccccdddd"]),
        (["abcdefgh"], "İabcdefghİ", ["abcdefgh"]),
        (["abcdefgh"], "İABCDEFGH", ["ABCDEFGH"]),
        (["x" * 300], "a " + "x" * 300 + " b", ["x" * 300 + " b"]),
        (["x" * 200], "a " + "x" * 200 + " b", ["x" * 200 + " b"]),
        (["x" * 199], "a " + "x" * 199 + " b", ["x" * 199]),
        ([f"{number:04}word" for number in range(200)], "the 0017word and 0199WORD", ["0017word", "0199WORD"]),
        ([f"{number:04}word" for number in range(64)], "the 0017word", ["0017word"]),
        ([], "abcd", []),
    ],
)
def test_the_places_of_words(words: list[str], text: str, found: list[str]) -> None:
    matcher = Matcher(words)
    assert [text[start:end] for start, end in matcher.finditer(text)] == found
    assert bool(matcher) is any(len(word) >= 4 for word in words)


def test_short_words_are_left_out_where_long_ones_are_asked_for() -> None:
    matcher = Matcher(["abcd", "abcdefgh", "abcdef"])
    assert list(matcher.finditer("abcd abcdef abcdefgh", 8)) == [(12, 20)]


TEXT = "ab=1\npassword=abcdefgh\nregion = x\n"
START, END = 5, 22


@pytest.mark.parametrize(
    ("span", "first", "length"),
    [
        (Span(5, 13), 0, 8),
        (Span(5, 14), 0, 9),
        (Span(6, 7), 1, 1),
        (Span(13, 14), 8, 1),
        (Span(14, 22), 9, 4),
        (Span(14, 15), 9, 4),
        (Span(18, 20), 9, 4),
        (Span(12, 15), 7, 6),
        (Span(22, 22), 13, 1),
        (Span(22, 30), 13, 1),
        (Span(0, 3), 0, 1),
        (Span(0, 30), 0, 13),
        (Span(8, 8), 3, 1),
    ],
)
def test_what_is_underlined_in_a_masked_line(span: Span, first: int, length: int) -> None:
    assert Masker(TEXT).line(START, END, span) == (f"password={MASK}", first, length)


def test_the_pieces_of_a_text() -> None:
    one = Masker(TEXT)
    assert list(one.pieces(START, END)) == [(5, 14, "password="), (14, 22, MASK)]
    assert list(one.pieces(14, END)) == [(14, 22, MASK)]
    assert list(one.pieces(16, 24)) == [(16, 22, MASK), (22, 24, "\nr")]
    assert list(one.pieces(22, 22)) == []
    assert list(one.pieces(16, 16)) == []
    assert list(one.pieces(22, 24)) == [(22, 24, "\nr")]
    assert list(Masker("pin=abcdefgh\ntoken=12345678\n").pieces(21, 26)) == [(21, 26, MASK)]
    assert Masker("q\n").spans == [Span(0, 1)]
    assert list(one.pieces(0, 5)) == [(0, 5, "ab=1\n")]
    assert one.spans == [Span(14, 22)]
    assert Masker("hunter2\n").spans == [Span(0, 7)]
    assert Masker("****=x\npassword=****\n").line(7, 20, Span(16, 18)) == ("password=****", 9, 2)


@pytest.mark.parametrize(
    ("conf", "message", "expected"),
    [
        ("password = abcd # of it", "got abcd here and `of it`", f"got {MASK} here and `{MASK}`"),
        ("password = 'ab cd' x", "got ab cd here", f"got {MASK} here"),
        ("password = '{{ab cd' x", "got {{ab cd here", "got {{ab cd here"),
        ("password = '{{ab}}' x", "got {{ab}} here", f"got {MASK} here"),
        ("password = abcd;efgh", "got abcd or efgh", f"got {MASK} or {MASK}"),
        ('password = "x\nYZ12=3\nhunter2"', "key YZ12 is odd, 2 is not", f"key {MASK} is odd, 2 is not"),
        ("password = Zq9xWvQ1==", "the key Zq9xWvQ1 is odd", f"the key {MASK} is odd"),
        ("password = region", "the key region is odd", "the key region is odd"),
        ("foo = Zq9x", "got “Zq9x” or `zq9x`", f"got “{MASK}” or `{MASK}`"),
        ("foo = Zq9x", 'got "Zq9x"', f'got "{MASK}"'),
        ("foo = Zq9", "got `Zq9`", "got `Zq9`"),
        ("foo = Zq9x", "got `a=Zq9x`, `a=`, `=Zq9x`, `x Zq9x`", f"got `a={MASK}`, `a=`, `={MASK}`, `x Zq9x`"),
        ("foo = Zq9x", "got `a='Zq9x'`", f"got `a='{MASK}'`"),
        ("region = Zq9x", "got `Zq9x` and `a=Zq9x`", "got `Zq9x` and `a=Zq9x`"),
        ("foo = Zq9x\n" + "region = Zq9x\n" * 30, "got `Zq9x`", f"got `{MASK}`"),
        ("region = Zq9x\n" * 30 + "foo = Zq9y", "got `Zq9x` and `Zq9y`", f"got `Zq9x` and `{MASK}`"),
        ("region = Zq9x\nfoo = Zq9x", "got `Zq9x`", f"got `{MASK}`"),
        ("foo = Zq9xİ", "got `Zq9xi̇`", f"got `{MASK}`"),
        ("region = İİİİİİİİ\nfoo = Zq9x", "got `Zq9x`", f"got `{MASK}`"),
        ("foo = region", "got `region`", "got `region`"),
        ("Zq9x", "got `Zq9x`", f"got `{MASK}`"),
        ("foo = x", "see `https://u:p@h`", f"see `{MASK}`"),
        ("password = abcd", "", ""),
        ("password = abcd", "nothing of it", "nothing of it"),
    ],
)
def test_what_messages_quote(conf: str, message: str, expected: str) -> None:
    for one in (Masker(conf), JointMasker([Masker(conf), Masker("")])):
        assert one.scrub(message) == expected


def test_many_quotes_are_answered_as_few_are() -> None:
    conf = "".join(f"foo{number} = Zq9-{number}\nregion = Rx9-{number}\n" for number in range(40))
    one = Masker(conf)
    for number in range(40):
        assert one.scrub(f"`Zq9-{number}` `Rx9-{number}`") == f"`{MASK}` `Rx9-{number}`"
    quoted = " ".join(f"`Zq9-{number}`" for number in range(40))
    assert Masker(conf).scrub(quoted) == " ".join([f"`{MASK}`"] * 40)


def test_names_that_are_values() -> None:
    one = Masker("[Global]\nhunter2 x\n[Zq9x] y\nZq9x: z\nregion\nfoo = 5s\n")
    assert [one.name(name) for name in ("hunter2", "Hunter2 x", "zq9x", "region", "foo", "")] == [
        MASK, MASK, MASK, "region", "foo", "",
    ]  # fmt: skip
    assert Masker("true x y9\n").name("true") == "true"
    joint = JointMasker([one, Masker("hunter3")])
    assert [joint.name(name) for name in ("hunter2", "hunter3", "hunter4")] == [MASK, MASK, "hunter4"]


def test_long_texts_are_not_searched_for_their_secrets_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "password = hunter2x\nregion = hunter2x\n"
    monkeypatch.setattr(masker, "_SEARCHED", len(text))
    assert len(Masker(text).spans) == 2
    monkeypatch.setattr(masker, "_SEARCHED", len(text) - 1)
    assert len(Masker(text).spans) == 1


def test_secrets_of_other_texts() -> None:
    one = Masker("region = hunter2x\n", frozenset({"hunter2x", "password"}))
    assert one.spans == [Span(9, 17)]
    assert one.scrub("the password is hunter2x") == f"the password is {MASK}"
    assert one.has_secrets
    assert Masker("password = x").has_secrets
    assert not Masker("region = x").has_secrets
    assert Masker("password = hunter2x\nregion = hunter2x\n").spans == [Span(11, 19), Span(29, 37)]
    assert Masker("password = hunter2\nregion = hunter2\n").spans == [Span(11, 18)]


def test_values_and_texts_alone() -> None:
    assert mask_value("https://u:p@h") == f"https://{MASK}@h"
    assert mask_value("a token=x y") == f"a token={MASK}"
    assert mask_value("token:x") == f"token:{MASK}"
    assert mask_value("RegionOne") == "RegionOne"
    assert mask_value("pass\u200bword=x") == f"pass\u200bword={MASK}"
    assert mask_text("the password hunter2") == "the password hunter2"
    assert mask_text("the password hunter2\n") == "the password hunter2\n"
    assert mask_text("password hunter2\n") == f"password {MASK}\n"
    with hiding(frozenset({"hunter2x"})):
        assert mask_value("a-hunter2x") == f"a-{MASK}"
    assert mask_value("a-hunter2x") == "a-hunter2x"


def test_secrets_of_a_run() -> None:
    assert joined(frozenset("a"), frozenset("b")) == frozenset("ab")
    some, none = frozenset("a"), frozenset[str]()
    assert joined(some, none) is some
    assert joined(none, some) is some
    assert sorted(told_apart(["hunter2x", "hunter2", "/etc/passwd", ""])) == ["hunter2x"]
    assert sorted(secrets_of_texts(["password = 'hunter2x'\n", "token = short\nregion = x"])) == ["hunter2x"]

    def check() -> None:
        hide_those_of(["password = hunter2x"])
        with hiding(frozenset({"other"})):
            assert run_secrets() == {"hunter2x", "other"}
        assert run_secrets() == {"hunter2x"}

    copy_context().run(check)
    assert run_secrets() == frozenset()


class Colour(Enum):
    """What stays as it is."""

    HUNTER = "hunter2x"


class Record(NamedTuple):
    """A record of a report."""

    name: str
    parts: list[str]
    number: int = 1


def test_a_report_is_masked_in_all_its_texts() -> None:
    report = {
        "hunter2x": [Record("hunter2x", ["a hunter2x"]), Colour.HUNTER],
        "b": ("hunter2x", 3, None),
        "c": Record("x", []),
    }
    texts = ["password = hunter2x", "region = x"]
    masked = redact_report(report, texts, frozenset({"name"}))
    assert masked == {
        "hunter2x": [Record("hunter2x", [f"a {MASK}"]), Colour.HUNTER],
        "b": (MASK, 3, None),
        "c": Record("x", []),
    }
    assert type(masked["c"]) is Record
    assert redact_report(report, ["region = x"]) is report
    assert redact_report(Record("hunter2x", []), texts) == Record(MASK, [])


def test_the_heading_of_a_masked_text() -> None:
    assert masked_heading("patch") == (
        "**** masked: this patch holds secrets and does not apply as it is shown; --with-secrets shows it whole ****\n"
    )
