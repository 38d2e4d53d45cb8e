"""Which release reads a cloud.conf as a fact: what says so, and what was not heeded and why.

Nothing of this is asked for by an ordinary run, which needs the release alone; see `ccmcheck.conf.target_release`.
"""

from __future__ import annotations

from ccmcheck.base.facts import Fact, FactPlace
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod
from ccmcheck.catalog.data.deployments import CCM as IMAGE
from ccmcheck.catalog.signs.releases import is_ccm_image
from ccmcheck.conf.target_release import FoundRelease, known_release
from ccmcheck.workspace.survey import Survey, SurveyedConf

MOST_REJECTED = 8
"""What is named of what was not heeded; a repository of many clusters has hundreds."""

_TAG = lazy_regex(rf"{IMAGE}:(?P<tag>[\w.+-]{{1,40}})(?:@|\Z)")
_PLAIN = lazy_regex(r"[\w.+-]{1,40}\Z")


class Rejected(NamedTuple):
    """What speaks of something, too, and does not decide.

    Attributes:
        place: Where.
        why: Why it does not.
    """

    place: FactPlace
    why: str


class Evidence(NamedTuple):
    """The release as a fact, with what was not heeded.

    Attributes:
        fact: The fact, the names of releases.
        rejected: What was not heeded, the nearest first.
    """

    fact: Fact[str]
    rejected: tuple[Rejected, ...] = ()


def release_evidence(
    survey: Survey, config: SurveyedConf, kubernetes: str = "", *, with_rejected: bool = True
) -> Evidence:
    """The release of the CCM that reads a cloud.conf.

    Args:
        survey: Knows the files of the run, and what is around them.
        config: The cloud.conf, or what installs the CCM.
        kubernetes: The version of Kubernetes that is given; empty for none.
        with_rejected: Whether to look at what was not heeded, for which more files may be read.
    """
    release = survey.release_of(config).in_cluster(kubernetes)
    fact = release_fact(release)
    rejected: dict[FactPlace, str] = {}
    for pod in survey.releases.all_around(config.path) if with_rejected else ():
        place = place_of(pod)
        if place not in fact.places:
            rejected.setdefault(place, _why_not(pod, release))
        if len(rejected) == MOST_REJECTED:
            break
    return Evidence(fact, tuple(map(Rejected._make, rejected.items())))


def release_fact(found: FoundRelease) -> Fact[str]:
    """What the files around a cloud.conf say about the release that reads it."""
    target = found.target
    names = [release.release.name for release in target.each]
    said_by = (found.pod,) if found.pod is not None else (*found.rivals, *found.unnamed)
    if len(said_by) > MOST_REJECTED:  # each that is around the others would name all of them
        said_by = tuple({sign_of(pod): pod for pod in reversed(said_by)}.values())[:MOST_REJECTED]
    places = [place_of(pod) for pod in said_by]
    if target.is_assumed:
        version = found.kubernetes
        if version is not None and version.path:
            places.insert(0, FactPlace(version.path, version.line, f"Kubernetes {version.name.lstrip('v')}"))
        return Fact.assumed(names[0], target.source, *places)
    return Fact.one_of(names, *places, why=target.source if target.older else "")


def place_of(pod: CcmPod) -> FactPlace:
    """Where a workload, a chart or a tag says a release, and what it says there."""
    return FactPlace(pod.line_path or pod.path, pod.line, sign_of(pod))


def sign_of(pod: CcmPod) -> str:
    """What says a release, as far as it may be shown: ``image tag v1.31.2``, ``chart 2.31.0``."""
    if is_ccm_image(pod.image):
        match = _TAG.search(pod.image)
        name = "newTag" if pod.subject == "images" else "image tag"
        return f"{name} {match['tag']}" if match is not None else "image without a fixed tag"
    if pod.subject.isidentifier():  # a variable, with its value
        name = f"default of {pod.subject}" if pod.is_default else f"variable {pod.subject}"
        return f"{name}: {pod.image}" if _PLAIN.match(pod.image) else name
    _, _, version = pod.subject.partition(" (chart ")
    if version:
        return f"chart {version.rstrip(')')}"
    return "image without a fixed tag" if pod.image else pod.subject


def _why_not(pod: CcmPod, found_release: FoundRelease) -> str:
    """Why something does not decide which release it is."""
    decides = found_release.pod
    release = known_release(pod.release)
    if release is None:
        return f"{pod.release} is no release that is known" if pod.release else "names no release"
    if decides is None:
        return "further away than what names no release" if found_release.unnamed else "further away"
    if pod.path == decides.path and decides.image and not pod.image:
        return "the image beside it goes before it"
    if release == found_release.release:
        return "says the same"
    if pod.is_default and not decides.is_default:
        return "a default, which goes behind what is used"
    return "in another document of the file" if pod.path == decides.path else "further away"
