"""Files that documents show by the command that prints them."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Span
from ccmcheck.carriers import find

CONF = "[Global]\nauth-url=https://k/v3\nregion=one\n\n[LoadBalancer]\nlb-provider=ovn\n"
SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
    '    loadbalancer.openstack.org/keep-floatingip: "yes"\nspec:\n  type: LoadBalancer\n  ports:\n  - port: 80\n'
)
BEFORE = (
    "cat cloud.conf\n",
    "$ cat /etc/kubernetes/cloud.conf\n",
    "$ sudo cat /etc/kubernetes/cloud.conf\n",
    "[core@node-0 ~]$ cat cloud.conf\n",
    "root@node-0:~# cat cloud.conf\n",
    "kubectl get nodes\nvim cloud.conf\n",
    "# the file\n$ cat cloud.conf\n",
)
AFTER = (
    "",
    "$ kubectl get pods\n",
    "kubectl create secret generic cloud-config --from-file=cloud.conf\n",
    "\n[core@node-0 ~]$ ls\n",
)


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("before", BEFORE)
def test_a_file_that_a_command_prints(before: str, after: str) -> None:
    text = f"Text.\n\n```console\n{before}{CONF}{after}```\n"
    (carried,) = find("a.md", text).carried
    assert carried.text.strip() == CONF.strip()
    assert carried.stack.text[carried.stack.outward(_first(carried.text)).start :].startswith("[Global]")


def _first(text: str) -> Span:
    return Span(0, len(text))


@pytest.mark.parametrize(
    ("before", "after"),
    [("$ cat web.yaml\n", "$ kubectl apply -f web.yaml\nservice/web created\n"), ('@"\n', '"@ | Out-File web.yaml\n')],
)
def test_a_manifest_that_a_command_prints(before: str, after: str) -> None:
    (service,) = find("a.md", f"```\n{before}{SERVICE}{after}```\n").objects
    assert (service.kind, service.name) == ("Service", "web")


def test_heredocs_beside_it_are_found() -> None:
    text = f"```sh\n$ cat cloud.conf\n{CONF}$ cat > x <<EOF\n{CONF}EOF\n```\n"
    assert len(find("a.md", text).carried) == 2


@pytest.mark.parametrize(
    "text",
    [
        "```\n$ cat inventory\n[all]\nnode=1\n```\n",
        "```\n$ cat cloud.conf\n$ ls\n```\n",
        "$ cat cloud.conf\n",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not find("a.md", text).carried


OBJECT = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n" + "".join(
    f"    {line}\n" for line in CONF.splitlines()
)


@pytest.mark.parametrize("prompt", ["[stack@undercloud-0 ~]$ ", "user@host:~/k8s$ ", "k8stest$ ", "$ "])
@pytest.mark.parametrize("output", [CONF, OBJECT])
def test_what_a_command_behind_a_prompt_prints(prompt: str, output: str) -> None:
    text = f"```\n{prompt}kubectl edit secret x\n{prompt}oc get x -o yaml | base64 -d\n{output}{prompt}ls\na  b\n```\n"
    (carried,) = find("a.md", text).carried
    assert carried.text.strip() == CONF.strip()
    assert carried.carrier == ("Secret" if output == OBJECT else "Markdown")


def test_a_command_that_goes_on_prints_nothing_yet() -> None:
    heredoc = f"```\n$ cat > cloud.conf <<EOF\n{CONF}EOF\n$ kubectl create \\\n  secret\n```\n"
    (carried,) = find("a.md", heredoc).carried
    assert carried.text == CONF
    assert "heredoc" in carried.route


@pytest.mark.parametrize("prompt", ["$ ", "[core@node-0 ~]$ "])
@pytest.mark.parametrize("output", ["", "secret/cloud-config created\n"])
def test_a_file_above_a_command(prompt: str, output: str) -> None:
    command = f"{prompt}kubectl create secret generic cloud-config --from-file=x\n{output}"
    (carried,) = find("a.md", f"```\n{CONF}\n{command}```\n").carried
    assert carried.text.strip() == CONF.strip()


def test_a_heredoc_above_a_command_is_found_once() -> None:
    text = f"```\ntee cloud.conf <<EOF\n{CONF}EOF\n$ kubectl get pods\na b\n```\n"
    (carried,) = find("a.md", text).carried
    assert carried.text == CONF


def test_words_above_a_file() -> None:
    words = "Typical configuration\n\nThis is an example, see above: it is short.\n\n"
    (carried,) = find("a.md", f"```\n{words}{CONF}```\n").carried
    assert carried.text.strip() == CONF.strip()
    assert find("a.md", f"```\n{words}[DEFAULT]\nregion=one\n[LoadBalancer]\nx=y\n```\n").carried == []


def test_a_list_of_keys_is_no_file() -> None:
    names = (
        "[Global]\nauth-url\nusername\npassword  # of the user\nregion\n[LoadBalancer]\nuse-octavia=true\nsubnet-id\n"
    )
    assert find("a.md", f"```ini\n{names}```\n").carried == []
    assert len(find("cloud.conf", names).carried) == 1
    filled = CONF.replace("region=one", "region")
    assert len(find("a.md", f"```ini\n{filled}```\n").carried) == 1


def test_signs_of_notes_are_no_part_of_a_service_in_a_heredoc() -> None:
    text = f"----\n$ oc create -f - <<X\n{SERVICE}  externalIPs:\n  - 10.9.54.100 <1>\nX\n----\n<1> The address.\n"
    (service,) = find("a.adoc", text).objects
    address = service.at("spec", "externalIPs")
    assert address is not None
    assert "<1>" not in service.source.text[slice(*address.span)]
