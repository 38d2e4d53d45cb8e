"""Laws that hold for every text."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.conf.reading import read
from ccmcheck.gcfg import STOP_KINDS, Document, comments, parse, tokenize
from ccmcheck.gcfg.lines import plain, plain_entries

PIECES = [
    "[",
    "]",
    '"',
    "\\",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "=",
    "#",
    ";",
    "\0",
    "\udcff",
    "\udcc3",
    "€",
    "é",
    "\ufeff",
]
PIECES += [
    "_",
    "-",
    "a",
    "1",
    "5s",
    "true",
    "\\n",
    '\\"',
    "\\\\",
    "\\\n",
    "²",
    "[A]\n",
    '[B "c"]\n',
    "key",
    "'",
    "😀",
    "\xa0",
]
PIECES += ["[Global]\n", "[LoadBalancer]\n", '[LoadBalancerClass "x"]\n', "username", "enabled", "monitor-delay"]

PUZZLES = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
ANYTHING = st.text(st.characters(), max_size=40)
TEXTS = st.one_of(PUZZLES, ANYTHING)
SENT = settings(max_examples=300)
PLACE = re.compile(r"[0-9]+:[0-9]+: .")


def spans(document: Document) -> list[tuple[int, int]]:
    """Everything in the document that has a place and does not overlap, in its order."""
    found = []
    for section in document.sections:
        found.append(tuple(section.span))
        for entry in section.entries:
            found.append(tuple(entry.key_span))
            if entry.value_span:
                found.append(tuple(entry.value_span))
            if entry.comment_start != -1:
                found.append((entry.comment_start, entry.end))
            found.append((entry.end, entry.end))
    return [(start, end) for start, end in found]


@SENT
@given(TEXTS)
def test_tokens_join_to_the_text(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(text[token.start : token.end] for token in tokens) == text
    assert all(token.start < token.end for token in tokens)
    found = [(token.start, token.end) for token in tokens if token.kind == "comment"]
    assert list(comments(parse(text))) == found


@SENT
@given(TEXTS)
def test_places_are_in_the_text_and_in_order(text: str) -> None:
    document = parse(text)
    position = 0
    for start, end in spans(document):
        assert position <= start <= end <= len(text)
        position = end
    for section in document.sections:
        assert text[slice(*section.name_span)] == section.name
        for entry in section.entries:
            assert text[slice(*entry.key_span)] == entry.key
            assert text[entry.end :][:1] in {"", "\n", "\r"}


@SENT
@given(TEXTS)
def test_stops_are_of_known_kinds_and_in_order(text: str) -> None:
    stops = parse(text).stops
    for stop in stops:
        assert stop.kind in STOP_KINDS
        assert 0 <= stop.span.start <= stop.span.end <= len(text)
        assert PLACE.match(stop.error)
    starts = [stop.span.start for stop in stops]
    assert starts == sorted(starts)


@SENT
@given(PUZZLES)
def test_messages_name_the_line_and_the_byte(text: str) -> None:
    for stop in parse(text).stops:
        if stop.kind not in {"bad-backslash", "unterminated-string", "bad-escape"} and '"' not in text:
            start = text.rfind("\n", 0, stop.span.start) + 1
            column = len(text[start : stop.span.start].encode("utf-8", "surrogateescape")) + 1
            assert stop.error.startswith(f"{text.count(chr(10), 0, start) + 1}:{column}: ")


@SENT
@given(TEXTS, st.sampled_from(["ccm@master", "ccm@1.18", "cinder-csi-plugin@1.31", "legacy-in-tree@1.20"]))
def test_reading_never_raises(text: str, reader: str) -> None:
    consumer, release = catalog.reader(reader)
    found = read(parse(text), catalog.schema(release, consumer))
    assert (found.outcome == "fatal") == bool(found.stops) == (found.error is not None)
    assert not (found.stops and (found.values or found.ignored))
    assert found.refusal is None or not found.stops
    assert found.hidden_error in {None, found.error}


@SENT
@given(TEXTS)
def test_the_first_error_depends_on_nothing_after_its_line(text: str) -> None:
    stops = parse(text).stops
    if stops:
        end = text.find("\n", stops[0].span.end)
        shortened = text if end < 0 else text[: end + 1]
        # what follows the line may only add to a count of bad bytes, or begin a value that goes on
        (again, *_) = parse(shortened).stops
        assert again.kind == stops[0].kind
        assert again.span == stops[0].span


@SENT
@given(PUZZLES)
def test_both_expressions_parse_plain_lines_alike(text: str) -> None:
    document = parse(text)
    padding = "# comment\n" * 7_000
    large = parse(f"{padding}{text}")
    moved = [(start - len(padding), end - len(padding)) for start, end in spans(large)]
    if not text.startswith(("\udcff", "\udcc3", "\0")):  # at the very start of a file the count differs
        assert moved == spans(document)
        assert [stop.kind for stop in large.stops] == [stop.kind for stop in document.stops]


@SENT
@given(PUZZLES)
def test_names_and_selected_entries_agree_with_all_entries(text: str) -> None:
    for section in parse(text).sections:
        assert section.names == tuple(dict.fromkeys(entry.key for entry in section.entries))
        wanted = set(section.names[::2])
        assert section.entries_named(wanted) == [entry for entry in section.entries if entry.key in wanted]


@SENT
@given(st.lists(st.sampled_from(["a = 1\n", "b\n", "\n", "# c\n", ' c="x\\"y"z ;d\r\n', "d = \\\n e\n", "  \r\n"])))
def test_plain_lines_give_an_entry_for_each_key(lines: list[str]) -> None:
    text = "".join(lines)
    match = plain(text).lines.match(text)
    assert match is not None
    assert match.end() == len(text)
    entries = plain_entries(text, 0, len(text))
    assert [entry.key for entry in entries] == [line.strip()[0] for line in lines if line.strip() and line[0] != "#"]
