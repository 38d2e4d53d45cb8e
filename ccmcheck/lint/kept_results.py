"""Results of a run that are kept for the next: a file that is judged by the same again has the same verdict.

A result is found again by a code of the file's name and bytes and of what else its verdict depends on
(`ccmcheck.lint.verdict_facts`). Whatever was judged with the help of other files is not kept. A file whose size, times
and inode are as they were is not even read, as git does it: only where they are older than the run that read it.
"""

from __future__ import annotations

import os
import stat
import time
from binascii import crc32
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ccmcheck import __version__
from ccmcheck.base.boundary import leads_out
from ccmcheck.base.open_input import consulted
from ccmcheck.lint.file_analysis import FileResult, FileVerdict
from ccmcheck.lint.kept_records import NotKept, Record, record_of, result_of
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.lint.verdict_facts import VerdictFacts, program
from ccmcheck.workspace.read_files import SurveyedFile
from ccmcheck.workspace.related_files import Hints

if TYPE_CHECKING:
    from ccmcheck.base.cache_folder import CacheFolder
    from ccmcheck.base.result import Failure
    from ccmcheck.lint.engine import Linter
    from ccmcheck.workspace.discover import Target


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
