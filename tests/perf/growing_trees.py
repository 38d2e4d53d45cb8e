"""Trees of many files, and files whose objects know of each other, where each would be compared with all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
    return command("lint", "--jobs", "1", "--max-findings", "1", path, beside=_files(path, text))


def review_tree(path: str, text: str) -> str:
    """Review the change of every file's region."""
    before, after = _files("a", text), _files("b", text.replace("region=RegionOne", "region=RegionTwo"))
    return command("review", "a", "b", beside={**before, **after})


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
        return "".join(f"{_FILE}{name}\n" + "---\n".join(parts) for name, parts in texts.items())

    return make


def _with(conf: str, make: Callable[[int], str]) -> Callable[[int], str]:
    """The same files beside one cloud.conf."""
    return lambda count: f"{_FILE}cloud.conf\n{conf}{make(count)}"


def _rows(rows: Iterable[tuple[str, Callable[[int], str], int]]) -> dict[str, Growing]:
    return {f"{name}, lint": Growing(".", make, lint_tree, size) for name, make, size in rows}


_SERVICE = service(0).replace("web-0", "web-{number}")
_ONE_CONF = _PROJECT.format(number=0)
_ONE_METALLB = f"{_ONE_CONF}{_FILE}metallb.yaml\n{_METALLB.format(number=0)}"

TREES: dict[str, Growing] = {
    **_rows((
        ("Services and address pools", _with(_ONE_METALLB, _tree(("all.yaml", _POOL), ("all.yaml", _SERVICE))), 200),
        ("Services and other controllers", _with(_ONE_CONF, _tree(("all.yaml", _METALLB), ("all.yaml", _SERVICE))), 200),
        ("other controllers in a file each", _with(_ONE_CONF, _tree(("{number}/m.yaml", _METALLB), ("all.yaml", _SERVICE))), 200),
        ("charts of ingress controllers", _with(_ONE_CONF, _tree(("all.yaml", _RELEASE))), 200),
        ("gateways", _with(_ONE_CONF, _tree(("all.yaml", _GATEWAY))), 200),
        ("clusters with one name", _tree(("{number}/ccm.yaml", _CCM.replace("c{number}", "c")), ("{number}/cloud.conf", _PROJECT)), 200),
        ("clusters in a folder each", _tree(("{number}/ccm.yaml", _CCM), ("{number}/cloud.conf", _PROJECT)), 200),
        ("CCMs in one folder", _tree(("ccm-{number}.yaml", _CCM), ("cloud.conf", "")), 200),
        ("Services and cloud.confs in a folder each", _tree(("{number}/cloud.conf", _PROJECT), ("{number}/web.yaml", _SERVICE)), 200),
        ("Services apart from cloud.confs", _tree(("{number}/cloud.conf", _PROJECT), ("apps/{number}/web.yaml", _SERVICE)), 200),
        ("cloud.confs in one folder", _tree(("{number}.conf", _PROJECT), ("web.yaml", _SERVICE)), 200),
    )),
    "clusters, review": Growing(".", _tree(("{number}/cloud.conf", _PROJECT), ("{number}/web.yaml", _SERVICE)), review_tree, 100),
    "clusters without Services, review": Growing(".", _tree(("{number}/cloud.conf", _PROJECT)), review_tree, 100),
    "clusters with workloads, review": Growing(".", _tree(("{number}/cloud.conf", _PROJECT), ("{number}/ccm.yaml", _CCM)), review_tree, 100),
}
"""Each row's name, and what it is."""
