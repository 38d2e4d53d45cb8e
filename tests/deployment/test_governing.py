"""Which cloud.conf governs a Service: one answer, whether lint, list or predict asks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ccmcheck.carriers import FindOptions
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.run_survey import survey_for_lint
from ccmcheck.workspace.deployment.build import Governing, for_ccm, with_installed
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.gathering import survey_files
from ccmcheck.workspace.nearest_confs import MOST_CONFS

CONF = "[Global]\nauth-url = https://k/v3\napplication-credential-id = a\napplication-credential-secret = b\n"
CSI = f"{CONF}[BlockStorage]\nbs-version = v3\n"
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ccm, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
        args: [--cloud-config=/etc/config/cloud.conf]
        volumeMounts: [{name: c, mountPath: /etc/config}]
      volumes: [{name: c, secret: {secretName: cloud-config}}]
"""
CHART = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: occm, namespace: kube-system}
spec: {chart: {spec: {chart: openstack-cloud-controller-manager, version: 2.31.1}}}
"""
WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, ports: [{port: 80}]}
"""
EVERYTHING = DiscoverOptions(default_exclude=False)
FOLDERS = ("", "a", "b", "a/x", "a/y", "b/x", "apps", "apps/web", "a/tests", "apps/tests/x")
TEXTS = {
    "cloud.conf": CONF,
    "other.conf": CONF.replace("k/v3", "k2/v3"),
    "csi.conf": CSI,
    "secret.yaml": SECRET + "".join(f"    {line}\n" for line in CONF.splitlines()),
    "ccm.yaml": CCM,
    "chart.yaml": CHART,
    "README.md": f"```ini\n{CONF}```\n",
}


def tree(seed: int) -> dict[str, str]:
    """Some files in some folders, with Services among them."""
    chance = random.Random(seed)  # noqa: S311 - the same trees each time
    files: dict[str, str] = {}
    for folder in FOLDERS:
        prefix = f"{folder}/" if folder else ""
        files |= {f"{prefix}{name}": text for name, text in TEXTS.items() if chance.random() < 0.12}
        if chance.random() < 0.4:
            files[f"{prefix}web.yaml"] = WEB
    return files


@pytest.mark.parametrize("seed", range(60))
def test_lint_and_the_others_agree(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tree(seed)
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    survey = survey_files(["."], FindOptions(), EVERYTHING)
    governing = Governing(with_installed(survey, for_ccm(survey)))
    linted = survey_for_lint(["."], RunOptions(discover=EVERYTHING)).linters.run_context.confs
    for path in files:
        if path.endswith("web.yaml"):
            asked = sorted(config.path for config in governing.of(path) if config.carried is not None)
            assert sorted(conf.path for conf in linted.get(path, ())) == asked, path


def test_too_many_are_none() -> None:
    from ccmcheck.workspace.survey import Survey

    survey = Survey()
    for number in range(MOST_CONFS + 1):
        survey.add(f"c{number}/cloud.conf", CONF.encode(), FindOptions())
    configs = for_ccm(survey)
    assert Governing(configs).of("apps/web.yaml") == ()
    assert list(Governing(configs, {configs[3]}).of("apps/web.yaml")) == [configs[3]]
