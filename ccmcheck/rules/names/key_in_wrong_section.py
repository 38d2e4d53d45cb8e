"""A key in the wrong section.

What it does: finds keys that the CCM reads, in a section where it does not look for them.

Why: the default applies instead, and nothing reports it.

What the CCM does: it silently ignores the key.

Releases: all

Fix: moves the line to the end of its section, which is added if it is missing.

Fix safety: unsafe because the value takes effect, which it did not before

Source: cloud-provider-openstack pkg/openstack/openstack.go Config; gcfg v1.2.3, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import reported_by
from ccmcheck.rules._support.renaming import default_applies, present, raw_value
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("key-in-wrong-section", "A key in the wrong section", Severity.ERROR)

BAD = (
    Case(
        "[Global]\nregion=R\ncreate-monitor=true\n[LoadBalancer]\nsubnet-id=x\n",
        at=(3, 1),
        fixed="[Global]\nregion=R\n[LoadBalancer]\nsubnet-id=x\ncreate-monitor=true\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nsubnet-id = x\nrouter-id = y\n",
        at=(3, 1),
        fixed="[LoadBalancer]\nsubnet-id = x\n\n[Route]\nrouter-id = y\n",
        unsafe=True,
    ),
    Case("[Networking]\nsubnet-id=x\n[LoadBalancer]\nsubnet-id=y\n", at=(2, 1)),
    Case("[Global]\nignore-volume-az=true\n[LoadBalancer]\n[BlockStorage]\n", at=(2, 1)),
    Case("[Global]\nmonitor-delay=5\n[LoadBalancer]\nsubnet-id=x\n", at=(2, 1), shown=False),
    Case(
        "[LoadBalancer]\nauth-url=${URL}\n[Global]\nregion=R\n",
        at=(2, 1),
        template=True,
        fixed="[LoadBalancer]\n[Global]\nregion=R\nauth-url=${URL}\n",
        unsafe=True,
        shown=False,
    )._replace(fixed=None, unsafe=False),
)
GOOD = (
    Case("[LoadBalancer]\nsubnet-id=x\n[Route]\nrouter-id=y\n"),
    Case("[Global]\nuse-octavia=true\n"),
    Case("[Global]\nuse-octavia=true\n", release="1.25")._replace(text="[LoadBalancer]\nuse-octavia=true\n"),
    Case('[LoadBalancerClass "a"]\nlb-provider=ovn\n'),
    Case("[Router]\nsubnet-id=x\n"),
    Case("[Global]\n${KEY}-id=x\n", template=True),
    Case("[Global]\nenabled=false\n", release="1.23", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the ignored keys that belong to another section."""
    for ignored in reported_by(conf, META.name):
        item = ignored.item
        label = f"ignored here: the key belongs to [{ignored.section}]"
        if conf.schema.section(ignored.section) is None:
            yield Problem(
                item.entry.key_span,
                f"ignored here: the key belongs to [{ignored.section}], which other programs read",
            )
            continue
        if present(conf, ignored) is not None:
            yield Problem(
                item.entry.key_span,
                label,
                "",
                f"Delete the line; `{ignored.meant}` is set in [{ignored.section}] already.",
            )
            continue
        value = item.entry.value
        fix = None
        if (
            value is not None
            and not item.opaque
            and conf.would_read(ignored.section, ignored.meant, raw_value(conf, item.entry))
        ):
            fix = fixes.unsafe(
                conf,
                f"move it to [{ignored.section}]",
                fixes.delete_key(conf, item.entry),
                fixes.add_key(conf, ignored.section, ignored.meant, value),
            )
        yield Problem(
            item.entry.key_span,
            f"{label}, so {default_applies(conf, ignored)}",
            "",
            f"Move the line to `[{ignored.section}]`.",
            fix,
        )
