"""Sealed and encrypted objects beside plain ones: what is encrypted is unknown, the rest is judged, list shows it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

SEALED = """\
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: cloud-config, namespace: kube-system}
spec:
  encryptedData:
    cloud.conf: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEqAgBy3i4OJSWK+PiTySYZZA9rO43cGDEq
"""
EXTERNAL = """\
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloud-config, namespace: kube-system}
spec:
  target:
    template:
      data:
        cloud.conf: |
          [Global]
          auth-url = https://keystone.example.com/v3
          application-credential-id = {{ .id }}
          application-credential-secret = {{ .secret }}
          [LoadBalancer]
          create-monitor = true
          monitor-delay = 5
"""
VALUES = """\
cloudConfig:
    global:
        auth-url: https://keystone.example.com/v3
        application-credential-secret: ENC[AES256_GCM,data:Zm9v,iv:AAA=,tag:BBB=,type:str]
    loadBalancer:
        monitor-delay: 5
sops:
    version: 3.8.1
"""


def test_a_sealed_secret_is_listed(tmp_path: Path) -> None:
    put(tmp_path, {"sealed.yaml": SEALED, "external.yaml": EXTERNAL})
    assert (
        "sealed.yaml:6  not taken for a cloud.conf: it is encrypted by Sealed Secrets"
        in run(tmp_path, "list", "-v", ".").out
    )
    assert "sealed.yaml" not in run(tmp_path, "lint", ".").out


def test_the_rest_is_judged(tmp_path: Path) -> None:
    put(tmp_path, {"external.yaml": EXTERNAL, "values.enc.yaml": VALUES})
    out = run(tmp_path, "lint", ".").out
    assert "external.yaml:15:27  error  duration-bad" in out
    assert "values.enc.yaml:6:24" in out
    assert "auth-incomplete" not in out
