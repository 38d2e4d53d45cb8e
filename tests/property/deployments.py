"""Generated deployments of a CCM, and mistakes that people make in them; see `deployment_laws`."""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Callable
from textwrap import indent
from typing import NamedTuple

GLOBAL = (
    "[Global]\nauth-url = https://k.example.org/v3\napplication-credential-id = a\napplication-credential-secret = b\n"
)
IMAGE = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"
CHART = "openstack-cloud-controller-manager"
ID = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
RELEASES = ("v1.24.6", "v1.26.4", "v1.28.2", "v1.30.2", "v1.31.2", "v1.34.1", "v1.36.0")
META = "metadata: {name: cloud-config, namespace: kube-system}\n"
CARRIERS: dict[str, Callable[[str], tuple[str, str]]] = {
    "a file": lambda conf: ("cloud.conf", conf),
    "a Secret": lambda conf: (
        "secret.yaml",
        f"apiVersion: v1\nkind: Secret\n{META}stringData:\n  cloud.conf: |\n{indent(conf, '    ')}",
    ),
    "a Secret's data": lambda conf: (
        "secret.yaml",
        f"apiVersion: v1\nkind: Secret\n{META}data:\n  cloud.conf: {b64encode(conf.encode()).decode()}\n",
    ),
    "a ConfigMap": lambda conf: (
        "config.yaml",
        f"apiVersion: v1\nkind: ConfigMap\n{META}data:\n  cloud.conf: |\n{indent(conf, '    ')}",
    ),
    "a heredoc": lambda conf: ("make.sh", f"cat > /etc/kubernetes/cloud.conf <<'EOF'\n{conf}EOF\n"),
}
"""How a file holds a cloud.conf: its name, and its text."""
WORKLOAD = f"""\
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: openstack-cloud-controller-manager, namespace: kube-system}}
spec:
  template:
    spec:
      tolerations:
      - {{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}}
      - {{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}}
      containers:
      - name: ccm
        image: {IMAGE}:RELEASE
        args: [--cluster-name=NAME]
"""
INSTALLED: tuple[tuple[str, str], ...] = (
    ("ccm.yaml", WORKLOAD),
    ("ccm.yaml", WORKLOAD),
    (
        "release.yaml",
        f"""\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: occm, namespace: kube-system}}
spec:
  chart: {{spec: {{chart: {CHART}, version: 2.31.2}}}}
  values: {{secret: {{enabled: true, create: false, name: cloud-config}}}}
""",
    ),
    ("install.sh", f"helm upgrade -i occm cpo/{CHART} --version 2.30.2 -n kube-system\n"),
    ("kustomization.yaml", f"resources: []\nimages:\n- {{name: {IMAGE}, newTag: RELEASE}}\n"),
)
"""What tells the release: a file's name, and its text."""
ANNOTATIONS = (
    'loadbalancer.openstack.org/enable-health-monitor: "true"',
    'loadbalancer.openstack.org/enable-health-monitor: "false"',
    'loadbalancer.openstack.org/proxy-protocol: "true"',
    'loadbalancer.openstack.org/x-forwarded-for: "true"',
    'loadbalancer.openstack.org/timeout-client-data: "50000"',
    'service.beta.kubernetes.io/openstack-internal-load-balancer: "true"',
    "loadbalancer.openstack.org/class: fast",
)
SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: NAME
  namespace: shop
  annotations: {ANNOTATIONS}
spec:
  type: LoadBalancer
  externalTrafficPolicy: POLICY
  selector: {app: NAME}
  ports: [{port: PORT, nodePort: 300PORT, protocol: PROTOCOL}]
"""
PODS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: shop}
spec: {replicas: REPLICAS, selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {name: nNUMBER}
spec: {providerID: openstack:///nNUMBER}
status: {addresses: [{type: InternalIP, address: 10.0.0.NUMBER}]}
"""


class Generated(NamedTuple):
    """One generated deployment.

    Attributes:
        files: Its files, by their names.
        conf: The text of its cloud.conf.
        carrier: What holds that.
        facts: The files that tell a fact, by what it is.
    """

    files: dict[str, str]
    conf: str
    carrier: str
    facts: dict[str, str]

    def with_conf(self, conf: str) -> Generated:
        """The same with another cloud.conf."""
        name, text = CARRIERS[self.carrier](conf)
        return self._replace(files={**self.files, name: text}, conf=conf)

    def without(self, fact: str) -> Generated:
        """The same without the file that tells a fact."""
        return self._replace(files={path: text for path, text in self.files.items() if path != self.facts[fact]})


def generated(seed: int) -> Generated:
    """A deployment: a cloud.conf in some carrier, a CCM, Services, their pods, Nodes."""
    chance = random.Random(seed)  # noqa: S311 - the same each time
    conf, carrier = _conf(chance), chance.choice(tuple(CARRIERS))
    name, text = CARRIERS[carrier](conf)
    installed, told = chance.choice(INSTALLED)
    files = {name: text, installed: told.replace("RELEASE", chance.choice(RELEASES)).replace("NAME", f"c{seed}")}
    facts = {"the CCM": installed, "the cloud.conf": name}
    for number in range(chance.randint(1, 2)):
        own = f"s{number}"
        files[f"{own}.yaml"] = _service(chance, own, 80 + number)
        if chance.random() < 0.4:
            facts["the pods"] = f"{own}-pods.yaml"
            files[f"{own}-pods.yaml"] = PODS.replace("NAME", own).replace("REPLICAS", str(chance.randint(1, 4)))
    if chance.random() < 0.5:
        facts["the Nodes"] = "nodes.yaml"
        count = chance.randint(1, 6)
        files["nodes.yaml"] = "---\n".join(NODE.replace("NUMBER", str(number + 1)) for number in range(count))
    return Generated(files, conf, carrier, facts)


def _conf(chance: random.Random) -> str:
    settings = {
        "subnet-id": ID,
        "floating-network-id": ID,
        "create-monitor": chance.choice(("true", "false")),
        "monitor-delay": chance.choice(("5s", "10s", "60s")),
        "monitor-max-retries": chance.choice(("1", "3")),
        "lb-provider": chance.choice(("amphora", "ovn", "octavia")),
        "manage-security-groups": chance.choice(("true", "false")),
        "internal-lb": chance.choice(("true", "false")),
        "max-shared-lb": chance.choice(("1", "2")),
    }
    kept = {key: value for key, value in settings.items() if chance.random() < 0.7}
    if kept.get("lb-provider") == "ovn":
        kept["lb-method"] = "SOURCE_IP_PORT"
    conf = GLOBAL + "[LoadBalancer]\n" + "".join(f"{key} = {value}\n" for key, value in kept.items())
    if chance.random() < 0.3:
        conf += f'[LoadBalancerClass "fast"]\nfloating-network-id = {ID}\n'
    if chance.random() < 0.2:
        conf += "[Networking]\npublic-network-name = public\n"
    return conf


def _service(chance: random.Random, name: str, port: int) -> str:
    annotations = chance.choice(ANNOTATIONS) if chance.random() < 0.4 else ""
    protocol = chance.choice(("TCP", "TCP", "TCP", "UDP"))
    text = SERVICE.replace("ANNOTATIONS", annotations).replace("POLICY", chance.choice(("Local", "Cluster")))
    return text.replace("NAME", name).replace("PORT", str(port)).replace("PROTOCOL", protocol)


def _in_conf(change: Callable[[str], str]) -> Callable[[Generated], Generated]:
    return lambda found: found.with_conf(change(found.conf))


def _in_service(change: Callable[[str], str]) -> Callable[[Generated], Generated]:
    return lambda found: found._replace(files={**found.files, "s0.yaml": change(found.files["s0.yaml"])})


def _in_balancer(line: str) -> Callable[[Generated], Generated]:
    return _in_conf(lambda conf: conf.replace("[LoadBalancer]\n", f"[LoadBalancer]\n{line}\n", 1))


MISTAKES: dict[str, Callable[[Generated], Generated]] = {
    "a unit": _in_balancer("monitor-timeout = 3"),
    "a key": _in_balancer("create-montior = true"),
    "a bool": _in_balancer("tls-insecure = maybe\nenable-ingress-hostname = maybe"),
    "a login": _in_conf(lambda conf: conf.replace("application-credential-secret = b\n", "")),
    "a section": _in_conf(lambda conf: conf + "[LoadBalancer\n"),
    "a provider": _in_conf(lambda conf: conf.replace("[LoadBalancer]", "[LoadBalancer]\nlb-provider = nobody", 1)),
    "a quote": _in_conf(lambda conf: conf.replace("auth-url = ", 'auth-url = "')),
    "an address": _in_service(lambda text: text.replace("  selector", "  loadBalancerIP: nonsense\n  selector")),
    "a policy": _in_service(lambda text: text.replace("externalTrafficPolicy: ", "externalTrafficPolicy: X")),
    "a class": _in_service(
        lambda text: text.replace(
            "annotations: {", "annotations: {loadbalancer.openstack.org/class: nobody}\n  labels: {"
        )
    ),
}
"""What people get wrong, in a cloud.conf and in a Service."""
