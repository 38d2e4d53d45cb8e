"""Generated trees of kustomizations: bases, overlays and components with every field that is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

NAMES = ("web", "api", "ingress")
MONITOR = "loadbalancer.openstack.org/enable-health-monitor"
CONF = "[Global]\nauth-url = https://cloud.example/v3\n\n[LoadBalancer]\ncreate-monitor = {}\n"


def tree(random: Random) -> dict[str, str]:
    """The files of one tree; its outermost kustomization is in ``top``."""
    files: dict[str, str] = {}
    fields = [*_base(random, files)]
    folders = ["base"]
    files["base/kustomization.yaml"] = _kustomization(fields)
    if random.random() < 0.4:
        folders.append("component")
        files["component/kustomization.yaml"] = _kustomization(
            ["kind: Component", "apiVersion: kustomize.config.k8s.io/v1alpha1", *_changes(random, files, "component")]
        )
    below = "base"
    for layer in range(random.randint(0, 2)):
        name = f"layer{layer}"
        files[f"{name}/kustomization.yaml"] = _kustomization(
            ["resources:", f"- ../{below}", *_changes(random, files, name)]
        )
        below = name
    components = ["components:", "- ../component"] if "component" in folders else []
    files["top/kustomization.yaml"] = _kustomization(
        ["resources:", f"- ../{below}", *components, *_changes(random, files, "top")]
    )
    return files


def _kustomization(fields: list[str]) -> str:
    return "\n".join(fields) + "\n"


def _base(random: Random, files: dict[str, str]) -> list[str]:
    lines = ["resources:", "- services.yaml"]
    files["base/services.yaml"] = "---\n".join(_service(random, name) for name in NAMES)
    if random.random() < 0.8:
        lines.append("- ccm.yaml")
        files["base/ccm.yaml"] = _workload(random)
    if random.random() < 0.4:
        lines.append("- secret.yaml")
        conf = CONF.format("true").replace("\n", "\n    ").rstrip(" ")
        files["base/secret.yaml"] = (
            f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\nstringData:\n  cloud.conf: |\n    {conf}"
        )
    elif random.random() < 0.9:
        lines += _generator(random, files, "base", "")
    return lines


def _service(random: Random, name: str) -> str:
    quote = random.choice(("", '"', "'"))
    annotations = (
        f'  annotations:\n    {MONITOR}: "true"\n    other: {quote}b c{quote}\n' if random.random() < 0.6 else ""
    )
    ports = "".join(
        f"  - name: p{number}\n    port: {number}\n    protocol: {protocol}\n    targetPort: {number + 8000}\n"
        for number, protocol in random.sample([(80, "TCP"), (443, "TCP"), (443, "UDP"), (53, "UDP")], 2)
    )
    namespace = "  namespace: web\n" if random.random() < 0.2 else ""
    policy = "  externalTrafficPolicy: Local\n" if random.random() < 0.5 else ""
    kind = random.choice(("LoadBalancer", "ClusterIP"))
    selector = f"  selector:\n    app: {name}\n" if random.random() < 0.8 else "  selector: {app: x}\n"
    ranges = "  loadBalancerSourceRanges: [10.0.0.0/8, 192.0.2.0/24]\n" if random.random() < 0.3 else ""
    return (
        f"apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\n{namespace}  labels: {{app: {name}}}\n{annotations}"
        f"spec:\n  type: {kind}\n{policy}{selector}{ranges}  ports:\n{ports}"
    )


def _workload(random: Random) -> str:
    kind = random.choice(("DaemonSet", "Deployment"))
    more = "  replicas: 2\n" if kind == "Deployment" else ""
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata:\n  name: ccm\n  namespace: kube-system\nspec:\n{more}"
        "  selector:\n    matchLabels: {app: ccm}\n  template:\n    metadata:\n      labels:\n        app: ccm\n"
        "    spec:\n      containers:\n      - name: ccm\n"
        "        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.28.0\n"
        "        args:\n        - --cloud-config=/etc/config/cloud.conf\n        - --v=1\n"
        "        env:\n        - {name: A, value: 'one'}\n        - name: CLOUD\n          valueFrom:\n"
        "            secretKeyRef: {name: cloud-config, key: cloud.conf}\n"
        "        volumeMounts:\n        - mountPath: /etc/config\n          name: config\n"
        "      volumes:\n      - name: config\n        secret:\n          secretName: cloud-config\n"
    )


def _generator(random: Random, files: dict[str, str], folder: str, behavior: str) -> list[str]:
    kind = random.choice(("secretGenerator", "configMapGenerator"))
    lines = [f"{kind}:", "- name: cloud-config", "  namespace: kube-system"]
    if behavior:
        lines.append(f"  behavior: {behavior}")
    way = random.choice(("files", "key", "literals", "envs"))
    if way == "files":
        files[f"{folder}/cloud.conf"] = CONF.format(random.choice(("true", "false")))
        lines += ["  files:", "  - cloud.conf"]
    elif way == "key":
        files[f"{folder}/openstack.ini"] = CONF.format("true")
        lines += ["  files:", "  - cloud.conf=openstack.ini"]
    elif way == "envs":
        files[f"{folder}/values.env"] = "# values\nA=1\n  B=two words\nC\n\nD='q'\n"
        lines += ["  envs:", "  - values.env"]
    else:
        conf = CONF.format("false").replace("\n", "\n    ").rstrip(" ")
        lines += ["  literals:", f"  - |\n    cloud.conf={conf.rstrip()}", "  - user=admin", "  - quoted='a b'"]
    if random.random() < 0.3:
        lines += ["  options:", "    labels: {made: here}", "    disableNameSuffixHash: true"]
    if random.random() < 0.3:
        lines += ["generatorOptions:", "  annotations:", "    note: generated"]
    return lines


def _changes(random: Random, files: dict[str, str], folder: str) -> list[str]:
    lines = _generator(random, files, folder, random.choice(("merge", "replace"))) if random.random() < 0.15 else []
    patches: list[str] = []
    for number in range(random.randint(0, 3)):
        patches += _patch(random, files, folder, number)
    if patches:
        lines += ["patches:", *patches]
    if random.random() < 0.2:
        files[f"{folder}/old-patch.yaml"] = _strategic(random, "web")
        lines += ["patchesStrategicMerge:", "- old-patch.yaml"]
    if random.random() < 0.2:
        lines += [
            "patchesJson6902:",
            "- target: {version: v1, kind: Service, name: api}",
            "  patch: |-",
            *(f"    {line}" for line in _operations(random).splitlines()),
        ]
    if random.random() < 0.3:
        lines.append(f"namespace: {random.choice(('prod', 'kube-system'))}")
    if random.random() < 0.3:
        lines.append("namePrefix: prod-")
    if random.random() < 0.2:
        lines.append("nameSuffix: -b")
    if random.random() < 0.3:
        lines += ["commonAnnotations:", f"  owner: {folder}"]
    if random.random() < 0.2:
        lines += ["commonLabels:", f"  tier: {folder}"]
    if random.random() < 0.2:
        switch = random.choice(("includeSelectors: true", "includeTemplates: true", "includeSelectors: false"))
        lines += ["labels:", "- pairs:", f"    zone: {folder}", f"  {switch}"]
    if random.random() < 0.4:
        lines += [
            "images:",
            "- name: registry.k8s.io/provider-os/openstack-cloud-controller-manager",
            random.choice(("  newTag: v1.31.2", "  newName: mirror.example:5000/ccm", "  digest: sha256:" + "a" * 64)),
        ]
    if random.random() < 0.2:
        lines += ["replicas:", "- name: ccm", "  count: 3"]
    return lines


def _patch(random: Random, files: dict[str, str], folder: str, number: int) -> list[str]:
    way = random.randrange(4)
    name = random.choice(NAMES)
    if way == 0:
        files[f"{folder}/patch{number}.yaml"] = _strategic(random, name)
        return [f"- path: patch{number}.yaml"]
    if way == 1:
        return ["- patch: |-", *(f"    {line}" for line in _strategic(random, name).splitlines())]
    target = random.choice(
        (
            ["  target:", "    kind: Service", f"    name: {name}"],
            ["  target: {kind: Service}"],
            ["  target:", "    kind: Serv.*", "    name: w.*|api"],
            ["  target:", "    kind: Service", "    labelSelector: app in (web, api)"],
            ["  target:", "    kind: Service", "    annotationSelector: other"],
        )
    )
    if way == 2:
        files[f"{folder}/operations{number}.yaml"] = _operations(random)
        return [f"- path: operations{number}.yaml", *target]
    return ["- patch: |-", *(f"    {line}" for line in _strategic(random, "any").splitlines()), *target]


def _strategic(random: Random, name: str) -> str:
    head = f"apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\n"
    return head + random.choice(
        (
            f'  annotations:\n    {MONITOR}: "false"\n',
            f"  annotations:\n    {MONITOR}: null\n    added: 'x'\n",
            "spec:\n  type: LoadBalancer\n  externalTrafficPolicy: Cluster\n",
            "spec:\n  ports:\n  - port: 443\n    protocol: TCP\n    nodePort: 30443\n",
            "spec:\n  ports:\n  - port: 8443\n    name: more\n    protocol: TCP\n",
            "spec:\n  ports:\n  - $patch: replace\n  - port: 25\n    protocol: TCP\n",
            "spec:\n  $patch: replace\n  type: LoadBalancer\n  ports:\n  - port: 1\n",
            "spec:\n  loadBalancerSourceRanges: [203.0.113.0/24]\n  selector: {more: yes-it-is}\n",
            "spec:\n  ports:\n  - port: 80\n    protocol: TCP\n    $patch: delete\n",
            "  labels:\n    team: net\nspec:\n  selector: null\n",
        )
    )


def _operations(random: Random) -> str:
    return random.choice(
        (
            '- op: add\n  path: /metadata/labels/more\n  value: "yes"\n',
            "- op: replace\n  path: /spec/type\n  value: LoadBalancer\n",
            "- op: add\n  path: /metadata/annotations\n  value:\n    a.b/c: d\n    e: |\n      two\n      lines\n",
            "- op: remove\n  path: /spec/type\n- op: add\n  path: /spec/ports/-\n  value: {port: 99, name: last}\n",
            "- op: replace\n  path: /spec/ports/0/port\n  value: 8080\n- {op: test, path: /spec/ports/0/port, value: 8080}\n",
            '[{"op": "copy", "from": "/metadata/name", "path": "/metadata/labels/named"}]\n',
            "- op: move\n  from: /spec/ports/1\n  path: /spec/ports/0\n",
            "- op: add\n  path: /metadata/labels/a~1b\n  value: c\n",
        )
    )
