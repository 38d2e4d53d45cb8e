"""The parts of the Cinder CSI driver that disagree whether there are zones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.deployments import TOPOLOGY
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, field, mappings, text_of

_GATE = re.compile(r"--feature-gates=(?:[\w=,]{0,200},)?Topology=(true|false)\b")
_OFF = (TOPOLOGY, "false")


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare this workload with those beside it, then the driver with the provisioner in its pod."""
    drivers = manifest.nearby(manifest.run_context.drivers)
    own = next((pod for pod in drivers if pod.path == manifest.path and pod.subject == manifest.subject), None)
    name = manifest.at("metadata", "name")
    if own is None or not isinstance(name, Scalar) or (manifest.is_derived and _is_given(manifest)):
        return
    others = [pod for pod in drivers if pod.subject != own.subject and pod.namespace == own.namespace]
    without = next((pod for pod in others if _OFF in pod.choices), None)
    is_on = _OFF not in own.choices
    if is_on and without is not None and not any(flag == TOPOLOGY for flag, _ in own.choices):
        yield Problem(
            name.content,
            f"the Cinder CSI driver has topology here, and `--{TOPOLOGY}=false` in {without.subject}",
            "Node plug-ins go on to report zones that the controller does not use."
            if manifest.kind == "DaemonSet"
            else "It asks for the nodes' zones, which they do not report: `no topology key found on CSINode`.",
            f"Give both `--{TOPOLOGY}=false`, and the provisioner `--feature-gates=Topology=false`; a controller before 1.32 "
            "has no such flag.",
        )
    for container in mappings(field(manifest.at("spec", "template", "spec"), "containers")):
        line = " ".join(text_of(one) or "" for one in getattr(container.get("args"), "items", ()))
        gate = _GATE.search(line)
        if gate is not None and (gate[1] == "true") is not is_on:
            yield Problem(
                name.content,
                f"the provisioner has `Topology={gate[1]}`, and the Cinder CSI driver `--{TOPOLOGY}={str(is_on).lower()}`",
                "Volumes are made in no zone, and the nodes go on to report theirs."
                if is_on
                else "It asks for zones that the nodes do not report: `no topology key found on CSINode`.",
                f"Give both the same: `--feature-gates=Topology` of csi-provisioner and `--{TOPOLOGY}` of the driver, in the chart "
                f"`csi.provisioner.topology` and `{TOPOLOGY}` in `csi.plugin.extraArgs`.",
                severity=Severity.INFO if is_on else None,  # a driver before 1.32 has no other switch
            )


def _is_given(manifest: Manifest) -> bool:
    """Whether values of the chart name the flag, which are not followed."""
    return TOPOLOGY in manifest.object.source.stack.text
