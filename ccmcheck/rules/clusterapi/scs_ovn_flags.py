"""Settings that the Sovereign Cloud Stack scripts do not recognise or undo.

What it does: finds, next to a `clusterctl.yaml` with `USE_OVN_LB_PROVIDER`, keys that the scripts look for but that are
written with spaces, quotes or an indentation, and a provider that contradicts that setting.

Why: the scripts read the file by `grep '^lb-provider=ovn'` and change it by `sed`. Keys that they do not recognise they write
again, or ignore; and nginx may then expect the PROXY protocol from an OVN load balancer, which does not support it.

What the CCM does: it reads both spellings, and uses the last of duplicate keys.

Releases: k8s-cluster-api-provider R4 to R7

Fix: removes the spaces and quotes, or writes what `USE_OVN_LB_PROVIDER` requires.

Fix safety: unsafe because the scripts did not recognise the key before, and then act on it

Source: SovereignCloudStack/k8s-cluster-api-provider terraform/files/bin/handle_ovn_lb.sh and apply_nginx_ingress.sh,
v7.0.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Edit, Problem, Severity
from ccmcheck.carriers.base import RunContext, ScsSwitches
from ccmcheck.catalog.data.cluster import SCS_KEYS, SCS_OVN
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.base import ScsSwitches as Switches
    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf

META = Meta(
    "scs-ovn-flags", "Settings that the Sovereign Cloud Stack scripts do not recognise or undo", Severity.WARNING
)

_ON = RunContext(switches=(ScsSwitches("clusterctl.yaml", "true", "true"),))
_OFF = RunContext(switches=(ScsSwitches("clusterctl.yaml", "false", "true"),))
_AUTO = RunContext(switches=(ScsSwitches("clusterctl.yaml", "auto", "true"),))
_OVN = "[LoadBalancer]\ncreate-monitor=true\nlb-method=SOURCE_IP_PORT\nlb-provider=ovn\n"

BAD = (
    Case(
        _OVN.replace("lb-provider=ovn", "lb-provider = ovn"),
        at=(4, 1),
        fixed=_OVN,
        unsafe=True,
        run_context=_ON,
    ),
    Case(
        "[LoadBalancer]\nlb-provider=amphora\n",
        at=(2, 13),
        fixed="[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\ncreate-monitor=true\n",
        unsafe=True,
        run_context=_ON,
    ),
    Case(_OVN, at=(4, 13), run_context=_OFF),
    Case(
        _OVN.replace("create-monitor=true", '  create-monitor="true"'),
        at=(2, 3),
        fixed=_OVN,
        unsafe=True,
        run_context=_AUTO,
        shown=False,
    ),
)
GOOD = (
    Case(_OVN, run_context=_ON),
    Case(_OVN, run_context=_AUTO),
    Case(_OVN.replace("=", " = ")),
    Case("[LoadBalancer]\nmanage-security-groups=true\n", run_context=_ON, template=True),
    Case("[LoadBalancer]\nlb-provider=amphora\n", run_context=_OFF),
    Case("[LoadBalancer]\nlb-provider=${P}\n", run_context=_OFF, template=True),
    Case("[LoadBalancer]\nlb-provider=ovn # fast\n", run_context=_AUTO, shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Read the file as the scripts do."""
    if not conf.run_context.switches or conf.carried.carrier != "file":
        return
    switches = conf.nearby(conf.run_context.switches)
    if not switches:
        return
    lb = balancer(conf)
    unrecognised = [
        item for key in SCS_KEYS if (item := lb.items.get(key)) is not None and not _is_recognised(conf, item)
    ]
    for item in sorted(unrecognised, key=lambda item: item.entry.key_start):
        entry = item.entry
        yield Problem(
            entry.key_span,
            f"the SCS scripts only recognise `{entry.key}=` at the start of a line, without spaces or quotes",
            _consequence(switches[0], item),
            f"Write `{entry.key}={entry.value}`.",
            fixes.unsafe(conf, "write it as the scripts do", _plainly(conf, item)),
        )
    if not unrecognised and conf.final and not conf.carried.marks:
        yield from _contradiction(conf, switches[0], lb.items.get("lb-provider"))


def _consequence(switches: Switches, item: Item) -> str:
    is_ovn = item.spec is not None and item.spec.name == "lb-provider" and item.entry.value == SCS_OVN["lb-provider"]
    if is_ovn and switches.proxy == "true":
        return "They then deploy nginx with the PROXY protocol, which OVN load balancers do not support."
    return "They treat the key as missing and write it again."


def _is_recognised(conf: CloudConf, item: Item) -> bool:
    entry, text = item.entry, conf.text
    if item.opaque or not entry.value:
        return True
    at_start = entry.key_start == 0 or text[entry.key_start - 1] == "\n"
    return at_start and text[entry.key_end : entry.value_end] == f"={entry.value}"


def _plainly(conf: CloudConf, item: Item) -> Edit:
    entry = item.entry
    start = conf.text.rfind("\n", 0, entry.key_start) + 1
    return Edit(start, entry.value_end, f"{entry.key}={entry.value}")


def _contradiction(conf: CloudConf, switches: Switches, item: Item | None) -> Iterator[Problem]:
    if item is None or item.opaque:
        return
    is_ovn = item.entry.value == SCS_OVN["lb-provider"]
    if switches.ovn == "false" and is_ovn:
        yield Problem(
            item.span,
            f"{switches.path} says `USE_OVN_LB_PROVIDER: false`",
            "The next run of the scripts deletes this line and `lb-method`, but not `create-monitor`, and new load balancers "
            "are amphorae then.",
            "Use the same provider in both files.",
        )
    elif switches.ovn == "true" and not is_ovn:
        yield Problem(
            item.span,
            f"{switches.path} says `USE_OVN_LB_PROVIDER: true`",
            "The next run of the scripts changes this line; until then the file and the switch differ.",
            "Write `lb-provider=ovn`, `lb-method=SOURCE_IP_PORT` and `create-monitor=true`.",
            fixes.unsafe(conf, "write what USE_OVN_LB_PROVIDER requires", *_ovn(conf)),
        )


def _ovn(conf: CloudConf) -> list[Edit | None]:
    items = balancer(conf).items
    edits: list[Edit | None] = []
    for key, value in SCS_OVN.items():
        item = items.get(key)
        if item is None:
            edits.append(fixes.add_key(conf, SECTION, key, value, after=items["lb-provider"].entry))
        elif item.entry.value != value:
            edits.append(None if item.opaque else fixes.write_value(conf, item.entry, value))
    return edits
