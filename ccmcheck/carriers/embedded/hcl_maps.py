"""What Terraform has as maps and blocks: the chart's values, RKE's provider, and Services.

``yamlencode({ cloudConfig = { … } })``, ``openstack_cloud_provider { … }`` of the providers rke and rancher2 (a map in
releases of the provider rke before 1.0), ``openstackCloudProvider = { … }``; and resources, such as
``kubernetes_service_v1``, whose fields are those of a Service in snake case (hashicorp/terraform-provider-kubernetes
kubernetes/schema_service_spec.go).
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.chart_rendering import SECTIONS
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.embedded.hcl_tree import LABELS, blocks_in, body_at
from ccmcheck.carriers.embedded.notation_settings import rendered, settings_of
from ccmcheck.catalog.data.deployments import RKE_BLOCKS, RKE_MAP
from ccmcheck.catalog.data.notations import RKE_NOTATION, Notation
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, made

_CHART = Notation("Helm values", ("ccm",), sections=SECTIONS)
_NOTATIONS = {"cloudConfig": _CHART, **dict.fromkeys((RKE_MAP, *RKE_BLOCKS), RKE_NOTATION)}
_MAP = lazy_regex(
    rf"^[ \t]*+(?:#|//)[^\n]*+"
    rf"|(?<![\w.])\"?(?P<name>{'|'.join(_NOTATIONS)})\b(?:\"[ \t]*+[=:]|[ \t]*+[=:]?)[ \t]*+(?P<open>\{{)",
    8,
)
"""A line that is a comment, or the beginning of a map or a block (8 is `re.MULTILINE`); in quotes without a sign behind
them it is the label of a block."""
_LOCALS = lazy_regex(r"^locals[ \t]*+\{", 8)
_MAGNUM = ("openstack_containerinfra_clustertemplate_v1", "openstack_containerinfra_cluster_v1")
RESOURCES = ("kubernetes_service", "openstack_networking_secgroup_rule_v2", "rancher2_cluster", "rke_cluster", *_MAGNUM)
"""The types of resources that rules are about, or how they begin."""
_RESOURCE = lazy_regex(
    rf"^[ \t]*+resource[ \t]++\"(?P<type>(?:{'|'.join(RESOURCES)})(?:_v1)?)\"[ \t]++\"(?P<name>[^\"\n]*+)\"[ \t]*+\{{",
    8,
)
_LITERAL = lazy_regex(r"(?:true|false|\d+)\Z")
"""What is written without quotes."""
_WORD = lazy_regex(r"_([a-z0-9])")
_NAMES: dict[str, str] = dict(read_table(__file__, "hcl_names.tsv"))
"""Fields of a spec that have other names than in camel case."""
_MAPS = frozenset(("annotations", "labels", "selector"))
"""Fields whose names are nobody's to change."""


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the maps and blocks that become a cloud.conf.

    Args:
        text: A file in HCL.

    Yields:
        What each becomes; what an expression computes is unknown.
    """
    position = 0
    while (match := _MAP.search(text, position)) is not None:
        position = match.end()
        if match["open"]:
            tree, position = body_at(text, match.end())
            notation = _NOTATIONS[match["name"]]
            if any(isinstance(one, Leaf) and one.unknown for one in tree.values()):  # dynamic blocks, expressions
                notation = notation._replace(is_whole=False)
            settings = settings_of(notation, tree, _LITERAL)
            if settings:
                yield EmbeddedText(rendered(text, notation, settings), match["name"])


def resources(text: str) -> Iterator[tuple[str, Map]]:
    """Find the resources that rules are about.

    Args:
        text: A file in HCL.

    Yields:
        What each is called in the file, and its fields: those of a Service as Kubernetes has them; another one's in its
        spec, with its type as its kind.
    """
    position = 0
    known = _locals(text) if "local." in text else {}
    while (match := _RESOURCE.search(text, position)) is not None:
        body, position = body_at(text, match.end())
        position = max(position, match.end())
        place = Span(match.start(), match.end())
        tree = Map(place)
        tree.put("apiVersion", made("v1", place))
        if match["type"].startswith(RESOURCES[0]):
            tree.put("kind", made("Service", place), place)
            for name, block in ((part, block) for part in ("metadata", "spec") for block in blocks_in(body.get(part))):
                tree.put(name, _fields(_with_locals(block, known)), body.names.get(name))
            yield f"kubernetes_service {match['name']}", tree
        elif body:
            tree.put("kind", made(match["type"], place), place)
            tree.put("spec", body, place)
            yield f"{match['type']} {match['name']}", tree


def _locals(text: str) -> dict[str, Tree]:
    """The local values that a file writes out; the names are unique in its module."""
    bodies = [body_at(text, match.end())[0] for match in _LOCALS.finditer(text)]
    return {name: value for body in bodies for name, value in body.items() if isinstance(value, Map)}


def _with_locals(block: Map, known: dict[str, Tree]) -> Map:
    """A block with the local maps that it names."""
    for name, value in block.items():
        if isinstance(value, Leaf) and value.unknown and value.text.removeprefix("local.") in known:
            block[name] = known[value.text.removeprefix("local.")]
    return block


def _fields(block: Map) -> Map:
    """A block's fields with the names that Kubernetes has."""
    found = Map(block.place)
    for name, value in block.items():
        if name == LABELS or (name == "namespace" and isinstance(value, Leaf) and value.unknown):
            continue
        is_field_of_port = name == "port" and isinstance(value, Leaf) and value.text
        known = (not is_field_of_port and _NAMES.get(name)) or _WORD.sub(lambda match: match[1].upper(), name)
        found.put(known, value if name in _MAPS else _field(name, value), block.names.get(name))
    return found


def _field(name: str, value: Tree) -> Tree:
    if not isinstance(value, List) or not any(isinstance(one, Map) for one in value):
        return value
    if name not in _NAMES:  # a block that comes once
        return next(_fields(block) for block in blocks_in(value))
    found = List(value.place)
    found.extend(_fields(block) for block in blocks_in(value))
    return found


def is_complete(tree: Map) -> bool:
    """Whether a Service has ports, if unknown ones, so that it can be judged as one."""
    spec = tree.get("spec")
    ports = spec.get("ports") if isinstance(spec, Map) else None
    return isinstance(ports, Leaf) or (isinstance(ports, List) and not any(isinstance(one, Leaf) for one in ports))
