"""What was found in a file is freed with its last user, without waiting for the garbage collector.

A run over thousands of files would otherwise keep the nodes of hundreds of them, and take fresh, cold memory for each.
"""

from __future__ import annotations

import gc

import pytest

from ccmcheck.carriers import find
from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings

SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://keystone.example.net/v3
    [LoadBalancer]
    lb-provider=amphora
"""
PLANE = """\
kind: KubeadmControlPlane
metadata: {name: a}
spec:
  kubeadmConfigSpec:
    files:
      - path: /etc/kubernetes/cloud.conf
        content: "[Global]\\nauth-url=https://keystone.example.net/v3\\n[LoadBalancer]\\n"
"""


@pytest.mark.part(of=2)
@pytest.mark.parametrize("text", [SECRET, PLANE, f"{SECRET}---\n{PLANE}", "a: [b\n"])
def test_nothing_waits_for_the_garbage_collector(text: str) -> None:
    linter = Linter(Settings(), RunContext())
    linter.lint("a.yaml", text.encode())  # loads what it needs
    gc.collect()
    gc.freeze()  # what the tests before left is looked through once, not three times
    gc.disable()
    try:
        assert bool(find("a.yaml", text).objects) == ("kind" in text)
        assert gc.collect() == 0
        linter.lint("a.yaml", text.encode())
        assert gc.collect() == 0
    finally:
        gc.enable()
        gc.unfreeze()
