"""Kustomizations that grow in number of one thing, with the objects that they build."""

from __future__ import annotations

from collections.abc import Callable

from growing import Growing, command

BREAK = "\n%%\n"
"""Between the kustomization and its objects."""
_SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {{name: a{0}}}\nspec: {{type: LoadBalancer, ports: [{{port: 80}}]}}\n---\n"
_CCM = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a{0}, namespace: n{0}}}\nspec: {{template: {{spec: {{containers: ["
    "{{name: openstack-cloud-controller-manager, args: [--cluster-name=x, --cloud-config=/etc/c], "
    'image: "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.0"}}]}}}}}}\n---\n'
)


def build(path: str, text: str) -> str:
    """Lint what a kustomization builds."""
    return command("lint", "--max-findings", "1", ".", beside=_files(path, text))


def predict_build(path: str, text: str) -> str:
    """Predict what the CCM asks for what a kustomization builds."""
    return command("predict", "--nodes", "3", ".", beside=_files(path, text))


def _files(path: str, text: str) -> dict[str, str]:
    kustomization, _, objects = text.partition(BREAK)
    return {path: kustomization, "objects.yaml": objects}


def lint_folder(path: str, text: str) -> str:
    """Lint a folder for each document."""
    files = {f"{number}/{path}": document for number, document in enumerate(text.split("---\n")) if document}
    return command("lint", "--max-findings", "1", ".", beside=files)


def _row(line: str, objects: str = _SERVICE, head: str = "", size: int = 500) -> Growing:
    return Growing("kustomization.yaml", _both(line, objects, head), build, size)


def _both(line: str, objects: str, head: str) -> Callable[[int], str]:
    return lambda count: (
        f"resources: [objects.yaml]\n{head}\n"
        + "".join(line.format(number) for number in range(count))
        + BREAK
        + "".join(objects.format(number) for number in range(count))
    )


_PATCH = (
    '- patch: "{{apiVersion: v1, kind: Service, metadata: {{name: a{0}}}, spec: {{externalTrafficPolicy: Local}}}}"\n'
)
_TARGETED = '- target: {{kind: Service, name: a{0}}}\n  patch: "[{{op: add, path: /spec/externalTrafficPolicy, value: Local}}]"\n'

BUILDS: dict[str, Growing] = {
    "patches and objects": _row(_PATCH, head="patches:"),
    "selectors and objects": _row(_TARGETED, head="patches:"),
    "images and objects": _row("- {{name: l{0}, newTag: a}}\n", _CCM, "images:"),
    "replicas and objects": _row("- {{name: l{0}, count: 3}}\n", _CCM, "replicas:"),
    "variables and objects": _row("- {{name: V{0}}}\n", head="vars:"),
    "prefixed objects": _row("", head="namePrefix: p-", size=1_000),
    "prefixed objects, predict": Growing(
        "kustomization.yaml", _both("", _SERVICE, "namePrefix: p-"), predict_build, 600
    ),
    "generated objects": _row("- {{name: l{0}, literals: [a=b]}}\n", head="configMapGenerator:"),
    "literals": _row("  - A{0}=b\n", "", "configMapGenerator:\n- name: x\n  literals:", 10_000),
    "operations on one object": _row(
        "    - {{op: add, path: /spec/x{0}, value: 1}}\n",
        "",
        "generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: x}]\npatches:\n"
        "- target: {kind: ConfigMap}\n  patch: |-",
        2_000,
    ),
    "lines of a patch": _row(
        "      - {{port: {0}, name: a}}\n",
        "",
        "patches:\n- patch: |-\n    apiVersion: v1\n    kind: Service\n    metadata: {name: a1}\n    spec:\n      ports:",
        4_000,
    ),
    "labels": _row("  l{0}: a\n", "", "commonLabels:", 4_000),
    "resources": _row("- r{0}.yaml\n", "", "bases:", 4_000),
    "workloads in a file, lint": Growing(
        "ccm.yaml", lambda count: "".join(_CCM.format(number) for number in range(count)), build, 500
    ),
    "workloads in a file each, lint": Growing(
        "ccm.yaml", lambda count: "".join(_CCM.format(0) for number in range(count)), lint_folder, 300
    ),
}
"""Each row's name, and what it is."""
