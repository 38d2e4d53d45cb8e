"""What of a checkout belongs to a cluster: a repository often holds several, each with a Secret of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.core import cluster_names, errors, lazy_regex, nearby_conf, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.cluster.core import carriers, surveys
    from ccmcheck.cluster.live.ccm import Ccm
    from ccmcheck.cluster.live.snapshot import LiveConfig

_HASH = lazy_regex(r"-[2456789bcdfghkmt]{10}\Z")
"""The hash that kustomize appends to the names of generated objects (sigs.k8s.io/kustomize api/hasher)."""
_MOST_NAMED = 4


def config_of(survey: surveys.Survey, live: LiveConfig) -> surveys.SurveyedConf | None:
    """The cloud.conf of a checkout that is meant to be a live one.

    Args:
        survey: What the checkout holds.
        live: The live one.

    Returns:
        It; None where the checkout has none.

    Raises:
        WrongUse: Several may be meant.
    """
    confs = [one for one in survey.ccm_confs if one.carried is not None and nearby_conf.is_for_ccm(one.carried)]
    kind, namespace, name = live.place.kind, live.ccm.pod.namespace, live.place.name
    stages: tuple[Callable[[carriers.CarriedConf], bool], ...] = (
        lambda one: (*_parts(one.subject), one.key) == (kind, namespace, name, live.place.key),
        lambda one: _parts(one.subject) == (kind, namespace, _HASH.sub("", name)),
        lambda one: _parts(one.subject) in ((kind, "", name), (kind, "", _HASH.sub("", name))),
        lambda one: one.carrier not in ("Secret", "ConfigMap"),
        lambda _: len(confs) == 1,
    )
    for is_meant in stages:
        found = [one for one in confs if one.carried is not None and is_meant(one.carried)]
        if found:
            return _only(_of_cluster(found, survey.workloads, live.ccm.pod), live.file.subject)
    return None


def workload_of(
    workloads: Sequence[carriers.CcmPod], live: Ccm, config: surveys.SurveyedConf | None
) -> carriers.CcmPod | None:
    """The workload or chart of a checkout that is meant to be a live CCM; None where there is none, or several.

    Args:
        workloads: The checkout's.
        live: The live one.
        config: The cloud.conf of the checkout that it reads.
    """
    around = nearest(config.path, workloads) if config is not None else list(workloads)
    name = live.pod.subject
    for candidates in (around, list(workloads)):
        for stage in (
            [one for one in candidates if one.subject == name],
            [one for one in candidates if _parts(one.subject)[::2] == _parts(name)[::2] and not one.namespace],
            candidates,
        ):
            found = _of_name(stage, live.pod) if len(stage) > 1 else stage
            if len(found) == 1:
                return found[0]
    return None


def _parts(subject: str) -> tuple[str, str, str]:
    """Kind, namespace and name of an object."""
    kind, _, title = subject.partition(" ")
    namespace, slash, name = title.partition("/")
    return (kind, namespace, name) if slash else (kind, "", namespace)


def _of_cluster(
    found: Sequence[surveys.SurveyedConf], workloads: Sequence[carriers.CcmPod], live: carriers.CcmPod
) -> Sequence[surveys.SurveyedConf]:
    """Those of some cloud.confs beside which a CCM has the cluster's name; all of them where none has."""
    own = [one for one in found if _of_name(nearest(one.path, workloads), live)]
    return own or found


def _of_name(workloads: Sequence[carriers.CcmPod], live: carriers.CcmPod) -> list[carriers.CcmPod]:
    wanted = live.cluster_name or cluster_names.DEFAULT_CLUSTER_NAME
    return [one for one in workloads if (one.cluster_name or cluster_names.DEFAULT_CLUSTER_NAME) == wanted]


def _only(found: Sequence[surveys.SurveyedConf], subject: str) -> surveys.SurveyedConf:
    texts = {one.carried.text for one in found if one.carried is not None}
    if len(texts) > 1:
        titles = [one.title for one in found]
        more = f" and {len(titles) - _MOST_NAMED} more" if len(titles) > _MOST_NAMED else ""
        raise errors.WrongUse(
            f"{subject} may be any of {', '.join(titles[:_MOST_NAMED])}{more}", "Name the folder of this cluster alone."
        )
    return found[0]
