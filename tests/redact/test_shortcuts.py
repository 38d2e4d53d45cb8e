"""What is decided quickly is decided as the long way decides it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from ccmcheck.base.model import Span
from ccmcheck.redact import MASK, lines, names
from ccmcheck.redact.folding import fold_digits
from ccmcheck.redact.masker import JointMasker, Masker

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def test_a_value_that_holds_a_secret_of_another_text_is_hidden_whole() -> None:
    joint = JointMasker([Masker("[Global]\npassword = hunter2-x\n"), Masker("odd = start-hunter2-x-end\n")])
    assert joint.scrub("got `start-hunter2-x-end`") == "got `****`"
    alone = Masker("password = hunter2-x\nodd = start-hunter2-x-end\n")
    assert alone.scrub("got `start-hunter2-x-end` and `key=start-hunter2-x-end`") == "got `****` and `key=****`"


def test_each_line_is_masked_as_it_is_after_all_others() -> None:
    chance = random.Random(5)  # noqa: S311 - the same texts each time
    pieces = (*_PIECES, *_OF_YAML, 'password = "two', 'lines" of it', "mykey = hunter2")
    for _ in range(2_000):
        text = "\n".join(chance.choice(pieces) for _ in range(chance.randint(1, 12)))
        whole, ends = Masker(text), list(accumulate(len(line) + 1 for line in text.split("\n")))
        spans = whole.spans
        for start, end in zip((0, *ends), ends, strict=False):
            expected = [
                Span(max(low, start), min(high, end - 1)) for low, high in spans if low < end - 1 and high > start
            ]
            found = [Span(low, high) for low, high, shown in Masker(text).pieces(start, end - 1) if shown == MASK]
            assert found == [span for span in expected if span.end > span.start], text
        for quoted in ("hunter2", "true", "data:", "two"):
            assert Masker(text).is_unknown(quoted) == (quoted in whole.unknown_values), text


def test_lines_behind_those_that_are_shown_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    of_line = lines._Scan._of_line

    def counted(scan: lines._Scan, line: str) -> Iterator[tuple[int, int]]:
        looked_at.append(line)
        return of_line(scan, line)

    monkeypatch.setattr(lines._Scan, "_of_line", counted)
    masker = Masker("[Global]\nregion = true\n" + "".join(f"a{number} = hunter2\n" for number in range(1_000)))
    assert masker.line(0, 8, Span(0, 8))[0] == "[Global]"
    assert masker.scrub("`true` is no region") == "`true` is no region"
    assert len(looked_at) < 10
