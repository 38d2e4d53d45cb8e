"""Documents of no particular kind: every text in them is searched, and every known shape of mapping.

Chart values, cloud-init data, variables of clusterctl, ClusterClass patches, Talos machine configurations, lists of
objects: what they have in common is that a cloud.conf is in some scalar at some depth.

Kustomize's ``literals`` of a ``secretGenerator`` or ``configMapGenerator``: ``cloud.conf=``, then the text.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypeAlias

from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers import chart_values, charts, files, image_tags, kubeadm, notations, rke
from ccmcheck.carriers.base import IN_TREE, ROLE, NodeLabels
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject, consumers_of
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.ccm_chart import CHARTS, DRIVER_CHARTS, VALUES_OF
from ccmcheck.catalog.data.cluster import KUBEADM_PATHS, NODE_ROLES
from ccmcheck.catalog.data.deployments import CCM, ENFORCED, RELEASE_VARIABLES, RKE, RKE_MAP
from ccmcheck.catalog.data.notations import CUSTOM_PROVIDER, INI_TASK
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.catalog.signs.forms import is_ini
from ccmcheck.catalog.signs.paths import is_cloud_conf_key
from ccmcheck.catalog.signs.scorer import Recognition, recognise
from ccmcheck.catalog.signs.table import SEALED, KnownBy
from ccmcheck.layers.slice import Slice
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents, field, mappings, text_of

_LITERAL = lazy_regex(r"(?P<key>[\w.-]++)=(?P<quote>[\"'])?")


def search(carrier: Carrier, node: Scalar, where: str) -> bool:
    """Search one literal.

    Args:
        carrier: The kustomization, with the text that the literal is in.
        node: The literal.
        where: The place in the object, for people.

    Returns:
        Whether it is a key with a value, so that there is nothing else in it.
    """
    match = _LITERAL.match(node.value)
    if match is None:
        return False
    key = match["key"]
    quoted = match["quote"] is not None and node.value.endswith(match["quote"])
    span = Span(match.end() if quoted else match.end("key") + 1, len(node.value) - quoted)
    text = node.value[span.start : span.end]
    if is_cloud_conf_key(key):
        recognition = recognise(text, KnownBy.OBJECT) if text.strip() else None
    else:
        recognition = recognise(text) if is_ini(text) else None
    if recognition is not None and (recognition.taken or is_cloud_conf_key(key)):
        source = carrier.source.enter_scalar(node)
        inner = source.enter(Slice(source.text, span, "literal"))
        carrier._replace(source=inner).collect(f'{where} "{key}"', key, recognition=recognition)
    return True


KeyPath: TypeAlias = "tuple[KeyPath, str] | None"
"""A node's keys from the innermost outwards; formatted only when they are shown."""

_NEVER = frozenset({"annotations", "managedFields", "labels", "status", "ownerReferences"})
"""Copies of the object, such as kubectl's last-applied-configuration, and what controllers write."""

INGRESS_KEYS = frozenset({"controller", "ingressController", "service"})
"""Where values of charts of ingress controllers begin, see `ccmcheck.catalog.data.ingress_charts`."""
_CHARTS = (
    ("spec", "chart", "spec", "chart"),
    ("spec", "chartName"),
    ("spec", "chart"),
    ("spec", "source", "chart"),
    ("spec", "source", "path"),
)
"""Where objects of Flux, Cluster API, k3s and Argo CD name the chart that they install."""
_RELEASES = (("spec", "releaseName"), ("spec", "source", "helm", "releaseName"))
_VERSIONS = (("spec", "chart", "spec", "version"), ("spec", "version"), ("spec", "source", "targetRevision"))
_VALUES = (
    ("spec", "values"),
    ("spec", "valuesContent"),
    ("spec", "valuesTemplate"),
    ("spec", "source", "helm", "values"),
    ("spec", "source", "helm", "valuesObject"),
)
"""Where they have the version and the values, as a mapping or as a text."""
_MORE_VALUES = (
    ("spec", "valuesFrom"),
    ("spec", "chart", "spec", "valuesFiles"),
    ("spec", "valuesSecrets"),
    ("spec", "set"),
    ("spec", "postRenderers"),
    *(("spec", "source", "helm", name) for name in ("valueFiles", "parameters", "fileParameters")),
)
"""Where they name what else decides on the objects of the chart."""
_DESTINATIONS = (("spec", "destination", "server"), ("spec", "destination", "name"))
"""Where Argo CD's objects name the cluster that they install in."""
_KINDS = read_table(__file__, "document_kinds.tsv")
"""The names that a document without a kind has at its root, and what to call it."""
_ENCODED = lazy_regex(r"[A-Za-z0-9+/\s]++={0,2}\s*+\Z")
_API_VERSIONS = ("openapi", "swagger")
"""The fields that begin a description of an API, which must have ``info``, too (OpenAPI Specification 2.0 and 3.1)."""
_ITEM = lazy_regex(r"\[\d+\]\Z")
_ANNOTATIONS = (PREFIX, "openstack-internal-load-balancer")
_PARAMETER = "cloudConfig."
_SOURCES = "source.toolkit.fluxcd.io/"
"""The objects by which Flux fetches charts; a HelmRelease installs them (fluxcd/source-controller api/v1)."""
_SEALED_FIELD = "encryptedData"
"""The field of a SealedSecret (bitnami-labs/sealed-secrets pkg/apis/sealedsecrets/v1alpha1/types.go)."""
_SHORTEST = 24
"""Code points; no useful cloud.conf is shorter, plain or in base64."""


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search an object of a kind that no other file knows."""
    namespace = obj.text_at("spec", "targetNamespace") or obj.namespace
    carrier = carrier._replace(namespace=namespace)
    changes_another = obj.kind == "HelmChartConfig"
    chart = obj.name if changes_another else next((text for path in _CHARTS if (text := obj.text_at(*path))), "")
    if chart:
        release = next((text for path in _RELEASES if (text := obj.text_at(*path))), "")
        if not release:
            prefix = obj.text_at("spec", "targetNamespace") if obj.kind == "HelmRelease" else ""
            release = f"{prefix}-{obj.name}" if prefix else obj.name
        destination = obj.text_at("spec", "destination", "namespace") or (
            obj.text_at("spec", "namespace") if obj.kind == "HelmChartProxy" else ""
        )
        name = chart.rstrip("/").rpartition("/")[2]
        carrier = carrier._replace(
            chart=name,
            release=release,
            namespace=destination or namespace,
            chart_version=next((text for path in _VERSIONS if (text := obj.text_at(*path))), ""),
            has_all_values=not changes_another and not any(obj.at(*path) for path in _MORE_VALUES),
        )
    pods = carrier.collector.pods
    before = len(pods)
    search_tree(carrier, obj.node)
    if carrier.chart in CHARTS and carrier.chart != CCM:
        from ccmcheck.carriers import driver_workload

        values = next((node for path in _VALUES if (node := obj.at(*path)) is not None), None)
        inner, values = _from_text(carrier, values) if isinstance(values, Scalar) else (carrier, values)
        inner.note(values, VALUES_OF + CHARTS[carrier.chart], carrier.chart_version)
        if carrier.chart in DRIVER_CHARTS and (values is None or isinstance(values, Mapping)):
            driver_workload.find(obj, inner, values)
    if carrier.chart == CCM and not changes_another and not (obj.text_at("apiVersion") or "").startswith(_SOURCES):
        _install(obj, carrier)
    destination = next((text for path in _DESTINATIONS if (text := obj.text_at(*path))), "")
    if destination:
        pods[before:] = [pod._replace(destination=destination) for pod in pods[before:]]


def find_node(obj: KubernetesObject, carrier: Carrier) -> None:
    """Note the labels of a Node, and search it as any other object."""
    labels = obj.at("metadata", "labels")
    if isinstance(labels, Mapping) and not carrier.source.has_mark(labels):
        pairs = ((key.value, text_of(value) or "") for key, value in labels.items)
        rows = mappings(obj.at("spec", "taints"))
        taints = tuple(tuple(text_of(row.get(name)) or "" for name in ("key", "value", "effect")) for row in rows)
        record = NodeLabels(
            carrier.collector.path,
            tuple(pairs),
            taints,
            obj.text_at("spec", "providerID"),
            kubelet=obj.text_at("status", "nodeInfo", "kubeletVersion"),
            system=obj.text_at("status", "nodeInfo", "osImage"),
        )
        carrier.collector.node_labels.append(record)
    find(obj, carrier)


def find_control_plane(obj: KubernetesObject, carrier: Carrier) -> None:
    """Note how the nodes of a control plane are labelled, by what makes them."""
    minor = minor_of(obj.text_at("spec", "version"))
    rows = [row for row in NODE_ROLES if row[0] == obj.kind and (minor is None or int(row[4]) <= minor < int(row[5]))]
    labels = tuple((label, value) for _, _, label, value, _, _ in rows)
    if labels:
        carrier.collector.node_labels.append(NodeLabels(carrier.collector.path, labels, made_by=rows[0][1]))
    (kubeadm.find if obj.kind in KUBEADM_PATHS else find)(obj, carrier)


def find_class(obj: KubernetesObject, carrier: Carrier) -> None:
    """Note the name and the provisioner of a StorageClass, empty for a template, and search it as any other object."""
    pair = ("", "") if carrier.source.has_mark(obj.node) else (obj.name, obj.text_at("provisioner") or "")
    carrier.collector.storage_classes.append(NodeLabels(carrier.collector.path, (pair,)))
    find(obj, carrier)


def find_namespace(obj: KubernetesObject, carrier: Carrier) -> None:
    """Note which Pod Security Standard a Namespace enforces; a template's is unknown."""
    if not carrier.source.has_mark(obj.node):
        pair = (obj.name, obj.text_at("metadata", "labels", ENFORCED))
        carrier.collector.namespaces.append(NodeLabels(carrier.collector.path, (pair,)))
    find(obj, carrier)


def find_binding(obj: KubernetesObject, carrier: Carrier) -> None:
    """Note which accounts have a role, and search it as any other object."""
    name = obj.text_at("roleRef", "name")
    role = ROLE + name if obj.text_at("roleRef", "kind") == "Role" else name
    for one in mappings(obj.at("subjects")):
        is_known = text_of(one.get("kind")) == "ServiceAccount" and not carrier.source.has_mark(one)
        namespace = "" if obj.source.stack.is_of_files else text_of(one.get("namespace")) or ""
        account = f"{namespace}/{text_of(one.get('name'))}" if is_known else ""
        carrier.collector.bindings.append(NodeLabels(obj.path, ((role, account),)))
    find(obj, carrier)


def _from_text(carrier: Carrier, values: Scalar) -> tuple[Carrier, YamlNode | None]:
    """Values that stand in an object as a text: the carrier inside of it, and its document; itself for no YAML."""
    source = carrier.source.enter_scalar(values)
    root = next((document.root for document in documents(source.text) if not isinstance(document, BadYaml)), values)
    return carrier._replace(source=source), root


def _install(obj: KubernetesObject, carrier: Carrier) -> None:
    """Collect the workload of the CCM's chart where its values hold nothing that was found before."""
    if any(pod.made_by == carrier.subject for pod in carrier.collector.pods):
        return
    from ccmcheck.carriers import chart_workload

    nodes = [node for path in _VALUES if (node := obj.at(*path)) is not None]
    place = next(node.content for path in (*_VERSIONS, *_CHARTS) if (node := obj.at(*path)) is not None)
    if len(nodes) == 1 and isinstance(nodes[0], Scalar) and nodes[0].value.strip():
        inner, root = _from_text(carrier, nodes[0])
        if isinstance(root, Mapping):
            chart_values.read_image(inner, root)
            chart_workload.find(inner, root, "chart", root.items[0][0].span if root.items else root.content)
        return
    values = nodes[0] if nodes else None
    if values is not None and not isinstance(values, Mapping):
        return
    if values is not None:
        chart_values.read_image(carrier, values)
    chart_workload.find(carrier, values, "chart", place)
    if carrier.has_all_values and not chart_values.makes_no_secret(values, carrier.chart_version):
        chart_values.collect_empty(carrier._replace(kind=chart_values.CARRIER, consumers=("ccm",)), place)


def search_tree(carrier: Carrier, root: YamlNode) -> None:
    """Search every text at and below a node, but for a description of an API: that only has examples."""
    if isinstance(root, Mapping) and any(root.get(key) is not None for key in _API_VERSIONS) and root.get("info"):
        return
    pending: list[tuple[YamlNode, KeyPath]] = [(root, None)]
    seen: set[YamlNode] = set()
    has_variables = _may_have(carrier, root, *RELEASE_VARIABLES)
    annotates = _may_have(carrier, root, *_ANNOTATIONS)
    has_parameters = _may_have(carrier, root, _PARAMETER)
    has_notations = _may_have(carrier, root, *notations.SIGNS)
    is_for_ccm = carrier.source.text.find(PREFIX, *root.content) >= 0
    is_object_root = isinstance(root, Mapping) and root.get("kind") is not None
    if annotates and isinstance(root, Mapping):
        from ccmcheck.carriers import service_annotations

        if service_annotations.are_annotations(root):
            service_annotations.find(carrier, root, root, "", as_written=False)
    has_tasks = has_notations and INI_TASK in carrier.source.text
    while pending:
        node, path = pending.pop()
        if node.shared:
            if node in seen:
                continue
            seen.add(node)
        if isinstance(node, Scalar):
            _search_text(carrier, node, path)
        elif isinstance(node, Sequence):
            if has_tasks:
                notations.find_tasks(carrier, node.items)
            pending.extend([(item, (path, f"[{number}]")) for number, item in enumerate(node.items)][::-1])
        elif isinstance(node, Mapping):
            values = {key.value: value for key, value in node.items}
            if is_object(values) and node is not root and carrier.within_depth_limit():
                source = carrier.source._replace(depth=carrier.source.depth + 1)
                carrier.search_node(carrier._replace(source=source), node)
                continue
            if has_variables:
                image_tags.find_variables(carrier, values)
            if annotates:
                _search_annotations(carrier, node, values, path, is_object_root=is_object_root)
            if has_parameters:
                _search_parameters(carrier, values, path)
            done = _search_shape(carrier, node, values, path, is_for_ccm=is_for_ccm)
            if has_notations:
                read = notations.find(carrier, node, _names(path))
                values = {key: value for key, value in values.items() if key not in read}
            pending.extend([(value, (path, key)) for key, value in values.items() if key not in done][::-1])


def _may_have(carrier: Carrier, root: YamlNode, *signs: str) -> bool:
    """Whether one of some words may be at or below a node: in its own part of the text, or by an alias.

    A text may have as many nodes to begin with as it has lines, so that it is not looked through for each.
    """
    text, place = carrier.source.text, root.content
    return any(text.find(sign, *place) >= 0 for sign in (*signs, "*"))


def _search_annotations(
    carrier: Carrier, node: Mapping, values: dict[str, YamlNode], path: KeyPath, *, is_object_root: bool
) -> None:
    """Collect annotations of the CCM in a mapping, but not those of an object that is no Service."""
    from ccmcheck.carriers import service_annotations

    is_metadata = path is not None and path[1] == "metadata"
    if is_metadata and is_object_root:
        return
    for key, value in values.items():
        if isinstance(value, Mapping) and service_annotations.are_annotations(value):
            where = dotted((path, key))
            service_annotations.find(carrier, node, value, where, as_written=is_metadata)


def _search_parameters(carrier: Carrier, values: dict[str, YamlNode], path: KeyPath) -> None:
    """Collect the chart's values that lists and maps in a mapping set one by one."""
    from ccmcheck.carriers import chart_parameters

    for key in ("parameters", "set"):
        if key in values:
            chart_parameters.find(carrier, values[key], dotted((path, key)))


def is_object(values: Container[str]) -> bool:
    """Whether the keys of a mapping are those of a Kubernetes object."""
    return "kind" in values and ("apiVersion" in values or "metadata" in values)


def _names(path: KeyPath) -> list[str]:
    """A path of keys, outermost first."""
    names: list[str] = []
    while path is not None:
        path, part = path
        names.append(part)
    return names[::-1]


def dotted(path: KeyPath) -> str:
    """A path of keys for people: ``spec.values.cloudConfig``, ``[0].content``."""
    return "".join(part if part.startswith("[") else f".{part}" for part in _names(path)).removeprefix(".")


def _search_shape(
    carrier: Carrier, node: Mapping, values: dict[str, YamlNode], path: KeyPath, *, is_for_ccm: bool
) -> Container[str]:
    """Search a mapping as what its keys say that it is; returns the keys that are searched then."""
    if isinstance(values.get("content"), Scalar) and ("path" in values or "encoding" in values):
        files.search_entry(carrier, node, _ITEM.sub("", dotted(path)))
        return {"content"} | _NEVER
    if "params" in values and isinstance(template := values.get("template"), Scalar):  # Heat's str_replace
        rendered = carrier._replace(source=carrier.source._replace(final=False))
        _search_text(rendered, template, (path, "template"))
        return {"template"} | _NEVER
    if not chart_values.MAPS.isdisjoint(values):
        return chart_values.find(carrier, node, dotted(path)) | _NEVER
    if chart_values.is_section_map(values):
        chart_values.find_sections(carrier, node, dotted(path))
        return values
    if RKE_MAP in values and isinstance(settings := values[RKE_MAP], Mapping):
        rke.find(carrier, settings, dotted((path, RKE_MAP)))
        return {RKE_MAP} | _NEVER
    if CUSTOM_PROVIDER in values and isinstance(text := values[CUSTOM_PROVIDER], Scalar):
        name = values.get("name")
        reader = "ccm" if isinstance(name, Scalar) and name.value == "external" else IN_TREE
        of_rke = carrier._replace(kind=RKE, consumers=(reader,))
        of_rke.search_scalar(text, dotted((path, CUSTOM_PROVIDER)), named=True)
        return {CUSTOM_PROVIDER} | _NEVER
    for chart in CHARTS.keys() & values.keys():  # below its name in an umbrella chart's values
        below = values[chart]
        if chart == CCM and path is None and isinstance(below, Mapping) and chart_values.are_values(below):
            from ccmcheck.carriers import chart_workload

            inner = carrier._replace(subject=chart_values.CARRIER)
            chart_workload.find(inner, below, dotted((path, chart)), below.content)
            chart_values.read_image(inner, below)
        elif field(below, "cloudConfig") is None:
            carrier.note(below, VALUES_OF + CHARTS[chart])
    if not INGRESS_KEYS.isdisjoint(values) and not is_object(values):
        from ccmcheck.carriers import ingress_values

        ingress_values.find(carrier, node, dotted(path), is_for_ccm=is_for_ccm)
    if any(key in values for key in charts.VERSION_KEYS):
        charts.find(carrier, values)
    if "newTag" in values:
        image_tags.find(carrier, values)
    if "tag" in values:
        image_tags.find_pair(carrier, values)
    if "op" in values and "path" in values and isinstance(value := values.get("value"), Scalar):
        _search_patch(carrier, values["path"], value, dotted(path))
        return values
    return _NEVER


def _search_patch(carrier: Carrier, path: YamlNode, value: Scalar, where: str) -> None:
    """One operation of a JSON patch (RFC 6902) that sets a text: ``/data/cloud.conf``."""
    target = carrier.source.value_of(path) if isinstance(path, Scalar) else ""
    parent, _, key = target.rpartition("/")
    encoded = parent in ("/data", "/binaryData") and " " not in value.value.strip()
    carrier.search_scalar(
        value,
        f"{where} {target}".strip(),
        encoding="base64" if encoded else "",
        named=is_cloud_conf_key(key.replace("~1", "/").replace("~0", "~")),
    )


def _readers(chart: str, path: KeyPath) -> tuple[str, ...]:
    """Which programs read a text of values, as the chart's name says, or an umbrella chart's key for the chart."""
    while path is not None:
        path, outermost = path
        chart = chart or (outermost if path is None else "")
    return consumers_of(chart)


def _search_text(carrier: Carrier, node: Scalar, path: KeyPath) -> None:
    text = node.value
    if len(text) < _SHORTEST:
        return
    if path is not None and path[0] is not None and path[0][1] == "literals" and search(carrier, node, dotted(path)):
        return
    named = path is not None and is_cloud_conf_key(path[1])
    if named and path is not None and path[0] is not None and path[0][1] == _SEALED_FIELD:
        sealed = carrier._replace(source=carrier.source.enter_scalar(node))
        sealed.collect(dotted(path), recognition=Recognition(taken=False, program=SEALED))
        return
    encoding = "base64" if _ENCODED.match(text) else ""
    if not carrier.consumers:
        carrier = carrier._replace(consumers=_readers(carrier.chart, path))
    carrier.search_scalar(node, dotted(path), encoding=encoding, named=named)


def document_kind(root: YamlNode) -> str:
    """What to call a document that has no ``kind``."""
    if isinstance(root, Mapping):
        keys = {key.value for key, _ in root.items}
        for needed, kind in _KINDS:
            if keys.issuperset(needed.split()):
                return kind
        if any(key.endswith("_B64") for key in keys):
            return "clusterctl variables"
    return "YAML"
