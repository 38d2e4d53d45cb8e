"""Secrets of the Manila CSI driver: a template's own lines, and the driver's release, may decide what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run

RULE = "manila-secret"
CLASS = (
    "kind: StorageClass\napiVersion: storage.k8s.io/v1\nmetadata: {name: manila}\nprovisioner: nfs.manila.csi.openstack.org\n"
    "parameters:\n  csi.storage.k8s.io/provisioner-secret-name: csi-manila\n"
    "  csi.storage.k8s.io/provisioner-secret-namespace: storage\n---\n"
)
HEAD = "kind: Secret\napiVersion: v1\nmetadata: {name: csi-manila, namespace: storage}\nstringData:\n  os-authURL: https://k/v3\n"
CREDENTIAL = "  os-applicationCredentialID: a\n  os-applicationCredentialSecret: b\n"
USER = "  os-userName: u\n  os-password: p\n  os-domainName: d\n  os-projectName: p\n"
BESIDE = f"{HEAD}{CREDENTIAL}  os-projectID: p\n"
DRIVER = "---\nkind: StatefulSet\nspec: {{template: {{spec: {{containers: [{{image: x/manila-csi-plugin:{}}}]}}}}}}\n"
UNKNOWN = {
    "Helm, one of two": f"{HEAD}  {{{{- if .Values.a }}}}\n{CREDENTIAL}  {{{{- else }}}}\n{USER}  {{{{- end }}}}\n",
    "Jinja, one of two": f"{HEAD}{{% if a %}}\n{CREDENTIAL}{{% else %}}\n{USER}{{% endif %}}\n",
    "Helm, behind all": f"{HEAD}  {{{{- toYaml .Values.login | nindent 2 }}}}\n",
    "Helm, each of a map": f"{HEAD}  {{{{- range $k, $v := .Values.login }}}}\n  {{{{ $k }}}}: {{{{ $v }}}}\n  {{{{- end }}}}\n",
    "Jinja, each of a map": f"{HEAD}{{% for k, v in login %}}\n  {{{{ k }}}}: {{{{ v }}}}\n{{% endfor %}}\n",
    "Helm, all": HEAD.replace("  os-authURL: https://k/v3", "{{ toYaml .Values.login | indent 2 }}"),
    "a key by a template": f"{HEAD}  {{{{ .Values.key }}}}: p\n",
    "without keys yet": HEAD.replace("stringData:\n  os-authURL: https://k/v3\n", ""),
    "of another namespace": HEAD.replace("storage", "other"),
    "two of one name": f"{HEAD}{USER}---\n{HEAD}",
    "a later driver": BESIDE + DRIVER.format("v1.34.0"),
}
KNOWN = {
    "no login": HEAD,
    "values by a template": f"{HEAD}{CREDENTIAL}{USER}".replace(": p\n", ": {{ .Values.p }}\n"),
    "all within a condition": f"{{{{- if .Values.a }}}}\n{HEAD}{{{{- end }}}}\n",
    "an unknown driver": BESIDE,
    "an early driver": BESIDE + DRIVER.format("v1.33.1"),
    "two drivers": BESIDE + DRIVER.format("v1.34.0") + DRIVER.format("1.33.1"),
}


@pytest.mark.parametrize("secret", UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_known_is_not_judged(secret: str, tmp_path: Path) -> None:
    (tmp_path / "manila.yaml").write_text(CLASS + secret, encoding="utf-8")
    assert RULE not in run(tmp_path, "lint", "manila.yaml").out


@pytest.mark.parametrize("secret", KNOWN.values(), ids=KNOWN)
def test_what_is_known_is_judged(secret: str, tmp_path: Path) -> None:
    (tmp_path / "manila.yaml").write_text(CLASS + secret, encoding="utf-8")
    assert RULE in run(tmp_path, "lint", "manila.yaml").out
