"""The options that a cloud.conf near a Service gives at one release."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.base.profile import Requirement
from ccmcheck.carriers.base import CarriedConf, NearbyConf
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog import Release
from ccmcheck.conf.view import CloudConf
from ccmcheck.layers.stack import Stack
from ccmcheck.predict.inputs.options import KEYS, SECTION, Options, options_of, read_options


@lru_cache(maxsize=64)
def options_at(conf: NearbyConf, release: Release) -> Options | None:
    """A cloud.conf as a release reads it; None where masking its secrets broke it."""
    return None if conf.broken else options_of(_view(conf, release))


def balances(conf: NearbyConf, release: Release) -> bool:
    """Whether the CCM makes load balancers with a cloud.conf; False where that is unknown."""
    options = options_at(conf, release)
    return options is not None and not (options.unsupported or options.stop)


def left_out(node: KubernetesObject) -> str:
    """Why the service controller hands a Node of a file to no load balancer; empty where it does."""
    from ccmcheck.predict.inputs.manifests import plain, read_node

    return read_node(plain(node.node, node.source))[1]


@lru_cache(maxsize=64)
def may_gain_sections(conf: NearbyConf, release: Release) -> bool:
    """Whether a template may add or name a section of a cloud.conf: a value that it decides adds none."""
    if not conf.marks or conf.broken:
        return bool(conf.marks)
    view = _view(conf, release)
    return view.may_hide_keys() or any(view.is_opaque(section.span) for section in view.document.sections)


@lru_cache(maxsize=64)
def implied_options(requirements: tuple[Requirement, ...], release: Release) -> Options | None:
    """What the profiles say of the CCM's options where no cloud.conf is known; None where they say nothing.

    Every key that they do not name stays unknown.

    Args:
        requirements: Those of the profiles.
        release: The CCM's release.
    """
    from ccmcheck.policy.profiles.stand_in import stand_in

    balancer = tuple(one for one in requirements if one.section == SECTION)
    implied = stand_in(balancer, release) if balancer else ""
    if not implied:
        return None
    options = read_options(f"[{SECTION}]\nlb-version =\n{implied}", release)
    return options._replace(open=tuple(key for key in KEYS if key not in options.given))


def _view(conf: NearbyConf, release: Release) -> CloudConf:
    carried = CarriedConf("file", "", "", Stack(conf.text), conf.text, conf.marks, final=not conf.marks, path=conf.path)
    return CloudConf.read(carried, release)


def agree(one: Options | None, other: Options | None) -> bool:
    """Whether two configurations have the same effect, however they are written."""
    if one is None or other is None:
        return False
    blank = frozenset[str]()
    return one._replace(given=blank) == other._replace(given=blank)
