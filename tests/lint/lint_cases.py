"""What the tests of single files share: texts with mistakes, and what the linter says of them in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings

if TYPE_CHECKING:
    from ccmcheck.lint.file_analysis import FileResult

PREFIX = "loadbalancer.openstack.org/"
CONF = "[LoadBalancer]\nunknown=1\nunknown-b=1\nmonitor-delay = 3\n"
SERVICE = f"""\
kind: Service
metadata:
  name: web
  annotations:
    {PREFIX}keep-floatingip: "yes"
    {PREFIX}x-forwarded-for: "yes"
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""
SECRET = "kind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n"


def secret(conf: str) -> str:
    return SECRET + "".join(f"    {line}\n" for line in conf.splitlines())


def lint(text: str, settings: Settings | None = None, path: str = "cloud.conf", *, explicit: bool = True) -> FileResult:
    return Linter(settings or Settings(), RunContext()).lint(path, text.encode(), explicit=explicit)


def found(result: FileResult) -> list[tuple[str, str, bool, int]]:
    """Rule, severity, whether the reader stops, and line."""
    return [(one.rule, one.severity.word, one.fatal, one.place.line) for one in result.findings]


def rules(result: FileResult) -> list[str]:
    return [one.rule for one in result.findings]


def judged(*releases: str, consumer: str = "ccm") -> Settings:
    return Settings(
        judged=tuple(TargetRelease(consumer, catalog.release(name, consumer), "asked") for name in releases)
    )
