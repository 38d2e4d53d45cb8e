"""Settings taken over from an existing cloud.conf, whatever carries it: every value, no other."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rendering_aids import SECRET, Folder, carried

from ccmcheck.render import TEMPLATES, RenderRequest, render
from ccmcheck.yamlio import marks

CONF = f"""\
; the old one
[Global]
AUTH-URL = "https://k/v3"   # where
application-credential-id=0f1e2d3c4b5a69788796a5b4c3d2e1f0
application-credential-secret = "{SECRET}#\\"\\\\ "
application-credential-secret = "{SECRET}#\\"\\\\ \\n"

[LoadBalancer]
create-monitor
monitor-delay = 1m30s
monitor-timeout="0h1m"
lb-provider = amphora
lb-provider = octavia

[Networking]
public-network-name = one
public-network-name = "two "
[LoadBalancerClass "gold \\"1\\""]
floating-subnet = a b
[loadbalancer]
Max-Shared-LB = 0x10
"""


def block(text: str, indent: str) -> str:
    return "".join(f"{indent}{line}\n" for line in text.splitlines())


CARRIERS = {
    "cloud.conf": CONF,
    "data.yaml": f"kind: Secret\ndata:\n  cloud.conf: {base64.b64encode(CONF.encode()).decode()}\n",
    "string.yaml": "kind: Secret\nstringData:\n  cloud.conf: |\n" + block(CONF, "    "),
    "kcp.yaml": "kind: KubeadmControlPlane\nspec:\n  kubeadmConfigSpec:\n    files:\n    - path: /etc/kubernetes/cloud.conf\n      content: |\n"
    + block(CONF, "        "),
    "twice.yaml": "".join(f"---\nkind: Secret\nmetadata: {{name: {n}}}\nstringData:\n  cloud.conf: |\n" + block(CONF, "    ") for n in "ab"),
}  # fmt: skip

VALUES = carried("cloud.conf", CONF)[0]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_value_is_taken_over(carrier: str, template: str, bare: Folder) -> None:
    bare.write(carrier, CARRIERS[carrier])
    rendered = render(RenderRequest(template, config=carrier))
    (values,) = carried(TEMPLATES[template].makes, rendered.text)
    without_login = {name: held for name, held in VALUES.items() if name != "Global"}
    assert values == (without_login if template == "configmap" else VALUES)


def test_from_standard_input(bare: Folder) -> None:
    bare.write("cloud.conf", CONF)
    command = [sys.executable, "-m", "ccmcheck", "render", "cloud.conf", "--cloud-config=-", "--with-secrets"]
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        command, input=CONF, cwd=bare.path, env={"PYTHONPATH": root}, capture_output=True, text=True, check=False
    )
    assert carried("cloud.conf", done.stdout) == [VALUES]


def test_what_the_release_does_not_know_is_left_out_and_reported(bare: Folder) -> None:
    bare.write(
        "cloud.conf",
        f"[Global]\nauth-url=https://k\nuse-clouds=true\nfoo={SECRET}\n[LoadBalancer]\nuse-octavia=true\n[Gloabl]\nx=1\n"
        "[BlockStorage]\nbs-version=v3\n",
    )
    ran = bare.render("cloud.conf", "--cloud-config=cloud.conf", "--release=1.31", "--with-secrets")
    assert ran.out == "[Global]\nauth-url=https://k\nuse-clouds=true\n"
    assert [line.removeprefix("ccmcheck: ") for line in ran.err.splitlines() if "left out" in line] == [
        "[Global] foo is left out: the CCM 1.31 does not know it",
        "[LoadBalancer] use-octavia is left out: the CCM 1.31 does not know it, others do",
        "[Gloabl] is left out: the CCM 1.31 does not know it",
        "[BlockStorage] is left out: the CCM 1.31 does not know it",
    ]
    assert SECRET not in ran.err


def test_where_nothing_is_left_nothing_is_written(bare: Folder) -> None:
    bare.write("cloud.conf", "[BlockStorage]\nbs-version=v3\n[Global]\nuse-clouds=true\n")
    for args, code in ((("configmap",), 2), (("secret",), 0), (("configmap", "--set=max-shared-lb=1"), 0)):
        ran = bare.render(*args, "--cloud-config=cloud.conf", "-q")
        assert ran.code == code
        assert bool(ran.out) is (code == 0)
    assert (
        "There is nothing to write: no setting is left for the CCM 1.36."
        in bare.render("configmap", "--cloud-config=cloud.conf").err
    )


def test_variables_are_put_in(bare: Folder) -> None:
    bare.write("cloud.conf.tmpl", "[LoadBalancer]\ncreate-monitor=true\nfloating-network-id=${NET}\n")
    bare.write("vars.env", "NET=0123abcd-0123-4abc-8def-0123456789ab\n")
    ran = bare.render("configmap", "--cloud-config=cloud.conf.tmpl", "--env-file=vars.env")
    assert "    floating-network-id=0123abcd-0123-4abc-8def-0123456789ab\n" in ran.out


def test_a_cloud_takes_the_place_of_the_files_login(folder: Folder) -> None:
    folder.write(
        "old.conf", "[Global]\nauth-url=https://old\nusername=old\nuse-clouds=true\n[LoadBalancer]\nmax-shared-lb=1\n"
    )
    ran = folder.render(
        "cloud.conf", "--cloud-config=old.conf", "--cloud=app", "--with-secrets", "--set=Global.region=other"
    )
    (values,) = carried("cloud.conf", ran.out)
    assert set(values["Global"]) == {
        "auth-url", "application-credential-id", "application-credential-secret", "region", "os-endpoint-type",
    }  # fmt: skip
    assert values["Global"]["region"] == "other"
    assert values["LoadBalancer"] == {"max-shared-lb": 1}


def test_without_a_profile_nothing_is_added_and_with_one_it_is(bare: Folder) -> None:
    bare.write("old.conf", "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\ncreate-monitor=false\n")
    plain = bare.render("configmap", "--cloud-config=old.conf")
    assert carried("configmap.yaml", plain.out)[0]["LoadBalancer"] == {
        "lb-provider": "ovn",
        "lb-method": "SOURCE_IP_PORT",
        "create-monitor": False,
    }
    back = bare.render("configmap", "--cloud-config=old.conf", "--profile=scs-capi-provider")
    assert carried("configmap.yaml", back.out)[0]["LoadBalancer"] == {"create-monitor": False}
    monitored = bare.render("configmap", "--cloud-config=old.conf", "--profile=scs")
    assert carried("configmap.yaml", monitored.out)[0]["LoadBalancer"] == {
        "lb-provider": "ovn",
        "lb-method": "SOURCE_IP_PORT",
        "create-monitor": True,
    }
    old = bare.render("configmap", "--cloud-config=old.conf", "--profile=scs", "--release=1.25")
    assert carried("configmap.yaml", old.out, "1.25")[0]["LoadBalancer"]["create-monitor"] is False
    assert "the profile scs-csp-helper sets create-monitor from the CCM 1.26 on, so not here" in old.err
    advised = bare.render("configmap", "--cloud-config=old.conf", "--profile=recommended")
    assert carried("configmap.yaml", advised.out)[0]["LoadBalancer"]["manage-security-groups"] is True


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20), st.booleans())
def test_rendering_what_was_rendered_changes_nothing(bare: Folder, password: str, octavia: bool) -> None:
    assume(not marks.find(password))  # a manifest with a template's mark is a template, whose values are not known
    assignments = ["auth-url=https://k/v3", f"Global.password={password}", f"create-monitor={str(octavia).lower()}"]
    first = render(RenderRequest("secret", assignments=assignments)).text
    for template in ("cloud.conf", "secret", "kustomize", "cluster-resource-set", "helm-values"):
        between = render(RenderRequest(template, config="x.yaml", data=first.encode())).text
        again = render(RenderRequest("secret", config=TEMPLATES[template].makes, data=between.encode())).text
        assert again == first
    assert bare.path.is_dir()
