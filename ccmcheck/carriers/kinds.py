"""Which file knows which kind of object.

To add a kind, write a file with a function ``find(obj, carrier)`` like those of `secret` or `kubeadm`, and add its line
to ``kinds.tsv``. It passes each text of the object to `Carrier.search_scalar`, and appends what other files' rules need
to the lists of ``carrier.collector``. Files that hold nothing that `ccmcheck.carriers.prefilter` looks for are not
parsed, so a kind without a cloud.conf needs a pattern there too.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

from ccmcheck.base.data_files import read_table
from ccmcheck.carriers.kubernetes_object import KubernetesObject, read_object
from ccmcheck.yamlio import Mapping, YamlNode, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.carriers.carrier import Carrier

    Finder: TypeAlias = Callable[[KubernetesObject, Carrier], None]

FINDERS: dict[str, str] = dict(read_table(__file__, "kinds.tsv"))
"""The kinds that hold a text in a known place, run the CCM, or are what rules and predictions are about.

Each with the function that searches it: a run meets few kinds, and loads the files of those alone. Every other object
is searched as a whole.
"""

LINTED_KINDS = frozenset((
    *FINDERS, "Juju bundle", "Talos", "clouds.yaml", "Values of openstack-cluster", "k3s or RKE2 configuration",
    "RKE cluster",
))  # fmt: skip
"""The kinds whose objects are kept for the rules and predictions about them."""


def search_node(carrier: Carrier, node: YamlNode) -> None:
    """Search a YAML node: a document's root, or a node within one that looks like an object.

    What is no object itself belongs to the carrier whose text it is in.
    """
    kind = text_of(node.get("kind")) if isinstance(node, Mapping) else None
    if kind is None or not isinstance(node, Mapping):
        from ccmcheck.carriers import generic, other_controllers, scs

        scs.find(carrier, node)
        other_controllers.find_server(carrier, node)
        of = generic.document_kind(node)
        if of in LINTED_KINDS:
            carrier.note(node, of)
        generic.search_tree(carrier if carrier.kind else carrier._replace(kind=of), node)
        return
    if text_of(node.get("$patch")) == "delete":
        return  # a patch that takes the object away
    collector = carrier.collector
    collector.kinds[kind] = None
    obj = read_object(collector.path, carrier.source, node, kind, collector.document)
    is_patch = kind == "Service" and collector.document in collector.options.patches
    if kind in LINTED_KINDS and not is_patch:
        collector.objects.append(obj)
    of_object = carrier.for_object(obj)
    finder(FINDERS.get(kind, "generic.find"))(obj, of_object)
    if kind == "Service" and obj.at("spec", "ports") is None and not collector.options.is_bundle:
        from ccmcheck.carriers import service_annotations

        service_annotations.find_in_service(of_object, obj, is_patch=is_patch)


@cache
def finder(name: str) -> Finder:
    """Load one of the functions that `FINDERS` names."""
    module, function = name.split(".")
    return cast("Finder", getattr(import_module(f"ccmcheck.carriers.{module}"), function))
