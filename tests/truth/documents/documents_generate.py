"""Makes files that carry a cloud.conf: every carrier, nested, in odd styles of YAML, with CRLF, BOM, anchors and comments.

The same seed and number give the same document: ``python tests/truth/documents/documents_generate.py --seed 1 --number 7``.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import generate
import yaml
from documents_read import COPY, Target, texts
from documents_styles import Styles

LONGEST = 1_500
"""Bytes of a cloud.conf: longer ones are about speed."""

LINES = [
    "monitor-delay = 3", "monitor-delay = 5s", "monitor-timeout = 10s", "monitor-max-retries = 1", "create-montior = true",
    "create-monitor = yes", "create-monitor = true", "lb-provider = ovn", "lb-method = ROUND_ROBIN", "use-octavia = true",
    "lb_provider = amphora", "lb-version = v2", "floating-network-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69", "; a comment",
    "# a comment ü", "", "max-shared-lb = 2 # why", "subnet-id = a;b", "internal-lb = True", "manage-security-groups = 1",
    "enable-ingress-hostname", 'network-id = "a b" # c', "unknown = 1", "auth-url = https://k.example.org:5000/v3",
]  # fmt: skip
HEADERS = [
    "[Global]",
    "[LoadBalancer]",
    "[LoadBalancer]",
    "[Networking]",
    '[LoadBalancerClass "gold"]',
    "[Metadata]",
    "[BlockStorage]",
]
COMMENTS = ["# why", "#", "# password: is elsewhere", "# ä → ö", "# data: {a: b}", "# ---"]


class Document(NamedTuple):
    """A made file.

    Attributes:
        path: Its name.
        text: Its text; a byte order mark is its first character.
        targets: Where the cloud.confs are.
    """

    path: str
    text: str
    targets: tuple[Target, ...]


def document(seed: int, number: int) -> Document:
    """Make one.

    Args:
        seed: What all depend on.
        number: Which one.
    """
    return Writer(random.Random(seed * 1_000_003 + number), number).document()  # noqa: S311 - no secret


@cache
def _samples() -> list[bytes]:
    return [data for data in generate.samples() if len(data) < LONGEST]


class Writer(Styles):
    """Writes one document.

    Args:
        chance: What it depends on.
        number: Its number, which is in its objects' names.
    """

    def __init__(self, chance: random.Random, number: int) -> None:
        super().__init__(chance)
        self.number = number

    def document(self) -> Document:
        kinds: list[tuple[Callable[[str], Document], float]] = [
            (self.plain, 1), (self.objects, 8), (self.json, 1.5), (self.values, 1), (self.variable, 0.7), (self.user_data, 0.7),
            (self.resource_set, 1.2),
        ]  # fmt: skip
        make = self.chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
        made = make(self.conf())
        if made.path.endswith((".yaml", ".json")) and not _is_right(made):
            made = self.secret_of_last_resort(self.conf())
        text = made.text
        if self.often(0.15):
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        if self.often(0.07) and not text.startswith("%"):
            text = "\ufeff" + text
        if self.often(0.12):
            text = text.removesuffix("\n").removesuffix("\r")
        return Document(made.path, text, made.targets) if _is_right(made._replace(text=text)) else made

    # the cloud.conf

    def conf(self) -> str:
        if self.often(0.35):
            for data in generate.inputs(self.chance.randrange(1 << 32), 20, _samples()):
                if len(data) < LONGEST:
                    return data.decode("utf-8", "surrogateescape")
        lines: list[str] = []
        for header in self.chance.sample(HEADERS, self.chance.randint(1, 3)):
            lines += [header, *self.chance.choices(LINES, k=self.chance.randint(1, 6))]
        end = self.chance.choice(["\n", "\n", "\n", "", "\n\n"])
        return "\n".join(lines) + end

    # objects

    def objects(self, conf: str) -> Document:
        """One file of YAML with one or several objects, of which some carry a cloud.conf."""
        makers = [
            self.secret, self.secret, self.string_secret, self.string_secret, self.config_map, self.machine, self.template,
            self.helm_release, self.list_of_secrets, self.cluster_class,
        ]  # fmt: skip
        parts: list[str] = []
        targets: list[Target] = []
        for _ in range(self.chance.choice([1, 1, 1, 2, 3])):
            if self.often(0.25):
                parts.append(self.other())
            text, target = self.chance.choice(makers)(conf, len(parts))
            parts.append(text)
            targets.append(target)
            conf = self.conf()
        separator = self.chance.choice(["---\n", "---\n", "--- # next\n", "...\n---\n", "---\n# a comment\n"])
        head = self.chance.choice(["", "", "---\n", "# head\n---\n", "%YAML 1.1\n---\n", "\n\n"])
        text = head + separator.join(parts) + self.chance.choice(["", "", "...\n", "# end\n", "---\n"])
        return Document("objects.yaml", text, tuple(targets))

    def mapping(self, entries: Sequence[tuple[str, str]], indent: int = 0, *, shuffle: bool = True) -> str:
        """Entries with what is between them; a value begins behind its key's colon."""
        order = list(entries)
        if shuffle:
            self.chance.shuffle(order)
            order.sort(key=lambda entry: entry[0] == COPY)  # an alias stands behind its anchor
        lines = []
        blanks = " " * indent
        for key, value in order:
            if self.often(0.08):
                lines.append(blanks + self.chance.choice(COMMENTS))
            if self.often(0.05):
                lines.append("")
            written = key
            if self.often(0.08):
                written = f'"{key}"' if self.often(0.5) else f"'{key}'"
            gap = "" if value.startswith("\n") else self.chance.choice([" ", " ", " ", "  "])
            lines.append(f"{blanks}{written}{':' if not self.often(0.02) else ' :'}{gap}{value}")
        return "\n".join(lines)

    def metadata(self, name: str) -> str:
        """An object's metadata, sometimes with anchors, aliases and merge keys in it."""
        full = f"{name}-{self.number}-{self.chance.randrange(1000)}"
        return self.chance.choice(
            [
                f"{{name: {full}, namespace: kube-system}}",
                f"\n  name: {full}\n  labels: &labels{self.chance.randrange(9)}\n    app: ccm\n    tier: 'a'",
                f"\n  name: {full}\n  labels: &one {{a: b}}\n  annotations:\n    <<: *one\n    c: d",
                f"\n    name: &name {full}\n    labels: {{app: *name}}",
                f'\n  name: "{full}"\n  annotations: # why\n    note: >-\n      folded\n      text\n    other: |\n      x',
            ]
        )

    def entry(self, indent: int, value: Callable[[int], str]) -> list[tuple[str, str]]:
        """The cloud.conf's entry of a map, sometimes with an anchor, beside others."""
        anchor = self.chance.choice(["", "", "", "", "", "&conf ", "!!str "])
        entries = [("cloud.conf", anchor + value(indent))]
        if anchor == "&conf " and self.often(0.5):
            entries.append((COPY, "*conf"))
        if self.often(0.5):
            entries.append(
                ("zzz", self.chance.choice(["eA==", "'eA=='", "|\n" + " " * (indent + 2) + "eA==", '"eA=="']))
            )
        return entries

    def secret(self, conf: str, at: int) -> tuple[str, Target]:
        data = conf.encode("utf-8", "surrogateescape")
        indent = self.chance.choice([1, 2, 2, 4])
        body = "\n" + self.mapping(self.entry(indent, lambda level: self.encoded(data, level)), indent)
        if self.often(0.1):
            body = f"{{cloud.conf: {base64.b64encode(data).decode()}, a: eA==}}"
        return self.top("Secret", "v1", "cloud-config", [("data", body)]), Target(
            at, ("data", "cloud.conf"), ("base64",)
        )

    def string_secret(self, conf: str, at: int) -> tuple[str, Target]:
        indent = self.chance.choice([1, 2, 2, 4])
        body = "\n" + self.mapping(self.entry(indent, lambda level: self.text(conf, level)), indent)
        made = self.top("Secret", "v1", "cloud-config", [("stringData", body), ("type", "Opaque")])
        return made, Target(at, ("stringData", "cloud.conf"), ())

    def config_map(self, conf: str, at: int) -> tuple[str, Target]:
        body = "\n" + self.mapping(self.entry(2, lambda level: self.text(conf, level)), 2)
        return self.top("ConfigMap", "v1", "cloud-config", [("data", body)]), Target(at, ("data", "cloud.conf"), ())

    def files(self, conf: str, indent: int) -> tuple[str, int, tuple[str, ...]]:
        """A list of files with the cloud.conf among them, its place, and how its content is encoded."""
        blanks = " " * indent
        data = conf.encode("utf-8", "surrogateescape")
        items: list[str] = []
        at = self.chance.randrange(2)
        ways: tuple[str, ...] = ()
        for number in range(2):
            if number != at:
                items.append(f"{blanks}- path: /etc/motd\n{blanks}  content: |\n{blanks}    hello # there")
                continue
            content = self.text(conf, indent + 2)
            encoding = ""
            if self.often(0.5):
                ways = self.chance.choice([("base64",), ("base64", "gzip")])
                packed = gzip.compress(data, mtime=0) if len(ways) > 1 else data
                content, encoding = (
                    base64.b64encode(packed).decode() or '""',
                    "gzip+base64" if len(ways) > 1 else "base64",
                )
            pairs = [("path", "/etc/kubernetes/cloud.conf"), ("owner", "root:root"), ("content", content)]
            pairs += [("encoding", encoding)] if encoding else []
            body = self.mapping(pairs, indent + 2)
            marked = body.split("\n")
            first = next(
                number for number, line in enumerate(marked) if line.strip() and not line.strip().startswith("#")
            )
            marked[first] = f"{blanks}- {marked[first][indent + 2 :]}"
            items.append("\n".join(marked))
        return "\n" + "\n".join(items), at, ways

    def machine(self, conf: str, at: int) -> tuple[str, Target]:
        files, place, ways = self.files(conf, self.chance.choice([4, 6]))
        spec = f"\n  replicas: 3\n  kubeadmConfigSpec:\n    files:{files}"
        made = self.top("KubeadmControlPlane", "controlplane.cluster.x-k8s.io/v1beta1", "machine", [("spec", spec)])
        return made, Target(at, ("spec", "kubeadmConfigSpec", "files", place, "content"), ways)

    def template(self, conf: str, at: int) -> tuple[str, Target]:
        files, place, ways = self.files(conf, 6)
        made = self.top(
            "KubeadmConfigTemplate",
            "bootstrap.cluster.x-k8s.io/v1beta1",
            "nodes",
            [("spec", f"\n  template:\n    spec:\n      files:{files}")],
        )
        return made, Target(at, ("spec", "template", "spec", "files", place, "content"), ways)

    def helm_release(self, conf: str, at: int) -> tuple[str, Target]:
        """The chart's values in an object."""
        body = "\n" + self.mapping(_settings(conf), 8)
        spec = f"\n  interval: 5m\n  values:\n    cloudConfig: # of the CCM\n      global: {{auth-url: 'https://k'}}\n      loadBalancer:{body}"
        return self.top("HelmRelease", "helm.toolkit.fluxcd.io/v2", "release", [("spec", spec)]), Target(
            at, ("spec", "values", "cloudConfig"), ("values",)
        )

    def list_of_secrets(self, conf: str, at: int) -> tuple[str, Target]:
        """A List with a Secret in it."""
        made, target = self.chance.choice([self.secret, self.string_secret])(conf, at)
        lines = made.removesuffix("\n").split("\n")
        first = next(number for number, line in enumerate(lines) if line.strip() and not line.strip().startswith("#"))
        shifted = [f"  {line}" if line else line for line in lines]
        shifted[first] = f"- {lines[first]}"
        text = "apiVersion: v1\nkind: List\nitems:\n" + "\n".join(shifted) + "\n"
        return text, target._replace(path=("items", 0, *target.path))

    def cluster_class(self, conf: str, at: int) -> tuple[str, Target]:
        """A patch of a ClusterClass that adds the file."""
        content = self.text(conf, 12)
        spec = (
            "\n  variables:\n  - {name: cloudName, required: false}\n  patches:\n  - name: conf\n    definitions:\n    - selector: &s\n"
            "        kind: KubeadmControlPlaneTemplate\n      jsonPatches:\n      - op: add\n        path: /spec/template/spec/files/-\n"
            f"        value:\n            path: /etc/kubernetes/cloud.conf # there\n            content: {content}"
        )
        made = self.top("ClusterClass", "cluster.x-k8s.io/v1beta1", "class", [("spec", spec)])
        return made, Target(at, ("spec", "patches", 0, "definitions", 0, "jsonPatches", 0, "value", "content"), ())

    def top(self, kind: str, version: str, name: str, rest: Sequence[tuple[str, str]]) -> str:
        """A whole object."""
        entries = [("apiVersion", version), ("kind", kind), ("metadata", self.metadata(name)), *rest]
        return self.mapping(entries, shuffle=self.often(0.3)) + "\n"

    def other(self) -> str:
        """An object without a cloud.conf."""
        return self.chance.choice(
            [
                f"apiVersion: v1\nkind: Service\nmetadata: {{name: web-{self.number}}}\nspec: {{type: ClusterIP, ports: [{{port: 80}}]}}\n",
                f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other-{self.number}\ndata:\n  a: &x |\n    b\n  c: *x\n",
                f"apiVersion: v1\nkind: Secret\nmetadata: {{name: other-{self.number}}}\ndata: {{password: aHVudGVyMg==}}\n",
            ]
        )

    # other files

    def plain(self, conf: str) -> Document:
        return Document("cloud.conf", conf, (Target(0, (), ()),))

    def json(self, conf: str) -> Document:
        data = conf.encode("utf-8", "surrogateescape")
        safe = data.decode("utf-8", "replace")
        secret: dict[str, object] = {
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"c-{self.number}"}, "stringData": {"cloud.conf": safe, "a": "b"}
        }  # fmt: skip
        target = Target(0, ("stringData", "cloud.conf"), ())
        whole: dict[str, object] = secret
        if self.often(0.4):
            whole = {
                "apiVersion": "v1",
                "kind": "List",
                "items": [{**secret, "metadata": {"name": f"d-{self.number}"}, "stringData": {}}, secret],
            }
            target = Target(0, ("items", 1, *target.path), ())
        indent = self.chance.choice([None, None, 2, 4])
        return Document(
            "objects.json", json.dumps(whole, indent=indent, ensure_ascii=self.often(0.5)) + "\n", (target,)
        )

    def values(self, conf: str) -> Document:
        """Values of the chart; the cloud.conf is only made of them."""
        entries = _settings(conf)
        body = "\n" + self.mapping(entries, 4)
        text = self.mapping(
            [
                ("cloudConfig", f"\n  global:\n    auth-url: https://k # here\n  loadBalancer:{body}"),
                ("image", "{tag: v1.31.0}"),
                ("x", "&x [a, 'b']"),
            ],
        )
        return Document("values.yaml", text + "\n", (Target(0, ("cloudConfig",), ("values",)),))

    def variable(self, conf: str) -> Document:
        written = base64.b64encode(conf.encode("utf-8", "surrogateescape")).decode() or '""'
        entries = [("A", "b # c"), ("OPENSTACK_CLOUD_PROVIDER_CONF_B64", written), ("OPENSTACK_SSH_KEY_NAME", "'x'")]
        return Document(
            "clusterctl.yaml",
            self.mapping(entries) + "\n",
            (Target(0, ("OPENSTACK_CLOUD_PROVIDER_CONF_B64",), ("base64",)),),
        )

    def user_data(self, conf: str) -> Document:
        files, place, ways = self.files(conf, 0)
        text = f"#cloud-config\nhostname: x\nwrite_files:{files}\n".replace("encoding: gzip+base64", "encoding: gz+b64")
        return Document("user-data.yaml", text, (Target(0, ("write_files", place, "content"), ways),))

    def resource_set(self, conf: str) -> Document:
        """A Secret in a Secret."""
        inner, target = self.chance.choice([self.secret, self.string_secret])(conf, 0)
        kind = ("type", "addons.cluster.x-k8s.io/resource-set")
        if self.often(0.6):
            body = "\n  " + "a.yaml: " + self.encoded(inner.encode("utf-8", "surrogateescape"), 2)
            outer = self.top("Secret", "v1", "set", [kind, ("data", body)])
            return Document("set.yaml", outer, (Target(0, ("data", "a.yaml"), ("base64", "yaml"), target),))
        body = "\n  " + "a.yaml: " + self.text(inner, 2)
        outer = self.top("Secret", "v1", "set", [kind, ("stringData", body)])
        return Document("set.yaml", outer, (Target(0, ("stringData", "a.yaml"), ("yaml",), target),))

    def secret_of_last_resort(self, conf: str) -> Document:
        """What every text can stand in."""
        written = base64.b64encode(conf.encode("utf-8", "surrogateescape")).decode() or '""'
        text = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: c-{self.number}}}\ndata:\n  cloud.conf: {written}\n"
        return Document("objects.yaml", text, (Target(0, ("data", "cloud.conf"), ("base64",)),))


def _settings(conf: str) -> list[tuple[str, str]]:
    """Keys and values of a cloud.conf that need no quotes in YAML."""
    pairs = [line.split(" = ", 1) for line in conf.split("\n") if " = " in line and line[:1].isalpha()]
    known = {key: value for key, value in pairs if value.replace("-", "").isalnum() and key.replace("-", "").isalnum()}
    return list(known.items()) or [("monitor-delay", "3")]


def _is_right(made: Document) -> bool:
    """Whether PyYAML reads the file, and there is something at each target."""
    try:
        return all(text is not None for text in texts(made.path, made.text, made.targets))
    except (yaml.YAMLError, UnicodeError, ValueError, KeyError, IndexError, TypeError):
        return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--number", type=int, required=True)
    asked = parser.parse_args()
    shown = document(asked.seed, asked.number)
    print(f"{shown.path} {shown.targets}")
    sys.stdout.buffer.write(shown.text.encode("utf-8", "surrogateescape"))
