"""What the CCM's workloads mount: it is judged, whatever it looks like."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.carriers.base import CarriedConf, CcmPod


def mounting(carried: CarriedConf, pods: Iterable[CcmPod]) -> CcmPod | None:
    """The workload of the CCM that mounts the object of a cloud.conf, where its files name one."""
    name = carried.subject.removeprefix(carried.carrier).strip()
    for pod in pods:
        for mount in pod.mounts:
            known = pod.namespace or name.rpartition("/")[0]  # one without a namespace gets it when it is applied
            same_place = name in (mount.name, f"{known}/{mount.name}")
            if mount.source == carried.carrier and mount.name and same_place:
                return pod
    return None


class Mounted:
    """The objects that workloads of the CCM mount, by their folders: elsewhere another cluster has one of that name.

    Args:
        pods: The workloads.
    """

    def __init__(self, pods: Iterable[CcmPod]) -> None:
        self._by: dict[tuple[str, str, str], str] = {}
        for pod in pods:
            for mount in pod.mounts:
                for name in (mount.name, f"{pod.namespace}/{mount.name}"):
                    self._by.setdefault((_folder(pod.path), mount.source, name), pod.subject)

    def mounts(self, carried: CarriedConf) -> bool:
        """Whether one of them mounts the object of a cloud.conf in its folder."""
        name = carried.subject.removeprefix(carried.carrier).strip()
        return bool(name) and (_folder(carried.path), carried.carrier, name) in self._by

    def take(self, not_taken: list[CarriedConf]) -> list[CarriedConf]:
        """Take out the texts that they mount, whatever these look like.

        Args:
            not_taken: Texts that look like a cloud.conf and are none; those that are left stay.

        Returns:
            What is taken out, as cloud.confs; what is encrypted is left.
        """
        taken, kept = [], []
        for carried in not_taken:
            name = carried.subject.removeprefix(carried.carrier).strip()
            subject = self._by.get((_folder(carried.path), carried.carrier, name), "") if name else ""
            recognition = carried.recognition
            if subject and recognition is not None and not recognition.is_encrypted:
                judged = recognition._replace(taken=True, program="", because=f"{subject} mounts it")
                taken.append(carried._replace(recognition=judged))
            else:
                kept.append(carried)
        not_taken[:] = kept
        return taken


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
