"""A placeholder that was never filled in.

What it does: finds `${X}`, `{{ x }}`, `<your-password>`, `__X__`, `$(X)`, `@X@`, `changeme`, `SUBNET-ID-HERE`, `xxxx-xx-xx`, `10.0.0.x`
and the masks `****` and `REDACTED` in values of a file that is not a template. Template marks (`${X}`, `{{ x }}`) are unknown values in a
file found in a folder; in a plain `cloud.conf` whose name says no template they are one warning, in one that is named an error each. In a
document that is named a placeholder is an information; one found in a folder has them for its readers, and nothing is reported there.
`svc-annotation-value` and `svc-lbip` report those of Services. `ccmcheck help promises` says what a template is.

Why: the tool that should have inserted the value did not run, or does not know the name; or the text was copied from where its secrets were
masked.

What the CCM does: it expands nothing. String keys get the placeholder itself, so the login or the first load balancer fails; a boolean,
number or duration stops it at start (reported by bool-bad and the like).

Releases: all

Fix: by hand: render the file first. Lint templates with `--template`, or name them with a template's suffix.

Source: gcfg v1.2.3, run; SovereignCloudStack/k8s-cluster-api-provider terraform/files/template/cloud.conf.tmpl
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity, Span
from ccmcheck.carriers.base import FILE
from ccmcheck.rules._support import placeholders, spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("placeholder-left", "A placeholder that was never filled in", Severity.ERROR)

BAD = (
    Case("[Global]\nauth-url = ${OS_AUTH_URL}\n", at=(2, 12)),
    Case("[Global]\npassword = <your-password>\n", at=(2, 12)),
    Case("[Global]\nauth-url = https://{{ keystone }}:5000/v3\nregion=__REGION__\n", at=(2, 20), times=2),
    Case("[LoadBalancer]\nsubnet-id=changeme\n", at=(2, 11)),
    Case('[LoadBalancerClass "${CLASS}"]\nsubnet-id=\n', at=(1, 20), shown=False),
    Case("[Global]\nregion=$(REGION)\nusername=@USER@\ntenant-name=$tenant\n", at=(2, 8), times=3, shown=False),
    Case("[Global]\npassword=$OS_PASSWORD\n", at=(2, 10), shown=False),
    Case("[Global]\nauth-url=https://<keystone host>/v3\n", at=(2, 18), shown=False),
    Case("[Global]\npassword = ****\n", at=(2, 12)),
    Case('[Global]\napplication-credential-secret="***"\n', at=(2, 31), shown=False),
    Case("[LoadBalancer]\nsubnet-id=PROJECT-SUBNET-ID-HERE\n", at=(2, 11)),
    Case("[LoadBalancer]\nflavor-id=xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\n", at=(2, 11), shown=False),
    Case('[Global]\napplication-credential-id="**REDACTED**"\n', at=(2, 28), shown=False),
    Case("[Global]\nauth-url=https://10.x.x.x:5000/v3\n", at=(2, 18), shown=False),
    Case(
        "[LoadBalancer]\nsubnet-id=SUBNET-ID-HERE\n",
        at=(2, 11),
        severity=Severity.INFO,
        path="README.md",
        shown=False,
    ),
    Case("[Global]\nauth-url=https://<keystone_ip>:5000/v3\nusername=user\n", at=(2, 18), named=False, shown=False),
    Case(
        "[Global]\nauth-url=https://k\nregion=${R}\npassword=${P}\n",
        at=(3, 8),
        severity=Severity.WARNING,
        named=False,
    ),
    Case(
        "[Global]\nregion=${R}\nusername=<name>\n",
        at=(2, 8),
        times=2,
        severity=Severity.WARNING,
        named=False,
        shown=False,
    ),
    Case("[Global]\nauth-url=https://****@keystone.example.com/v3\n", at=(2, 18), shown=False),
)
GOOD = (
    Case("[Global]\nauth-url = ${OS_AUTH_URL}\npassword = {{ password }}\n", template=True),
    Case("[Global]\npassword = p<a>$ecret@x@\n"),
    Case("[Global]\npassword = a****b\n", shown=False),
    Case("[LoadBalancer]\nfloating-subnet=pub-**\n", shown=False),
    Case("[Global]\nauth-url = https://keystone.example.com:5000/v3\n"),
    Case("# ${NAME} is filled in elsewhere\n[Global]\nunknown=${X}\n"),
    Case("[LoadBalancer]\ncreate-monitor=${MONITOR}\n", shown=False),
    Case("[LoadBalancer]\nfloating-subnet=~^pub-[a-z]$\n", shown=False),
    Case("[Global]\nregion=YOURS\nusername=your\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at every value of a known key, and at the names of classes."""
    if not conf.final or placeholders.are_for_readers(conf.path, is_named=conf.carried.named):
        return
    signs = spelling.may_hold_placeholder(conf.text)
    if conf.carried.marks and conf.carried.carrier == FILE:
        yield from _marks(conf)
    if signs:
        yield from _names(conf)
    for item in conf.items:
        value = item[1].value
        if not value or not (signs or spelling.may_be_sample(value)) or item.spec is None:
            continue
        left = spelling.placeholder(value, secret=item.spec.secret)
        if left and not conf.is_stopped(item) and not conf.is_opaque(item.span):
            start = conf.text.find(left, item.entry.value_start, item.entry.value_end)
            place = item.span if start < 0 or item.spec.secret else Span(start, start + len(left))
            yield _problem(conf, place, left if not item.spec.secret or spelling.is_mask(left) else "")


def _marks(conf: CloudConf) -> Iterator[Problem]:
    """One problem with all template marks of a file whose name says no template."""
    marked = [
        one
        for one in conf.items
        if one.opaque
        and spelling.is_template_mark(conf.text[slice(*one.span)], secret=one.spec is not None and one.spec.secret)
    ]
    if marked:
        are = "this value is a template mark" if len(marked) == 1 else f"{len(marked)} values are template marks"
        yield Problem(
            marked[0].span,
            f"{are}, and the name of the file says no template",
            f"Where nothing fills them in, {conf.reader} reads them literally.",
            "Call it `cloud.conf.tmpl`, or lint it with `--template`.",
            severity=Severity.WARNING,
        )


def _names(conf: CloudConf) -> Iterator[Problem]:
    for section in conf.sections:
        place = section.subsection_span
        if section.subsection and place is not None and conf.schema.section(section.name) is not None:
            left = spelling.placeholder(section.subsection)
            if left and not conf.is_opaque(place):
                yield _problem(conf, place, left)


def _problem(conf: CloudConf, place: Span, left: str) -> Problem:
    label = placeholders.never_filled_in(left, conf.reader)
    severity = placeholders.severity_in(conf.path, Severity.ERROR)
    if spelling.is_mask(left):
        return Problem(
            place,
            label,
            "It stands for a value that was masked where this text was copied from.",
            "Put the value itself here; `ccmcheck render --output FILE` writes secrets unmasked.",
            severity=severity,
        )
    return Problem(place, label, "Variables and templates are not expanded.", placeholders.RENDER, severity=severity)
