"""What the tests of rendering share: a folder with a clouds.yaml, and the command line run in this very process."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ccmcheck import catalog, gcfg
from ccmcheck.base import text
from ccmcheck.carriers import FindOptions, find
from ccmcheck.cli.main import run
from ccmcheck.conf import reading

SECRET = "Canary7Zq9xWv"

CLOUDS = f"""\
clouds:
  app:
    auth_type: v3applicationcredential
    auth:
      auth_url: https://keystone.example.com:5000/v3
      application_credential_id: 0f1e2d3c4b5a69788796a5b4c3d2e1f0
      application_credential_secret: "{SECRET}#;"
    region_name: RegionOne
    interface: public
  user:
    auth:
      auth_url: https://keystone.example.com:5000/v3
      username: ccm
      password: '{SECRET}'
      user_domain_name: Default
      project_name: k8s
      project_domain_name: Default
    region_name: RegionTwo
    interface: internal
    verify: false
"""


class Ran(NamedTuple):
    """One run of the command line."""

    code: int
    out: str
    err: str


class Folder:
    """A folder to run in, with an environment that knows no cloud of its own."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.path = path
        self._capfd = capfd
        for name in ("OS_CLOUD", "OS_CLIENT_CONFIG_FILE", "OS_CLIENT_SECURE_FILE", "XDG_CONFIG_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(path / "home"))
        monkeypatch.chdir(path)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, *args: str) -> Ran:
        self._capfd.readouterr()
        code = run(args)
        captured = self._capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    def render(self, *args: str) -> Ran:
        return self.run("render", *args)


def carried(path: str, whole: str, release: str = "1.36") -> list[dict[str, dict[str, object]]]:
    """What the CCM reads in each cloud.conf of a final file; it must be able to."""
    found = find(path, text.decode(whole.encode()).text, FindOptions(explicit=True, template=False))
    assert not found.broken
    values = []
    for one in found.carried:
        read = reading.read(gcfg.parse(one.stack.inner), catalog.schema(catalog.release(release)))
        assert read.error is None
        assert not read.ignored
        values.append(read.values)
    return values
