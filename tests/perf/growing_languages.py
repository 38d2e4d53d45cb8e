"""Files of other languages, and of YAML for several programs, that grow in number of one thing."""

from __future__ import annotations

from collections.abc import Callable

from growing import COMPLETE, GLOBAL, Growing, command, lint


def lint_folder(path: str, text: str) -> str:
    """Lint the folder that it is in, and take what is said: only files that may hold something are parsed."""
    return command("lint", ".", beside={path: text})


_GO = f"package a\n\nvar conf = `{COMPLETE}`\n\n"
_SECRET = (
    "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  cloud.conf: |\n    [Global]\n    region=a\n"
)
_DRIVER = "---\nimage: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.0\nsecret:\n  secretName: b\n"
_CONTROLLER = "openstack_cloud_controller"
_CHART = "openstack-cloud-controller-manager"


def _after(head: str, piece: str) -> Callable[[int], str]:
    return lambda count: head + piece * count


LANGUAGES: dict[str, Growing] = {
    "quotes of Go without an end, lint": Growing("x.go", _after(_GO + "var a = ", "\\'"), lint, 300_000),
    "strings of Go without an end, lint": Growing("x.go", _after(_GO + "var a = ", '\\"'), lint, 300_000),
    "comments of Go without an end, lint": Growing("x.go", _after(_GO, "/* "), lint, 300_000),
    "blank lines of a raw string, lint": Growing(
        "x.go", lambda count: f"package a\nvar a = `{GLOBAL}" + "\n" * count + "b=c\n`\n", lint, 10_000
    ),
    "comments of Terraform without an end, lint": Growing("x.tf", _after("# [Global]\n", "/* "), lint, 300_000),
    "blanks in a block for RKE, lint": Growing("x.tf", _after("openstack_cloud_provider {", " "), lint, 300_000),
    "variables of one name, lint": Growing("x.tf", _after("", _CONTROLLER), lint, 20_000),
    "resources without an end, lint": Growing("x.tf", _after(f"# {_CHART}\n", 'resource "a" {\n'), lint_folder, 60_000),
    "maps of Terraform above comments, lint": Growing("x.tf", _after("", ", # cloudConfig={\n"), lint, 20_000),
    "helm commands, lint": Growing("x.sh", _after("", f"helm i {_CHART} --version $A\n"), lint_folder, 10_000),
    "marks on one line, lint": Growing("x.tpl", _after('{{ define "a" }}{{ end }}\na: ', "{{ "), lint, 4_000),
    "Secrets beside a driver, lint": Growing("x.yaml", lambda count: _SECRET * count + _DRIVER, lint, 1_000),
    "images beside a driver, lint": Growing(
        "x.yaml", lambda count: f"{_SECRET}# {'image:' * count} cinder-csi-plugin\n", lint, 100_000
    ),
    "charts on one line, the whole command": Growing(
        "x.yaml", lambda count: f"# externalTrafficPolicy {'chart:' * count}\n", lint_folder, 200_000
    ),
    "sets of values, lint": Growing("x.yaml", _after("cloudConfig: {}\nx:\n", "- set: a\n"), lint, 10_000),
}
"""Each row's name, and what it is; see `growing`."""
