"""What is decided quickly is decided as the long way decides it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ccmcheck.redact import lines, names
from ccmcheck.redact.folding import fold_digits
from ccmcheck.redact.masker import JointMasker, Masker

_WORDS = ("password", "token", "apiKey", "trust-id", "passphrase", "secret", "region", "pin", "p@ssw0rd", "auth-url")
_LETTERS = "abcdeknoprstwPST05@-_."


def _name(chance: random.Random) -> str:
    letters = list(chance.choice(_WORDS))
    for _ in range(chance.randint(0, 4)):
        at = chance.randint(0, len(letters))
        letters[at : at + chance.randint(0, 1)] = chance.choice(_LETTERS)
    return "".join(letters)


def test_a_name_is_a_secrets_where_any_spelling_is() -> None:
    chance = random.Random(11)  # noqa: S311 - the same names each time
    answers = Counter[bool]()
    for name in (_name(chance) for _ in range(20_000)):
        folded, words = fold_digits(name), names._CAMEL.sub("-", name)
        spellings = {name, folded, words, fold_digits(words), names._CAMEL.sub("-", folded)}
        slowly = any(names.SECRET_WORD.search(one) or names.is_misspelt(one) for one in spellings)
        slowly = slowly and name.lower().replace("-", "") not in names._NOT_SECRET
        assert names.is_secret_name(name) == slowly, name
        answers[slowly] += 1
    assert min(answers.values()) > 1_000


_PIECES = ("hunter2", "a = hunter2", "[x", '[a "b"]', "region = x", "", "  word of=x", "# hunter2 it", "key")
_OF_YAML = (
    "data:",
    "  a: hunter2",
    "- name: OS_PASSWORD",
    "  value: x",
    "password: {",
    "}",
    "args:",
    "  - --token",
    "op: add",
)


@pytest.mark.parametrize("pieces", [_PIECES, _PIECES + _OF_YAML], ids=["cloud.conf", "YAML"])
def test_the_starts_of_lines_are_those_of_all_hidden_spans(pieces: tuple[str, ...]) -> None:
    chance = random.Random(12)  # noqa: S311 - the same names each time
    for _ in range(2_000):
        text = "\n".join(chance.choices(pieces, k=chance.randint(1, 9)))
        spans = lines.hidden_spans(text)
        starts = {text[a:b] for a, b in spans if not text[text.rfind("\n", 0, a) + 1 : a].strip(" \t[")}
        assert set(lines.hidden_starts(text)) == starts, text


def test_a_joint_masker_hides_what_each_hides() -> None:
    maskers = [Masker(f"[Global]\npassword = hunter2-{number}\nodd = Q-{number}-Q\n") for number in range(100)]
    joint = JointMasker(maskers)
    for number in range(100):
        said = joint.scrub(f"got hunter2-{number} and `Q-{number}-Q`, not `RegionOne`")
        assert said == "got **** and `****`, not `RegionOne`"
