"""One cloud.conf in every thing that carries one, each with something around it that must stay as it is."""

from __future__ import annotations

import base64
import gzip
import random
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

import generate

from ccmcheck.base.text import decode, encode
from ccmcheck.catalog.signs.forms import is_ini
from ccmcheck.catalog.signs.scorer import is_cloud_conf

SECRET = "# why\napiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\n"
MACHINE = "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: x}\nspec:\n  kubeadmConfigSpec:\n    files:\n"
SET = SECRET + "type: addons.cluster.x-k8s.io/resource-set\n"


class Carrier(NamedTuple):
    """A file around a cloud.conf.

    Attributes:
        name: What it is.
        path: The file's name.
        text: The whole file.
    """

    name: str
    path: str
    text: str


def conf(seed: int) -> str:
    """A made cloud.conf: good, bad or odd; short, because the long ones are for the measurements."""
    for data in generate.inputs(seed, 20, ()):
        if len(data) < 1500:
            return decode(data).text
    raise AssertionError(seed)


def b64(text: str, width: int = 0) -> str:
    """Base64, in lines where a width is given."""
    encoded = base64.b64encode(encode(text)).decode()
    return "\n".join(textwrap.wrap(encoded, width)) if width else encoded


def indented(text: str, blanks: int) -> str:
    """Each line with an indentation, blank ones without, and a newline at the end."""
    return "".join(f"{' ' * blanks}{line}\n" if line else "\n" for line in text.split("\n"))


def is_for_yaml(text: str) -> bool:
    """Whether a text can stand in a YAML file as it is."""
    return all(character.isprintable() or character in "\n\t" for character in text)


def carriers(text: str, chance: random.Random) -> Iterator[Carrier]:
    """A text in every carrier that can hold it."""
    width = chance.choice((0, 60, 64, 76))
    lines = indented(b64(text, width or 76), 4)
    yield Carrier("Secret", "secret.yaml", f"{SECRET}data:\n  cloud.conf: {b64(text)}  # by hand\n  z: eA==\n")
    yield Carrier("Secret in lines", "secret.yaml", f"{SECRET}data:\n  cloud.conf: |\n{lines}  z: eA==\n")
    yield Carrier(
        "Secret with CRLF", "secret.yaml", f"{SECRET}data:\n  cloud.conf: {b64(text)}\n".replace("\n", "\r\n")
    )
    yield Carrier("without a last newline", "secret.yaml", f"{SECRET}data:\n  cloud.conf: {b64(text)}")
    inner = f"{SECRET}data:\n  cloud.conf: {b64(text)}\n"
    yield Carrier("ClusterResourceSet", "set.yaml", f"{SET}data:\n  a.yaml: {b64(inner)}\n  z: eA==\n")
    packed = base64.b64encode(gzip.compress(encode(text), mtime=0)).decode()
    file = f"    - path: /etc/kubernetes/cloud.conf\n      encoding: gzip+base64\n      content: {packed}\n"
    yield Carrier("gzip", "machine.yaml", f"{MACHINE}{file}    - path: /etc/motd\n      content: hello\n")
    yield Carrier("variable", "clusterctl.yaml", f"A: b\nOPENSTACK_CLOUD_PROVIDER_CONF_B64: {b64(text)}\nC: d\n")
    if is_for_yaml(text):
        for sign in ("", "-", "+", "2"):
            block = f"{SECRET}stringData:\n  cloud.conf: |{sign}\n{indented(text, 4)}  z: y\n"
            yield Carrier(f"block{sign}", "secret.yaml", block)
            yield Carrier(f"block{sign} with CRLF", "secret.yaml", block.replace("\n", "\r\n"))
        yield Carrier("quoted", "secret.yaml", f"{SECRET}stringData:\n  cloud.conf: {quoted(text)}\n  z: y\n")
        file = f"    - path: /etc/kubernetes/cloud.conf\n      content: |\n{indented(text, 8)}"
        yield Carrier("machine", "machine.yaml", f"{MACHINE}{file}    - path: /etc/motd\n      content: hello\n")
        manifest = f"{SECRET}stringData:\n  cloud.conf: |\n{indented(text, 4)}"
        yield Carrier("nested", "set.yaml", f"{SET}stringData:\n  a.yaml: |\n{indented(manifest, 4)}  z: y\n")
        if text.endswith("\n") and "EOF\n" not in text:
            yield from _in_other_languages(text)


def _in_other_languages(text: str) -> Iterator[Carrier]:
    """A text of whole lines in scripts, documents and Terraform."""
    script = "#!/bin/sh\nset -e # it's\ncat > /etc/kubernetes/cloud.conf <<'EOF'\n{}EOF\necho \"done\"\n"
    yield Carrier("heredoc", "install.sh", script.format(text))
    tabbed = "".join(f"\t{line}\n" if line else "\n" for line in text.split("\n")[:-1])
    if not any(line.startswith("\t") for line in text.split("\n")):
        yield Carrier("heredoc with tabs", "install.sh", script.replace("<<'", "<<-'").format(tabbed))
    if "`" not in text and "$" not in text and "\\" not in text:
        yield Carrier("heredoc that expands", "install.sh", script.replace("'EOF'", "EOF").format(text))
    if "```" not in text and is_cloud_conf(text) and is_ini(text):
        item = indented(f"```ini\n{text}```", 3)
        yield Carrier("fenced block", "README.md", f"1. Do this:\n\n{item}\nAnd then `that`.\n")
        yield Carrier("define", "_helpers.tpl", f'{{{{- define "cloud.conf" -}}}}\n{text}{{{{- end }}}}\n')
    if "${" not in text and "%{" not in text:
        key = '  data = {\n    "cloud.conf" = <<-EOF\n'
        yield Carrier("HCL", "main.tf", f'resource "x" "y" {{\n{key}{indented(text[:-1], 6)}    EOF\n  }}\n}}\n')


def quoted(text: str) -> str:
    """A text in YAML's double quotes."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'
