"""With use-clouds the outcome depends on a clouds.yaml, so that nothing is said for certain."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.base.model import Finding
from ccmcheck.carriers import find
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.read_report import ReadReport, read_report
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileResult
from ccmcheck.lint.settings import Settings

BROKEN = "[Global]\nuse-clouds = true\n[LoadBalancer]\nmonitor-delay = 3\n"
RIGHT = BROKEN.replace("= 3", "= 3s")


def judged(release: str) -> TargetRelease:
    return TargetRelease("ccm", catalog.release(release), "--release")


def report(text: str, release: str) -> ReadReport:
    return read_report("cloud.conf", find("cloud.conf", text).carried[0], judged(release))


def lint(text: str, release: str) -> FileResult:
    return Linter(Settings(judged=(judged(release),)), RunContext()).lint("cloud.conf", text.encode())


def duration(text: str, release: str) -> Finding:
    return next(one for one in lint(text, release).findings if one.rule == "duration-bad")


@pytest.mark.parametrize("release", ["v1.14.0", "v1.18.0", "1.18"])
def test_an_error_that_is_hidden_is_not_fatal(release: str) -> None:
    read = report(BROKEN, release)
    assert read.outcome == "unknown"
    assert read.error is not None
    assert "depends on the clouds.yaml" in read.note
    finding = duration(BROKEN, release)
    assert not finding.fatal
    assert finding.error == ""
    assert "hides the error" in finding.detail


@pytest.mark.parametrize("release", ["v1.19.0", "1.36"])
def test_an_error_that_is_reported_is_fatal(release: str) -> None:
    read = report(BROKEN, release)
    assert (read.outcome, read.note) == ("fatal", "")
    assert duration(BROKEN, release).fatal


def test_an_error_above_use_clouds_is_fatal() -> None:
    text = "[LoadBalancer]\nmonitor-delay = 3\n[Global]\nuse-clouds = true\n"
    assert report(text, "v1.18.0").outcome == "fatal"
    assert duration(text, "v1.18.0").fatal


@pytest.mark.parametrize("release", ["v1.18.0", "1.36"])
def test_a_right_file_depends_on_it_as_well(release: str) -> None:
    assert report(RIGHT, release).outcome == "ok"
    assert "depends on the clouds.yaml" in report(RIGHT, release).note
    assert any("depends on its clouds.yaml" in note for note in lint(RIGHT, release).notes)
    assert report(RIGHT.replace("true", "false"), release).note == ""
    assert lint(RIGHT.replace("true", "false"), release).notes == ()
