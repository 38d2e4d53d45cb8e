"""A release of the CCM, or of the in-tree provider, with a bug that a later one mends."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog.data.release_bugs import ReleaseBug
from ccmcheck.catalog.release_bugs import bugs_of, shown_by, told
from ccmcheck.conf.item import UNKNOWN, Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules._support.ignored import CCM, is_ccm_file, is_foreign

_CLASS = "LoadBalancerClass"


def check(conf: CloudConf) -> Problems:
    """Report the bugs that the configuration shows each at its key, and the rest together."""
    section = next(iter(conf.sections_named(SECTION)), None) or next(iter(conf.sections), None)
    is_in_tree = conf.consumer == IN_TREE and not is_foreign(conf)
    if section is None or not (is_in_tree or is_ccm_file(conf)):
        return
    program, name = (IN_TREE, "the in-tree provider of Kubernetes") if is_in_tree else (CCM, "CCM")
    has_balancers = is_in_tree or (balancer(conf).applies and conf.value(SECTION, "use-octavia") is not False)
    has_balancers = has_balancers and any(True for _ in conf.sections_named(SECTION))
    rest = []
    for bug in bugs_of(program, conf.release):
        if not (has_balancers or bug.everywhere) or not _applies(conf, bug):
            continue
        if bug.service and conf.run_context.services:
            continue  # `svc-release-bug` looks at them
        item = _item(conf, bug.on[0]) if bug.on and not (bug.when or bug.may or bug.service) else None
        if item is None:
            rest.append(bug)
        else:
            yield Problem(item.span, *told([bug], conf.release, name))
    rest.sort(key=_rank)
    if not all(bug.minor for bug in rest):
        command = "" if is_in_tree else f"ccmcheck explain {conf.release.name}"
        yield Problem(section.span, *told(rest, conf.release, name, command=command), severity=Severity.INFO)


def _rank(bug: ReleaseBug) -> tuple[bool, int, bool]:
    """What the keys show first, and last what is about no load balancers and no file shows."""
    return bug.minor, 2 if bug.everywhere and bug.on and bug.when else not bug.on, bool(shown_by(bug))


def _applies(conf: CloudConf, bug: ReleaseBug) -> bool:
    has_class = not any("class" in one for one in bug.service) or any(True for _ in conf.sections_named(_CLASS))
    return has_class and all(_holds(conf, one) for one in bug.on) and not any(_is_set(conf, one) for one in bug.without)


def _split(condition: str) -> tuple[str, str, str]:
    """The section, the key and the wanted value of a condition."""
    name, _, wanted = condition.partition("=")
    section, _, key = name.rpartition(".")
    return section or SECTION, key, wanted


def _item(conf: CloudConf, condition: str) -> Item | None:
    section, key, _ = _split(condition)
    return conf.last(section, key)


def _holds(conf: CloudConf, condition: str) -> bool:
    """Whether the file sets a key, to true or the wanted value."""
    section, key, wanted = _split(condition)
    value = conf.value(section, key) if _item(conf, condition) is not None else UNKNOWN
    return value not in (UNKNOWN, "", False) if not wanted else str(value).lower() == wanted


def _is_set(conf: CloudConf, condition: str) -> bool:
    """Whether a key is set, or may be, to the wanted value where there is one."""
    section, key, wanted = _split(condition)
    value = conf.value(section, key)
    return value not in (None, "", False) and (not wanted or value is UNKNOWN or str(value).lower() == wanted)
