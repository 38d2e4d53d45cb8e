"""A Secret with an empty cloud.conf is an error, unless something of the run fills it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import run

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\n"
EMPTY = SECRET + 'stringData:\n  cloud.conf: ""\n'
FULL = SECRET + "stringData:\n  cloud.conf: |\n    [Global]\n    use-clouds = true\n"
OTHER = "kind: Secret\nmetadata: {name: other}\nstringData: {cloud.conf: a}\n"
WRITERS = {
    "an ExternalSecret": ("es.yaml", "kind: ExternalSecret\nspec: {target: {name: cloud-config}}\n"),
    "a SealedSecret": ("sealed.yaml", "kind: SealedSecret\nmetadata: {name: cloud-config}\n"),
    "a patch": ("patch.yaml", FULL),
    "a replacement": (
        "kustomization.yaml",
        "kind: Kustomization\nreplacements:\n- targets: [{select: {kind: Secret, name: cloud-config}}]\n",
    ),
    "a command": ("deploy.sh", "kubectl create secret generic cloud-config --from-file=cloud.conf\n"),
    "a document of its file": ("secret.yaml", f"{EMPTY}---\nkind: VaultStaticSecret\nspec: {{name: cloud-config}}\n"),
}


def put(folder: Path, *files: tuple[str, str]) -> str:
    for name, text in (("secret.yaml", EMPTY), *files):
        folder.joinpath(name).write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    "text",
    [
        EMPTY,
        EMPTY.replace("stringData", "data"),
        EMPTY.replace('""', "''"),
        EMPTY.replace("Secret", "ConfigMap").replace("stringData", "data"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_nothing_is_an_error(tmp_path: Path, text: str, *, named: bool) -> None:
    place = put(tmp_path, ("secret.yaml", text), ("other.yaml", OTHER))
    ended = run(tmp_path, "lint", f"{place}/secret.yaml" if named else place, "--format", "json")
    assert ended.code == 1
    assert '"rule": "auth-incomplete"' in ended.out
    assert "cloud-config" in run(tmp_path, "list", place).out


@pytest.mark.parametrize("writer", WRITERS)
def test_what_something_fills_is_unknown(tmp_path: Path, writer: str) -> None:
    place = put(tmp_path, WRITERS[writer])
    assert run(tmp_path, "lint", place).code == 0
    assert "secret.yaml" not in run(tmp_path, "list", place).out


@pytest.mark.parametrize(
    "text",
    [
        EMPTY.replace('""', "${CONF}"),
        EMPTY.replace('""', ""),
        EMPTY.replace('""', '"{{ conf }}"'),
        EMPTY.replace("metadata: {", "metadata: {annotations: {reflector.v1.k8s.emberstack.com/reflects: a/b}, "),
    ],
)
def test_a_variable_and_a_copy_are_unknown(tmp_path: Path, text: str) -> None:
    assert run(tmp_path, "lint", put(tmp_path, ("secret.yaml", text))).code == 0


def test_standard_input_has_nothing_around_it(tmp_path: Path) -> None:
    assert run(tmp_path, "lint", "-", stdin=EMPTY.encode()).code == 1
    assert run(tmp_path, "lint", "-", stdin=WRITERS["a document of its file"][1].encode()).code == 0
