"""Flags and feature gates of Kubernetes' own programs at which a version ends, or that make no sense beside a CCM."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, read_table, records
from ccmcheck.base.records import NamedTuple


class ComponentFlag(NamedTuple):
    """What one flag does.

    Attributes:
        program: ``kubelet``, ``kube-controller-manager`` or ``kube-apiserver``.
        flag: Without its hyphens.
        label: What happens; ``{}`` stands for the version.
        detail: Why.
        do: What to write.
        value: A pattern of its value; any where empty.
        beside: Another flag of the program, and its value.
        gate: A feature gate that must not be on.
        since: The first minor version of Kubernetes; empty for all.
        before: The first one without it.
        is_info: Whether the program goes on.
    """

    program: str
    flag: str
    label: str
    detail: str
    do: str
    value: str = ""
    beside: str = ""
    gate: str = ""
    since: str = ""
    before: str = ""
    is_info: bool = False


FLAGS = records(read_paragraphs(__file__, "kubernetes_flags.txt"), ComponentFlag)

GATES: dict[str, tuple[tuple[str, int], ...]] = {}
"""By feature gate the values that end a program, with the first minor version: empty for each, as it has none."""
for _gate, _value, _version in read_table(__file__, "kubernetes_gates.tsv"):
    GATES[_gate] = (*GATES.get(_gate, ()), (_value, int(_version.partition(".")[2])))
