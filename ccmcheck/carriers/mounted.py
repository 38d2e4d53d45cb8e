"""What the CCM's workloads mount: it is judged, whatever it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ccmcheck.carriers.base import CarriedConf, CcmPod


def mounting(carried: CarriedConf, pods: Iterable[CcmPod]) -> CcmPod | None:
    """The workload of the CCM that mounts the object of a cloud.conf, where its files name one."""
    name = carried.subject.removeprefix(carried.carrier).strip()
    for pod in pods:
        for mount in pod.mounts:
            same_place = name in (mount.name, f"{pod.namespace}/{mount.name}")
            if mount.source == carried.carrier and mount.name and same_place:
                return pod
    return None


def take_mounted(not_taken: list[CarriedConf], pods: Sequence[CcmPod]) -> list[CarriedConf]:
    """Take out what a workload in the same folder mounts; elsewhere another cluster has an object of that name.

    Args:
        not_taken: Texts that look like a cloud.conf and are none.
        pods: The CCM's workloads.

    Returns:
        What is taken out, as cloud.confs; what is encrypted is left.
    """
    taken = []
    for carried in list(not_taken) if pods else ():
        folder = carried.path.rpartition("/")[0]
        pod = mounting(carried, (pod for pod in pods if pod.path.rpartition("/")[0] == folder))
        recognition = carried.recognition
        if pod is not None and recognition is not None and not recognition.is_encrypted:
            not_taken.remove(carried)
            because = f"{pod.subject} mounts it"
            taken.append(carried._replace(recognition=recognition._replace(taken=True, program="", because=because)))
    return taken
