"""The releases of charts that Terraform installs, each with all its values, as helm lays them over one another.

Source: hashicorp/terraform-provider-helm helm/resource_helm_release.go getValues: ``values`` in their order, then
``set``, ``set_list`` and ``set_sensitive``.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.embedded.hcl_tree import body_at
from ccmcheck.carriers.value_chains import made_release, set_each
from ccmcheck.carriers.written_service import made_object
from ccmcheck.catalog.signs.releases import is_ccm_chart
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, made, read_within, text_at
from ccmcheck.layers.value_layers import laid_over

KIND = "Terraform"
_RELEASE = lazy_regex(r"^[ \t]*+resource[ \t]++\"helm_release\"[ \t]++\"(?P<name>[^\"\n]*+)\"[ \t]*+\{", 8)
_SIGN = "cloudConfig"
_SETS = ("set", "set_sensitive")
_REFERENCES = ("${", "%{")


def search(carrier: Carrier) -> list[Span]:
    """Collect what the releases of a file in HCL make.

    Args:
        carrier: The file.

    Returns:
        The places of the values that are part of a release.
    """
    text, found, position = carrier.source.text, list[Span](), 0
    while (match := _RELEASE.search(text, position)) is not None:
        body, position = body_at(text, match.end())
        position = max(position, match.end())
        place = Span(match.start(), position)
        is_ours = is_ccm_chart(text_at(body, "chart")) or _SIGN in text[slice(*place)]
        if not is_ours or body.keys().isdisjoint(("values", *_SETS)):
            continue
        release, places = _release(body, made(match["name"], Span(*match.span("name"))))
        obj = made_object(carrier, release, "", KIND)
        if obj is not None:
            carrier.search_node(carrier._replace(source=obj.source), obj.node)
            found += places
    return found


def _release(body: Map, label: Leaf) -> tuple[Map, list[Span]]:
    """The object that stands for a release, and the places of the values in it: of a file, or a template, none are."""
    layers: list[Tree] = []
    places: list[Span] = []
    values = body.get("values")
    lacks = isinstance(values, Leaf) or "set_list" in body
    for value in values if isinstance(values, List) else ():
        layer = read_within(value) if isinstance(value, Leaf) and value.lines else value
        if isinstance(layer, Map):
            _settle(layer, is_hcl=layer is value)
            layers.append(layer)
            places.append(value.place)
        else:
            lacks = True
    merged = laid_over(layers, body.place)
    for field in _SETS:
        settings = body.get(field)
        lacks = lacks or isinstance(settings, Leaf)
        if settings is not None:
            _settle(settings, is_hcl=True)
        set_each(merged, settings)
    none = made("", body.place)
    name, chart, version = _leaf(body, "name", label), _leaf(body, "chart", none), _leaf(body, "version", none)
    release = made_release(KIND, name, chart, version, merged, lacks=lacks).tree
    namespace, metadata = body.get("namespace"), release["metadata"]
    if isinstance(namespace, Leaf) and not namespace.unknown and isinstance(metadata, Map):
        metadata.put("namespace", namespace)
    return release, places


def _leaf(body: Map, name: str, default: Leaf) -> Leaf:
    value = body.get(name)
    return value if isinstance(value, Leaf) else default


def _settle(tree: Tree, *, is_hcl: bool) -> None:
    """Mark the values that name others, and those of HCL whose lines no line of YAML can follow."""
    for one in tree.values() if isinstance(tree, Map) else tree if isinstance(tree, List) else ():
        _settle(one, is_hcl=is_hcl)
    if isinstance(tree, Leaf):
        tree.unknown = tree.unknown or any(sign in tree.text for sign in _REFERENCES)
        tree.raw = "" if is_hcl and tree.raw.startswith('"') else tree.raw
