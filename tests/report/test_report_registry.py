from __future__ import annotations

import subprocess
import sys

import pytest
from report_sample import CLEAN, PLAIN, REMOVED, SAMPLE, written

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.escape import inert_lines
from ccmcheck.base.result import Failure, LintResult
from ccmcheck.cli.output import FOR_PEOPLE
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


@pytest.mark.parametrize("name", REPORTERS)
def test_a_format_is_what_it_says_of_itself(name: str) -> None:
    form = reporter(name)
    has_texts = name != "prometheus"
    few = written(name, SAMPLE, PLAIN._replace(max_findings=1))
    labels = [finding.label[:20] for finding in SAMPLE.findings[:3]]
    assert [label in few for label in labels] == [has_texts, *[has_texts and not form.says_what_is_left_out] * 2]
    assert ("more of" in few or "not_shown" in few or "and 1 more" in few) == form.says_what_is_left_out
    about = SAMPLE._replace(summary=SAMPLE.summary._replace(header="Cluster: abc-1"))
    if name != "sarif":  # it has the summary in properties, which no reader of SARIF shows
        assert ("Cluster: abc-1" in written(name, about)) == form.has_summary
        assert ("monitor-probe-budget" in written(name)) == form.names_unjudged
    below = written(name, SAMPLE, PLAIN._replace(root="/repository/below", repository="/repository"))
    assert ("below/clusters/prod" in below) == form.is_for_code_hosts
    assert ("More on `[LoadBalancer]`" in written(name)) == form.describes_rules
    assert ("{0} [a](1)" in written(name).replace("\\n", "")) == form.has_replacements
    if form.has_statistics:
        counts = written(name, SAMPLE, PLAIN._replace(statistics=True))
        assert "duration-bad" in counts
        assert labels[0] not in counts


COMMANDS = ("::stop-commands::abc", " ::add-mask::e", "##[add-mask]e", "##vso[task.setvariable variable=a]b")


@pytest.mark.parametrize("name", REPORTERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_of_a_report_is_a_command_to_a_ci_system(name: str, command: str) -> None:
    path = f"{command}.conf"
    finding = REMOVED._replace(place=REMOVED.place._replace(path=path), label=f"{command}\n{command}", detail=command)
    failures = (Failure(path, f"{command}\n{command}", command),)
    for result in (LintResult((finding,), failures), LintResult((finding,))):
        pieces = reporter(name)(PLAIN).report(result)
        for line in "".join(inert_lines(pieces) if name in FOR_PEOPLE else pieces).splitlines():
            if name == "github":
                assert line.startswith(("::error ", "::notice "))
            else:
                assert not line.lstrip().startswith("::"), (
                    "a line begins with a text of a file: put a word of ours first"
                )
                assert "##[" not in line, "`##` stands in it as in the file: see inert_markup in base/escape.py"
                assert "##vso[" not in line
