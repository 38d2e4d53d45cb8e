"""Cluster API's machines: the files and commands of KubeadmControlPlane, KubeadmConfig and their templates.

The path to them differs by kind and not by version: ``v1beta1`` and ``v1beta2`` have the same ``files`` and commands
(cluster-api, api/bootstrap/kubeadm/v1beta2/kubeadmconfig_types.go).
"""

from __future__ import annotations

from ccmcheck.carriers import files
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.data.cluster import KUBEADM_PATHS
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field

_COMMANDS = ("preKubeadmCommands", "postKubeadmCommands", "bootCommands")


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search one of them."""
    machine = obj.at(*KUBEADM_PATHS[obj.kind])
    if not isinstance(machine, Mapping):
        return
    files.search_entries(carrier, machine.get("files"), "files")
    for name in _COMMANDS:
        commands = machine.get(name)
        for number, command in enumerate(commands.items if isinstance(commands, Sequence) else ()):
            if isinstance(command, Scalar) and "\n" in command.value:
                carrier.search_scalar(command, f"{name}[{number}]")
    ignition = field(machine, "ignition", "containerLinuxConfig", "additionalConfig")
    if isinstance(ignition, Scalar):
        carrier.search_scalar(ignition, "ignition.containerLinuxConfig.additionalConfig")
