"""What the fixes of a file replace in it: the fixes are made safe here, so that those that copy a value are asked for."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Applicability
from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.replacements import replacements
from ccmcheck.lint.settings import Settings

SECRET = "Canary7Zq9xWv"


def shown(text: str, path: str = "cloud.conf") -> dict[int, tuple[str, ...]]:
    """What is written, by the line of each finding."""
    found = Linter(Settings(), RunContext()).examine(path, text, explicit=True)
    for one in found.problems:
        if one.problem.fix is not None:
            one.problem = one.problem._replace(fix=one.problem.fix._replace(applicability=Applicability.SAFE))
    made = replacements(text, found)
    return {found.problems[number].place.line: tuple(part.text for part in parts) for number, parts in made.items()}


@pytest.mark.parametrize(
    "line",
    [
        f"password = ab\\x{SECRET}",
        f"password = '{SECRET}'",
        f"application-credential-secret = '{SECRET}'",
        f"pasword = '{SECRET}'",
        f"xyz = '{SECRET}'",
        f"region = '{SECRET}'\npassword = {SECRET}",
    ],
)
def test_no_replacement_writes_a_secret(line: str) -> None:
    text = f"[Global]\n{line}\n[LoadBalancer]\ncreate-monitor = true\nmonitor-delay = 5\n"
    made = shown(text)
    assert made[text.count("\n")] == ("5s",)
    assert SECRET not in str(made)


def test_what_is_no_secret_is_written() -> None:
    made = shown("[Global]\nregion = 'RegionOne'\n[LoadBalancer]\nlb-provider = 'ovn'\n")
    assert made[4] == ('"ovn"',)


def test_a_byte_that_is_no_character_is_not_written() -> None:
    made = shown("[LoadBalancer]\nlb-provider = 'ov\udcff'\ncreate-monitor = true\nmonitor-delay = 5\n")
    assert made == {4: ("5s",)}
