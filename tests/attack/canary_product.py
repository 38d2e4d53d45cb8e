"""What the canaries are combined from: commands with formats and verbosity, carriers, spellings of a secret, and escapes."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from test_canary import carriers
from test_canary_spellings import SPELLINGS as ODD_SPELLINGS
from test_canary_spellings import document

from ccmcheck.cli.options import PATCH_FORMATS as FORMATS
from ccmcheck.report import REPORTERS

VALUE = "Zq9xWvQ1aB"
SPECIAL = "Zq9<xWv&Q1aB"
_WINDOW = 8
"""Characters of a secret, however it is written, that an output may not have in a row."""


SPELLINGS = tuple(ODD_SPELLINGS)


class Escape(NamedTuple):
    """A way in which the file writes the secret.

    Attributes:
        name: What it is called.
        write: The secret, written so.
    """

    name: str
    write: Callable[[], str]


ESCAPES = (
    Escape("as it is", lambda: VALUE),
    Escape("special characters", lambda: SPECIAL),
    Escape("base64", lambda: base64.b64encode(VALUE.encode()).decode()),
    Escape("JSON", lambda: "".join(f"\\u{ord(char):04x}" for char in VALUE)),
    Escape("HTML", lambda: "".join(f"&#x{ord(char):x};" for char in VALUE)),
    Escape("URL", lambda: "".join(f"%{ord(char):02X}" for char in VALUE)),
    # a leading `=` would be a separator, and the rest the value of whatever stands before it
    Escape("quoted-printable", lambda: VALUE[0] + "".join(f"={ord(char):02X}" for char in VALUE[1:])),
)

_LEVELS = ("-q", "", "-v", "-vv")
_SHOWN = ("", "-q")


def _commands() -> list[tuple[str, ...]]:
    """Every command that shows something of a file, with each of its formats and each verbosity; FILE is the file."""
    made: list[str] = []
    for level in _LEVELS:
        made += [f"lint --no-config {level} --format {name} ." for name in REPORTERS]
        made += [f"lint --no-config {level} --profile scs --release=1.20 --release=1.36 ."]
        made += [f"review base FILE {level} --format {name}" for name in ("text", "markdown", "json", "html")]
        made += [f"review FILE base {level}", f"fix --no-config {level} --unsafe --diff ."]
    for level in ("", "-v", "-vv"):
        made += [f"predict . {level} --format {name}" for name in ("text", "markdown", "json")]
        made += [f"explain create-monitor {level} --format {name} ." for name in ("text", "markdown", "json")]
    for level in _SHOWN:
        made += [f"fix --no-config {level} --unsafe --patch {name} ." for name in FORMATS]
        made += [f"fix --no-config {level} --profile scs-ovn --unsafe --check ."]
        made += [f"set FILE create-monitor=false {level} --patch {name}" for name in FORMATS]
        made += [f"set FILE create-monitor=false {level} --diff", f"set FILE --unset=Global.password {level} --diff"]
        made += [f"set FILE --unset=Global.password {level} --patch git"]
        made += [f"render {kind} {level} --cloud-config FILE" for kind in ("helm-values", "secret", "cloud.conf")]
    made += [f"read --format {name} {at} FILE" for name in ("text", "json") for at in ("", "--reader=ccm@release-1.20")]
    made += [
        f"show --format {name} {with_} FILE" for name in ("text", "markdown", "json") for with_ in ("", "--profile scs")
    ]
    made += [f"upgrade . --from 1.25 --format {name}" for name in ("text", "markdown", "json")]
    made += ["fix --no-config --unsafe --patch git --output-dir out .", "lint --no-config --write-baseline=out.json ."]
    return [tuple(line.split()) for line in made]


COMMANDS = _commands()

CARRIERS = (
    "cloud.conf", "cloud.conf.tmpl", "secret.yaml", "string.yaml", "configmap.yaml", "kcp.yaml", "crs.yaml", "broken.yaml",
    "beside.yaml", "clusterctl.yaml", "release.yaml", "user-data.yaml", "list.json", "values.yaml", "machine.yaml", "crlf.conf",
)  # fmt: skip


def _block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.split("\n"))


def file(name: str, spelling: str, written: str) -> bytes:
    """One carrier with a secret in an odd spelling.

    Args:
        name: One of `CARRIERS`.
        spelling: One of ``SPELLINGS``.
        written: The secret as the file writes it.
    """
    return _text(name, spelling, written).encode("utf-8", "surrogateescape")


def _text(name: str, spelling: str, written: str) -> str:
    conf = document(spelling, written)
    odd = spelling.format(*[written] * spelling.count("{}"))
    encoded = base64.b64encode(conf.encode("utf-8", "surrogateescape")).decode()
    if name == "beside.yaml":
        return (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  cloud.conf: |\n    [LoadBalancer]\n"
            f"    monitor-delay = 3\n---\n{odd}\n"
        )
    if name == "clusterctl.yaml":
        return f"OPENSTACK_CLOUD: x\nOPENSTACK_CLOUD_PROVIDER_CONF_B64: {encoded}\n{odd}\n"
    if name == "release.yaml":
        return (
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm}\nspec:\n  values:\n    cloudConfig:\n"
            f"      global:\n        auth-url: https://k\n{_block(odd, 8)}      loadBalancer:\n        monitor-delay: 3\n"
        )
    if name == "user-data.yaml":
        return (
            "#cloud-config\nwrite_files:\n- path: /etc/kubernetes/cloud.conf\n  owner: root:root\n  content: |\n"
            f"{_block(conf, 4)}"
        )
    if name == "list.json":
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}, "stringData": {"cloud.conf": conf}}
        whole = {"apiVersion": "v1", "kind": "List", "items": [{**secret, "data": {"other": encoded}}]}
        return json.dumps(whole, indent=2).encode("utf-8", "replace").decode()
    if name == "values.yaml":
        return (
            f"cloudConfig:\n  global:\n    auth-url: https://k\n{_block(odd, 4)}  loadBalancer:\n    monitor-delay: 3\n"
        )
    if name == "machine.yaml":
        return (
            "apiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: KubeadmConfigTemplate\nmetadata: {name: m}\nspec:\n  template:\n"
            "    spec:\n      preKubeadmCommands:\n      - |\n        cat > /etc/kubernetes/cloud.conf <<EOF\n"
            f"{_block(conf, 8)}        EOF\n"
        )
    if name == "crlf.conf":
        return conf.replace("\n", "\r\n")
    return carriers(conf)[name]


def leaks(written: str) -> frozenset[str]:
    """What no output may hold: the secret as it is and as it is written, encoded again or not, in parts of some length.

    Args:
        written: The secret as the file writes it.
    """
    whole = {written, VALUE if written != SPECIAL else SPECIAL}
    forms = {form for value in whole for form in (value, json.dumps(value)[1:-1], html.escape(value), quote(value))}
    forms |= {base64.b64encode(b"x" * shift + value.encode()).decode()[4:14] for value in whole for shift in range(3)}
    return frozenset(form[at : at + _WINDOW].lower() for form in forms for at in range(max(1, len(form) - _WINDOW + 1)))


_ESCAPED = re.compile(r"\\+|&amp;")


def leak(printed: str, forbidden: frozenset[str]) -> str:
    """The first leak of an output, empty where there is none.

    Args:
        printed: The output.
        forbidden: See `leaks`.
    """
    lowered = printed.lower().replace("\\x00", "").replace("\0", "")
    once = _ESCAPED.sub(lambda match: "&" if match[0][0] == "&" else "\\", lowered)
    return next((part for part in forbidden if part in lowered or part in once), "")


def size() -> int:
    """How many combinations there are."""
    return len(COMMANDS) * len(CARRIERS) * len(SPELLINGS) * len(ESCAPES)


class Combination(NamedTuple):
    """One of them.

    Attributes:
        command: Its words.
        carrier: The file's name.
        spelling: How the secret stands in it.
        escape: How it is written.
    """

    command: tuple[str, ...]
    carrier: str
    spelling: str
    escape: Escape


def combination(number: int) -> Combination:
    """One by its number.

    Args:
        number: From 0 to `size`, exclusive.
    """
    number, command = divmod(number, len(COMMANDS))
    number, carrier = divmod(number, len(CARRIERS))
    escape, spelling = divmod(number, len(SPELLINGS))
    return Combination(COMMANDS[command], CARRIERS[carrier], SPELLINGS[spelling], ESCAPES[escape])
