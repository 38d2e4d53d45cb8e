"""Looking where a secret's word begins finds what trying every place of the text finds."""

from __future__ import annotations

import random
import re

import pytest

from ccmcheck.redact import secrets
from ccmcheck.redact.names import SENSITIVE, SENSITIVE_STARTS, fold_with_offsets

WORDS = [
    *("password", "Passwd", "passphrase", "passcode", "pswd", "psswd", "passw", "passkey", "pass", "adminPass", "pwd"),
    *("pw", "token", "psk", "otp", "pin", "jwt", "bearer", "cookie", "trust-id", "trustids", "private-key", "api_key"),
    *("access key", "auth.keys", "certificatekey", "encryption-key", "signing-key", "shared-key", "storage-key"),
    *("master-key", "credential", "credentials-id", "secret", "secretName", "SECRET", "x", "key", "ps", "a" * 70),
]
GLUE = ["", " ", "\n", "\n\n", "=", ":", " = ", ": ", "\t", '"', "'", "[", "]", "[0]", "-", "_", ".", "#", "\r\n", "%"]
# each as one pattern, tried at every place
AFTER_NAME = re.compile(
    rf"""(?:{SENSITIVE}){secrets._REST}["'`]?{secrets._INDEX}[ \t\r]*+(?:\n[ \t]*+)?{secrets._SIGN}""", re.IGNORECASE
)
AFTER_FIRST_WORD = re.compile(
    rf"""{secrets._START}[\w.-]{{0,64}}?(?:{SENSITIVE}){secrets._REST}["'`]?[ \t]++(?![\s%}}=:])""",
    re.IGNORECASE | re.MULTILINE,
)
ALONE_NAME = re.compile(
    rf"""^[ \t]*+[\w.-]{{0,64}}?(?:{SENSITIVE}){secrets._REST}["'`]?[ \t\r]*+\n[ \t]*+"""
    r"""(?=[^\s\[#;=:-][^\n=:]*+(?:\n|\Z))""",
    re.IGNORECASE | re.MULTILINE,
)


def test_the_same_is_found_as_at_every_place() -> None:
    chosen = random.Random(11)  # noqa: S311 - texts to try
    counts = [0, 0, 0]
    for _ in range(12_000):
        text = "".join(chosen.choice(WORDS if chosen.random() < 0.5 else GLUE) for _ in range(chosen.randrange(24)))
        words = secrets._secret_words(text)
        expected = (
            [match.span() for match in AFTER_NAME.finditer(text) if secrets._is_name(match[0])],
            [match.span() for match in AFTER_FIRST_WORD.finditer(text)],
            [match.span() for match in ALONE_NAME.finditer(text)],
        )
        found = (
            list(secrets._named(text, words)),
            list(secrets._at_line_start(text, words, secrets._LINE_BEFORE, secrets._BLANK_BEHIND)),
            list(secrets._at_line_start(text, words, secrets._ALONE_BEFORE, secrets._LINE_END_BEHIND)),
        )
        assert found == expected, repr(text)
        counts = [count + len(one) for count, one in zip(counts, found, strict=True)]
    assert min(counts) > 200, counts


def test_every_alternative_begins_with_one_of_the_words() -> None:
    sensitive = re.compile(SENSITIVE, re.IGNORECASE)
    for word in WORDS:
        for match in sensitive.finditer(word):
            assert match[0].lower().startswith(SENSITIVE_STARTS), word
    assert all(any(match for word in WORDS for match in sensitive.finditer(word) if match[0].lower().startswith(start))
               for start in SENSITIVE_STARTS)  # fmt: skip


@pytest.mark.parametrize("letter", re.findall("[a-z]", "".join(map(chr, range(128, 0x110000))), re.IGNORECASE))
def test_a_folded_text_has_no_letter_that_equals_another_of_ascii(letter: str) -> None:
    assert fold_with_offsets(letter)[0].isascii()
