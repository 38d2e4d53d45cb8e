"""No finding is about a value that another tool decrypts or looks up, in whatever carrier it is."""

from __future__ import annotations

import base64

import pytest

from ccmcheck.carriers import find
from ccmcheck.carriers.base import RunContext
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileResult
from ccmcheck.lint.settings import Settings

REFERENCES = {
    "SOPS": "ENC[AES256_GCM,data:p673w==,iv:YY=,aad:UQ=,tag:A=,type:str]",
    "Argo CD Vault Plugin": "<path:kv/data/openstack#key>",
    "vals": "ref+vault://kv/openstack#/key",
    "Vault's webhook": "vault:secret/data/openstack#KEY",
    "between signs": "@@VALUE@@",
    "Concourse": "((value))",
    "Replace Tokens": "#{VALUE}#",
}
CONF = """\
[Global]
auth-url = {}
application-credential-id = {}
application-credential-secret = {}
[LoadBalancer]
floating-network-id = {}
subnet-id = {}
create-monitor = {}
monitor-delay = {}
monitor-timeout = {}
monitor-max-retries = {}
max-shared-lb = {}
lb-provider = {}
lb-method = {}
[LoadBalancerClass "dmz"]
subnet-id = {}
[Metadata]
search-order = {}
request-timeout = {}
[Networking]
ipv6-support-disabled = {}
"""
VALUES = """\
cloudConfig:
  global:
    auth-url: {}
    application-credential-id: {}
    application-credential-secret: {}
  loadBalancer:
    floating-network-id: {}
    create-monitor: {}
    monitor-delay: {}
    monitor-timeout: {}
    monitor-max-retries: {}
    max-shared-lb: {}
    lb-provider: {}
"""


EXTERNAL = """\
kind: ExternalSecret
metadata: {name: cloud-config}
spec:
  target:
    template:
      data:
        cloud.conf: |
          [Global]
          auth-url="{{ .url }}"
          {{ .rest }}
"""


def lint(path: str, text: str) -> FileResult:
    return Linter(Settings(), RunContext()).lint(path, text.encode(), explicit=True)


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def carriers(text: str) -> dict[str, str]:
    encoded = base64.b64encode(text.encode()).decode()
    return {
        "cloud.conf": text,
        "cloud.conf.tmpl": text,
        "secret.yaml": f"kind: Secret\nmetadata: {{name: x}}\nstringData:\n  cloud.conf: |\n{indented(text)}",
        "encoded.yaml": f"kind: Secret\nmetadata: {{name: x}}\ndata:\n  cloud.conf: {encoded}\n",
        "values.yaml": f"cloudConfigContents: |\n{indented(text)}",
        "config-map.yaml": f"kind: ConfigMap\nmetadata: {{name: x}}\ndata:\n  cloud.conf: |\n{indented(text)}",
    }


@pytest.mark.parametrize("tool", REFERENCES)
@pytest.mark.parametrize("path", carriers(""))
def test_as_a_text(tool: str, path: str) -> None:
    text = carriers(CONF.replace("{}", REFERENCES[tool]))[path]
    result = lint(path, text)
    assert len(result.carriers) == 1
    assert [one for one in result.findings if one.rule != "secret-in-configmap"] == []
    assert result.failures == ()


@pytest.mark.parametrize("tool", REFERENCES)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_as_values_of_the_chart(tool: str, quote: str) -> None:
    result = lint("values.yaml", VALUES.replace("{}", f"{quote}{REFERENCES[tool]}{quote}"))
    assert result.carriers == ("Helm values",)
    assert result.findings == ()
    assert result.failures == ()


@pytest.mark.parametrize("token", ["__VALUE__", "%VALUE%", "@VALUE@", "$(VALUE)"])
def test_names_that_a_pipeline_replaces(token: str) -> None:
    for path in ("values.yaml", "secret.yaml", "cloud.conf.tmpl"):
        result = lint(path, carriers(CONF.replace("{}", token))[path])
        assert [one for one in result.findings if one.rule != "secret-in-configmap"] == []
    assert lint("values.yaml", VALUES.replace("{}", token)).findings == ()
    plain = lint("cloud.conf", CONF.replace("{}", token)).findings
    assert {one.rule for one in plain} >= {"placeholder-left", "bool-bad"}, "nothing replaces it in a finished file"


def test_what_is_not_referenced_is_judged() -> None:
    text = CONF.replace("{}", "<path:kv#x>").replace("monitor-delay = <path:kv#x>", "monitor-delay = 5 seconds")
    assert [one.rule for one in lint("cloud.conf", text).findings] == ["duration-bad"]


def test_a_vault_tag_in_values() -> None:
    text = VALUES.replace("{}", "!vault |\n      $ANSIBLE_VAULT;1.1;AES256\n      36393431")
    assert lint("values.yaml", text).findings == ()


def test_an_ini_file_of_sops() -> None:
    text = CONF.replace("{}", REFERENCES["SOPS"]) + (
        "\n[sops]\nunencrypted_suffix = _unencrypted\nage__list_0__map_enc = -----BEGIN AGE\\nx\nversion = 3.8.1\n"
    )
    assert lint("cloud.conf", text).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "$ANSIBLE_VAULT;1.1;AES256\n36393431\n",
        '{\n"data": "ENC[AES256_GCM,data:x]",\n"sops": {"mac": "ENC[AES256_GCM,data:x]"}\n}\n',
        "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n",
        "-----BEGIN PGP MESSAGE-----\n\nabc\n",
        "\0GITCRYPT\0abc",
    ],
)
def test_a_file_that_is_encrypted_as_a_whole(text: str) -> None:
    (finding,) = lint("cloud.conf", text).findings
    assert (finding.rule, finding.severity.word) == ("not-a-cloud-conf", "info")
    assert "encrypted by" in finding.label
    assert find("cloud.conf", text).carried == []


@pytest.mark.parametrize(
    "text",
    [
        EXTERNAL,
        "kind: Secret\nmetadata: {name: cloud-config}\ndata:\n  cloud.conf: ENC[AES256_GCM,data:x,iv:y]\nsops: {mac: z}\n",
        "kind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: ENC[AES256_GCM,data:x,iv:y]\n",
        "kind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: <path:kv/data/x#cloud.conf>\n",
        "kind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: ref+vault://kv/x#/cloud.conf\n",
        "kind: Secret\nmetadata: {name: cloud-config}\ndata:\n  cloud.conf: <path:kv/data/x#cloud.conf | base64encode>\n",
        "kind: SealedSecret\nmetadata: {name: cloud-config}\nspec:\n  encryptedData:\n    cloud.conf: "
        + "AgBy3i4O" * 20
        + "\n",
        "kind: ExternalSecret\nmetadata: {name: cloud-config}\nspec:\n  data:\n  - secretKey: cloud.conf\n    remoteRef: {key: x}\n",
        "cloudConfigContents: ENC[AES256_GCM,data:x,iv:y]\n",
        "cloudConfigContents: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  36393431\n",
        "cloud_conf: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  36393431\n",
    ],
)
def test_an_object_whose_text_is_encrypted_or_elsewhere(text: str) -> None:
    result = lint("x.yaml", text)
    assert result.findings == ()
    assert result.failures == ()
