"""What is said of a create-monitor that is not set is true of Services that ask for monitors, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

CONF = """\
[Global]
auth-url = https://keystone.example.com/v3
application-credential-id = 0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f
application-credential-secret = made-up
[LoadBalancer]
use-octavia = true
subnet-id = 7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01
"""


@pytest.mark.parametrize(("release", "times"), [("1.17", 0), ("1.18", 1), ("1.30", 1)])
def test_the_annotation_goes_first_where_it_is_read(tmp_path: Path, release: str, times: int) -> None:
    """Releases that do not read it have no such finding."""
    put(tmp_path, {"cloud.conf": CONF})
    out = " ".join(run(tmp_path, "lint", "--release", release, ".").out.split())
    assert out.count("load balancers do not check their nodes, unless their Service asks for it") == times
    assert out.count("load balancers do not check their nodes") == times
