"""The files that the measurements run over: the same bytes for the same number, every time.

Half of them are Secrets of about 1.1 KB with a base64 cloud.conf, half KubeadmControlPlanes of about 1.8 KB with an
inline one. They are right, so that what is measured is looking, not telling; the flawed ones have one mistake each.
"""

from __future__ import annotations

import base64
import subprocess
import uuid
from hashlib import sha256
from pathlib import Path

FILES_IN_A_FOLDER = 100

_RIGHT = "monitor-delay=10s"
_WRONG = "monitor-delay=10"

_WITH_SECRET = """\
[Global]
auth-url=https://keystone.{region}.example.net:5000/v3
application-credential-id={hexadecimal}
application-credential-secret={word}
region={region}

"""

# a control plane's object is no place for a secret, so its login is in a file beside
_WITH_CLOUDS = """\
# written by cluster-api at boot
[Global]
use-clouds=true
clouds-file=/etc/kubernetes/clouds.yaml
cloud={region}
region={region}

# the load balancers of this cluster are Octavia's amphorae
"""

_LOAD_BALANCER = """\
[LoadBalancer]
lb-provider=amphora
lb-method=ROUND_ROBIN
floating-network-id={network}
subnet-id={subnet}
create-monitor=true
monitor-delay=10s
monitor-timeout=5s
monitor-max-retries=3
"""

_SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
  labels:
    app.kubernetes.io/name: cloud-config-of-the-workload-cluster
    app.kubernetes.io/instance: cluster-{number:05}
    app.kubernetes.io/managed-by: kustomize
  annotations:
    example.net/owner: platform-team
    example.net/runbook: https://runbooks.example.net/openstack/cloud-config/
    example.net/checked: '2026-11-01T08:00:00Z'
type: Opaque
data:
  cloud.conf: {conf}
"""

_CONTROL_PLANE = """\
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: cluster-{number:05}-control-plane
  namespace: clusters
spec:
  replicas: 3
  version: v1.31.4
  machineTemplate:
    infrastructureRef:
      apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
      kind: OpenStackMachineTemplate
      name: cluster-{number:05}-control-plane
  kubeadmConfigSpec:
    clusterConfiguration:
      apiServer:
        extraArgs:
          cloud-provider: external
        extraVolumes:
          - name: cloud
            hostPath: /etc/kubernetes/cloud.conf
            mountPath: /etc/kubernetes/cloud.conf
            readOnly: true
      controllerManager:
        extraArgs:
          cloud-provider: external
    initConfiguration:
      nodeRegistration:
        name: '{{{{ local_hostname }}}}'
        kubeletExtraArgs:
          cloud-provider: external
    joinConfiguration:
      nodeRegistration:
        name: '{{{{ local_hostname }}}}'
        kubeletExtraArgs:
          cloud-provider: external
    files:
      - path: /etc/kubernetes/cloud.conf
        owner: root:root
        permissions: "0600"
        content: |
{conf}
    preKubeadmCommands:
      - systemctl enable --now chronyd
      - swapoff --all
"""


def cloud_conf(number: int, login: str = _WITH_SECRET, *, flawed: bool = False) -> str:
    """One cloud.conf without a finding, or with one: a duration that has no unit, which has a safe fix."""
    text = (login + _LOAD_BALANCER).format(
        region=f"region-{number % 7}",
        hexadecimal=_digest(number, "id")[:32],
        word=_digest(number, "secret"),
        network=uuid.UUID(_digest(number, "network")[:32]),
        subnet=uuid.UUID(_digest(number, "subnet")[:32]),
    )
    return text.replace(_RIGHT, _WRONG) if flawed else text


def secret(number: int, *, flawed: bool = False) -> str:
    """A Secret that carries it in base64."""
    conf = base64.b64encode(cloud_conf(number, flawed=flawed).encode()).decode()
    return _SECRET.format(number=number, conf=conf)


def control_plane(number: int, *, flawed: bool = False) -> str:
    """A KubeadmControlPlane that carries it as the text of a file."""
    indented = "".join(
        f"          {line}" if line.strip() else line
        for line in cloud_conf(number, _WITH_CLOUDS, flawed=flawed).splitlines(keepends=True)
    )
    return _CONTROL_PLANE.format(number=number, conf=indented.rstrip("\n"))


def carrier(number: int, *, flawed: bool = False) -> str:
    """A Secret for an even number, a KubeadmControlPlane for an odd one."""
    return (control_plane if number % 2 else secret)(number, flawed=flawed)


def write_carriers(folder: Path, count: int, *, start: int = 0, flawed: bool = False) -> Path:
    """Write ``count`` carriers, or those that are missing of them.

    Args:
        folder: Where; made if it is not there.
        count: How many.
        start: How many of them are there already.
        flawed: True for one mistake in each.

    Returns:
        The folder.
    """
    for number in range(start, count):
        _write(folder / _place(number, "yaml"), carrier(number, flawed=flawed))
    return folder


def write_repository(folder: Path, count: int, share: int = 100) -> Path:
    """Write a git repository of which every ``share``-th file carries a cloud.conf.

    The others are the YAML, Python and Markdown that stand beside it in real repositories.

    Args:
        folder: Where; made if it is not there.
        count: How many files.
        share: One in how many matters.

    Returns:
        The folder, with every file in git's index.
    """
    for number in range(count):
        if number % share == 0:
            # the count of hundreds, so that both kinds of carrier come
            _write(folder / _place(number, "yaml"), carrier(number // share))
        else:
            suffix, text = _bystander(number)
            _write(folder / _place(number, suffix), text)
    # no housekeeping of git's in the background while something is measured
    settings = ("user.name=bench", "user.email=bench@example.net", "gc.auto=0", "maintenance.auto=false")
    git = ["git", *(word for setting in settings for word in ("-c", setting))]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message=files"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    return folder


def write_services(folder: Path, count: int) -> Path:
    """Write a cloud.conf, and as many Services of type LoadBalancer, a hundred a file.

    Every second one has the policy Local, every third a second port, every fifth one of UDP, every seventh timers of its
    own; names, ports and addresses differ from one to the next.

    Args:
        folder: Where; made if it is not there.
        count: How many Services.

    Returns:
        The folder.
    """
    _write(folder / "cloud.conf", cloud_conf(1))
    for start in range(0, count, FILES_IN_A_FOLDER):
        numbers = range(start, min(start + FILES_IN_A_FOLDER, count))
        _write(folder / "services" / f"{start:05}.yaml", "---\n".join(_service(number) for number in numbers))
    return folder


def _service(number: int) -> str:
    ports = [_PORT.format(name="web", protocol="TCP", port=80, node=30_000 + number % 1_000)]
    if number % 3 == 0:
        ports.append(_PORT.format(name="tls", protocol="TCP", port=443, node=31_000 + number % 1_000))
    if number % 5 == 0:
        ports.append(_PORT.format(name="dns", protocol="UDP", port=53, node=32_000 + number % 700))
    return _SERVICE.format(
        number=number,
        policy="Local" if number % 2 else "Cluster",
        annotations=_ANNOTATIONS if number % 7 == 0 else "",
        ports="".join(ports),
    )


def _bystander(number: int) -> tuple[str, str]:
    words = _digest(number, "words")
    names = [words[start : start + 6] for start in range(0, 60, 6)]
    if number % 10 < 4:
        return "yaml", _deployment(names)
    if number % 10 < 7:
        return "py", "".join(_PYTHON.format(name=name, number=number) for name in names[:5])
    return "md", f"# Service {names[0]}\n\n" + "".join(_PROSE.format(name=name, other=names[0]) for name in names[1:6])


def _deployment(names: list[str]) -> str:
    environment = "".join(
        f"            - name: SETTING_{name.upper()}\n              value: {name}\n" for name in names
    )
    return _DEPLOYMENT.format(name=names[0], environment=environment)


def _digest(number: int, what: str) -> str:
    return sha256(f"{what} {number}".encode()).hexdigest()


def _place(number: int, suffix: str) -> str:
    return f"{number // FILES_IN_A_FOLDER:03}/file-{number:05}.{suffix}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{name}
  namespace: shop
  labels:
    app: app-{name}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: app-{name}
  template:
    metadata:
      labels:
        app: app-{name}
    spec:
      containers:
        - name: app
          image: registry.example.net/shop/{name}:1.4.2
          ports:
            - containerPort: 8080
          env:
{environment}\
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
---
apiVersion: v1
kind: Service
metadata:
  name: app-{name}
  namespace: shop
spec:
  selector:
    app: app-{name}
  ports:
    - port: 80
      targetPort: 8080
"""

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web-{number:05}
  namespace: shop
{annotations}\
spec:
  type: LoadBalancer
  externalTrafficPolicy: {policy}
  selector:
    app: web-{number:05}
  ports:
{ports}\
"""

_ANNOTATIONS = """\
  annotations:
    loadbalancer.openstack.org/health-monitor-delay: "10"
    loadbalancer.openstack.org/keep-floatingip: "true"
"""

_PORT = """\
    - name: {name}
      protocol: {protocol}
      port: {port}
      nodePort: {node}
"""

_PYTHON = '''\
def handle_{name}(request: dict[str, str], limit: int = {number}) -> list[str]:
    """Collect what was asked for, at most ``limit`` of it."""
    found = []
    for key, value in sorted(request.items()):
        if len(found) >= limit:
            break
        found.append(f"{{key}}={{value}}")
    return found


'''

_PROSE = """\
## {name}

The part called {name} takes orders from {other} and answers within a second. It keeps nothing: a restart loses no
order, and two of them may run side by side. Its settings are environment variables; see the table below.

| variable | meaning |
|---|---|
| `{name}_LIMIT` | how many orders are taken at once |

"""
