"""The programs that may read a cloud.conf, as messages call them."""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

READER_NAMES: dict[str, str] = dict(read_table(__file__, "data/readers.tsv"))
"""By the name that `ccmcheck.catalog.CONSUMERS` or `ccmcheck.carriers` has for them."""

_PROCESSES = {"legacy-in-tree": "kube-controller-manager, kubelet"}
"""The processes that a reader is a part of, where its name does not say it."""


def reader_name(consumer: str) -> str:
    """Who reads a cloud.conf, for the middle of a sentence; the program's own name where no other is usual.

    Args:
        consumer: ``cinder-csi-plugin``; empty for the CCM.
    """
    return READER_NAMES.get(consumer or "ccm", consumer)


def reader_with_processes(consumer: str) -> str:
    """The same with the processes that it is a part of: ``the in-tree provider (kube-controller-manager, kubelet)``."""
    processes = _PROCESSES.get(consumer)
    return f"{reader_name(consumer)} ({processes})" if processes else reader_name(consumer)
