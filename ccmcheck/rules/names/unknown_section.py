"""An unknown section in cloud.conf.

What it does: finds sections that no release reads, and subsections of sections that cannot have any.

Why: the whole section is ignored. `[Router]` for `[Route]` is the most common: the CCM's own documentation had
that mistake.

What the CCM does: it silently ignores every key below the header, also of `[LoadBalancer "x"]`: only
`[LoadBalancerClass "name"]` has subsections.

Releases: all

Fix: writes the known name where exactly one is similar.

Fix safety: unsafe because the keys below take effect, which they did not before

Source: cloud-provider-openstack pkg/openstack/openstack.go Config; gcfg v1.2.3, run;
kubernetes/cloud-provider-openstack#2333
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.base.model import Edit, Problem, Severity, Span
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.catalog.data.other_names import SECTION_ALIASES
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, is_ccm_file, is_foreign, known_section
from ccmcheck.rules._support.renaming import raw_value
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import Section

META = Meta("unknown-section", "An unknown section in cloud.conf", Severity.ERROR)

BAD = (
    Case("[Router]\nrouter-id=x\n", at=(1, 2), fixed="[Route]\nrouter-id=x\n", unsafe=True),
    Case(
        "[Network]\npublic-network-name=x\n[LoadBalancer]\nsubnet-id=y\n",
        at=(1, 2),
        fixed="[Networking]\npublic-network-name=x\n[LoadBalancer]\nsubnet-id=y\n",
        unsafe=True,
    ),
    Case("[ load-balancer ]\nsubnet-id=y\n", at=(1, 3), fixed="[ LoadBalancer ]\nsubnet-id=y\n", unsafe=True),
    Case('[LoadBalancer "internal"]\nsubnet-id=y\n', at=(1, 1)),
    Case("[Logging]\nlevel=5\n", at=(1, 2)),
    Case("[LoadBalancers]\nmonitor-delay=5\n", at=(1, 2)),
    Case("[Global]\nauth-url=https://k\n[default-LoadBalancerClass]\nsubnet-id=y\n", at=(3, 2), shown=False),
    Case(
        "[Keystone]\nauth-url=https://k/v3\nusername=u\npassword=p\n[LoadBalancer]\nsubnet-id=y\n",
        at=(1, 2),
        shown=False,
    ),
    Case("[openstack]\nos_auth_url=https://k/v3\npassword=p\n[LoadBalancer]\nsubnet-id=y\n", at=(1, 2), shown=False),
)
GOOD = (
    Case('[GLOBAL]\nregion=R\n[LoadBalancerClass "a"]\nsubnet-id=x\n'),
    Case("[BlockStorage]\nbs-version=v3\n[KeyManager]\nkey-id=x\n"),
    Case('[Global "second"]\nregion=R\n'),
    Case("[LoadBalancer]\nsubnet-id=x\n[Edgecloud]\napi-url=https://k\napi-token=x\n", shown=False),
    Case('[LoadBalancerClass "a"]\nsubnet-id=x\n', release="1.14"),
    Case("[{{ section }}]\nregion=R\n", template=True),
    Case('[Global]\nuser=x\n[VirtualCenter "1.2.3.4"]\ndatacenters=x\n[Network]\npublic-network=x\n'),
    Case("[Router]\nrouter-id=x\n", consumers=("barbican-kms-plugin",), shown=False),
    Case("[Load Balancer]\nsubnet-id=x\n", shown=False),
)


@cache
def _aliases() -> dict[str, str]:
    return {fold_name(name): section for name, section in SECTION_ALIASES.items()}


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at each header."""
    section_of = conf.schema.section
    for section in conf.sections:
        spec = section_of(section.name)
        if spec is None:
            if known_section(section.name):
                continue
        elif section.subsection is None or spec.is_map or spec.name == GLOBAL:
            continue
        if not section.sound or conf.is_opaque(section.span) or not is_ccm_file(conf) or is_foreign(conf):
            continue
        yield (
            _explain(conf, section)
            if spec is None
            else Problem(
                section.span,
                f"[{spec.name}] has no subsections: the CCM silently ignores this one",
                f"The keys of `[{spec.name}]` apply to every Service.",
                f'Write `[{spec.name}]`, or `[LoadBalancerClass "name"]` for settings of some Services.',
            )
        )


def _explain(conf: CloudConf, section: Section) -> Problem:
    names = [spec.name for spec in conf.schema.sections]
    near = _aliases().get(fold_name(section.name)) or nearest_name(section.name, names) or ""
    known = conf.schema.section(near) if near else None
    label = "unknown section; the CCM silently ignores every key in it"
    if known is None or known.is_map is not (section.subsection is not None):
        return Problem(
            section.name_span, label, "", f"The CCM reads {', '.join(f'`[{name}]`' for name in _plain(conf))}."
        )
    readable = all(
        conf.would_read(known.name, entry.key, raw_value(conf, entry))
        for entry in section.entries
        if entry.sound and known.key(entry.key) is not None and not conf.is_opaque(Span(entry.key_start, entry.end))
    )
    edit = Edit(section.name_span.start, section.name_span.end, known.name) if readable else None
    return Problem(
        section.name_span,
        label,
        "",
        f"Did you mean `[{known.name}]`?",
        fixes.unsafe(conf, f"write `[{known.name}]`", edit),
    )


def _plain(conf: CloudConf) -> list[str]:
    return [spec.name if not spec.is_map else f'{spec.name} "name"' for spec in conf.schema.sections]
