"""Messages as people copy them: wrapped, out of JSON, HTML or a terminal, quoted otherwise, or cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from itertools import cycle

import pytest
from test_messages import CALLERS

from ccmcheck.catalog.messages import LONGEST_LINE, explained, messages

VALUES = {
    "s": cycle(["x", "8f6c1e2a-0c7d-4e0e-9d5e-0a1b2c3d4e5f", "10.0.0.7", "kube_service_prod_shop_web", "shop/web"]),
    "v": cycle(["map[a:{}]", "shop/web", "a: b"]),
    "q": cycle(['"web-1"']),
    "d": cycle(["3", "65535"]),
}
EVERY = 12
"""One wording of so many is tried in each form."""


def _words_in_lines(text: str, between: str) -> str:
    words = text.split(" ")
    length = max(1, len(words) // 3)
    return between.join(" ".join(words[at : at + length]) for at in range(0, len(words), length))


FORMS: dict[str, Callable[[str], str]] = {
    "wrapped": lambda text: _words_in_lines(text, "\n"),
    "wrapped and indented": lambda text: _words_in_lines(text, "\n      "),
    "a terminal of 79 columns": lambda text: "\n".join(text[at : at + 79] for at in range(0, len(text), 79)),
    "journald": lambda text: f"Nov 28 10:00:00 cp-1 containerd[99]: {text}",
    "docker": lambda text: json.dumps({"log": f"{text}\n", "stream": "stderr"}),
    "docker, of JSON": lambda text: json.dumps({"log": json.dumps({"ts": 1.2, "err": text})}),
    "cri": lambda text: f"2026-11-28T10:00:00.123456789Z stderr F {text}",
    "klog": lambda text: f"E1128 10:00:00.123456       1 controller.go:310] {text}",
    "klog's values": lambda text: f'E1128 10:00:00.1 1 controller.go:310] "Unhandled" err={json.dumps(text)}',
    "Go's JSON": lambda text: json.dumps(text).replace("<", r"\u003c").replace("&", r"\u0026").replace("'", r"\u0027"),
    "HTML": escape,
    "kubectl describe": lambda text: f"  Warning  SyncLoadBalancerFailed  4m (x7 over 10m)  service-controller  {text}",
    "typographic quotes": lambda text: re.sub('"([^"]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019"),
    "backticks": lambda text: text.replace('"', "`").replace("'", "`"),
    "single quotes": lambda text: text.replace('"', "'"),
    "in YAML": lambda text: "message: '{}'".format(text.replace("'", "''")),
    "in Python": lambda text: repr(text.replace('"', "'") + '"'),
    "a quote of Markdown": lambda text: f"> - **`{text}`**",
    "upper case": str.upper,
    "columns": lambda text: text.replace(" ", "   "),
    "blanks that do not break": lambda text: text.replace(" ", "\u00a0"),
    "colours": lambda text: " ".join(f"\x1b[1;31m{word}\x1b[0m" for word in text.split(" ")),
    "within others": lambda text: f"first: second: {text}: third",
    "tabs": lambda text: text.replace(" ", "\t"),
    "a line with its end": lambda text: f"{text}\r\n",
}
HOPELESS = re.compile(r"x16|unquoted '\\|'='|'/etc/fstab'")
"""Wordings whose quotes or escapes themselves say something, or stand at a blank."""


@pytest.mark.parametrize("form", FORMS)
def test_a_message_is_known_in_every_form(form: str) -> None:
    wordings = [(row, text) for row in messages() for text in row.texts]
    first = list(FORMS).index(form) % EVERY
    for row, text in wordings[first::EVERY]:
        said = re.sub(r"%[+#]?([svdqwtT])", lambda verb: next(VALUES.get(verb[1], VALUES["s"])), text)
        known = explained(FORMS[form](f"{CALLERS}{said}"))
        assert row.means in [one.means for one in known] or HOPELESS.search(text), said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Warning  SyncLoadBalancerFailed  Error syncing load balancer: failed to ensure load balancer: floating IP subnet \"a\" doesn't belong to the net...", "is not a subnet of `floating-network-id`"),
        ("Octavia: Another Listener on this Load Balancer is already using protocol TCP and proto\u2026", "listener"),
        ("openstack: Requested provider driver 'ovn' was not enabled in the config...\"", "does not have the provider"),
        ("already shared with 2 Services", ""),
        ("does not contain required listener for port", "listener"),
    ],
)  # fmt: skip
def test_what_is_cut_off_leads_to_the_one_row_that_it_can_be(line: str, said: str) -> None:
    known = explained(line)
    assert (said in known[0].means) if said else not known


@pytest.mark.parametrize(
    "line",
    [
        "failed to check if load balancer exists before cleanup: ...",
        "openstack: failed to ...",
        "an error that nobody knows, and what follows is cut off because of its len...",
        "openstack: load balancer",
    ],
)
def test_what_two_rows_may_be_is_not_guessed(line: str) -> None:
    assert not [row for row in explained(line) if not row.is_step]


@pytest.mark.parametrize(
    "text", ["\\" * LONGEST_LINE, "&amp;" * 4000, "\x1b[" * 8000, "'" * LONGEST_LINE, "\n" * 9000 + "x..."]
)
def test_no_escape_makes_a_line_slow(text: str) -> None:
    assert not explained(text)
