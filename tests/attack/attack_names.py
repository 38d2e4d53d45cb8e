"""Names, keys and values that would be a command, a tag, a mention or a control character where a report shows them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import canary_product
from attack_judge import hits, told

NAMES = (
    "::stop-commands::abc", "::error file=a::b", "a\n::set-output name=a::b", "##[error]a", "##vso[task.setvariable variable=a]b",
    "<img/src=x onerror=alert(1)>", "<script>alert(1)</script>", "a</pre><img src=x>", "a`<img src=x>`", "![a](https://evil.invalid)",
    "[a](javascript:alert(1))", "@everyone #1", "a|b|c", "a\\|<img src=x>", "--- a\n+++ b\n@@ -1 +1 @@", "\x1b[31mred\x1b]0;t\x07",
    "\u202ecba\u2066", "a\rb", "a\x00b", "a\u2028::error::b", "a\x85::error::b", "\ufffe\uffff", "]]><a b='c'", "&#10;&lt;&amp;",
    "{{ .Values.a }}", "${IFS}$(touch pwned)", "a" * 300, "%0A::error::b", "-rf", "../../../../etc/passwd", "٣٤ 名前 \U0001f980",
)  # fmt: skip


def _yaml(text: str) -> str:
    return json.dumps(text)


def _conf(key: str = "monitor-delay", value: str = "3", section: str = "LoadBalancer", comment: str = "") -> str:
    return f"[Global]\nauth-url = https://k\n{comment}[{section}]\n{key} = {value}\nmonitor-delay = 3\n"


def _secret(metadata: str = "{name: cloud-config}", conf: str | None = None) -> str:
    body = "".join(f"    {line}\n" for line in (conf or _conf()).split("\n"))
    return f"apiVersion: v1\nkind: Secret\nmetadata: {metadata}\nstringData:\n  cloud.conf: |\n{body}"


def _service(metadata: str = "{name: web}", spec: str = "type: LoadBalancer, ports: [{port: 80}]") -> str:
    return f"---\napiVersion: v1\nkind: Service\nmetadata: {metadata}\nspec: {{{spec}}}\n"


def _workload(image: str, argument: str) -> str:
    return (
        "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: openstack-cloud-controller-manager, namespace: kube-system}\n"
        "spec:\n  template:\n    spec:\n      containers:\n      - name: ccm\n"
        f"        image: {image}\n        args: [/bin/openstack-cloud-controller-manager, {argument}]\n"
    )


IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2"
_PREFIX = "loadbalancer.openstack.org"
PLACES: dict[str, Callable[[str], dict[str, str]]] = {
    "a file's name": lambda name: {f"{_in_a_path(name)}.conf": _conf(), "secret.yaml": _secret() + _service()},
    "a folder's name": lambda name: {f"{_in_a_path(name)}/secret.yaml": _secret() + _service()},
    "a section": lambda name: {"secret.yaml": _secret(conf=_conf(section=name))},
    "a subsection": lambda name: {"secret.yaml": _secret(conf=_conf(section=f"LoadBalancerClass {_yaml(name)}"))},
    "a key": lambda name: {"secret.yaml": _secret(conf=_conf(key=name))},
    "a value": lambda name: {"secret.yaml": _secret(conf=_conf(value=_yaml(name)))},
    "a public value": lambda name: {"secret.yaml": _secret(conf=_conf("lb-provider", _yaml(name))) + _service()},
    "a comment": lambda name: {"secret.yaml": _secret(conf=_conf(comment=f"# {name}\n"))},
    "a Secret's name": lambda name: {"secret.yaml": _secret(f"{{name: {_yaml(name)}}}") + _service()},
    "a namespace": lambda name: {"secret.yaml": _secret(f"{{name: a, namespace: {_yaml(name)}}}") + _service()},
    "a Service's name": lambda name: {"secret.yaml": _secret() + _service(f"{{name: {_yaml(name)}}}")},
    "an annotation's key": lambda name: {
        "secret.yaml": _secret() + _service(f"{{name: a, annotations: {{{_yaml(f'{_PREFIX}/{name}')}: x}}}}")
    },
    "an annotation's value": lambda name: {
        "secret.yaml": _secret() + _service(f"{{name: a, annotations: {{{_PREFIX}/class: {_yaml(name)}}}}}")
    },
    "a port's name": lambda name: {
        "secret.yaml": _secret() + _service(spec=f"type: LoadBalancer, ports: [{{name: {_yaml(name)}, port: 80}}]")
    },
    "an image": lambda name: {"all.yaml": _secret() + _service() + _workload(_yaml(f"{IMAGE}{name}"), "--v=2")},
    "a cluster's name": lambda name: {
        "all.yaml": _secret() + _service() + _workload(IMAGE, _yaml(f"--cluster-name={name}"))
    },
}


def _in_a_path(name: str) -> str:
    """As a file may be called."""
    return name.replace("\0", "").replace("/", "\u2215").strip(".")[:80] or "a"


COMMANDS = [command for command in canary_product.COMMANDS if "FILE" not in command] + [
    ("list", "-v", "."), ("list", "--format", "json", "."), ("fix", "--no-config", "--diff", "."),
    ("review", "base", ".", "--format", "markdown"), ("review", "base", ".", "--format", "html"),
    ("review", "base", ".", "--format", "text", "-vv"), ("review", "base", ".", "--format", "json"),
]  # fmt: skip


def size() -> int:
    """How many there are."""
    return len(NAMES) * len(PLACES) * len(COMMANDS)


def _made(number: int) -> tuple[tuple[str, ...], str, str]:
    number, command = divmod(number, len(COMMANDS))
    name, place = divmod(number, len(PLACES))
    return COMMANDS[command], list(PLACES)[place], NAMES[name]


def attack(number: int, folder: Path) -> list[str]:
    """Try one; what is wrong with it."""
    words, place, name = _made(number)
    base = {"base/secret.yaml": _secret(conf=_conf("lb-provider", "amphora")) + _service()} if "base" in words else {}
    for path, text in {**PLACES[place](name), **base}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    run = told(folder, words)
    return [*hits(run, words), *(["a program ran"] if (folder / "pwned").exists() else [])]


def described(number: int) -> str:
    """What it is."""
    words, place, name = _made(number)
    return f"{' '.join(words)}: {place} {name[:60]!r}"
