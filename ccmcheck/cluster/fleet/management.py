"""Cluster API's management cluster: its Clusters, the kubeconfig Secret of each, and what delivers their objects.

The contract of a control plane provider says of that Secret that it "MUST not be shared with other users or
applications": ccmcheck reads it by its name where it is asked to, and nothing else with it. Source: cluster-api
docs/book/src/developer/providers/contracts/control-plane.md.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import mapping, text
from ccmcheck.cluster.access.errors import FORBIDDEN, NOT_FOUND, ApiError, Refused
from ccmcheck.cluster.access.kubeconfig import Trust, Unusable, parse
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.fleet.connection import FleetConnection
from ccmcheck.cluster.fleet.credentials import Credentials, credentials
from ccmcheck.cluster.fleet.targets import ClusterTarget

SHARED = (
    "the kubeconfig Secrets of Cluster API hold administrators' credentials; its contract says they must not be shared "
    "with other users or applications. With credentials of its own (ccmcheck cluster rbac, --kubeconfig-dir) ccmcheck "
    "needs none of them"
)


class NoClusterApi(Unusable):
    """The API server serves no Clusters."""


class Management:
    """The Clusters of a management cluster.

    Args:
        connection: How its API server is reached.
        trust: What the kubeconfigs in its Secrets may ask for.
        namespaces: The namespaces of the Clusters; none for all.
        selector: A label selector; empty for all Clusters.
    """

    def __init__(
        self, connection: FleetConnection, trust: Trust, namespaces: tuple[str, ...] = (), selector: str = ""
    ) -> None:
        self.transport = Transport(connection)
        self._connection = connection
        self._trust = trust
        self._namespaces = namespaces
        self._selector = selector

    def close(self) -> None:
        """Close the connection; the next request opens it again."""
        self._connection.close()

    def targets(self) -> list[ClusterTarget]:
        """The Clusters, by namespace and name.

        Raises:
            ApiError: They cannot be listed.
            NoClusterApi: There is no Cluster API.
        """
        return sorted(map(_target, self.clusters()))

    def clusters(self) -> Iterator[Document]:
        """The Clusters as the API server sends them.

        Raises:
            ApiError: They cannot be listed.
            NoClusterApi: There is no Cluster API.
        """
        version = self._version()
        query = {"labelSelector": self._selector} if self._selector else {}
        for namespace in self._namespaces or ("",):
            yield from items(self.transport, requests.clusters(version, namespace).path, query)

    def credentials(self, target: ClusterTarget) -> Credentials:
        """See `ccmcheck.cluster.fleet.targets.ClusterSource`."""
        request = requests.kubeconfig(target.source, target.context)
        try:
            secret = self.transport.get(request.path)
        except Refused as error:
            hint = "The Cluster has no control plane yet." if error.status == NOT_FOUND else ""
            if error.status == FORBIDDEN:
                hint = "`ccmcheck cluster rbac --for fleet` prints the role that is needed."
            raise Unusable(f"{request.title}: {error.message}", hint) from None
        except ApiError as error:
            raise Unusable(f"{request.title}: {error.message}", error.hint) from None
        value = text(mapping(secret.get("data")).get(requests.KUBECONFIG_KEY))
        try:
            written = base64.b64decode(value, validate=True).decode("utf-8-sig")
        except (binascii.Error, ValueError):
            written = ""
        if not written:
            raise Unusable(f"{request.title} holds no kubeconfig under the key {requests.KUBECONFIG_KEY}")
        kubeconfig = parse([(written, "")])
        return credentials(kubeconfig, kubeconfig.only_context(), self._trust)

    def _version(self) -> str:
        try:
            group = self.transport.get(requests.CLUSTER_API_PATH)
        except Refused as error:
            if error.status == NOT_FOUND:
                raise NoClusterApi(
                    "this is no management cluster: it does not serve cluster.x-k8s.io",
                    "Name it with --context, or name clusters by --all-contexts or --kubeconfig-dir.",
                ) from None
            raise
        version = text(mapping(group.get("preferredVersion")).get("version"))
        return version if version.isalnum() else "v1beta1"


def _target(cluster: Document) -> ClusterTarget:
    metadata = mapping(cluster.get("metadata"))
    namespace, name = text(metadata.get("namespace")), text(metadata.get("name"))
    labels = tuple(sorted((key, text(value)) for key, value in mapping(metadata.get("labels")).items()))
    return ClusterTarget(f"{namespace}/{name}", namespace, name, labels)
