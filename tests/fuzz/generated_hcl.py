"""Terraform files made at random, with heredocs and strings in every position that HCL allows."""

from __future__ import annotations

import random

_NOISE = (
    '# a comment with "one quote and <<EOT',
    "// another, it's <<EOT",
    '/* of several\nlines <<EOT\n" */',
    'name = "a <<EOT ${join(",", ["}", "b"])} $${x} %{ if a }b%{ endif }"',
    'escaped = "\\" <<EOT \\\\"',
    "number = 1 < 2 ? 3 / 4 : 5",
    'map = { a = 1, "b" = { c = "}" } }',
    'nested = "${lookup({ "a" = "${var.b}" }, "a")}"',
    "",
)
_LINES = (
    "[Global]",
    "auth-url = ${var.auth_url}",
    'quoted = "${var.a}" and " alone',
    "    deeper",
    "# no comment here",
    "%{ if var.x }yes%{ endif }",
    "$${literal} %%{literal}",
    "EOTX",
    "",
)
_PLACES = (
    "value = {here}",
    '"cloud.conf" = {here}',
    "list = [\n{here}, 1]",
    "call = base64encode({here})",
    "values = [{here}]",
)


def make_hcl(seed: int) -> str:
    """Make a file with a few heredocs.

    Args:
        seed: Decides everything.
    """
    choose = random.Random(seed)  # noqa: S311 - for tests
    parts = ['resource "kubernetes_secret" "a" {\n']
    for _ in range(choose.randint(1, 4)):
        parts += ["  " + choose.choice(_NOISE) + "\n" for _ in range(choose.randint(0, 3))]
        word = choose.choice(("EOT", "EOF", "E_1", "E-2"))
        dash, margin = choose.choice(("", "-")), choose.choice(("", "  ", "      "))
        lines = [choose.choice(_LINES) for _ in range(choose.randint(1, 5))]
        body = "".join(f"{margin}{line}\n" if line else "\n" for line in lines)
        place = choose.choice(_PLACES)
        before, _, after = place.partition("{here}")
        parts.append(f"  {before}<<{dash}{word}\n{body}{margin}{word}\n{after}\n")
    parts.append("}\n")
    return "".join(parts)
