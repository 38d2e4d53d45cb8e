"""Results of a run that are kept for the next: a file that is judged by the same again has the same verdict.

A result is found again by a code of the file's name and bytes and of what else its verdict depends on
(`ccmcheck.lint.verdict_facts`). Whatever was judged with the help of other files is not kept.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck import __version__
from ccmcheck.base.consulted import consulted
from ccmcheck.lint.file_analysis import FileResult, FileVerdict
from ccmcheck.lint.kept_records import NotKept, Record, record_of, result_of
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.lint.verdict_facts import VerdictFacts, program
from ccmcheck.workspace.related_files import Hints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.cache_folder import CacheFolder
    from ccmcheck.lint.engine import Linter
    from ccmcheck.workspace.read_files import SurveyedFile

_FORM = 2
"""Of what is written."""
_OTHERS = 3
"""Times as many results as a run took may be left of runs with other options, or of files as they were."""
_CODE = 16
"""Bytes of a code; two files with the same one would take a million runs over a million million files."""


class KeptResults:
    """The results of one run that the next may take.

    Args:
        folder: Where they are kept.
        paths: What the user named: a run over other paths does not forget these.
    """

    def __init__(self, folder: CacheFolder, paths: Sequence[str]) -> None:
        self._folder = folder
        name = repr((_FORM, __version__, os.getcwd(), tuple(paths)))
        self._name = folder.digest(name.encode("utf-8", "surrogatepass")).hex()
        self._facts: dict[int, VerdictFacts] = {}
        self._known: dict[str, int] = {}
        self._records: list[Record] = []
        self._plain: dict[int, FileResult] = {}
        self._used: dict[str, int] = {}
        self._written: dict[str, int] = {}
        self._again_written: dict[int, int] = {}
        self._known_looks: dict[str, str] = {}
        self._looks: dict[str, str] = {}
        self._signs: dict[str, Look] = {}
        self._program = folder.digest(repr(program()).encode("utf-8", "surrogatepass"))
        self._is_new = False
        data = folder.read(self._name)
        if data is not None:
            import json

            self._records, self._known, self._known_looks = json.loads(data)

    def clear(self) -> None:
        """Forget all that is kept."""
        self._folder.clear()

    def look(self, file: SurveyedFile) -> Look:
        """What a first look at a file shows: what was kept of it, else what it shows now.

        Args:
            file: The file, with its bytes.
        """
        code = self._digest_of(self._program, file.target.path, file.data or b"")
        kept = self._known_looks.get(code)
        if kept is None:
            return look_at(file)._replace(code=code)
        known = self._signs.get(kept)
        if known is None:
            *hints, is_shared, names_values = (sign == "1" for sign in kept)
            known = self._signs[kept] = Look(file, Hints(*hints), is_shared, names_values)
        return Look(file, known.hints, known.is_shared, known.names_values, code)

    def keep_look(self, look: Look) -> None:
        """Keep what a first look showed; in the process that saves it."""
        kept = self._known_looks.get(look.code)
        if kept is None:
            self._is_new = True
            kept = "".join("01"[sign] for sign in (*look.hints, look.is_shared, look.names_values))
        self._looks[look.code] = kept

    def judge(self, linter: Linter, path: str, data: bytes, *, explicit: bool) -> FileVerdict:
        """The result of a file: what was kept of it, else what the linter says.

        Args:
            linter: Its linter.
            path: The file, as the user named it.
            data: Its bytes.
            explicit: Whether the user named the file itself.
        """
        code = self._code(linter, path, data, explicit=explicit)
        known = self._known.get(code)
        if known is not None:
            try:
                return FileVerdict(self._again(known, path, data), code)
            except NotKept:
                code = ""
        before = consulted.times
        result = linter.lint(path, data, explicit=explicit)
        record = record_of(result, data) if code and consulted.times == before else None
        return FileVerdict(result, code if record is not None else "", record)

    def keep(self, verdict: FileVerdict) -> None:
        """Keep a result; in the process that saves it."""
        if verdict.record is not None:
            import json

            self._is_new = True
            self._used[verdict.code] = self._written.setdefault(json.dumps(verdict.record), len(self._written))
        elif verdict.code:
            self._keep_again(verdict.code)

    def save(self) -> None:
        """Write what was kept in this run, where some of it is new, and what other options gave before."""
        if not self._is_new:
            return
        import json

        others = [code for code in self._known if code not in self._used]
        for code in others[: _OTHERS * len(self._used)]:  # the last ones first
            self._keep_again(code)
        looks = [code for code in self._known_looks if code not in self._looks][: _OTHERS * len(self._looks)]
        self._looks |= {code: self._known_looks[code] for code in looks}
        written = f"[[{','.join(self._written)}],{json.dumps(self._used)},{json.dumps(self._looks)}]"
        self._folder.write(self._name, written.encode())

    def _keep_again(self, code: str) -> None:
        number = self._known[code]
        written = self._again_written.get(number)
        if written is None:  # most files have the same few records
            import json

            record = json.dumps(self._records[number])
            written = self._again_written[number] = self._written.setdefault(record, len(self._written))
        self._used[code] = written

    def _again(self, number: int, path: str, data: bytes) -> FileResult:
        plain = self._plain.get(number)
        if plain is not None:
            return plain._replace(path=path)
        found = result_of(self._records[number], path, data)
        if not (found.findings or found.notes):  # then it is the same for any file
            self._plain[number] = found
        return found

    def _code(self, linter: Linter, path: str, data: bytes, *, explicit: bool) -> str:
        facts = self._facts.get(id(linter))
        if facts is None:
            facts = self._facts[id(linter)] = VerdictFacts(linter, self._folder.digest)
        own = facts.of(path)
        if own is None:
            return ""
        return self._digest_of(own + (b"+" if explicit else b"-"), path, data)

    def _digest_of(self, before: bytes, path: str, data: bytes) -> str:
        name = path.encode("utf-8", "surrogatepass")
        return self._folder.digest(b"%s%d %s%s" % (before, len(name), name, data))[:_CODE].hex()
