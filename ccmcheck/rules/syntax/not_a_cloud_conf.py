"""A file of another format or another program instead of a cloud.conf.

What it does: recognises YAML, JSON, a clouds.yaml, a Kubernetes manifest, an openrc file, a certificate, text in UTF-16 and text that is
still base64 in place of a cloud.conf. A file that the user names and that has nothing of a cloud.conf in it, such as Octavia's
own octavia.conf or another cloud's cloud.conf, gets one information and no other finding; in a folder it is skipped.

Why: the file was stored under the wrong key, or encoded once too often; or the name is another program's.

What the CCM does: it stops at the first character or line, with an error that names neither the file nor its format, such as
`1:1: illegal character U+002D '-'` or `1:1: expected section header`.

Releases: all

Fix: deletes a `---` above an otherwise valid cloud.conf; by hand for the rest.

Fix safety: safe because the line has no content and the file cannot be read with it

Source: gcfg v1.2.3, run; cloud-provider-openstack manifests/controller-manager (the Secret's key `cloud.conf`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.foreign_format import encoding_of
from ccmcheck.rules._support import fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.signs.scorer import Recognition

META = Meta(
    "not-a-cloud-conf",
    "A file of another format or another program instead of a cloud.conf",
    Severity.ERROR,
    per_release=False,
)

BAD = (
    Case("clouds:\n  mycloud:\n    auth:\n      auth_url: https://keystone\n", at=(1, 1)),
    Case("W0dsb2JhbF0KYXV0aC11cmwgPSBodHRwczovL2tleXN0b25lCg==\n", at=(1, 1)),
    Case("---\n[Global]\nregion = R\n", at=(1, 1), fixed="[Global]\nregion = R\n"),
    Case('# made by a tool\n{"Global": {}}\n', at=(2, 1), shown=False),
    Case("apiVersion: v1\nkind: Secret\ndata:\n  cloud.conf: W0dsb2JhbF0=\n", at=(1, 1), shown=False),
    Case("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", at=(1, 1), shown=False),
    Case("export OS_AUTH_URL=https://keystone\n", at=(1, 1), shown=False),
    Case("\udcff\udcfe[\0G\0l\0o\0b\0a\0l\0]\0\n\0", at=(1, 1), shown=False),
    Case("\0[\0G\0l\0o\0b\0a\0l\0]\0\n", at=(1, 1), shown=False),
    Case(
        "[DEFAULT]\ntransport_url = rabbit://\n[networking]\nlb_network_name = lb\n[service_auth]\nauth_url = x\n",
        at=(4, 1),
        severity=Severity.INFO,
        explicit=True,
    ),
    Case("[global]\nworkgroup = X\nnetbios name = y\n", at=(2, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case("#!/bin/sh\nPROJECT=a\nREGION=b\n", at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case("server {\n  listen 80;\n}\n", at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case('{"aadClientId": "x"}\n', at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case("#cloud-config\nusers: []\n", at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case("$ANSIBLE_VAULT;1.1;AES256\n36393431\n", at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
    Case("-----BEGIN CERTIFICATE-----\n", at=(1, 1), severity=Severity.INFO, explicit=True, shown=False),
)
GOOD = (
    Case("# ---\n[Global]\nregion = R\n"),
    Case("{{ if .Values.x }}\n[Global]\n{{ end }}\n", template=True),
    Case("${OPENSTACK_CLOUD_PROVIDER_CONF_B64}\n", template=True),
    Case("region = R\n[Global]\n"),
    Case("Global]\nauth-url = https://keystone\n", explicit=True),
    Case("<<<<<<< HEAD\n[Globl]\nregion = R\n", explicit=True, shown=False),
    Case('[LoadBalancerClass "a"]\nsubnet-id = x\n', explicit=True, shown=False),
    Case("", shown=False),
    Case("W0dsb2JhbF0KYXV0aC11cmw9aHR0cHM6Ly9rZXlzdG9uZQo=\n", carrier="Secret", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Name the format of the text."""
    if conf.carried.recognition is not None and not conf.carried.recognition.taken:
        yield _nothing_of_it(conf, conf.carried.recognition)
        return
    other = conf.foreign_format if conf.document.stops else None
    if other is None or _is_reported_elsewhere(conf):
        return
    line = conf.line_at(other.span.start)
    stop = next((stop for stop in conf.reading.stops if other.whole or line.start <= stop.span.start <= line.end), None)
    fix = None
    if not other.whole and conf.text[line.start : line.end].strip() == "---":
        fix = fixes.safe(conf, "delete the line", fixes.delete_lines(conf.text, line))
    yield Problem(
        other.span,
        f"this is {other.name}, not a cloud.conf" if other.whole else f"this line is {other.name}, not cloud.conf",
        "The CCM expects sections such as `[Global]` with `key = value` lines, and stops here.",
        "Delete the line." if fix is not None else other.advice,
        fix,
        stop,
    )


def _nothing_of_it(conf: CloudConf, recognition: Recognition) -> Problem:
    """The problem with a file that the user named and that has nothing of a cloud.conf."""
    other = conf.foreign_format
    program = recognition.program
    place = recognition.span
    if not program and other is not None and other.whole:
        place, program = other.span, other.name
    if place.start == place.end:
        place = conf.line_at(len(conf.text) - len(conf.text.lstrip()))
    if recognition.is_encrypted:
        return Problem(
            place,
            f"this is {program}, so its content is unknown",
            "No rule looks at the file, and neither `fix` nor `set` changes it.",
            "Decrypt it first: standard input is linted with `ccmcheck lint -`.",
            severity=Severity.INFO,
        )
    return Problem(
        place,
        f"this is {program}, not a cloud.conf" if program else f"this is no cloud.conf: {recognition.reason}",
        "No other rule looks at the file, and neither `fix` nor `set` changes it.",
        "Name the CCM's file; its sections are `[Global]`, `[LoadBalancer]` and the like.",
        severity=Severity.INFO,
    )


def _is_reported_elsewhere(conf: CloudConf) -> bool:
    """Whether a rule about the object that contains the text reports that it is encoded once too often."""
    carrier = conf.carried.carrier
    return (carrier == "Secret" or carrier.startswith("Kubeadm")) and encoding_of(conf.text) is not None
