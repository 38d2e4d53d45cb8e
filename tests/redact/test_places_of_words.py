"""Looking where a secret's word begins finds what trying every place of the text finds."""

from __future__ import annotations

import random
import re

import pytest

from ccmcheck.redact import secrets
from ccmcheck.redact.names import SENSITIVE, SENSITIVE_STARTS

WORDS = [
    *("password", "Passwd", "passphrase", "passcode", "pswd", "psswd", "passw", "passkey", "pass", "adminPass", "pwd"),
    *("pw", "token", "psk", "otp", "pin", "jwt", "bearer", "cookie", "trust-id", "trustids", "private-key", "api_key"),
    *("access key", "auth.keys", "certificatekey", "encryption-key", "signing-key", "shared-key", "storage-key"),
    *("master-key", "credential", "credentials-id", "secret", "secretName", "SECRET", "x", "key", "ps", "a" * 70),
]
GLUE = ["", " ", "\n", "\n\n", "=", ":", " = ", ": ", "\t", '"', "'", "[", "]", "[0]", "-", "_", ".", "#", "\r\n", "%"]
PATTERNS = ["_AFTER_NAME", "_AFTER_FIRST_WORD", "_ALONE_NAME"]


@pytest.mark.parametrize("name", PATTERNS)
def test_the_same_is_found_as_at_every_place(name: str) -> None:
    pattern: re.Pattern[str] = getattr(secrets, name)
    chosen = random.Random(11)  # noqa: S311 - texts to try
    found = 0
    for _ in range(4_000):
        text = "".join(chosen.choice(WORDS if chosen.random() < 0.5 else GLUE) for _ in range(chosen.randrange(24)))
        places = secrets._places_of_words(text)
        assert places is not None
        if name != "_AFTER_NAME":
            places = sorted({text.rfind("\n", 0, place) + 1 for place in places})
        expected = [match.span() for match in pattern.finditer(text)]
        assert [match.span() for match in secrets._matches(pattern, text, places)] == expected, repr(text)
        found += len(expected)
    assert found > 50


def test_every_alternative_begins_with_one_of_the_words() -> None:
    sensitive = re.compile(SENSITIVE, re.IGNORECASE)
    for word in WORDS:
        for match in sensitive.finditer(word):
            assert match[0].lower().startswith(SENSITIVE_STARTS), word
    assert all(any(match for word in WORDS for match in sensitive.finditer(word) if match[0].lower().startswith(start))
               for start in SENSITIVE_STARTS)  # fmt: skip


def test_letters_that_equal_those_of_ascii_are_tried_everywhere() -> None:
    assert secrets._places_of_words("ſecret = x") is None
    assert secrets._places_of_words("x") == []
