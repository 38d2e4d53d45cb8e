"""The suppressions of one file: its own comments by its lines, and those inside what is encoded."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ccmcheck.base.directives import MARK
from ccmcheck.base.model import Place, Problem, Span
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import CarriedConf, lone_conf
from ccmcheck.lint.locate import Locator, Texts
from ccmcheck.lint.suppress import Identity, Suppressions, parse_comments, unused_problems
from ccmcheck.rules import RULE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.kustomize.bundle import Bundle

_SCALARS = frozenset({"plain", "single-quoted", "double-quoted", "literal block", "folded block"})
_BLOCK = "literal block"


class FileSuppressions:
    """The suppressions of one file. A comment on or above the line on which a scalar begins is about all of it.

    Args:
        whole: The file's text.
        carried: The cloud.confs in it. Comments inside one whose places are places of the file are the file's own.
        bundle: The files of a build, where the text is that of one.
    """

    def __init__(self, whole: str, carried: Sequence[CarriedConf], bundle: Bundle | None = None) -> None:
        self._bundle = bundle
        self._whole = whole
        self._carried = carried
        self._file = Suppressions(parse_comments(whole), whole)
        self._scalar_lines: dict[int, int] = {}
        with_marks = {id(conf.text): MARK in conf.text for conf in _by_text(carried)}
        # whether places are exact is costly to find out, so only where there is a comment
        self._own = [
            Suppressions.of(one._replace(text="") if not with_marks[id(one.text)] or one.stack.exact else one)
            for one in carried
        ]
        self._any = bool(self._file) or any(self._own)

    def __bool__(self) -> bool:
        return self._any

    def keep_those_of(self, base: FileSuppressions | None) -> None:
        """Drop every suppression that another version of the file has not.

        A comment is the same where it names the same rule and the line that it is about reads the same; a line that
        changes needs a suppression that somebody has approved. An annotation is the same on the same object.

        Args:
            base: Those of the other version; None where it has no such file.
        """
        approved = Counter(base.identities() if base is not None else ())
        self._file = self._file.approved("", approved)
        self._own = [
            own.approved(carried.route, approved) for own, carried in zip(self._own, self._carried, strict=True)
        ]
        self._any = bool(self._file) or any(self._own)

    def identities(self) -> Iterator[Identity]:
        """What makes each rule of each suppression the same in another version of the file."""
        yield from self._file.identities("")
        for own, carried in zip(self._own, self._carried, strict=True):
            yield from own.identities(carried.route)

    def covers(self, number: int, rule: str, place: Place) -> bool:
        """Whether a finding of one cloud.conf, counted from 0, is suppressed; its suppression counts as used."""
        line = place.line if self._bundle is None else self._bundle.line_of(place.path, place.line)
        by_file = bool(self._file) and self._file.covers(rule, line, self._scalar_line(number))
        return self._own[number].covers(rule, place.inner_line) or by_file

    def _scalar_line(self, number: int) -> int:
        """The line on which the outermost scalar around a cloud.conf begins; 0 for a plain file."""
        line = self._scalar_lines.get(number)
        if line is None:
            stack = self._carried[number].stack
            line = 0
            for count, layer in enumerate(stack.layers):
                if layer.kind in _SCALARS:
                    start = stack.outermost(count + 1).outward(Span(0, 0)).start
                    line = LineIndex(stack.text).position(start)[0] - (layer.kind == _BLOCK)
                    break
            self._scalar_lines[number] = line
        return line

    def unused(self, path: str, ran: frozenset[str]) -> Iterator[tuple[Locator, Problem]]:
        """The suppressions without a finding, with their places, once `covers` was called for every finding.

        Args:
            path: The file as the user named it.
            ran: The rules that ran.
        """
        if self._file:
            locator = Locator(path, lone_conf(self._whole), Texts())
            for problem in unused_problems(self._file, RULE_NAMES, ran):
                yield locator, problem
        alone = len(self._carried) == 1
        texts = Texts()
        for own, carried in zip(self._own, self._carried, strict=True):
            for problem in unused_problems(own, RULE_NAMES, ran, alone=alone):
                yield Locator(path, carried, texts), problem


def may_suppress(whole: str, carried: Sequence[CarriedConf]) -> bool:
    """Whether a file may have a suppression, as few have; the arguments are those of `FileSuppressions`."""
    return MARK in whole or any(one.ignores for one in carried) or any(MARK in one.text for one in _by_text(carried))


def _by_text(carried: Sequence[CarriedConf]) -> Iterable[CarriedConf]:
    """One of those that have their text in common, as all objects of a file have."""
    return {id(conf.text): conf for conf in carried}.values()
