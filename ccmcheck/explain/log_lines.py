"""Pages about messages of logs and events: of one line, or of a whole log on standard input.

Nothing of the line is repeated, as logs hold tokens and passwords: a page shows the wording of the program's source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.bug_messages import bug_wordings
from ccmcheck.catalog.messages import Message, Wordings, explained
from ccmcheck.catalog.signs.paths import YAML_NAMES
from ccmcheck.explain.page import Page
from ccmcheck.rules import GROUP_OF

_VARIABLE = re.compile(r"%[+#]?[svdqwtT]")
_CHANGING = re.compile(r"\b[0-9a-fA-F-]{8,}\b|\d+")
"""What differs between two lines that say the same: IDs, addresses, times, numbers."""
_REPORTS_AN_ERROR = re.compile(r"(?i)^[ef]\d{4} |\b(?:error|failed|fatal|panic(?=:)|forbidden|cannot|unable)\b")
_HEAD = re.compile(
    r"[\s>]*(?:[IWEF]\d{4} \d\d:|\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|[{\[]|Warning |Normal |\d+[smhd] )"
)
_SAID = re.compile(r"(?m)^([ \t]*+)message: [^\n]++(?:\n\1[ \t]{2,}+[^\n]++|\n(?=\n\1[ \t]{2}))*+")
"""A message in YAML, which kubectl wraps."""
_MOST_WRAPPED = 4
"""Lines that a message may be wrapped into, and how one begins."""
_MOST_KINDS = 20_000
"""Kinds of lines whose explanation is remembered."""
_SHOWN_LINES = 5
_MOST_CAUSES, _MOST_LINES, _MOST_FILES = 5, 1000, 10
"""Those of a log in a folder, its last lines, and such logs of a run; `ccmcheck explain -` has all of a file."""
_WORDS_OF_A_MESSAGE = 3


class ExplainedLog(NamedTuple):
    """A log, explained.

    Attributes:
        pages: One for every meaning in it, causes before what only failed, the most frequent first.
        lines: How many lines it has.
        explained: How many of them are explained.
        unknown: The numbers of the lines that report an error that nothing is known about.
        causes: What says why something failed, in that order, with the numbers of its lines.
    """

    pages: tuple[Page, ...]
    lines: int
    explained: int
    unknown: tuple[int, ...]
    causes: tuple[tuple[Message, list[int]], ...] = ()

    @property
    def summary(self) -> str:
        """One sentence about it."""
        said = f"{self.explained} of {self.lines} lines explained, {len(self.pages)} kinds of messages."
        if not self.unknown:
            return said
        return f"{said} Not known: the errors in lines {first_of(self.unknown, _SHOWN_LINES)}."


def is_message(text: str) -> bool:
    """Whether a text that is no name is a line of a log."""
    return len(text.split(maxsplit=_WORDS_OF_A_MESSAGE)) >= _WORDS_OF_A_MESSAGE or bool(explained(text, bug_wordings()))


def line_page(line: str) -> Page | None:
    """What a message says; None where nothing in it is known."""
    parts = explained(line, bug_wordings())
    return _page(parts) if parts else None


def log_pages(lines: Iterable[str], bugs: Wordings = ()) -> ExplainedLog:
    """Explain every line of a log, equal ones once; ``bugs`` as `explained` has them."""
    kinds: dict[str, tuple[Message, ...]] = {}
    places: dict[str, list[int]] = {}
    parts_of: dict[str, tuple[Message, ...]] = {}
    unknown: list[int] = []
    wrapped: list[str] = []
    total = 0
    for total, line in enumerate(lines, 1):
        kind = _CHANGING.sub("#", line)
        parts = kinds[kind] if kind in kinds else explained(line, bugs)
        if len(kinds) < _MOST_KINDS:
            kinds[kind] = parts
        is_head = _HEAD.match(line) is not None
        wrapped = [] if is_head or len(wrapped) > _MOST_WRAPPED else wrapped
        if (
            wrapped
            and not _says_why(parts)
            and _says_why(joined := explained("\n".join((*wrapped, line.lstrip("> "))), bugs))
        ):
            parts = joined
        while wrapped and _says_why(parts) and unknown and unknown[-1] >= total - len(wrapped):
            unknown.pop()
        wrapped = [] if _says_why(parts) or not (is_head or wrapped) else [*wrapped, line.strip("> \r\n")]
        if parts:
            places.setdefault(parts[0].means, []).append(total)
            parts_of.setdefault(parts[0].means, parts)
        elif _REPORTS_AN_ERROR.search(line):
            unknown.append(total)
    order = sorted(places, key=lambda means: (parts_of[means][0].is_step, -len(places[means])))
    pages = tuple(_page(parts_of[means], places[means]) for means in order)
    causes = tuple((parts_of[means][0], places[means]) for means in order if not parts_of[means][0].is_step)
    return ExplainedLog(pages, total, sum(map(len, places.values())), tuple(unknown), causes)


def saved_causes(files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """What saved logs and events of some files say, each cause once: where, what it means, and what to do."""
    said: set[str] = set()
    for path, text in islice(files, _MOST_FILES):
        kept = list(_lines(path, text))[-_MOST_LINES:]
        new = [one for one in log_pages(line for _, line in kept).causes if one[0].means not in said]
        for cause, lines in new[:_MOST_CAUSES]:
            said.add(cause.means)
            more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
            yield f"{path}:{kept[lines[0] - 1][0]}{more}", cause.means, cause.remedy


def _lines(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The lines of a log with their numbers; of objects that kubectl saved their messages, each in one line."""
    is_log = not path.lower().endswith(YAML_NAMES)
    joined = text if is_log else _SAID.sub(lambda said: " ".join(said[0].split()) + "\n" * said[0].count("\n"), text)
    for number, line in enumerate(joined.splitlines(), 1):
        if is_log:
            yield number, line
        elif line.lstrip(' "').startswith("message"):
            yield number, line.partition(":")[2].strip(" \"',").replace("''", "'").replace('\\"', '"')


def _says_why(parts: tuple[Message, ...]) -> bool:
    return bool(parts) and not parts[0].is_step


def _page(parts: tuple[Message, ...], lines: list[int] | None = None) -> Page:
    cause, *others = parts
    facts = [("from", f"{cause.source}, {cause.at}")]
    if cause.about:
        facts.append(("look at", ", ".join(cause.about)))
    if lines:
        facts.append(("lines", f"{len(lines)}, the first is {lines[0]}, the last {lines[-1]}"))
    steps = [part.means for part in others if part.is_step]
    bugs = [("Known bugs", f"{part.means}\n{part.remedy}") for part in others if part.is_bug]
    prose = [("What it means", cause.means), ("What to do", cause.remedy), *bugs]
    if steps and not cause.is_step:
        prose.insert(0, ("Where it happened", steps[0]))
    wording = _VARIABLE.sub("…", cause.texts[0])
    title = "what happened, not why" if cause.is_step else f"a message of {cause.source.partition(',')[0]}"
    see = tuple(name for name in cause.rules if name in GROUP_OF)
    return Page("message", wording, title, tuple(facts), tuple(prose), see=see)
