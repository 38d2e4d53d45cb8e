"""Which files are judged though they are examples or test data by their names: a CCM mounts what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ccmcheck.base.path_proximity import nearest
from ccmcheck.carriers import FileContents
from ccmcheck.carriers.base import CarriedConf, CcmPod
from ccmcheck.carriers.prefilter import mentions_ccm, mentions_cloud_conf


def mounted(
    left_out: Mapping[str, bytes],
    judged: Callable[[], Iterable[tuple[str, bytes]]],
    find: Callable[[str, bytes], FileContents | None],
) -> tuple[set[str], list[CcmPod]]:
    """The files with a cloud.conf that a CCM mounts, where none that is judged is as near to it.

    Args:
        left_out: The files that are left out, with their bytes.
        judged: Gives those that are judged.
        find: Gives what a file holds.

    Returns:
        The files, and the CCMs in those that are left out, which tell the release of what they mount and no more.
    """
    confs = [
        conf for path, data in left_out.items() if mentions_cloud_conf(data, path) for conf in _confs(find(path, data))
    ]
    if not confs:
        return set(), []
    names = {conf.subject.rpartition("/")[2].rpartition(" ")[2].encode() for conf in confs}
    pods: list[CcmPod] = []
    for path, data in (*left_out.items(), *judged()):
        has_ccm = mentions_ccm(data)
        if has_ccm or (path not in left_out and any(name in data for name in names)):
            contents = find(path, data)
            pods += contents.pods if has_ccm and contents is not None else ()
            confs += _confs(contents) if path not in left_out else ()
    found: set[str] = set()
    for pod in pods:
        near = nearest(pod.path, [conf for conf in confs if _reads(pod, conf)])
        if near and all(conf.path in left_out for conf in near):
            found.update(conf.path for conf in near)
    return found, [pod for pod in pods if pod.path in left_out and pod.path not in found]


def _confs(contents: FileContents | None) -> list[CarriedConf]:
    return [conf for conf in contents.carried if conf.subject] if contents is not None else []


def _reads(pod: CcmPod, conf: CarriedConf) -> bool:
    """Whether a CCM mounts the object of a cloud.conf."""
    kind, _, name = conf.subject.partition(" ")
    namespace, _, short = name.rpartition("/")
    in_reach = not namespace or pod.namespace in ("", namespace)
    return in_reach and any(mount.source == kind and mount.name == short for mount in pod.mounts)
