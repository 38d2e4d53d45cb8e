"""Field managers by their names: who writes at a person's command, and who writes again by itself."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.access.writing import FIELD_MANAGER
from ccmcheck.cluster.core import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.access.transport import Document


class Manager(NamedTuple):
    """A program that writes objects by itself.

    Attributes:
        names: Its names as a field manager, with ``*``.
        where: Where to correct what it writes.
        source: Where the name is from.
    """

    names: tuple[str, ...]
    where: str
    source: str


_GIT = "fix it in git: `ccmcheck fix` on the repository makes that change"
_CHART = "fix it in the values of the release, which `ccmcheck fix` reads, and upgrade it"

INTERACTIVE = ("kubectl", "kubectl-*", "oc", "k9s", FIELD_MANAGER)
"""Clients that write when a person says so: kubectl names its subcommand (k8s.io/kubectl, `fieldManager`), others their
program (k8s.io/apimachinery, `prefixFromUserAgent`)."""

KNOWN = (
    Manager(("helm",), _CHART, "helm pkg/kube/client.go getManagedFieldsManager: the program's name"),
    Manager(("kustomize-controller",), _GIT, "fluxcd/kustomize-controller main.go controllerName"),
    Manager(
        ("helm-controller",),
        "fix it in git, in the values of the HelmRelease: `ccmcheck fix` on the repository makes that change",
        "fluxcd/helm-controller main.go controllerName; k3s-io/helm-controller",
    ),
    Manager(("argocd-*",), _GIT, "argoproj/argo-cd common/common.go ArgoCDSSAManager = argocd-controller"),
    Manager(("fleetagent", "fleet-agent"), _GIT, "rancher/fleet: the agent's program"),
    Manager(
        ("capi-*", "clusterctl"),
        "fix it in the management cluster's templates",
        "cluster-api internal/controllers/topology TopologyManagerName = capi-topology; controllers name capi-*",
    ),
    Manager(("Terraform", "HashiCorp"), "fix it in the Terraform configuration", "terraform-provider-kubernetes"),
    Manager(
        ("OpenAPI-Generator",),
        "fix it in the playbook or program that writes it",
        "kubernetes-client/python user agent, which Ansible's kubernetes.core has, too",
    ),
    Manager(("pulumi-kubernetes*",), "fix it in the Pulumi program", "pulumi-kubernetes field manager"),
    Manager(("deploy@*",), "fix it in the manifests folder of the k3s or RKE2 server", "k3s-io/k3s pkg/deploy"),
    Manager(("external-secrets*", "externalsecrets*"), "fix it in the store of the ExternalSecret", "external-secrets"),
)
"""Programs that write what they hold again, whatever is in the cluster."""


class Mark(NamedTuple):
    """A label or annotation by which a program knows the objects that are its own.

    Attributes:
        name: Its name.
        value: The only value; any where empty.
        program: The program.
        source: Where it is from.
    """

    name: str
    value: str
    program: str
    source: str


MARKS = (
    Mark("app.kubernetes.io/managed-by", "Helm", "Helm", "helm pkg/action/validate.go"),
    Mark("kustomize.toolkit.fluxcd.io/name", "", "Flux's kustomize-controller", "fluxcd/kustomize-controller"),
    Mark("helm.toolkit.fluxcd.io/name", "", "Flux's helm-controller", "fluxcd/helm-controller"),
    Mark("argocd.argoproj.io/tracking-id", "", "Argo CD", "argo-cd common/common.go AnnotationKeyAppInstance"),
    Mark("argocd.argoproj.io/instance", "", "Argo CD", "argo-cd docs, resource tracking by label"),
    Mark("objectset.rio.cattle.io/id", "", "Rancher or k3s", "rancher/wrangler pkg/apply LabelID"),
)


def is_interactive(manager: str) -> bool:
    """Whether a field manager writes when a person says so."""
    return any(fnmatchcase(manager, name) for name in INTERACTIVE)


def known(manager: str) -> Manager | None:
    """The program of a field manager that writes by itself; None where nobody knows it."""
    return next((one for one in KNOWN if any(fnmatchcase(manager, name) for name in one.names)), None)


def programs(obj: Document) -> Iterator[str]:
    """The programs that claim a whole object, by its labels, its annotations and its controller."""
    metadata = mapping(obj.get("metadata"))
    claims = {**mapping(metadata.get("labels")), **mapping(metadata.get("annotations"))}
    found = {mark.program for mark in MARKS if mark.name in claims and mark.value in ("", claims[mark.name])}
    yield from sorted(found)
    for owner in mappings(metadata.get("ownerReferences")):
        if owner.get("controller") is True:
            yield f"{text(owner.get('kind'))} {text(owner.get('name'))}"
