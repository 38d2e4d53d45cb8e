"""A key or section that only a later release reads."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.suggest import fold_name
from ccmcheck.catalog import fold
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import IgnoredKey, by_release, first_release, lost_sections, reported_by


def check(conf: CloudConf) -> Problems:
    """Report the names that the catalogue has for a later release."""
    for section, history in lost_sections(conf):
        if by_release(conf.schema, history) == "key-too-new":
            first = first_release(history, conf.schema.consumer, conf.release)
            yield Problem(
                section.span,
                f"CCM {conf.release.name} does not know this section and silently ignores every key in it",
                "",
                f"Upgrade to {first}, the first release that reads it.",
            )
    reader = conf.consumer if conf.consumer == CINDER_CSI else "CCM"
    for ignored in reported_by(conf, "key-too-new"):
        if ignored.history is None:
            continue
        first = first_release(ignored.history, conf.schema.consumer, conf.release)
        yield Problem(
            ignored.item.entry.key_span,
            f"{reader} {conf.release.name} does not know this key and silently ignores it",
            f"The first release that reads it is {first}."
            + (
                ""
                if fold(ignored.item.section.name) == fold(ignored.section)
                else f" It belongs to [{ignored.section}]."
            ),
            _instead(conf, ignored, first),
        )
    for clouds in conf.all("Global", "use-clouds") if behaves("csi-ignores-clouds", conf.release) else ():
        if conf.consumer == CINDER_CSI and conf.typed(clouds) is True:
            yield Problem(
                clouds.entry.key_span,
                f"{CINDER_CSI} {conf.release.name} knows this key and does nothing with it: it reads no clouds.yaml",
                "It logs in with what else is in [Global].",
                f"Upgrade to {fixed_in('csi-ignores-clouds', conf.release)}, or write the login into [Global].",
            )


def _instead(conf: CloudConf, ignored: IgnoredKey, first: str) -> str:
    section = conf.schema.section(ignored.section)
    older = [spec.name for spec in section.keys if fold_name(spec.name) == fold_name(ignored.meant)] if section else []
    if older:
        return f"Write `{older[0]}`, its name in this release."
    return f"Upgrade to {first}, or delete the line."
