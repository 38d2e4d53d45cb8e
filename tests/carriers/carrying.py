"""What the tests of carriers share: sample texts, and places in them."""

from __future__ import annotations

import base64
import gzip
import textwrap

from ccmcheck.base.model import Span
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers import CarriedConf, FindOptions, find

CONF = """\
[Global]
auth-url = "https://keystone.example.com:5000/v3"
application-credential-id = 0c1d2e3f
application-credential-secret = made-up

[LoadBalancer]
floating-network-id = 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
create-monitor = true
monitor-delay = 3
"""

CHART_VALUES = """\
cloudConfig:
  loadBalancer:
    floating-network-id: 1c0d8b6e-6f0a
    create-monitor: true
    monitor-delay: 3   # seconds
    lb-provider: "ovn"
  global:
    auth-url: https://keystone.example.com/v3
    region:
    password: 'a "b" \\ #c'
resources: {}
"""

CHART_RENDERED = """\
[LoadBalancer]
floating-network-id = "1c0d8b6e-6f0a"
create-monitor = "true"
monitor-delay = "3"
lb-provider = "ovn"

[Global]
auth-url = "https://keystone.example.com/v3"
region = \n\
password = "a \\"b\\" \\\\ #c"
"""


def b64(text: str, width: int = 0) -> str:
    """Base64 on one line, or on lines of a width."""
    encoded = base64.b64encode(text.encode()).decode()
    return "\n".join(textwrap.wrap(encoded, width)) if width else encoded


def gz64(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def indent(text: str, blanks: int) -> str:
    return textwrap.indent(text, " " * blanks).lstrip(" ")


def only(path: str, text: str, options: FindOptions | None = None) -> CarriedConf:
    """The one cloud.conf of a file."""
    contents = find(path, text, options or FindOptions())
    assert contents.broken == []
    assert len(contents.carried) == 1, [one.route for one in contents.carried]
    return contents.carried[0]


def place(carried: CarriedConf, needle: str) -> tuple[int, int, str]:
    """Where a text of the cloud.conf is in the file, as line and column, and what stands there."""
    start = carried.text.index(needle)
    outer = carried.stack.outward(Span(start, start + len(needle)))
    line, column = LineIndex(carried.stack.text).position(outer.start)
    return line, column, carried.stack.text[outer.start : outer.end]


def routes(path: str, text: str, options: FindOptions | None = None) -> list[str]:
    return [one.route for one in find(path, text, options or FindOptions()).carried]
