"""Settings that the Sovereign Cloud Stack scripts do not recognise or undo."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Problem, Problems
from ccmcheck.carriers.base import ScsSwitches as Switches
from ccmcheck.catalog.data.cluster import SCS_KEYS, SCS_OVN
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer


def check(conf: CloudConf) -> Problems:
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


def _contradiction(conf: CloudConf, switches: Switches, item: Item | None) -> Problems:
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
