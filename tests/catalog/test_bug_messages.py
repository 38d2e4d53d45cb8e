"""What known bugs log leads to them, and nothing that another program says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.catalog.bug_messages import bug_messages, bug_wordings
from ccmcheck.catalog.data.release_bugs import BUGS
from ccmcheck.catalog.messages import explained
from ccmcheck.catalog.release_bugs import spans_of

FOREIGN = Path(__file__).with_name("foreign_lines.txt").read_text(encoding="utf-8").splitlines()


def said(line: str) -> str:
    return " ".join(message.means for message in explained(line, bug_wordings()) if message.is_bug)


def test_every_message_that_a_bug_quotes_leads_to_it_or_to_a_row() -> None:
    assert len(bug_messages()) > 30
    for message in bug_messages():
        assert message.texts[0] == message.texts[0].strip(), "a text between two quotes"
        line = f"openstack volume manila share: {message.texts[0].replace('%s', 'x')}"
        assert message.means in said(line) or explained(line), line
        named = [bug for bug in BUGS if bug.label in message.means]
        assert named, message
        assert all(spans_of(bug) in message.means for bug in named)


@pytest.mark.parametrize(
    ("line", "of"),
    [
        (
            "E1 loadbalancer.go:1] error getting floating ip for port 1f: not found",
            "internal Services that are deleted",
        ),
        ("Neutron: Invalid input. Reason: Duplicate items in the list: '1f'", "a security group to ports that have it"),
        ("rpc error: volume 1f has no attachments or not attached to compute 2a", "a volume that is detached"),
    ],
)
def test_a_line_of_a_log_leads_to_the_bug_behind_it(line: str, of: str) -> None:
    assert of in said(line)


def test_a_row_that_knows_the_cause_stands_before_the_bugs_that_give_the_message() -> None:
    first, *others = explained("failed to find device for the volumeID 1f", bug_wordings())
    assert not first.is_bug
    assert any(message.is_bug for message in others)


def test_without_the_bugs_rows_nothing_changes() -> None:
    assert not [one for message in bug_messages() for one in explained(message.texts[0]) if one.is_bug]


@pytest.mark.parametrize("line", FOREIGN)
def test_no_line_of_another_program_is_a_known_bug(line: str) -> None:
    assert said(line) == ""
