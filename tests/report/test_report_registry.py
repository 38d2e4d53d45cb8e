from __future__ import annotations

import subprocess
import sys

import pytest
from report_sample import CLEAN, PLAIN, SAMPLE, written

from ccmcheck.base.errors import WrongUse
from ccmcheck.report import REPORTERS, reporter


def test_a_format_that_does_not_exist_is_named_with_what_was_meant() -> None:
    with pytest.raises(WrongUse, match='no format "sariff"; there are text, concise') as caught:
        reporter("sariff")
    assert caught.value.hint == "Did you mean `sarif`?"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_writes_in_pieces_that_end_with_the_last_newline(name: str) -> None:
    pieces = list(reporter(name)(PLAIN).report(SAMPLE))
    assert len(pieces) > 1
    assert "".join(pieces).endswith("\n")


@pytest.mark.parametrize("name", REPORTERS)
def test_no_format_lets_a_control_character_through(name: str) -> None:
    assert [character for character in written(name) if not character.isprintable() and character != "\n"] == []


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_can_be_written_as_utf8(name: str) -> None:
    assert written(name).encode("utf-8")


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_takes_a_run_without_findings(name: str) -> None:
    assert "duration-bad" not in written(name, CLEAN)


@pytest.mark.parametrize("name", ["text", "concise"])
def test_the_formats_for_people_load_no_module_of_the_others(name: str) -> None:
    code = (
        "import sys; from ccmcheck.report import reporter; from ccmcheck.report.options import ReportOptions;"
        "from ccmcheck.base.result import LintResult;"
        f"list(reporter({name!r})(ReportOptions()).report(LintResult()));"
        "print([name for name in ('json', 'hashlib', 'difflib', 'pathlib', 'urllib.parse', 'dataclasses', 'logging')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
