"""What is decided quickly is decided as the long way decides it."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from ccmcheck.base.model import Span
from ccmcheck.redact import MASK, masker, names, secrets
from ccmcheck.redact.line_scan import LineScan
from ccmcheck.redact.masker import JointMasker, Masker
from ccmcheck.redact.names import fold_digits

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
        slowly = any(
            names.SECRET_WORD.search(one) or names._is_misspelt(one, names._MISSPELT_LETTERS) for one in spellings
        )
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
        spans = masker.hidden_spans(text)
        starts = {text[a:b] for a, b in spans if not text[text.rfind("\n", 0, a) + 1 : a].strip(" \t[")}
        assert set(masker.hidden_starts(text)) == starts, text


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
    of_line = LineScan.of_line

    def counted(scan: LineScan, line: str) -> Iterator[tuple[int, int]]:
        looked_at.append(line)
        return of_line(scan, line)

    monkeypatch.setattr(LineScan, "of_line", counted)
    one = Masker("[Global]\nregion = true\n" + "".join(f"a{number} = 'hunter2'\n" for number in range(1_000)))
    assert one.line(0, 8, Span(0, 8))[0] == "[Global]"
    assert one.scrub("`true` is no region") == "`true` is no region"
    assert 0 < len(looked_at) < 10
    assert one.unknown_values == {"hunter2"}
    assert len(looked_at) > 1_000


_KEYS = (*_WORDS, "path", "data", "labels", "from", "value", "region", "secret-name", "export", "x", "subnetId")
_VALUES = (
    *("x", "12345", "123456", "true", "30s", "/etc/ssl/x", "10.0.0.0/24", "round_robin", "S3cr3t", "a.b-c", "Ab1" * 13),
    *("Ab1" * 14, "'a'", "a b", "a # b", "=", "a=", "${PASSWORD}", "https://u:p@h", "[a]", "{a: b}", "|", ""),
)


def test_a_usual_line_hides_what_the_scan_of_lines_finds() -> None:
    chance = random.Random(13)  # noqa: S311 - the same lines each time
    answers = Counter[object]()
    for _ in range(20_000):
        key = chance.choice((chance.choice(_KEYS), _name(chance)))
        signs = chance.choice(("=", " = ", "\t= ", ": ", ":", "==", "?="))
        line = f"{chance.choice(('', '  '))}{key}{signs}{chance.choice(_VALUES)}{chance.choice(('', ' ', chr(13)))}"
        quickly, scan = masker._of_assignment(line), LineScan(plain=True)
        answers[quickly if quickly is None else bool(quickly)] += 1
        if quickly is not None:
            assert quickly == tuple(scan.of_line(line)), line
            assert not scan.depends, line
    assert min(answers[None], answers[True], answers[False]) > 1_000


def test_a_secret_without_odd_characters_is_spelt_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(14)  # noqa: S311 - the same texts each time
    letters = "ab1/.:@%-_ ='\"`,}])\\#;\t\r\n"
    raws = {"".join(chance.choices(letters, k=chance.randint(0, 7))) for _ in range(20_000)}
    quickly = {raw: set(masker._spellings(raw)) for raw in raws}
    assert sum(found == {raw} for raw, found in quickly.items()) > 100
    monkeypatch.setattr(masker, "_SPELT_ONE_WAY", re.compile(r"(?!)"))
    for raw, found in quickly.items():
        assert found == set(masker._spellings(raw)), raw


_ENTRIES = (
    *("password = a", "pasword = b", "tokn = c", "tokn1: d", "api-key = e", "region = x", "password", "apikey x"),
    *('password = "a', 'pasword = b"', 'tokn = c "d', 'e"', 'token1 = x" "y', 'z"', "password = ${X}", "= f"),
)


@pytest.mark.parametrize("prose", [False, True])
def test_a_misspelt_name_does_not_matter_where_its_value_is_known(
    monkeypatch: pytest.MonkeyPatch, *, prose: bool
) -> None:
    chance = random.Random(15)  # noqa: S311 - the same texts each time
    texts = {"\n".join(chance.choices(_ENTRIES, k=chance.randint(1, 6))) for _ in range(20_000)}
    quickly = {text: secrets.secret_spans(text, prose=prose) for text in texts}
    misspelt = secrets._misspelt_keys
    monkeypatch.setattr(secrets, "_misspelt_keys", lambda text, _found, *, prose: misspelt(text, (), prose=prose))
    for text, found in quickly.items():
        assert found == secrets.secret_spans(text, prose=prose), text
