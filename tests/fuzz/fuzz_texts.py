"""Texts to throw at the linter: samples and public files broken in many ways, and files made up from their parts."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from ccmcheck import catalog

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "files"
LONGEST = 20_000
"""Bytes of a public file that is taken; a fault shows in a short one too."""

CONF = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = "s3cr3t value" # and a comment
[LoadBalancer]
create-monitor = true
monitor-delay = 5s
lb-provider = ovn
lb-method = SOURCE_IP_PORT
[LoadBalancerClass "gold"]
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
[Networking]
public-network-name = a
public-network-name = b
"""


class File(NamedTuple):
    """A file's name and its bytes."""

    name: str
    data: bytes

    def __repr__(self) -> str:
        return f"File({self.name!r}, {self.data!r})"


def _base() -> list[File]:
    paths = [path for folder in (ROOT / "samples", CORPUS) if folder.is_dir() for path in sorted(folder.rglob("*"))]
    public = [File(path.name, path.read_bytes()) for path in paths if path.is_file() and path.stat().st_size <= LONGEST]
    return [File("cloud.conf", CONF.encode()), *(carrier(kind, CONF) for kind in CARRIERS), *public]


def _b64(text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return base64.b64encode(data).decode()


def _block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.split("\n"))


def carrier(kind: str, conf: str) -> File:
    """One kind of file with a cloud.conf in it."""
    text = CARRIERS[kind].replace("<BLOCK4>", _block(conf, 4)).replace("<BLOCK8>", _block(conf, 8))
    text = text.replace("<BASE64>", _b64(conf))
    if "<GZIP>" in text:
        text = text.replace("<GZIP>", _b64(gzip.compress(conf.encode("utf-8", "surrogateescape"), mtime=0)))
    if "<QUOTED>" in text:
        escaped = conf.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        text = text.replace("<QUOTED>", f'"{escaped}"')
    if kind == "nested":
        secret = CARRIERS["secret.yaml"].replace("<BASE64>", _b64(conf))
        text = text.replace("<SECRET>", _b64(secret))
    return File("nested.yaml" if kind == "nested" else kind, text.encode("utf-8", "surrogateescape"))


_HEAD = "apiVersion: v1\nkind: {}\nmetadata:\n  name: cloud-config\n  namespace: kube-system\n  annotations: {{}}\n"
CARRIERS = {
    "cloud.conf": "<PLAIN>",
    "secret.yaml": _HEAD.format("Secret") + "data:\n  cloud.conf: <BASE64>\n  ca.crt: eA==\n",
    "string.yaml": _HEAD.format("Secret") + "stringData:\n  cloud.conf: |\n<BLOCK4>",
    "map.yaml": _HEAD.format("ConfigMap") + "data:\n  cloud.conf: |-\n<BLOCK4>",
    "folded.yaml": _HEAD.format("ConfigMap") + "data:\n  cloud.conf: >\n<BLOCK4>",
    "quoted.json": '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}, "stringData": {"cloud.conf": <QUOTED>}}',
    "kcp.yaml": "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata: {name: k}\nspec:\n"
    "  kubeadmConfigSpec:\n    files:\n    - path: /etc/kubernetes/cloud.conf\n      content: |\n<BLOCK8>"
    "    - path: /etc/kubernetes/cloud.conf\n      encoding: gzip+base64\n      content: <GZIP>\n",
    "nested": _HEAD.format("Secret")
    + "type: addons.cluster.x-k8s.io/resource-set\ndata:\n  cloud-config.yaml: <SECRET>\n",
    "script.yaml": _HEAD.format("ConfigMap") + "data:\n  run.sh: |\n    cat > /etc/cloud.conf <<EOF\n<BLOCK4>    EOF\n",
    "values.yaml": "cloudConfig:\n  global:\n    auth-url: http://k\n    password: 'x'\n  loadBalancer:\n    monitor-delay: 5\n"
    "  networking: {}\nimage: {tag: v1.31.0}\n",
}

KEYS = [f"{section}\0{key}" for section in catalog.all_sections() for key in catalog.all_keys(section)]
VALUES = [
    "", "true", "True", "yes", "maybe", "3", "3s", "1m30s", "-1", "500ms", "0", "10", "999999999999999999999", "ovn", "OVN", "amphora",
    "ROUND_ROBIN", "SOURCE_IP_PORT", "v1", "v2", "public", "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69", "a,b", "a=b,c", "https://k:5000/v3",
    "http://k", "k", '"quoted # text"', '"open', "'single'", "pa#ss", "pa ;ss", "a\\", "a\\\\b", '"a\\"b"', '"\\x"', "${VAR}", "${VAR:=x}",
    "{{ x }}", "{{ 'a' }", "{% if x %}", "<your-id>", "__X__", "\u00a0", "\ufeff", "\x00", "\udcff", "é\u2028", "\x1b[31m", "a\rb", "x" * 300,
]  # fmt: skip
SIGNS = [
    *VALUES, "[", "]", "[Global]", '[LoadBalancerClass "x"]', "[LoadBalancer]", "\n", "\r\n", "\r", "=", ":", "#", ";", '"', "'", "\\", "|",
    ">", "-", "- ", "? ", "&a ", "*a", "!!str ", "---\n", "...\n", "{", "}", "{{", "}}", "{%", "%}", "${", "}", "\t", "\v", "\f", "\x85",
    "# ccmcheck: ignore[duration-bad] x\n", "# ccmcheck: ignore-file[x", "kind: Secret\n", "data:\n  cloud.conf: ", "<<EOF\n", "EOF\n",
    "cloudConfig:\n", "  password: x\n", "create_monitor=1\n", "use-octavia\n", "key = value\n",
]  # fmt: skip


@st.composite
def entries(draw: st.DrawFn) -> str:
    """One line of a cloud.conf."""
    shape = draw(st.integers(0, 9))
    if shape == 0:
        return draw(st.sampled_from(["", "# comment", "; comment", "junk", "{% if x %}", "${ALL}", "{{ x }}"]))
    section, _, key = draw(st.sampled_from(KEYS)).partition("\0")
    if shape == 1:
        return f"[{section}]"
    if shape == 2:
        return draw(
            st.sampled_from(
                [
                    f'[{section} "x"]',
                    f"[{section} x]",
                    f"[{section}",
                    "[Nowhere]",
                    '[LoadBalancerClass ""]',
                    "[ Global ]",
                ]
            )
        )
    if shape == 3:
        key = key.replace("-", draw(st.sampled_from(["_", "", "-", "."])), 1)
    between = draw(st.sampled_from([" = ", "=", ":", " ", "", "= "]))
    value = draw(st.sampled_from(VALUES))
    if shape == 4:
        return key
    return f"{key}{between}{value}{draw(st.sampled_from(['', '', '', ' # x', ' ', chr(92)]))}"


@st.composite
def confs(draw: st.DrawFn) -> str:
    """A whole cloud.conf, mostly under the right header."""
    lines = []
    for _ in range(draw(st.integers(0, 4))):
        section, _, key = draw(st.sampled_from(KEYS)).partition("\0")
        lines.append(f'[{section} "c"]' if section == "LoadBalancerClass" else f"[{section}]")
        lines.append(f"{key} = {draw(st.sampled_from(VALUES))}")
        lines += draw(st.lists(entries(), max_size=6))
    newline = draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))
    return newline.join(lines) + draw(st.sampled_from([newline, ""]))


@st.composite
def made_up(draw: st.DrawFn) -> File:
    """A made-up cloud.conf in any kind of file."""
    kind = draw(st.sampled_from([*CARRIERS, "cloud.conf", "cloud.conf"]))
    conf = draw(confs())
    if kind == "cloud.conf":
        return File(draw(names("cloud.conf")), conf.encode("utf-8", "surrogateescape"))
    made = carrier(kind, conf)
    return made._replace(name=draw(names(made.name)))


@st.composite
def mutated(draw: st.DrawFn, base: list[File]) -> File:
    """A known file with a few places changed."""
    name, data = draw(st.sampled_from(base))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        until = min(len(data), at + draw(st.sampled_from([0, 1, 2, 5, 20, 100, LONGEST])))
        kind = draw(st.integers(0, 6))
        if kind <= 2:
            new = draw(st.sampled_from(SIGNS)).encode("utf-8", "surrogateescape")
        elif kind == 3:
            new = b""
        elif kind == 4:
            new = data[at:until] * 2
        elif kind == 5:
            new = draw(st.binary(max_size=8))
        else:
            data, new, until = data.replace(b"\n", b"\r\n"), b"", at
        data = data[:at] + new + data[until:]
    return File(draw(names(name)), data[: 4 * LONGEST])


@st.composite
def random_bytes(draw: st.DrawFn) -> File:
    """Bytes that mean nothing, or signs in any order."""
    data = draw(
        st.one_of(
            st.binary(max_size=200),
            st.lists(st.sampled_from(SIGNS), max_size=40).map(
                lambda signs: "".join(signs).encode("utf-8", "surrogateescape")
            ),
        )
    )
    return File(draw(names("cloud.conf")), data)


def names(own: str) -> st.SearchStrategy[str]:
    """The file's own name, or one that makes it another kind."""
    return st.sampled_from(
        [
            own,
            own,
            own,
            "cloud.conf",
            "x.yaml",
            "cloud.conf.tmpl",
            "values.yaml.j2",
            "x.json",
            "charts/x/templates/s.yaml",
            "<stdin>",
        ]
    )


BASE = _base()


def files() -> st.SearchStrategy[File]:
    """Any of them."""
    return st.one_of(mutated(BASE), made_up(), random_bytes())
