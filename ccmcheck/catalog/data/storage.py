"""What a StorageClass, a volume or a claim of Cinder says that Cinder, Nova or the driver does not do; ``storage.txt``."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.records import NamedTuple


class StorageFault(NamedTuple):
    """One fault.

    Attributes:
        kind: The kind of the object that has it.
        label: What is wrong and what follows, for the line; ``{FACT}`` stands for the values of a fact.
        detail: Why.
        do: What to write.
        when: What must hold, as ``storage.txt`` explains it.
        at: The field of the object that is pointed at, ``match`` and a form where it has several; its name where there is none.
        may: Whether it is information, as it depends on what no file shows.
        once: Whether the first object of the kind in a file speaks for all.
        rule: The rule that reports it.
    """

    kind: str
    label: str
    detail: str
    do: str
    when: tuple[str, ...]
    at: str = "metadata.name"
    may: bool = False
    once: bool = False
    rule: str = "cinder-storage"


FAULTS = records(read_paragraphs(__file__, "storage.txt"), StorageFault)
"""The worst first: of those that an object has, the first is reported."""

DRIVER_NAME = "cinder.csi.openstack.org"
"""What a StorageClass calls the Cinder CSI driver (pkg/csi/cinder/driver.go)."""

ZONE_LABELS = (
    "topology.cinder.csi.openstack.org/zone", "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone",
)  # fmt: skip
"""The labels with a node's zone: of the driver's node plug-in, of the CCM, and of Kubernetes before 1.17."""
