"""Exactly these places of a text hold secrets: what stands between ‹ and › and nothing else."""

from __future__ import annotations

import time

import pytest
from marked_texts import unmarked

from ccmcheck.base.model import Span
from ccmcheck.redact.secrets import merged, secret_spans
from ccmcheck.redact.values import hidden_in_prose, hidden_parts, is_harmless, is_template_mark

BLOB = "VGhpcyBpcyBhIHNlY3JldCBvZiBmb3J0eSBjaGFy"
KEY = "-----BEGIN RSA PRIVATE KEY-----"

TEXTS = [
    "api-key=‹x›", "api-key ‹x›", "pin = ‹1›\nregion = x", "secrets=api-key=‹x›", "x secrets=api-key=‹x›", "secrets\nhunter2\n", "password\n‹hunter2›\n", "api-key\n  ‹hunter2›",
    "token = ‹a password = b›\n", "api-key = ‹a pin = b›", "\napi-key ‹x›", "\napi-key\n‹hunter2›", "x api-key = ‹a pin = b›", "api-key = ‹a\\›", 'api-key = ‹"""x\\›\nfoo = 3', 'api-key = ‹"a\n" b›\nfoo "c"\n', "acce55key = ‹x›", "a token=‹b›\nb token: ‹c›", "api-key = ‹a›\r\nregion = x", "api-key = ‹a\\\r\nb›\r\nregion = x", "api-key=",
    'api-key = ‹"a" b›\nfoo "x"\n', 'api-key = ‹"a\n" b›\nregion = x\n', 'api-key = ‹"a"›\nhunter2\n', 'api-key = ‹""""x\nhunter2›\n', 'api-key = ‹"a\nb\nc"›\nhunter2',
    'api-key = ‹"a\nregion›\nx = y', "api-key =‹\n  hunter2›\nregion = x", "api-key = \t ‹a›", "tru$t-id = ‹x›", "pasword = ‹x›\nregion = x", "# pasword ‹x›",
    "x http://u:‹p@ss›@h y", "://u:‹p›@h", "http://a:‹b@c://d:e›@f g", "http://a:b/c", "http://a:\nb@c", f"x\n‹{KEY}\nabc\n›-----END", "api-key = ${KEY}\ntoken = ****\nx = y",
    "{% if token == '' %}", "pass\u200bword = ‹x\u200b›\nregion = x", "é api-key = ‹xé›\n", "é http://u:‹p›@h", "",
]  # fmt: skip
ARGUMENTS = [
    '- "--token=‹false"›\n- "--b=1"\nname: x\ncpu: "2"', '["--token=‹a", "--b=1"]›\nname: "x"', '- "--token=‹a b"›\n- "c"', '- "--token=‹a›\n  b"\nc: "d"',
    '" token = ‹"a\nb"›', '"--token=‹"a\nb"›',
]  # fmt: skip
"""A value in a quoted argument ends with its line where that is closed on it."""
SENTENCES = [
    "the password hunter2 is odd", "pasword hunter2 is odd", "pasword: ‹hunter2 is odd›", "pasword=‹x›", "the token = ‹x y›", "api-key x", "see http://u:‹p›@h",
]  # fmt: skip
VALUES = [
    "x", "https://‹u:p›@h/x", "‹u:p›@h", "(‹u:p›@h)", "'‹u›@h'", "h:/‹u:p›@x", "https:/‹u:p›@h", ":/‹u›@h", "://‹u›@h", "@h", "h @h", "@@NAME@@", "x/image@sha256:0f",
    "‹u›@h:/x", "https://h/?‹a=b›", "https://h/#‹x›", "h?‹a=b›", "h?ab", "h#a=b", "https://h/?", "https://h/?''", "?‹a=b›", "https://h/#‹a?b=c›", "h#a?‹b=c›", "https://h:‹pw›/x", "https://h:5000/v3",
    "https://‹u%40›h", "https://u:‹p%40h›", "a ‹b›@c d ‹e›@f", "ab https://‹u:p›@h?‹q=1› h?‹c=d›", "https://‹u›@h/?‹x›", "a?b ‹c›@d", f"x ‹{KEY}abc›", f"ab ‹{BLOB}›",
    f"‹{BLOB}›", f"{BLOB[:-1]}", f"‹u:p›@h {KEY[:5]} ‹{BLOB}=›", "pasword=‹x›", "x tokn\t‹y z›", "‹u›@h token: ‹v›", "token", "token=", "token: ${X}", "${token}", "a:b", "x[0]=b",
    "secret[0]=‹b›", "x tokn=‹https://u:p@h›", "token ‹u@h›", "‹pasword=›‹x@h›", "token:‹x›", "‹u:p›@h://x", "a:/‹b://u›@h", "{{ .Values.token | quote }}", "{{ token x }}", "token = ****", "token ‹x **** y›",
]  # fmt: skip
PROSE = [
    "the password hunter2", "mail u@h", "see h:/‹u:p›@x now", "see http://h:/x", "see https://‹u:p›@h", f"the ‹{BLOB}› of it", f"a ‹{KEY} of it›", "see http://h/?a=b", "a: u@h", "h:/x?a=b",
]  # fmt: skip


@pytest.mark.parametrize("marked", [*TEXTS, *ARGUMENTS])
def test_the_secrets_of_a_text(marked: str) -> None:
    text, spans = unmarked(marked)
    assert [tuple(span) for span in secret_spans(text)] == spans


@pytest.mark.parametrize("marked", SENTENCES)
def test_the_secrets_of_a_sentence(marked: str) -> None:
    text, spans = unmarked(marked)
    assert [tuple(span) for span in secret_spans(text, prose=True)] == spans


@pytest.mark.parametrize("marked", VALUES)
def test_what_a_public_value_hides(marked: str) -> None:
    value, spans = unmarked(marked)
    assert hidden_parts(value) == spans


@pytest.mark.parametrize("marked", PROSE)
def test_what_prose_hides(marked: str) -> None:
    text, spans = unmarked(marked)
    assert hidden_in_prose(text) == spans


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((value, True) for value in ("", "'true'", "12345", "-1", "99999s", "1h30m", "10.0.0.1", "fd00::/8", "round_robin", "${X}", "/etc/x")),
        *((value, False) for value in ("123456", "999999s", "1.2.3.4.5", "hunter2", "/x/y", "1h30m1s1s", "truely")),
    ],
)  # fmt: skip
def test_what_is_harmless_under_any_name(value: str, *, shown: bool) -> None:
    assert is_harmless(value) is shown


def test_spans_that_touch_are_joined() -> None:
    assert merged([Span(4, 5), Span(0, 2), Span(2, 3), Span(1, 2)]) == [Span(0, 3), Span(4, 5)]


def test_a_mark_that_never_ends_is_looked_at_once() -> None:
    before = time.process_time()
    assert not any(is_template_mark(start + "_" * 1_500) for start in ("${A", "{{ a", "${"))
    assert time.process_time() - before < 1
    assert all(map(is_template_mark, ("${OS_PASSWORD}", "{{ .Values.cloud_config.password | quote }}", "${__a_b2}")))
