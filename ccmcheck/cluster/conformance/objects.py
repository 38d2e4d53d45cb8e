"""The objects of a run: a namespace, and for each case nginx's configuration, a Deployment and a Service."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ccmcheck.cluster.access.kubeconfig import plain_documents
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import echo
from ccmcheck.cluster.conformance.cases import Case
from ccmcheck.cluster.core import NamedTuple

RUN_LABEL = "ccmcheck.dev/conformance-run"
CASE_LABEL = "ccmcheck.dev/conformance-case"
_MANAGER = {"app.kubernetes.io/managed-by": "ccmcheck"}
_PREFIX = "ccmcheck-conformance-"
_CONFIGURATION = "nginx"
USER = 101
"""nginx's user in its image; any other would do."""
NAMESPACES = "/api/v1/namespaces"


class RunPlace(NamedTuple):
    """Where the objects of a run are.

    Attributes:
        run_id: The value of the label.
    """

    run_id: str

    @property
    def namespace(self) -> str:
        """The namespace's name."""
        return f"{_PREFIX}{self.run_id}"

    @property
    def namespace_path(self) -> str:
        """The namespace's path."""
        return f"{NAMESPACES}/{quote(self.namespace, safe='')}"

    def path(self, resource: str, name: str = "") -> str:
        """The path of a list or of an object in the namespace.

        Args:
            resource: ``services``, ``deployments``.
            name: The object's name; empty for the list.
        """
        root = self.namespace_path
        if resource == "deployments":
            root = root.replace("/api/v1/", "/apis/apps/v1/", 1)
        return f"{root}/{resource}" + (f"/{quote(name, safe='')}" if name else "")

    def labels(self, case: str = "") -> dict[str, str]:
        """The labels of an object."""
        return {**_MANAGER, RUN_LABEL: self.run_id, **({CASE_LABEL: case} if case else {})}


def is_of_run(obj: Document, run_id: str) -> bool:
    """Whether an object carries the label of a run."""
    metadata = obj.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return isinstance(labels, dict) and labels.get(RUN_LABEL) == run_id


def namespace(place: RunPlace) -> Document:
    """The namespace of a run."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": place.namespace, "labels": place.labels()}}


def configuration(place: RunPlace) -> Document:
    """The workload's configuration."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": _CONFIGURATION, "labels": place.labels()},
        "data": {"nginx.conf": echo.configuration(ipv6=True), "nginx-ipv4.conf": echo.configuration(ipv6=False)},
    }


def deployment(place: RunPlace, case: Case, image: str, user: int | None = USER) -> Document:
    """The workload of a case: pods on nodes as different as possible, allowed wherever `restricted` is enforced.

    Args:
        place: Where.
        case: The case.
        image: The image.
        user: The user of the pods; None where the cluster sets one.
    """
    selector = {CASE_LABEL: case.name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": case.name, "labels": place.labels(case.name)},
        "spec": {
            "replicas": case.replicas,
            "selector": {"matchLabels": selector},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}},
            "template": {"metadata": {"labels": place.labels(case.name)}, "spec": _pod(image, selector, user)},
        },
    }


def _pod(image: str, selector: dict[str, str], user: int | None) -> Any:  # noqa: ANN401 - the file's
    pod: Any = next(plain_documents(echo.filled("pod.yaml")))
    pod["containers"][0]["image"] = image
    pod["topologySpreadConstraints"][0]["labelSelector"] = {"matchLabels": selector}
    if user is None:
        del pod["securityContext"]["runAsUser"], pod["securityContext"]["runAsGroup"]
    return pod


def service(place: RunPlace, case: Case, port: int, name: str = "", **annotations: str) -> Document:
    """The Service of a case.

    Args:
        place: Where.
        case: The case.
        port: The port that clients connect to.
        name: Its name, where it is not the case's.
        annotations: Further ones.
    """
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": name or case.name,
            "labels": place.labels(case.name),
            "annotations": {**case.annotations, **annotations},
        },
        "spec": {
            "type": "LoadBalancer",
            "selector": {CASE_LABEL: case.name},
            "ports": [service_port(case, port)],
            **case.spec,
        },
    }


def service_port(case: Case, port: int) -> dict[str, Any]:
    """The port of a case's Service."""
    protocol = "UDP" if case.udp else "TCP"
    return {"name": "echo", "port": port, "targetPort": case.target_port, "protocol": protocol}
