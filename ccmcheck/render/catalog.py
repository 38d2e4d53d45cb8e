"""The templates there are: those that ccmcheck ships, and those of a folder that the user names."""

from __future__ import annotations

import os
from functools import cache

from ccmcheck.base.boundary import LeadsOut, refuse
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple

_SUFFIX = ".j2"


class Template(NamedTuple):
    """One template.

    Attributes:
        file: Its file.
        about: What it makes, in a few words.
    """

    file: str
    about: str

    @property
    def makes(self) -> str:
        """What the file that it makes is called by people, and by those who tell kinds of files by their names."""
        return self.file.removesuffix(_SUFFIX)


TEMPLATES: dict[str, Template] = {
    "cloud.conf": Template("cloud.conf.j2", "the file itself"),
    "secret": Template("secret.yaml.j2", "the Secret that the CCM mounts, kube-system/cloud-config"),
    "configmap": Template("configmap.yaml.j2", "OpenShift's openshift-config/cloud-provider-config"),
    "kustomize": Template("kustomization.yaml.j2", "a kustomization that makes the Secret, or patches it"),
    "cluster-resource-set": Template("cluster-resource-set.yaml.j2", "a ClusterResourceSet that applies the Secret"),
    "clusterclass-patch": Template("clusterclass-patch.yaml.j2", "a ClusterClass patch for the control plane's nodes"),
    "helm-values": Template("helm-values.yaml.j2", "values of the upstream chart"),
}
"""The files with a cloud.conf that ccmcheck ships, by the name that users give."""

WITHOUT_CONF: dict[str, Template] = {
    "admission": Template("admission.yaml.j2", "ValidatingAdmissionPolicies that judge new Services"),
    "dashboard": Template("dashboard.json.j2", "a Grafana dashboard for --format prometheus"),
    "report-cronjob": Template("report-cronjob.yaml.j2", "a CronJob that writes Reports and pushes metrics"),
}
"""What ccmcheck ships besides: files about clusters, without a cloud.conf in them."""


@cache
def shipped() -> str:
    """The folder of the templates that ccmcheck ships: in the package once installed, beside it in the repository."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "templates")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "templates")


def find(name: str, folder: str | None) -> Template:
    """Look a template up.

    Args:
        name: As the user gives it: ``secret``, or the beginning of a file's name in ``folder``.
        folder: The user's templates, whose files win over those of the same name.

    Raises:
        WrongUse: There is no such template, or no such folder.
    """
    own = _own(folder) if folder is not None else {}
    shipped_ones = TEMPLATES | WITHOUT_CONF
    known = shipped_ones | own
    if name in shipped_ones:
        return shipped_ones[name]
    if name in own:
        return own[name]
    from ccmcheck.base.suggest import hint

    raise WrongUse(f"There is no template `{name}`.", hint(name, known) or f"There are {', '.join(known)}.")


def _own(folder: str) -> dict[str, Template]:
    try:
        refuse(folder)
        files = sorted(file for file in os.listdir(folder) if file.endswith(_SUFFIX))
    except LeadsOut as error:
        raise WrongUse(f"--template-dir {folder} cannot be read: {error.message}.", error.hint) from None
    except OSError as error:
        raise WrongUse(
            f"--template-dir {folder} cannot be read: {(error.strerror or type(error).__name__).lower()}."
        ) from None
    found: dict[str, Template] = {}
    for file in files:
        template = Template(file, "")
        found.setdefault(template.makes.removesuffix(".yaml"), template)
    return found
