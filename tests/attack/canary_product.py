"""What the canaries are combined from: commands with formats and verbosity, carriers, spellings of a secret, and escapes."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

import yaml
from test_canary import carriers
from test_canary_spellings import SPELLINGS as ODD_SPELLINGS
from test_canary_spellings import document

from ccmcheck.cli.options import PATCH_FORMATS as FORMATS
from ccmcheck.report import REPORTERS

VALUE = "Zq9xWvQ1aB"
SPECIAL = "Zq9<xWv&Q1aB"
_WINDOW = 8
"""Characters of a secret, however it is written, that an output may not have in a row."""


SPELLINGS = tuple(ODD_SPELLINGS)


class Escape(NamedTuple):
    """A way in which the file writes the secret.

    Attributes:
        name: What it is called.
        write: The secret, written so.
    """

    name: str
    write: Callable[[], str]


ESCAPES = (
    Escape("as it is", lambda: VALUE),
    Escape("special characters", lambda: SPECIAL),
    Escape("base64", lambda: base64.b64encode(VALUE.encode()).decode()),
    Escape("JSON", lambda: "".join(f"\\u{ord(char):04x}" for char in VALUE)),
    Escape("HTML", lambda: "".join(f"&#x{ord(char):x};" for char in VALUE)),
    Escape("URL", lambda: "".join(f"%{ord(char):02X}" for char in VALUE)),
    # a leading `=` would be a separator, and the rest the value of whatever stands before it
    Escape("quoted-printable", lambda: VALUE[0] + "".join(f"={ord(char):02X}" for char in VALUE[1:])),
)

_LEVELS = ("-q", "", "-v", "-vv")
_SHOWN = ("", "-q")


def _commands() -> list[tuple[str, ...]]:
    """Every command that shows something of a file, with each of its formats and each verbosity; FILE is the file."""
    made: list[str] = []
    for level in _LEVELS:
        made += [f"lint --no-config {level} --format {name} ." for name in REPORTERS]
        made += [f"lint --no-config {level} --profile scs --release=1.20 --release=1.36 ."]
        made += [f"review base FILE {level} --format {name}" for name in ("text", "markdown", "json", "html")]
        made += [f"review FILE base {level}", f"fix --no-config {level} --unsafe --diff ."]
    for level in ("", "-v", "-vv"):
        made += [f"predict . {level} --format {name}" for name in ("text", "markdown", "json")]
        made += [f"explain create-monitor {level} --format {name} ." for name in ("text", "markdown", "json")]
    for level in _SHOWN:
        made += [f"fix --no-config {level} --unsafe --patch {name} ." for name in FORMATS]
        made += [f"fix --no-config {level} --profile scs-ovn --unsafe --check ."]
        made += [f"set FILE create-monitor=false {level} --patch {name}" for name in FORMATS]
        made += [f"set FILE create-monitor=false {level} --diff", f"set FILE --unset=Global.password {level} --diff"]
        made += [f"set FILE --unset=Global.password {level} --patch git"]
        made += [f"render {kind} {level} --cloud-config FILE" for kind in ("helm-values", "secret", "cloud.conf")]
    made += [f"read --format {name} {at} FILE" for name in ("text", "json") for at in ("", "--reader=ccm@release-1.20")]
    made += [
        f"show --format {name} {with_} FILE" for name in ("text", "markdown", "json") for with_ in ("", "--profile scs")
    ]
    made += [f"upgrade . --from 1.25 --format {name}" for name in ("text", "markdown", "json")]
    made += [f"list {level} --format {name} ." for name in ("text", "json") for level in _SHOWN]
    made += ["fix --no-config --unsafe --patch git --output-dir out .", "lint --no-config --write-baseline=out.json ."]
    return [tuple(line.split()) for line in made]


COMMANDS = _commands()

CARRIERS = (
    "cloud.conf", "cloud.conf.tmpl", "secret.yaml", "string.yaml", "configmap.yaml", "kcp.yaml", "crs.yaml", "broken.yaml",
    "beside.yaml", "clusterctl.yaml", "release.yaml", "user-data.yaml", "list.json", "values.yaml", "machine.yaml", "crlf.conf",
    "main.tf", "locals.tf", "helmfile.yaml", "application.yaml", "from.yaml", "rke2.yaml", "all.yml", "kustomization.yaml", "branches.yaml.j2",
    "chart.tpl", "install.sh", "task.yml",
)  # fmt: skip
_VALUES = "cloudConfig:\n  global:\n    auth-url: https://k\n{}  loadBalancer:\n    monitor-delay: 3\n"
"""Values of the CCM's chart, with the odd line in them."""
_CHART = "openstack-cloud-controller-manager"


def _block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.split("\n"))


def file(name: str, spelling: str, written: str) -> bytes:
    """One carrier with a secret in an odd spelling.

    Args:
        name: One of `CARRIERS`.
        spelling: One of ``SPELLINGS``.
        written: The secret as the file writes it.
    """
    return _text(name, spelling, written).encode("utf-8", "surrogateescape")


def _text(name: str, spelling: str, written: str) -> str:
    conf = document(spelling, written)
    odd = spelling.format(*[written] * spelling.count("{}"))
    encoded = base64.b64encode(conf.encode("utf-8", "surrogateescape")).decode()
    if name == "beside.yaml":
        return (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  cloud.conf: |\n    [LoadBalancer]\n"
            f"    monitor-delay = 3\n---\n{odd}\n"
        )
    if name == "clusterctl.yaml":
        return f"OPENSTACK_CLOUD: x\nOPENSTACK_CLOUD_PROVIDER_CONF_B64: {encoded}\n{odd}\n"
    if name == "release.yaml":
        return (
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm}\nspec:\n  values:\n    cloudConfig:\n"
            f"      global:\n        auth-url: https://k\n{_block(odd, 8)}      loadBalancer:\n        monitor-delay: 3\n"
        )
    if name == "user-data.yaml":
        return (
            "#cloud-config\nwrite_files:\n- path: /etc/kubernetes/cloud.conf\n  owner: root:root\n  content: |\n"
            f"{_block(conf, 4)}"
        )
    if name == "list.json":
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}, "stringData": {"cloud.conf": conf}}
        whole = {"apiVersion": "v1", "kind": "List", "items": [{**secret, "data": {"other": encoded}}]}
        return json.dumps(whole, indent=2).encode("utf-8", "replace").decode()
    if name == "values.yaml":
        return (
            f"cloudConfig:\n  global:\n    auth-url: https://k\n{_block(odd, 4)}  loadBalancer:\n    monitor-delay: 3\n"
        )
    if name == "machine.yaml":
        return (
            "apiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: KubeadmConfigTemplate\nmetadata: {name: m}\nspec:\n  template:\n"
            "    spec:\n      preKubeadmCommands:\n      - |\n        cat > /etc/kubernetes/cloud.conf <<EOF\n"
            f"{_block(conf, 8)}        EOF\n"
        )
    if name == "crlf.conf":
        return conf.replace("\n", "\r\n")
    if name in _WRITERS:
        return _WRITERS[name](Parts(conf, odd, _values(odd)))
    return carriers(conf)[name]


def _values(odd: str) -> str:
    """Values of the chart with the odd line: as it is where that is YAML, else as the value of a key."""
    try:
        text = _VALUES.format(_block(odd, 4))
        yaml.load(text, yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError):
        return _VALUES.format(_block(f"password: {json.dumps(odd)}", 4))
    return text


class Parts(NamedTuple):
    """What the further carriers are made of.

    Attributes:
        conf: A cloud.conf with the odd line.
        odd: The odd line.
        values: Values of the CCM's chart with it.
    """

    conf: str
    odd: str
    values: str


_WRITERS: dict[str, Callable[[Parts], str]] = {
    "main.tf": lambda of: (
        f'variable "x" {{\n  default = {json.dumps(of.odd)}\n}}\nresource "kubernetes_secret" "c" {{\n  metadata {{\n    name = "cloud-config"\n'
        f'  }}\n  data = {{\n    "cloud.conf" = <<-EOT\n{_block(of.conf, 6)}    EOT\n    other = {json.dumps(of.odd)}\n  }}\n}}\n'
    ),
    "locals.tf": lambda of: (
        'locals {\n  global = merge(var.a, {\n    "auth-url" = "https://k"\n'
        f'    password = join("", [{json.dumps(of.odd)}, var.b])\n{_block(of.odd, 4)}  }})\n'
        f'  conf = base64encode(format({json.dumps(of.conf)}, var.x ? {json.dumps(of.odd)} : "y"))\n}}\n'
        'resource "helm_release" "ccm" {\n'
        f'  chart = "{_CHART}"\n  values = [yamlencode({{ cloudConfig = {{ global = {{ password = {json.dumps(of.odd)} }}\n'
        f"    loadBalancer = {{ monitor-delay = 3 }} }} }}), <<-EOT\n{_block(of.values, 4)}  EOT\n  ]\n"
        f'  set_sensitive {{\n    name  = "cloudConfig.global.password"\n    value = {json.dumps(of.odd)}\n  }}\n}}\n'
    ),
    "helmfile.yaml": lambda of: (
        f"environments:\n  prod:\n    values:\n    -\n{_block(of.values, 6)}---\nreleases:\n- name: ccm\n  chart: cpo/{_CHART}\n"
        f"  values:\n  -\n{_block(of.values, 4)}  set:\n  - name: cloudConfig.global.password\n    value: {json.dumps(of.odd)}\n"
    ),
    "application.yaml": lambda of: (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ccm}\nspec:\n  source:\n"
        f"    chart: {_CHART}\n    targetRevision: 2.31.0\n    helm:\n      valuesObject:\n{_block(of.values, 8)}"
        f"      values: |\n{_block(of.values, 8)}      parameters:\n      - name: cloudConfig.global.password\n        value: {json.dumps(of.odd)}\n"
    ),
    "from.yaml": lambda of: (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ccm, namespace: a}\nspec:\n  chart: {spec: {chart: "
        f"{_CHART}}}}}\n  valuesFrom:\n  - {{kind: Secret, name: v}}\n  - {{kind: ConfigMap, name: w, valuesKey: x, targetPath: "
        "cloudConfig.global.password}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: v, namespace: a}\nstringData:\n"
        f"  values.yaml: |\n{_block(of.values, 4)}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: w, namespace: a}}\ndata:\n"
        f"  x: {json.dumps(of.odd)}\n"
    ),
    "rke2.yaml": lambda of: (
        "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: ccm, namespace: kube-system}\nspec:\n  chart: "
        f"{_CHART}\n  valuesContent: |-\n{_block(of.values, 4)}  set:\n    cloudConfig.global.password: {json.dumps(of.odd)}\n---\n"
        "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: ccm, namespace: kube-system}\nspec:\n"
        f"  valuesContent: |-\n{_block(of.values, 4)}"
    ),
    "all.yml": lambda of: (
        "cloud_provider: external\nexternal_cloud_provider: openstack\nexternal_openstack_lbaas_monitor_delay: 3\n"
        f"external_openstack_password: {json.dumps(of.odd)}\nexternal_openstack_auth_url: https://k\n{of.values}"
    ),
    "kustomization.yaml": lambda of: (
        "resources: [svc.yaml]\nsecretGenerator:\n- name: cloud-config\n  literals:\n"
        f"  - {json.dumps('cloud.conf=' + of.conf)}\n  - {json.dumps('password=' + of.odd)}\npatches:\n- target: {{kind: Secret}}\n  patch: |\n"
        f"    - op: add\n      path: /stringData/cloud.conf\n      value: {json.dumps(of.conf)}\n    - op: replace\n      path: /data/password\n"
        f"      value: {json.dumps(of.odd)}\n"
    ),
    "branches.yaml.j2": lambda of: (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n    {% if a %}\n"
        f"{_block(of.conf, 4)}    {{% elif b == {json.dumps(of.odd)} %}}\n{_block(of.conf.replace('3', '4'), 4)}    {{% else %}}\n    [Global]\n"
        f"{_block(of.odd, 4)}    {{% endif %}}\n"
    ),
    "chart.tpl": lambda of: (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\nstringData:\n  cloud.conf: |\n    {{- if .Values.a }}\n"
        f"{_block(of.conf, 4)}    {{{{- else if eq .Values.b {json.dumps(of.odd)} }}}}\n    [Global]\n{_block(of.odd, 4)}    {{{{- end }}}}\n"
    ),
    "install.sh": lambda of: (
        f"export OS_PASSWORD={json.dumps(of.odd)}\nhelm upgrade ccm cpo/{_CHART} --set cloudConfig.global.password={json.dumps(of.odd)} \\\n"
        f"  --set cloudConfig.loadBalancer.monitor-delay=3 -f - <<EOF\n{of.values}EOF\ncat > /etc/kubernetes/cloud.conf <<EOF\n{of.conf}EOF\n"
    ),
    "task.yml": lambda of: (
        "- hosts: all\n  tasks:\n  - copy:\n      dest: /etc/kubernetes/cloud.conf\n      content: |\n"
        f"{_block(of.conf, 8)}  - ini_file:\n      path: /etc/kubernetes/cloud.conf\n      section: Global\n      option: password\n"
        f"      value: {json.dumps(of.odd)}\n  - ini_file: {{path: /etc/kubernetes/cloud.conf, section: LoadBalancer, option: monitor-delay, value: 3}}\n"
    ),
}
"""Further carriers."""


def leaks(written: str) -> frozenset[str]:
    """What no output may hold: the secret as it is and as it is written, encoded again or not, in parts of some length.

    Args:
        written: The secret as the file writes it.
    """
    whole = {written, VALUE if written != SPECIAL else SPECIAL}
    forms = {form for value in whole for form in (value, json.dumps(value)[1:-1], html.escape(value), quote(value))}
    forms |= {base64.b64encode(b"x" * shift + value.encode()).decode()[4:14] for value in whole for shift in range(3)}
    return frozenset(form[at : at + _WINDOW].lower() for form in forms for at in range(max(1, len(form) - _WINDOW + 1)))


_ESCAPED = re.compile(r"\\+|&amp;")


def leak(printed: str, forbidden: frozenset[str]) -> str:
    """The first leak of an output, empty where there is none.

    Args:
        printed: The output.
        forbidden: See `leaks`.
    """
    lowered = printed.lower().replace("\\x00", "").replace("\0", "")
    once = _ESCAPED.sub(lambda match: "&" if match[0][0] == "&" else "\\", lowered)
    return next((part for part in forbidden if part in lowered or part in once), "")


def size() -> int:
    """How many combinations there are."""
    return len(COMMANDS) * len(CARRIERS) * len(SPELLINGS) * len(ESCAPES)


class Combination(NamedTuple):
    """One of them.

    Attributes:
        command: Its words.
        carrier: The file's name.
        spelling: How the secret stands in it.
        escape: How it is written.
    """

    command: tuple[str, ...]
    carrier: str
    spelling: str
    escape: Escape


def combination(number: int) -> Combination:
    """One by its number.

    Args:
        number: From 0 to `size`, exclusive.
    """
    number, command = divmod(number, len(COMMANDS))
    number, carrier = divmod(number, len(CARRIERS))
    escape, spelling = divmod(number, len(SPELLINGS))
    return Combination(COMMANDS[command], CARRIERS[carrier], SPELLINGS[spelling], ESCAPES[escape])
