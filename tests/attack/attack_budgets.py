"""Files that grow, nest, refer and repeat: every command ends in time and memory."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable
from pathlib import Path

from attack_judge import hits, told
from hostile import HOSTILE

_CONF = b"[Global]\nauth-url = https://k\n[LoadBalancer]\nmonitor-delay = 3\n"


def _secret(body: str) -> bytes:
    return f"apiVersion: v1\nkind: Secret\nmetadata: {{name: c}}\n{body}".encode()


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _times(count: int, piece: str) -> str:
    return "".join(piece.replace("@", str(number)) for number in range(count))


def _nested(layers: int) -> str:
    data = _CONF
    for _ in range(layers):
        data = _secret(f"data:\n  cloud.conf: {_encoded(data)}\n")
    return data.decode()


OBJECTS: dict[str, Callable[[int], bytes]] = {
    "deep flow": lambda size: b"a: " + b"[" * size,
    "deep blocks": lambda size: "".join(f"{' ' * level}a:\n" for level in range(min(size, 900))).encode(),
    "aliases": lambda size: (
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, min(size // 99, 40) + 2))
    ).encode(),
    "merges": lambda size: ("a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, min(size // 30, 60) + 2))).encode(),
    "many documents": lambda size: b"---\na: b\n" * (size // 9),
    "many Secrets": lambda size: b"---\n".join([_secret(f"data: {{cloud.conf: {_encoded(_CONF)}}}\n")] * (size // 160 + 1)),
    "many Services": lambda size: _times(
        size // 120 + 1, "---\napiVersion: v1\nkind: Service\nmetadata: {name: s@}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    ).encode() + b"---\n" + _secret(f"data: {{cloud.conf: {_encoded(_CONF)}}}\n"),
    "many ports": lambda size: (
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  type: LoadBalancer\n  ports:\n" + _times(size // 20, "  - {port: @}\n")
    ).encode(),
    "many keys": lambda size: _secret("stringData:\n" + _times(size // 14, "  k@: '[x]'\n")),
    "encoded again and again": lambda size: _nested(min(size // 2_000, 14) + 1).encode(),
    "a bomb in base64": lambda size: _secret(f"data: {{cloud.conf: {_encoded(gzip.compress(_CONF + b'# x' * size * 300))}}}\n"),
    "one long key": lambda size: b"a" * size + b": b\n",
    "tags and anchors": lambda size: b"- !!str &a x\n" * (size // 13),
    "template marks": lambda size: _secret("stringData:\n  cloud.conf: |\n    [Global]\n" + "    {{ if .a }}a = {{ b }}{{ end }}\n" * (size // 34)),
    "expansions": lambda size: _secret("stringData:\n  cloud.conf: |\n    [Global]\n    a = " + "${A:-" * (size // 5) + "\n"),
    "annotations": lambda size: (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  annotations:\n" + _times(size // 44, "    loadbalancer.openstack.org/x@: 'true'\n")
        + "spec: {type: LoadBalancer, ports: [{port: 80}]}\n"
    ).encode(),
    "source ranges": lambda size: (
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  type: LoadBalancer\n  ports: [{port: 80}]\n  loadBalancerSourceRanges:\n"
        + "  - 10.0.0.0/8\n" * (size // 15)
    ).encode(),
    "branches": lambda size: _secret(
        "stringData:\n  cloud.conf: |\n    [Global]\n" + _times(size // 40, "    {{ if .a@ }}\n    a@ = b\n    {{ else }}\n    c = d\n    {{ end }}\n")
    ),
    "branches in branches": lambda size: _secret(
        "stringData:\n  cloud.conf: |\n    [Global]\n" + _times(size // 40, "    {% if a@ %}\n    a = @\n") + "    {% endif %}\n" * (size // 40)
    ),
    "patches": lambda size: (
        "patches:\n" + _times(size // 70, "- patch: '[{op: add, path: /a@, value: {b: @}}]'\n  target: {kind: Secret}\n")
    ).encode(),
    "charts laid over charts": lambda size: _times(
        size // 150, "---\nkind: HelmChart\nmetadata: {name: ccm}\nspec: {chart: openstack-cloud-controller-manager}\n---\nkind: HelmChartConfig\n"
        "metadata: {name: ccm}\nspec:\n  valuesContent: 'cloudConfig: {loadBalancer: {a@: b}}'\n"
    ).encode(),
    "releases of a helmfile": lambda size: (
        "releases:\n" + _times(size // 60, "- {name: r@, chart: a/openstack-cloud-controller-manager, values: [{a: @}, all.yaml]}\n")
    ).encode(),
}  # fmt: skip
HCL: dict[str, Callable[[int], bytes]] = {
    "deep maps": lambda size: b"locals {\n a = " + b"{ a = " * (size // 6) + b"1" + b" }" * (size // 6) + b"\n}\n",
    "calls in calls": lambda size: b"locals {\n a = " + b"merge(" * (size // 6) + b"1" + b")" * (size // 6) + b"\n}\n",
    "conditions": lambda size: b"locals {\n a = " + b'var.a ? "b" : ' * (size // 14) + b'"c"\n}\n',
    "heredocs": lambda size: _times(size // 30, "locals {\n a@ = <<-EOT\n x\n EOT\n}\n").encode(),
    "an open heredoc again and again": lambda size: b"a = <<E\n" * (size // 8),
    "templates in texts": lambda size: b'a = "' + b'${"' * (size // 3) + b"\n",
    "for": lambda size: b"a = [" + b"for x in var.a : {" * (size // 18) + b"\n",
}  # fmt: skip
FOLDERS: dict[str, Callable[[int], dict[str, bytes]]] = {
    "kustomizations in a circle": lambda size: {
        f"{n}/kustomization.yaml": f"resources: [../{(n + 1) % (size // 500 + 2)}]\n".encode() for n in range(size // 500 + 2)
    },
    "kustomizations that double": lambda size: {
        f"{n}/kustomization.yaml": f"resources: [../{n + 1}, ../{n + 1}/]\n".encode() for n in range(min(size // 500, 30) + 1)
    },
    "a configuration of many patterns": lambda size: {
        "ccmcheck.toml": b"exclude = [" + b'"**/a*b*c*d*/**",' * (size // 20) + b"]\n", "cloud.conf": _CONF
    },
    "patterns of many stars": lambda size: {
        "ccmcheck.toml": f"""exclude = ["{'*a' * min(size // 10, 90)}*b", "{'**/' * min(size // 10, 90)}b", "{'[ab]*' * min(size // 10, 90)}c"]\n""".encode(),
        f"{'a' * 200}.yaml": b"a: b\n", f"{'x/' * 60}{'a' * 90}.conf": _CONF,
    },
    "suppressions of many stars": lambda size: {
        "ccmcheck.toml": f"""[per-path-ignores]\n"{'*a' * min(size // 10, 90)}*b" = ["duration-bad"]\n""".encode(), f"{'a' * 200}.conf": _CONF
    },
    "selectors of many choices": lambda size: {
        "kustomization.yaml": f"resources: [a.yaml]\npatches: [{{target: {{name: '{'(a|a)*' * min(size // 10, 90)}b'}}, patch: '[]'}}]\n".encode(),
        "a.yaml": _secret("data: {}\n").replace(b"name: c", b"name: " + b"a" * 200),
    },
    "a configuration that extends itself": lambda _size: {"ccmcheck.toml": b'extends = ["ccmcheck.toml"]\n', "cloud.conf": _CONF},
    "values that name each other": lambda size: {
        f"{n}/app.yaml": (
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source:\n    path: .\n    chart: openstack-cloud-controller"
            f"-manager\n    helm:\n      valueFiles: [app.yaml, ../{n + 1}/app.yaml, ../{n + 1}/values.yaml]\n"
        ).encode()
        for n in range(size // 300 + 1)
    },
    "a helmfile of helmfiles": lambda size: {
        f"{n}/helmfile.yaml": f"bases: [../{n + 1}/helmfile.yaml, helmfile.yaml]\nhelmfiles: [../{n}/helmfile.yaml, ../*/*.yaml]\n".encode()
        for n in range(size // 200 + 1)
    },
    "charts in charts": lambda size: {
        f"{'charts/a/' * n}{name}": text
        for n in range(min(size // 300, 30) + 1)
        for name, text in (
            ("Chart.yaml", b"apiVersion: v2\nname: a\ndependencies: [{name: openstack-cloud-controller-manager, alias: a}, {name: a}]\n"),
            ("values.yaml", b"a: {cloudConfig: {loadBalancer: {monitor-delay: 3}}}\n"),
        )
    },
    "groups of variables": lambda size: {
        f"inventory/{'x/' * (n % 9)}group_vars/g{n}/all.yml": b"cloud_provider: external\nexternal_openstack_lbaas_monitor_delay: 3\n"
        for n in range(size // 200 + 1)
    },
    "a deep folder": lambda size: {f"{'d/' * min(size // 100, 200)}cloud.conf": _CONF},
    "many files": lambda size: {f"{n}/cloud.conf": _CONF for n in range(size // 200 + 1)},
}  # fmt: skip
INPUTS: dict[str, Callable[[int], dict[str, bytes]]] = {
    **{name: (lambda size, make=make: {"cloud.conf": make(size)}) for name, make in HOSTILE.items()},  # type: ignore[misc]
    **{name: (lambda size, make=make: {"all.yaml": make(size)}) for name, make in OBJECTS.items()},  # type: ignore[misc]
    **{name: (lambda size, make=make: {"main.tf": make(size)}) for name, make in HCL.items()},  # type: ignore[misc]
    **FOLDERS,
}
SIZES = (300, 1_000, 3_000, 10_000)
COMMANDS = tuple(
    tuple(line.split())
    for line in (
        "lint .", "lint --format json .", "lint --format html .", "lint --jobs 1 --profile scs .", "list -v .", "fix --unsafe --diff .",
        "fix --unsafe --patch kustomize .", "predict .", "predict --format json .", "upgrade . --from 1.25", "review base .",
        "review base . --format html", "explain create-monitor .", "lint --time-limit 0.2 .", "predict --time-limit 0.2 .",
        "lint --memory-limit 8 .", "predict --memory-limit 16 .", "show --cpu-limit 1 .", "read --time-limit 0.2 .",
    )
)  # fmt: skip


def size() -> int:
    """How many there are."""
    return len(INPUTS) * len(SIZES) * len(COMMANDS)


def _made(number: int) -> tuple[tuple[str, ...], str, int]:
    number, command = divmod(number, len(COMMANDS))
    name, length = divmod(number, len(SIZES))
    return COMMANDS[command], list(INPUTS)[name], SIZES[length]


def attack(number: int, folder: Path) -> list[str]:
    """Try one; what is wrong with it."""
    words, name, length = _made(number)
    (folder / "base").mkdir()
    (folder / "base/cloud.conf").write_bytes(_CONF)
    for path, data in INPUTS[name](length).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    run = told(folder, words)
    return list(hits(run, words))


def described(number: int) -> str:
    """What it is."""
    words, name, length = _made(number)
    return f"{' '.join(words)}: {name}, {length} bytes"
