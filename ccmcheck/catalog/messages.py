"""What messages of logs and events mean: from a line to its cause and what to do.

A message is a chain, from what was tried (``failed to ensure load balancer``) to why it failed (``Quota exceeded``).
Each program on the way adds its part, and ``data/messages.toml`` has the wordings as the programs' sources have them.
Of those in a line, the one that begins last is nearest to the cause; one that only says what was tried (a step)
explains a line where no other does.

Lines come as people copy them: wrapped, out of JSON, HTML or a terminal, with other quotes, or cut at the end. Line and
wordings are compared in one plain form, and what an ellipsis cuts off may be the rest of one row's wording.

Other programs use some of the same words. A row that names a context (``near``) counts where the line has a word of it;
a short wording of OpenStack's programs only beside a word of OpenStack, and none of theirs in a line of another cloud.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from ccmcheck.base.data_files import read_tables
from ccmcheck.base.records import NamedTuple

LONGEST_LINE = 16_384
"""Code points of a line that are searched."""

_VERB = re.compile(r"%[+#]?[svdqwtT]")
_ANSWERED = re.compile(r"\b([a-z]{3,6} \S{1,2000}) was answered (\d{3}):")
"""What the commands about clusters make of gophercloud's words for an answer that it did not expect."""
_EXPECTED = r"expected http response code [] when accessing [\1], but got \2 instead:"
_CCM, _CONTROLLER = "The CCM ", "k8s.io/cloud-provider"
_OTHER_PROGRAM = re.compile(
    r"\b(?:(kube-apiserver|kube-controller-manager)|kubelet|(?:atomic-openshift|origin)-node)"
    r"(?:\[\d{1,10}\]|\w{0,40}\.go:\d{1,6}\])|failed (?:to run|running) kubelet|\bkubelet failed to "
    r"|error building (controller context): "
)
"""Who writes a line that the CCM does not: they run the provider inside Kubernetes, and a kubelet no controller."""
_STYLED = re.compile(r"(?:\x1b|\\{1,15}u001b|#033)\[[0-9;]{0,20}[a-z]|[\u200b\ufeff]")
"""A terminal's colours, and characters without width."""
_ESCAPED = re.compile(
    r"(?:\\{1,15}u00|&(?:amp;){0,3}#x)(2[267]|3[ce]);?|\\{1,15}(?:([nrt])|([\"'`/]))"
    r"|&(?:amp;){0,3}(?:#(3[489]|6[02])|(quot|apos|lt|gt|amp));"
)
"""A character as JSON, Go, Python or HTML write it, also within one another."""
_ENTITIES = {"quot": '"', "apos": '"', "lt": "<", "gt": ">", "amp": "&"}
_QUOTES = str.maketrans(dict.fromkeys("'`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", '"') | {"\u2026": "..."})
_DOUBLED = re.compile(r'\b""(?!")|(?<!")""\b')
"""Quotes in a text that YAML quotes."""
_CUT = re.compile(r'\.{3}[\s."*)\]}]*$')
_SURE_WORDS, _SURE_LENGTH, _TAIL = 4, 24, 8
"""Words and code points of a wording that a line must have before it is cut off, and those of its last part."""
_LONGEST_GAP = 400
"""Code points that stand for a verb."""
_BEGIN = "(?<![a-z])"
_WORDS_ALONE = 6
"""Fixed words of a wording that no other program has."""
_IN_SOME, _WHAT, _WHY = range(3)
"""How much a message says: what it is in some releases, what failed, and why."""


class Message(NamedTuple):
    """One row of the table: messages with one meaning.

    Attributes:
        texts: Their wordings; ``%s`` and the like stand for any text.
        source: Who gives them.
        at: Where they stand in its source.
        is_step: Whether they only say what failed, and not why.
        means: What happened, and why.
        remedy: What to change.
        about: Keys, annotations, flags or objects to look at.
        rules: Rules that find the cause in files or in a cluster.
        near: The context of the table of which the line needs a word, too; empty for none.
        is_bug: Whether bugs of some releases give it, and the row tells which.
    """

    texts: tuple[str, ...]
    source: str
    at: str
    is_step: bool
    means: str
    remedy: str
    about: tuple[str, ...]
    rules: tuple[str, ...]
    near: str = ""
    is_bug: bool = False


Wordings: TypeAlias = tuple[tuple[str, tuple[str, ...], str, Message], ...]
"""Wordings, each with its longest fixed part, its fixed parts, both without case, itself, and what it means."""
_Place = tuple[int, int, int, Message]
"""A wording in a line: how much it says, where it begins, how long its fixed parts are, and its row."""


@cache
def _tables() -> dict[str, Any]:
    return read_tables(__file__, "data/messages.toml")


@cache
def messages() -> tuple[Message, ...]:
    """The table."""
    return tuple(_message(row, _tables()["sources"]) for row in _tables()["message"])


def _message(row: dict[str, Any], sources: dict[str, str]) -> Message:
    source, _, at = row["from"].partition(", ")
    return Message(
        tuple(row["texts"]),
        sources[source],
        at,
        row.get("step", False),
        row["means"],
        row.get("do", "Look at the reason behind this text."),
        tuple(row.get("about", ())),
        tuple(row.get("rules", ())),
        row.get("near", ""),
    )


def explained(line: str, bugs: Wordings = ()) -> tuple[Message, ...]:
    """What a line of a log, or an event, says.

    Args:
        line: One message, with or without its time and place.
        bugs: Wordings beside those of the table, for a line whose release is not known.

    Returns:
        The messages in it, each with the one wording that it has there, the one nearest to the cause first; empty where
        nothing in it is known.
    """
    line = line[:LONGEST_LINE].strip("\r\n").casefold()
    known = _explained(_plain(line), bugs)
    if "\n" in line:
        # a terminal's end of a line may stand within a word
        joined = _explained(_plain(line.replace("\r", "").replace("\n", "")), bugs)
        known = max(
            known, joined, key=lambda rows: (not rows[0].is_step, len(rows[0].texts[0])) if rows else (False, 0)
        )
    return known


def _plain(text: str) -> str:
    """A text in the one form in which wordings are searched: one kind of quotes and of blanks, nothing escaped."""
    text = _STYLED.sub("", text)
    if "\\" in text or "&" in text:
        text = _ESCAPED.sub(_unescaped, text)
    return re.sub(r"\s+", " ", _DOUBLED.sub('"', text.translate(_QUOTES)))


def _unescaped(found: re.Match[str]) -> str:
    code, blank, quote, number, name = found.groups()
    if code or number:
        return chr(int(code, 16) if code else int(number))
    return " " if blank else quote or _ENTITIES[name]


def _explained(plain: str, bugs: Wordings) -> tuple[Message, ...]:
    text = _ANSWERED.sub(_EXPECTED, f"{plain}.")
    writer = _OTHER_PROGRAM.search(text)
    places: list[_Place] = []
    for longest, fixed, wording, message in chain(_wordings(), bugs):
        if writer and not writer[1] and message.is_step and message.source == _CONTROLLER:
            continue
        if longest in text and (start := _start(fixed, text)) >= 0 and _is_meant(message, fixed, text):
            known = message._replace(texts=(wording,))
            if writer and message.means.startswith(_CCM):
                runs = writer[1] or ("kube-controller-manager" if writer[2] else "the kubelet")
                provider = f"The provider inside {runs} "
                known = known._replace(means=provider + message.means.removeprefix(_CCM))
            places.append((_says(message), start, sum(map(len, fixed)), known))
    if not writer and (not places or (_CUT.search(text) and not any(place[0] == _WHY for place in places))):
        places += _cut_off(text)
    ordered = sorted(
        (place for place in places if not _is_part(place, places)), key=lambda place: place[:3], reverse=True
    )
    # what was tried stands before why it failed, and so does a bug, but for a wording that nothing else has
    why = ordered[0][1] if ordered and ordered[0][0] == _WHY else None
    ordered = [place for place in ordered if why is None or place[0] == _WHY or _is_beside(place, why)]
    best: dict[str, Message] = {}
    for *_, message in ordered:
        best.setdefault(message.means, message)
    return tuple(best.values())


def _is_beside(place: _Place, why: int) -> bool:
    """Whether a place that does not say why is told beside one that does and begins at an offset."""
    if place[0] == _WHAT:
        return place[1] < why
    return place[1] >= why or len(place[3].texts[0].split()) >= _WORDS_ALONE


def _says(message: Message) -> int:
    return _IN_SOME if message.is_bug else _WHAT if message.is_step else _WHY


def _cut_off(text: str) -> list[_Place]:
    """The wording that a line has a part of: up to where it is cut off, or as a whole; none where two rows have it."""
    cut = _CUT.search(text)
    end = (text[: cut.start()] if cut else text).strip(' ."*')
    found: dict[str, _Place] = {}
    for _, fixed, wording, message in _wordings():
        for index, part in enumerate(fixed):
            at = end.rfind(part[:_TAIL]) if cut else -1
            if at >= 0 and part.startswith(end[at:]):
                said, rest = (*fixed[:index], end[at:]), part[len(end) - at :]
            elif end in part:
                said, rest = (end,), ""
            else:
                continue
            whole = " ".join(said)
            if len(whole) < _SURE_LENGTH or len(whole.split()) < _SURE_WORDS or ": " in rest:
                continue
            if (start := _start(said, text)) >= 0 and _is_meant(message, said, text):
                found.setdefault(message.means, (_says(message), start, len(whole), message._replace(texts=(wording,))))
    return list(found.values()) if len(found) == 1 else []


def _is_meant(message: Message, fixed: Sequence[str], text: str) -> bool:
    """Whether a line that has a wording is of the programs that the row is about."""
    near = message.near
    if message.source not in _tables()["of_all"]:
        if _context("foreign").search(text):
            return False
        near = near or ("openstack" if len(" ".join(fixed).split()) < _WORDS_ALONE else "")
    return not near or _context(near).search(text) is not None


@cache
def _context(name: str) -> re.Pattern[str]:
    """The words of a context; one with less than six characters begins a word."""
    words = (f"{_BEGIN if len(word) < 6 else ''}{re.escape(_plain(word))}" for word in _tables()["context"][name])
    return re.compile("|".join(words))


def _is_part(place: _Place, places: list[_Place]) -> bool:
    """Whether a longer wording of the line says the same and more, as ``lookup %s: i/o timeout`` of ``i/o timeout``."""
    wording = place[3].texts[0]
    return any(
        wording in other[3].texts[0] and wording != other[3].texts[0] and other[1] <= place[1]
        for other in places
        if not (place[3].is_bug and other[3].is_step)
    )


@cache
def _wordings() -> Wordings:
    return wordings_of(messages())


def wordings_of(rows: Iterable[Message]) -> Wordings:
    """Every wording of some rows, as a line is searched for them."""
    return tuple(
        (max(fixed, key=len), fixed, wording, message)
        for message in rows
        for wording in message.texts
        if (fixed := tuple(_plain(part.casefold()) for part in _VERB.split(wording) if part.strip(" :\"'")))
    )


def _start(fixed: Sequence[str], text: str) -> int:
    """Where the fixed parts of a wording begin in a text, one after another with gaps; -1 where they do not stand so.

    Each part is searched once, so that no line takes more time than its length.
    """
    following: list[int] = []
    for part in reversed(fixed):
        places = [found.start() for found in re.finditer(f"(?={re.escape(part)})", text)]
        if following:
            places = [place for place in places if _follows(following, place + len(part))]
        if not places:
            return -1
        following = places
    return following[0]


def _follows(places: Sequence[int], end: int) -> bool:
    """Whether one of the places, which are in order, is behind an end, and not too far."""
    at = bisect_left(places, end)
    return at < len(places) and places[at] <= end + _LONGEST_GAP
