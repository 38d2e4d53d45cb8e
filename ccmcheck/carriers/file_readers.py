"""Who reads the cloud.confs of a file that no object's name tells of; see `ccmcheck.catalog.signs.readers`."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.signs import readers
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.catalog.signs.texts import LOWER, PATH, UNKNOWN, WHOLE, Weighed, weigh
from ccmcheck.layers.stack import Stack

_HEADING = lazy_regex(r"\n#{2,6}[ \t]")
_MARKDOWN = (".md", ".mdx", ".markdown")
_VOLUME = lazy_regex(
    r"(?:secret|configMap)[\"']?[ \t]*+:\s*+[\"']?(secretName|name)[\"']?[ \t]*+:[ \t]*+[\"']?([\w.-]++)"
)
"""A volume of a Secret or a ConfigMap, with the object's name as its first field."""
_KINDS = {"secretName": "Secret", "name": "ConfigMap"}


class FileReaders:
    """The programs that a file tells of as the readers of its cloud.confs, where the CCM is not among them.

    Args:
        text: The whole file.
        path: Its name; Markdown has sections.

    Attributes:
        of_file: What the file as a whole tells, also of the CCM.
    """

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self.of_file = readers.reader_by_file(text, path, is_page=is_document(path))
        tells = any(sign.weight > 1 for sign in (*self.of_file.signs, *self.of_file.against))
        self._has_sections = path.endswith(_MARKDOWN) and not tells
        self._in_section: dict[int, Weighed] = {}

    def reader_of(self, subject: str, stack: Stack) -> Weighed:
        """The reader of a cloud.conf of the file, with what tells of it; unknown where it may be the CCM.

        Args:
            subject: The object, ``Secret kube-system/cloud-config``; empty for a file, which no name tells of. An
                object in a folder of the driver's is often the one that the CCM reads as well.
            stack: The way from the file to its cloud.conf.
        """
        for answer in (self.of_file, self._of_section(stack) if self._has_sections else UNKNOWN):
            if answer.value not in ("", readers.CCM_READER):
                return answer
        answer = self._mounting if subject else self._of_folder
        if not answer.value or weigh(readers.OF_CONF, {WHOLE: stack.inner}).value:
            return UNKNOWN
        kind, _, name = subject.partition(" ")
        return answer if not subject or (kind, name.rpartition("/")[2]) in self._volumes else UNKNOWN

    @cached_property
    def _headings(self) -> list[int]:
        return [0, *(match.start() for match in _HEADING.finditer(self._text)), len(self._text)]

    def _of_section(self, stack: Stack) -> Weighed:
        offset = stack.outward(Span(0, 0)).start
        number = min(bisect_right(self._headings, offset), len(self._headings) - 1)
        if number not in self._in_section:
            section = self._text[self._headings[number - 1] : self._headings[number]]
            self._in_section[number] = weigh(readers.OF_SECTION, {WHOLE: section, LOWER: section.lower()})
        return self._in_section[number]

    @cached_property
    def _of_folder(self) -> Weighed:
        if "csi" not in self._path.lower():  # as most: there may be many thousands
            return UNKNOWN
        return _driver(weigh(readers.OF_FOLDER, {PATH: self._path, WHOLE: self._text}))

    @cached_property
    def _mounting(self) -> Weighed:
        if CINDER_CSI not in self._text:
            return UNKNOWN
        return _driver(weigh(readers.OF_MOUNTING, {WHOLE: self._text}))

    @cached_property
    def _volumes(self) -> frozenset[tuple[str, str]]:
        return frozenset((_KINDS[volume[1]], volume[2]) for volume in _VOLUME.finditer(self._text))


def _driver(answer: Weighed) -> Weighed:
    return answer if answer.value != readers.CCM_READER else UNKNOWN
