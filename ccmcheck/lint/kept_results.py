"""Results of a run that are kept for the next: a file that is judged by the same again has the same verdict.

A result is found again by a code of the file's name and bytes and of what else its verdict depends on
(`ccmcheck.lint.kept_results`). Whatever was judged with the help of other files is not kept. A file whose size, times
and inode are as they were is not even read, as git does it: only where they are older than the run that read it.

What the verdict on a file depends on besides its bytes, as one digest: the only place that knows.

Whatever of it cannot be put into plain values, as an object of a kind that is not known here, ends the digest: then
nothing is kept, and every file is judged.

What is kept of the result of one file: its findings with their masked texts, and of its lines only where they are.

The lines themselves are read from the file again, so that nothing of it is kept that is not named in a message.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from binascii import Error, a2b_base64, crc32
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from ccmcheck import __version__
from ccmcheck.base import text
from ccmcheck.base.boundary import PACKAGE, leads_out
from ccmcheck.base.model import Applicability, Finding, FurtherPlace, Place, Replacement, Severity, Snippet
from ccmcheck.base.open_input import consulted
from ccmcheck.catalog import Release
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.file_analysis import FileResult, FileVerdict
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.redact import MASK
from ccmcheck.redact.run_secrets import run_secrets
from ccmcheck.workspace.read_files import SurveyedFile
from ccmcheck.workspace.related_files import Hints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.base.cache_folder import CacheFolder
    from ccmcheck.base.result import Failure
    from ccmcheck.lint.engine import Linter
    from ccmcheck.workspace.discover import Target

Record: TypeAlias = "dict[str, Any]"
"""What JSON can hold of a result: its fields, by name, as far as they say something."""


class NotKept(Exception):
    """Something of a result cannot be kept."""


def record_of(result: FileResult, data: bytes) -> Record | None:
    """What is kept of a result; None where that does not give the same result again.

    Args:
        result: It.
        data: The file's bytes.
    """
    if result.failures or result.is_build:
        return None
    lines = _Lines(data)
    try:
        changed: Record = {
            "path": "",
            "findings": [_kept(finding, result.path, lines) for finding in result.findings],
            "notes": [_behind(result.path, note) for note in result.notes],
        }
    except NotKept:
        return None
    return {name: value for name, value in {**result._asdict(), **changed}.items() if value}


def result_of(record: Record, path: str, data: bytes) -> FileResult:
    """The result that something was kept of.

    Args:
        record: What was kept.
        path: The file, as the user named it.
        data: Its bytes, the same as then.
    """
    lines = _Lines(data)
    changed: Record = {
        "findings": [_finding(values, path, lines) for values in record.get("findings", ())],
        "judged": [
            TargetRelease(consumer, Release(*release), source, tuple(Release(*one) for one in older))
            for consumer, release, source, older in record.get("judged", ())
        ],
        "notes": [path + note for note in record.get("notes", ())],
    }
    fields: Record = {
        name: tuple(value) if isinstance(value, list) else value for name, value in {**record, **changed}.items()
    }
    return FileResult(path, **fields)


def _behind(path: str, note: str) -> str:
    """A note without the path that it begins with, so that files have it in common."""
    if not note.startswith(path):
        raise NotKept
    return note[len(path) :]


def _kept(finding: Finding, path: str, lines: _Lines) -> list[Any]:
    if finding.deployments:
        raise NotKept
    changed = {
        "place": _place(finding.place, path),
        "snippet": lines.place_of(finding.snippet, finding.place),
        "further": [
            (_place(one.place, path), one.text, lines.place_of(one.snippet, one.place)) for one in finding.further
        ],
    }
    return [changed.get(name, value) for name, value in finding._asdict().items()]


def _place(place: Place, path: str) -> tuple[Any, ...]:
    if place.path != path:
        raise NotKept
    return place[1:]


def _finding(values: list[Any], path: str, lines: _Lines) -> Finding:
    fields: dict[str, Any] = dict(zip(Finding._fields, values, strict=True))
    place = Place(path, *fields["place"])
    fields |= {
        "severity": Severity(fields["severity"]),
        "place": place,
        "snippet": lines.snippet(fields["snippet"], place),
        "fix": Applicability(fields["fix"]) if fields["fix"] else None,
        "further": tuple(
            FurtherPlace(at := Place(path, *where), words, lines.snippet(kept, at))
            for where, words, kept in fields["further"]
        ),
        "replacements": tuple(Replacement(*one) for one in fields["replacements"]),
    }
    return Finding._make(tuple(value) if isinstance(value, list) else value for value in fields.values())


class _Lines:
    """The lines of a file, and of what is in base64 in it.

    Args:
        data: The file's bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._indexes: dict[tuple[int, ...], text.LineIndex] = {}

    def place_of(self, snippet: Snippet | None, place: Place) -> list[Any] | None:
        """Where the parts of a line that are shown are, around what is masked; None for no line.

        Raises:
            NotKept: They are not found.
        """
        if snippet is None:
            return None
        line = self._line(snippet.line, place)
        parts: list[tuple[int, int]] = []
        at = 0
        for part in snippet.text.split(MASK):
            at = line.find(part, at)
            if at < 0:
                raise NotKept
            parts.append((at, at + len(part)))
            at += len(part)
        return [snippet.line, snippet.start, snippet.length, parts]

    def snippet(self, kept: Any, place: Place) -> Snippet | None:  # noqa: ANN401 - a list, as JSON has no records
        """The line again."""
        if kept is None:
            return None
        number, start, length, parts = kept
        line = self._line(number, place)
        return Snippet(number, MASK.join(line[low:high] for low, high in parts), start, length)

    def _line(self, number: int, place: Place) -> str:
        """A line of the file, or of what its place holds in base64."""
        index = self._index(() if place.exact else place[1:5])
        try:
            return index.text[slice(*index.line_span(number))]
        except IndexError:
            raise NotKept from None

    def _index(self, place: tuple[int, ...]) -> text.LineIndex:
        found = self._indexes.get(place)
        if found is None:
            if place:
                line, column, end_line, end_column = place
                whole = self._index(())
                encoded = whole.text[whole.offset(line, column) : whole.offset(end_line, end_column)]
                try:
                    inner = a2b_base64(encoded.strip("\"'"), strict_mode=False)
                except (Error, ValueError):
                    raise NotKept from None
            else:
                inner = self._data
            found = self._indexes[place] = text.LineIndex(text.decode(inner).text)
        return found


_PLAIN = (str, int, float, bool, type(None))  # of severities and the like their numbers


class NotPlain(Exception):
    """Something is no plain value."""


class VerdictFacts:
    """What the verdicts of one linter depend on.

    Args:
        linter: It.
        digest: Makes a code of bytes.
    """

    def __init__(self, linter: Linter, digest: Callable[[bytes], int]) -> None:
        self._linter = linter
        self._digest = digest
        self._by_file: dict[object, int] = {}
        try:
            self._of_run = _bytes_of(_of_run(linter))
        except NotPlain:
            self._of_run = b""

    def of(self, target: Target) -> int:
        """The digest for a file; 0 where its verdict depends on more.

        Args:
            target: The file.
        """
        path, explicit = target
        linter, around = self._linter, self._linter.run_context
        if not self._of_run or linter.is_built(path):
            return 0
        release = None if linter.settings.judged else linter.releases.found_around(path)
        own = (release, linter.off(path), around.confs.get(path), path in around.in_tree, explicit)
        found = self._by_file.get(own)
        if found is None:
            found = self._by_file[own] = self._digest(self._of_run + _bytes_of(own))
        return found


def _of_run(linter: Linter) -> tuple[Any, ...]:
    """What all files of a linter have in common.

    Raises:
        NotPlain: A base revision, chosen deployments or a live cluster decide as well.
    """
    settings, around = linter.settings, linter.run_context
    # charts are noted when they are asked for, and no file of a build is kept
    find = settings.find._replace(chart_templates=None, bundles=None, built=frozenset(), patches=frozenset())  # type: ignore[arg-type]
    settings = settings._replace(find=find, path_ignores=None)
    every = around.confs.get(""), "" in around.in_tree
    # those of each file are looked up for it
    around = around._replace(confs={}, in_tree=frozenset(), services=0, unconfigured=0, builds=None)  # type: ignore[arg-type]
    return (*program(), os.getcwd(), sorted(run_secrets()), settings, around, every)


@cache
def program() -> tuple[Any, ...]:
    """This installation: the version, and where it is a source tree, its files as they are."""
    is_source = os.path.exists(os.path.join(os.path.dirname(PACKAGE), "pyproject.toml"))
    return (__version__, sys.version, PACKAGE, *(_files_below(PACKAGE) if is_source else ()))


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.is_dir(follow_symlinks=False):
                yield from _files_below(entry.path)
            elif not entry.name.endswith(".pyc"):
                status = entry.stat()
                yield entry.name, status.st_mtime_ns, status.st_size


def _bytes_of(value: object) -> bytes:
    return repr(_plain(value)).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> object:  # noqa: ANN401 - whatever a record holds
    """A value as plain ones, equal for equal values.

    Raises:
        NotPlain: It holds something else.
    """
    if isinstance(value, _PLAIN):
        return int(value) if isinstance(value, int) else value
    if isinstance(value, tuple | list):
        return (type(value).__name__, *[_plain(one) for one in value])
    if isinstance(value, AbstractSet):
        return sorted(repr(_plain(one)) for one in value)
    if isinstance(value, Mapping):
        return sorted((repr(_plain(key)), _plain(one)) for key, one in value.items())
    raise NotPlain(type(value).__name__)


_FORM = 4
"""Of what is written."""
_OTHERS = 3
"""Times as many results as a run took may be left of runs with other options, or of files as they were."""
_CODE = 16
"""Bytes of a code; two files with the same one would take a million runs over a million million files."""
_VERDICTS, _LOOKS, _STAMPS = range(3)
_NOT_WORTH = 0
"""The code of a file that is not worth linting."""
SETTLED = 2 * 10**9
"""Nanoseconds: a file that was changed so shortly before a run may change once more without new times."""


class KeptResults:
    """The results of one run that the next may take.

    Args:
        folder: Where they are kept.
        paths: What the user named: a run over other paths does not forget these.
    """

    def __init__(self, folder: CacheFolder, paths: Sequence[str]) -> None:
        self._folder = folder
        # a time of creation, as Windows has it, tells nothing
        self._settled = time.time_ns() - SETTLED if os.name != "nt" else -1
        self._name = folder.digest(_bytes(repr((_FORM, __version__, os.getcwd(), tuple(paths))))).hex()
        self._program = folder.digest(_bytes(repr(program()))).hex()
        self._facts: dict[int, VerdictFacts] = {}
        self._records: list[Record] = []
        self._plain: dict[int, FileResult] = {}
        self._looks: dict[int, Look] = {}
        self._texts: dict[str, int] = {}
        # by their codes: the numbers of records, inverted, and the signs of looks; by their stamps: the codes of files
        self._kept: list[dict[int, int]] = [{}, {}, {}]
        self._used: list[list[int]] = [[], [], []]  # the same one behind the other, and the numbers of new records
        self._is_new = False
        data = folder.read(self._name)
        if data is not None:
            import json

            records, *kept = data.split(b"\n")
            of_program, *self._records = json.loads(records)
            if of_program == self._program:
                self._kept = [_by_first(json.loads(pairs)) for pairs in kept]
                self._kept[_VERDICTS] = {code: ~number for code, number in self._kept[_VERDICTS].items()}

    def clear(self) -> None:
        """Forget all that is kept."""
        self._folder.clear()

    def known_look(self, target: Target, limit: int) -> Look | Target | int:
        """What was kept of a file that is as it was, without reading it: of one that is not worth linting, itself.

        Args:
            target: The file.
            limit: The bytes above which it is not read.

        Returns:
            Where nothing was kept, its stamp: its name, size, times and inode as one number, 0 where they may lie.
        """
        path = target.path
        try:
            status = os.lstat(path)
        except (OSError, ValueError):
            return 0
        changed, modified = status.st_ctime_ns, status.st_mtime_ns
        is_sure = 0 <= changed < self._settled and 0 <= modified < self._settled and stat.S_ISREG(status.st_mode)
        if target.explicit or not is_sure or status.st_size > limit or leads_out(path.rpartition("/")[0]):
            return 0
        stamp = ((status.st_ino << 64 | changed) << 64 | modified) << 64 | status.st_size
        stamp = stamp << 32 | crc32(_bytes(path))
        code = self._kept[_STAMPS].get(stamp)
        if code is None:
            return stamp
        look = self._kept_look(SurveyedFile(target, None, code)) if code != _NOT_WORTH else target
        if look is None:
            return stamp
        self.keep_look(look, stamp)
        return look

    def look(self, file: SurveyedFile) -> Look:
        """What a first look at a file shows: what was kept of it, else what it shows now.

        Args:
            file: The file, with its bytes.
        """
        file = file._replace(code=self._code_of(file.target.path, file.data or b""))
        return self._kept_look(file) or look_at(file)

    def keep_look(self, look: Look | Target, stamp: int) -> None:
        """Keep what a first look showed; in the process that saves it.

        Args:
            look: It; the file where it is not worth linting.
            stamp: What `known_look` says of the file.
        """
        code = look.file.code if isinstance(look, Look) else _NOT_WORTH
        if isinstance(look, Look):
            signs = (*look.hints, look.is_shared, look.names_values)
            self._keep(_LOOKS, code, sum(sign << at for at, sign in enumerate(signs)))
        if stamp:
            self._keep(_STAMPS, stamp, code)

    def known(self, linter: Linter, file: SurveyedFile) -> int:
        """The code of the verdict that was kept of a file, as it was at the first look; 0 for none.

        Args:
            linter: Its linter.
            file: The file.
        """
        kept = self._kept[_VERDICTS]
        code = self._code(linter, file.target, file.code) if file.code and kept else 0
        return code if code in kept else 0

    def again(self, code: int, file: SurveyedFile, read: Callable[[], bytes | Failure | None]) -> FileVerdict | None:
        """The verdict that was kept of a file; None where the file is no longer as it was at the first look.

        Args:
            code: The verdict's.
            file: The file.
            read: Reads it, which only findings need.
        """
        number, path = ~self._kept[_VERDICTS][code], file.target.path
        plain = self._plain.get(number)
        if plain is None and not self._records[number].get("findings"):  # then it is the same for any file
            plain = self._plain[number] = result_of(self._records[number], "", b"")
        if plain is not None:
            result = FileResult(path, *plain[1:])
            return FileVerdict(
                result._replace(notes=tuple(path + note for note in plain.notes)) if plain.notes else result, code
            )
        data = read()
        if not isinstance(data, bytes) or self._code_of(path, data) != file.code:
            return None
        try:
            return FileVerdict(result_of(self._records[number], path, data), code)
        except NotKept:
            return None

    def judge(self, linter: Linter, target: Target, data: bytes) -> FileVerdict:
        """The result of a file, by its linter, with what is kept of it.

        Args:
            linter: It.
            target: The file.
            data: Its bytes.
        """
        code = self._code(linter, target, self._code_of(target.path, data))
        before = consulted.times
        result = linter.lint(target.path, data, explicit=target.explicit)
        record = record_of(result, data) if code and consulted.times == before else None
        return FileVerdict(result, code if record is not None else 0, record)

    def keep(self, verdict: FileVerdict) -> None:
        """Keep a result; in the process that saves it."""
        if verdict.record is not None:
            import json

            number = self._texts.setdefault(json.dumps(verdict.record), len(self._texts))
            self._keep(_VERDICTS, verdict.code, number)
        elif verdict.code:
            self._keep(_VERDICTS, verdict.code, self._kept[_VERDICTS][verdict.code])

    def save(self) -> None:
        """Write what was kept in this run, where some of it is new, and what other options gave before."""
        if not self._is_new:
            return
        import json

        every = []
        for kept, used in zip(self._kept, map(_by_first, self._used), strict=True):
            others = [code for code in kept if code not in used]
            every.append(used | {code: kept[code] for code in others[: _OTHERS * len(used)]})  # the last ones first
        texts = self._texts
        written = {
            number: texts.setdefault(json.dumps(self._records[~number]), len(texts))
            for number in set(every[_VERDICTS].values())
            if number < 0
        }
        every[_VERDICTS] = {code: written.get(number, number) for code, number in every[_VERDICTS].items()}
        lines = [",".join((f'["{self._program}"', *texts)) + "]"]
        lines += (json.dumps([*chain.from_iterable(one.items())], separators=(",", ":")) for one in every)
        self._folder.write(self._name, "\n".join(lines).encode())

    def _keep(self, which: int, code: int, value: int) -> None:
        self._used[which] += (code, value)
        self._is_new |= self._kept[which].get(code) != value

    def _kept_look(self, file: SurveyedFile) -> Look | None:
        signs = self._kept[_LOOKS].get(file.code)
        if signs is None:
            return None
        known = self._looks.get(signs)
        if known is None:
            *hints, is_shared, names_values = (bool(signs >> at & 1) for at in range(len(Hints._fields) + 2))
            known = self._looks[signs] = Look(file, Hints(*hints), is_shared, names_values)
        return Look(file, *known[1:])

    def _code(self, linter: Linter, target: Target, code: int) -> int:
        """The code of a verdict: of the file's own, and of what else it depends on; 0 where that is more."""
        facts = self._facts.get(id(linter))
        if facts is None:
            facts = self._facts[id(linter)] = VerdictFacts(linter, self._digest)
        own = facts.of(target)
        return code ^ own if own else 0

    def _code_of(self, path: str, data: bytes) -> int:
        name = _bytes(path)
        return self._digest(b"%d %s%s" % (len(name), name, data))

    def _digest(self, data: bytes) -> int:
        return int.from_bytes(self._folder.digest(data)[:_CODE])


def _by_first(pairs: list[int]) -> dict[int, int]:
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
