"""Trees of many files, and files whose objects know of each other, where each would be compared with all others."""

from __future__ import annotations

import tempfile
from collections.abc import Callable

from growing import GLOBAL, Growing, command, service

_FILE = "%% "
"""What begins the line with a file's name."""
_PROJECT = f"{GLOBAL}tenant-id=5f0c\npassword=hunter2-{{number}}-hunter2\n[LoadBalancer]\nfloating-network-id=x\n"
_CCM = (
    "kind: Deployment\nmetadata: {{name: ccm}}\nspec: {{template: {{spec: {{containers: [{{name: ccm, "
    "image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2, args: [--cluster-name=c{number}]}}]}}}}}}\n"
)
_METALLB = (
    "kind: Deployment\nmetadata: {{name: controller{number}}}\nspec: {{template: {{spec: {{containers: "
    "[{{name: a, image: quay.io/metallb/controller:v0.14.9}}]}}}}}}\n"
)
_POOL = "kind: IPAddressPool\nmetadata: {{name: p{number}}}\nspec: {{autoAssign: true, addresses: [10.0.0.0/24]}}\n"
_GATEWAY = (
    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {{name: g{number}}}\nspec:\n"
    "  listeners: [{{name: a, port: 80, protocol: HTTP}}]\n  infrastructure:\n    annotations:\n"
    '      loadbalancer.openstack.org/proxy-protocol: "true"\n'
)
_RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: i{number}}}\nspec:\n"
    "  chart: {{spec: {{chart: ingress-nginx}}}}\n  values:\n    controller:\n      service:\n        annotations:\n"
    '          loadbalancer.openstack.org/proxy-protocol: "true"\n'
)


def lint_tree(path: str, text: str) -> str:
    """Lint a folder of files."""
    return command("lint", "--no-cache", "--jobs", "1", "--max-findings", "1", path, beside=_files(path, text))


def fix_tree(path: str, text: str) -> str:
    """Show what the fixes of a folder's files change."""
    return command("fix", "--jobs", "1", "--unsafe", "--diff", path, beside=_files(path, text))


def review_tree(path: str, text: str) -> str:
    """Review the change of every file's region."""
    changed = text.replace("region=RegionOne", "region=RegionTwo")
    return command("review", path, f"{path}-new", beside={**_files(path, text), **_files(f"{path}-new", changed)})


def _files(folder: str, text: str) -> dict[str, str]:
    parts = (part.partition("\n") for part in text.split(_FILE)[1:])
    return {f"{folder}/{name}": content for name, _, content in parts}


def _tree(*files: tuple[str, str]) -> Callable[[int], str]:
    """Files whose names and texts have ``{number}`` in them; one whose name has none gets all texts."""

    def make(count: int) -> str:
        texts: dict[str, list[str]] = {}
        for name, text in files:
            for number in range(count):
                texts.setdefault(name.format(number=number), []).append(text.format(number=number))
        return "".join(
            f"{_FILE}{name}\n" + ("---\n" if name.endswith(".yaml") else "").join(parts)
            for name, parts in texts.items()
        )

    return make


def _with(conf: str, make: Callable[[int], str]) -> Callable[[int], str]:
    """The same files beside one cloud.conf."""
    return lambda count: f"{_FILE}cloud.conf\n{conf}{make(count)}"


_SERVICE = service(0).replace("web-0", "web-{number}")
_MISSPELT = service(
    0, annotations="  annotations:\n    loadbalancer.openstack.org/proxy-protocl: hunter2-{number}-hunter2\n"
)
_ONE_CONF = _PROJECT.format(number=0)
_ONE_METALLB = f"{_ONE_CONF}{_FILE}metallb.yaml\n{_METALLB.format(number=0)}"
_IN_A_FOLDER_EACH = (("{number}/cloud.conf", _PROJECT), ("{number}/web.yaml", _SERVICE))
_MANY_SECRETS = ("cloud.conf", "[Global]\npassword = hunter2-{number}-hunter2\n[LoadBalancer]\nlb-provider=amphora\n")


def keep_tree(path: str, text: str) -> str:
    """Lint a folder of files, and keep the results."""
    with tempfile.TemporaryDirectory() as kept:
        return command(
            "lint", "--cache-dir", kept, "--jobs", "1", "--max-findings", "1", path, beside=_files(path, text)
        )


def _lint(make: Callable[[int], str]) -> Growing:
    return Growing("tree", make, lint_tree, 200)


def _review(make: Callable[[int], str]) -> Growing:
    return Growing("tree", make, review_tree, 100)


TREES: dict[str, Growing] = {
    "Services and address pools, lint": _lint(_with(_ONE_METALLB, _tree(("all.yaml", _POOL), ("all.yaml", _SERVICE)))),
    "Services and other controllers, lint": _lint(
        _with(_ONE_CONF, _tree(("all.yaml", _METALLB), ("all.yaml", _SERVICE)))
    ),
    "other controllers in a file each, lint": _lint(
        _with(_ONE_CONF, _tree(("{number}/m.yaml", _METALLB), ("all.yaml", _SERVICE)))
    ),
    "charts of ingress controllers, lint": _lint(_with(_ONE_CONF, _tree(("all.yaml", _RELEASE)))),
    "gateways, lint": _lint(_with(_ONE_CONF, _tree(("all.yaml", _GATEWAY)))),
    "clusters with one name, lint": _lint(
        _tree(("{number}/ccm.yaml", _CCM.replace("c{number}", "c")), ("{number}/cloud.conf", _PROJECT))
    ),
    "clusters in a folder each, lint": _lint(_tree(("{number}/ccm.yaml", _CCM), ("{number}/cloud.conf", _PROJECT))),
    "CCMs in one folder, lint": _lint(_tree(("ccm-{number}.yaml", _CCM))),
    "CCMs in one folder, lint and keep": Growing("tree", _tree(("ccm-{number}.yaml", _CCM)), keep_tree, 300),
    "Services and cloud.confs in a folder each, lint": _lint(_tree(*_IN_A_FOLDER_EACH)),
    "Services apart from cloud.confs, lint": _lint(
        _tree(("{number}/cloud.conf", _PROJECT), ("apps/{number}/web.yaml", _SERVICE))
    ),
    "cloud.confs in one folder, lint": _lint(_tree(("{number}.conf", _PROJECT), ("web.yaml", _SERVICE))),
    "secrets near the findings of one file, lint": _lint(_tree(_MANY_SECRETS, ("web.yaml", _MISSPELT))),
    "secrets near the findings of a file each, lint": _lint(_tree(_MANY_SECRETS, ("web-{number}.yaml", _MISSPELT))),
    "secrets near the fixes of a file each, fix": Growing(
        "tree", _tree(_MANY_SECRETS, ("web-{number}.yaml", _MISSPELT)), fix_tree, 100
    ),
    "clusters, review": _review(_tree(*_IN_A_FOLDER_EACH)),
    "clusters without Services, review": _review(_tree(("{number}/cloud.conf", _PROJECT))),
    "clusters with workloads, review": _review(_tree(("{number}/cloud.conf", _PROJECT), ("{number}/ccm.yaml", _CCM))),
}
"""Each row's name, and what it is."""
