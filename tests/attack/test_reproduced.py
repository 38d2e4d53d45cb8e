"""What an attack once got through, as a user would type it; each is also a family of ``make attack``."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from api_faults import Fault
from api_server import kubeconfig, serving
from cluster_runs import run as cluster_run
from command_line import FATAL, put, run
from loopback import Asked
from octavia_project import both, kubernetes, openstack
from openstack_api import CLOUD_TOKEN, TOKENS

MARKUP = "<img/src=https://evil.invalid/x>"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web, annotations: {%s: x}}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|\\.")


def without_code(markdown: str) -> str:
    """A text of Markdown without what is shown as it is."""
    return _CODE.sub("", markdown)


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("show cloud.conf", "markdown"),
        ("lint .", "markdown"),
        ("predict .", "markdown"),
        ("lint .", "text"),
        ("lint .", "concise"),
    ],
)
@pytest.mark.parametrize("name", [MARKUP, "::stop-commands::abc", "##[error]abc", "@everyone"])
def test_a_name_is_no_markup_and_no_command(tmp_path: Path, command: str, form: str, name: str) -> None:
    conf = FATAL.replace("create-monitor = true", f'create-monitor = true\nlb-provider = "{name}"')
    quoted = f'"loadbalancer.openstack.org/{name}\\n{name}"'
    put(tmp_path, {"cloud.conf": conf, f"{name.replace('/', '')}.conf": conf, "svc.yaml": SERVICE % quoted})
    done = run(tmp_path, *command.split(), "--format", form)
    assert done.code in (0, 1, 3), done.err
    assert len(done.out) > 100
    assert not [line for line in done.out.splitlines() if line.lstrip().startswith("::")]
    assert "##[" not in done.out
    if form == "markdown":
        assert "<img" not in without_code(done.out)
        assert "@everyone" not in without_code(done.out)


def test_a_newline_in_an_attribute_of_junit_stays_one(tmp_path: Path) -> None:
    put(tmp_path, {"a\nb/cloud.conf": FATAL, "svc.yaml": SERVICE % '"loadbalancer.openstack.org/x\\ny"'})
    done = run(tmp_path, "lint", "--format", "junit", ".")
    assert done.code == 1
    assert not re.search(r'="[^"]*\n[^"]*"', done.out)
    assert any("duration" in str(one.attrib) for one in ET.fromstring(done.out).iter())  # noqa: S314 - of ours


def test_a_file_is_called_like_a_command_to_stop_commands(tmp_path: Path) -> None:
    put(tmp_path, {"::stop-commands::abc.conf": FATAL})
    done = run(tmp_path, "lint", ".")
    assert done.code == 1
    assert done.out.startswith("\\x3a:stop-commands::abc.conf")


@pytest.mark.parametrize(
    "conf",
    [
        '[Global "password=hunter2-of-mine"]\n',
        "[Global]\npassword=12hunter2-of-mine\nmax-shared-lb=12hunter2-of-mine\n",
    ],
)
@pytest.mark.parametrize("reader", ["cinder-csi-plugin@1.31", "ccm@1.31"])
def test_no_reader_s_error_shows_a_secret(tmp_path: Path, conf: str, reader: str) -> None:
    put(tmp_path, {"cloud.conf": conf})
    done = run(tmp_path, "read", "--reader", reader, "cloud.conf")
    assert done.out
    assert "hunter2" not in done.out + done.err


def test_a_uid_that_is_none_is_unknown(tmp_path: Path) -> None:
    kube = kubernetes()
    kube.objects["/api/v1/namespaces/kube-system"]["metadata"]["uid"] = "4b1f\n::stop-commands::x##[error]"
    with serving(kube):
        done = cluster_run(tmp_path, "fix", "--kubeconfig", str(kubeconfig(tmp_path, kube)))
    assert "kube-system of unknown UID" in done.out
    assert "##[" not in done.said


def test_an_id_that_is_no_text_is_asked_for_without_a_fault(tmp_path: Path) -> None:
    cloud = openstack()
    token = json.loads(cloud.answer(Asked("POST", TOKENS, {}, {})).body)
    token["token"]["project"]["id"] = "8f\ud800"
    body = json.dumps(token).encode()
    cloud.fail(TOKENS, Fault(201, body, headers=(("X-Subject-Token", CLOUD_TOKEN),)))
    done = both(tmp_path, kubernetes(), cloud, "orphans")
    assert done.code in (2, 3)
    assert "internal error" not in done.err
