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
