"""The parts of the Cinder CSI driver that disagree whether there are zones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.deployments import TOPOLOGY
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, field, mappings, text_of

_GATE = re.compile(r"--feature-gates=(?:[\w=,]{0,200},)?Topology=(true|false)\b")
_OFF = (TOPOLOGY, "false")


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare this workload with those beside it, then the driver with the provisioner in its pod.

    The provisioner looks for zones where its gate is on and the driver says that it has topology.
    """
    drivers = manifest.nearby(manifest.run_context.drivers)
    own = next((pod for pod in drivers if pod.path == manifest.path and pod.subject == manifest.subject), None)
    name = manifest.at("metadata", "name")
    if own is None or not isinstance(name, Scalar) or (manifest.is_derived and _is_given(manifest)):
        return
    others = [pod for pod in drivers if pod.subject != own.subject and pod.namespace == own.namespace]
    without = next((pod for pod in others if _OFF in pod.choices), None)
    given = dict(own.choices).get(TOPOLOGY)  # "" where something else decides
    containers = mappings(field(manifest.at("spec", "template", "spec"), "containers"))
    lines = [" ".join(text_of(one) or "" for one in getattr(item.get("args"), "items", ())) for item in containers]
    gates = {gate[1] for line in lines if (gate := _GATE.search(line)) is not None}
    if given is None and without is not None and "false" not in gates:
        is_node = manifest.kind == "DaemonSet"
        yield Problem(
            name.content,
            f"the Cinder CSI driver has topology here, and `--{TOPOLOGY}=false` in {without.subject}",
            "Node plug-ins go on to report zones that the controller does not use."
            if is_node
            else "It asks for the nodes' zones, which they do not report: `no topology key found on CSINode`.",
            f"Give both `--{TOPOLOGY}=false`, and the provisioner `--feature-gates=Topology=false`; a controller before "
            "1.31.3 has no such flag.",
            severity=None if "true" in gates and not is_node else Severity.INFO,
        )
    if "false" in gates and given in (None, "true"):
        yield _differing(name, "Volumes are made in no zone, and the nodes go on to report theirs.", "false", "true")
    elif "true" in gates and given == "false":
        release = known_release(own.release)
        if release is None or behaves("csi-topology-anyway", release):
            yield _differing(
                name,
                "The driver of v1.31.3 and v1.32.0 says that it has zones in spite of the flag, and the provisioner asks for "
                "those of the nodes: `no topology key found on CSINode` where they have the flag, too.",
                "true",
                "false",
                Severity.INFO if release is None else None,
            )


def _differing(name: Scalar, detail: str, gate: str, flag: str, severity: Severity | None = Severity.INFO) -> Problem:
    return Problem(
        name.content,
        f"the provisioner has `Topology={gate}`, and the Cinder CSI driver `--{TOPOLOGY}={flag}`",
        detail,
        f"Give both the same: `--feature-gates=Topology` of csi-provisioner and `--{TOPOLOGY}` of the driver, in the chart "
        f"`csi.provisioner.topology` and `{TOPOLOGY}` in `csi.plugin.extraArgs`.",
        severity=severity,  # a driver before 1.31.3 has no other switch than the gate
    )


def _is_given(manifest: Manifest) -> bool:
    """Whether values of the chart name the flag, which are not followed."""
    return TOPOLOGY in manifest.object.source.stack.text
