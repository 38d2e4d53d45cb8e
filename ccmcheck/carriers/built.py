"""What kustomizations build: each object is searched as it runs, and its places are those of the files that set it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate

from ccmcheck.base.errors import BadYaml, TooLarge
from ccmcheck.base.garbage_collection import LongLived
from ccmcheck.base.model import Span
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.carriers import generic, value_chains
from ccmcheck.carriers.base import CarriedConf, CcmPod, KubernetesVersion
from ccmcheck.carriers.carrier import Carrier, SearchNode
from ccmcheck.carriers.collector import Collector
from ccmcheck.carriers.generators import KnownFiles
from ccmcheck.carriers.source_text import SourceText, substituted
from ccmcheck.catalog.signs.releases import is_ccm_image
from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.builds import NAMES, WHOLE
from ccmcheck.kustomize.bundle import Bundle
from ccmcheck.kustomize.files import Files
from ccmcheck.kustomize.references import note_hashes
from ccmcheck.kustomize.resources import Built
from ccmcheck.layers.base import Layer
from ccmcheck.layers.placed_values import Map, at, text_at
from ccmcheck.layers.placed_writer import PlacedWriter, write
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import Mapping, documents
from ccmcheck.yamlio import marks as template_marks
from ccmcheck.yamlio.mark import disjoint

_CARRIER = "Kustomization"
_CHARTS = "helmCharts"
_IMAGES = "images"
_MOST_LINES = 400
"""Lines of a cloud.conf that say which files set it."""


def search_build(collector: Collector, search_node: SearchNode, text: str) -> None:
    """Search the objects that the kustomizations of a bundle build.

    An object that something unknown changes is not searched.

    Args:
        collector: Collects the results.
        search_node: Searches a YAML node that may be an object.
        text: The bundle.
    """
    bundle = Bundle(text)
    parts = {part.path: part for part in bundle.parts}

    def read(path: str) -> str | None:
        part = parts.get(path)
        return bundle.text_of(part) if part is not None else None

    files = Files(read, lambda path: parts[path].start)
    if bundle.root.rpartition("/")[2] not in NAMES:
        _search_releases(Carrier(collector, search_node, SourceText(Stack(text), text)), bundle, files)
        return
    used: AbstractSet[str] = files.documents_used.keys()
    try:
        built = collector.options.bundles.built(bundle.root, text)
        objects, used, work = built or Built(Build(files).root(bundle.root), used, files.work)
        work = work.left()
        note_hashes(objects)
        with LongLived():
            for tree in _with_their_values([one.tree for one in objects if not one.is_open]):
                written = write(tree, text)
                work.text(len(written.layer.text))
                _search_resource(collector, search_node, written, text)
    except TooLarge as error:
        collector.fail(SourceText(Stack(text), text), 0, error.message)
    for path, part in parts.items():
        if path.rpartition("/")[2] in NAMES and path in used:
            source = SourceText(Stack(text), text).enter(Slice(text, Span(part.start, part.end), _CARRIER))
            is_root = path.rpartition("/")[0] == bundle.root.rpartition("/")[0]
            _search_fields(
                Carrier(collector, search_node, source, _CARRIER), (_CHARTS, _IMAGES) if is_root else (_CHARTS,)
            )


def _with_their_values(objects: list[Map]) -> list[Map]:
    """Objects, each HelmRelease with the values of others that it names, in their place."""
    if not any(at(obj, "spec", "valuesFrom") is not None for obj in objects):
        return objects
    by_name = {(text_at(obj, "kind"), text_at(obj, "metadata", "name")): obj for obj in objects}
    used: set[int] = set()

    def find(kind: str, name: str) -> Map | None:
        held = by_name.get((kind, name))
        used.add(id(held))
        return held

    found = [
        value_chains.with_values_from(obj, find).tree
        if text_at(obj, "kind") == "HelmRelease" and at(obj, "spec", "valuesFrom") is not None
        else obj
        for obj in objects
    ]
    return [obj for obj in found if id(obj) not in used]


def _search_releases(carrier: Carrier, bundle: Bundle, files: Files) -> None:
    """Search the releases that a file names with all their values, and the rest of the file as it is."""
    collector, search_node, text = carrier.collector, carrier.search_node, bundle.text
    try:
        for release in value_chains.releases_in(bundle.root, files, KnownFiles([part.path for part in bundle.parts])):
            collector.document = max(release.number, 0)
            written = write(release.tree, text)
            files.work.text(len(written.layer.text))
            _search_resource(collector, search_node, written, text)
    except TooLarge as error:
        collector.fail(carrier.source, 0, error.message)
    root = bundle.part(bundle.root)
    used: AbstractSet[int] = files.documents_used.get(bundle.root, frozenset())
    if root is None or WHOLE in used:
        return
    source = carrier.source.enter(Slice(text, Span(root.start, root.end), "file"))
    marks = template_marks.find(source.text)
    source = source.mask_marks(marks) if marks and collector.options.template is not False else source
    for number, document in enumerate(documents(source.text)):
        if number not in used and not isinstance(document, BadYaml) and document.root is not None:
            collector.document = number
            search_node(carrier._replace(source=source), document.root)


def place_in_files(collector: Collector, text: str) -> None:
    """Say of each workload, chart and tag of a bundle the line in the file that sets it.

    Args:
        collector: What was found in it, with lines of the bundle.
        text: The bundle.
    """
    bundle = Bundle(text)
    for found in (collector.pods, collector.image_tags):
        found[:] = [_with_place(bundle, pod) for pod in found]
    collector.carried[:] = [
        _with_version_placed(bundle, carried)._replace(folders=_folders_of(bundle, carried))
        for carried in collector.carried
    ]


def _folders_of(bundle: Bundle, carried: CarriedConf) -> tuple[str, ...]:
    """The folders of the files that set a cloud.conf's lines."""
    inner, starts = carried.stack.inner, [part.start for part in bundle.parts]
    lines = accumulate((len(line) for line in inner.splitlines(keepends=True)[:_MOST_LINES]), initial=0)
    offsets = (carried.stack.outward(Span(line, line)).start for line in lines if line < len(inner))
    parts = {max(bisect_right(starts, offset) - 1, 0) for offset in offsets}
    return tuple(dict.fromkeys(folder_of(bundle.parts[part].path) for part in sorted(parts)))


def _with_place(bundle: Bundle, pod: CcmPod) -> CcmPod:
    if not pod.line:
        return pod
    path, line = bundle.in_file(pod.line)
    return pod._replace(line=line, line_path=path)


def _with_version_placed(bundle: Bundle, carried: CarriedConf) -> CarriedConf:
    """A cloud.conf with the place of its cluster's Kubernetes version in the file that sets it."""
    version = carried.kubernetes
    if version is None:
        return carried
    path, line = bundle.in_file(version.line)
    return carried._replace(kubernetes=KubernetesVersion(version.name, path, line))


def _search_resource(collector: Collector, search_node: SearchNode, written: PlacedWriter, text: str) -> None:
    layer: Layer = written.layer
    stack = Stack(text).push(layer)
    unknown = written.unknown
    variables = collector.options.variables
    replaced = substituted(layer.text, variables) if variables and not unknown else None
    if replaced is not None:
        layer, marks = replaced
        stack = stack.push(layer)
    else:
        marks = template_marks.find(layer.text)
    marks = disjoint([*unknown, *marks])
    template = collector.options.template or bool(unknown)
    source = SourceText(stack, layer.text, final=not template)
    if marks and collector.options.template is not False:
        source = source.mask_marks(marks)
    for document in documents(source.text):
        if not isinstance(document, BadYaml) and document.root is not None:
            search_node(Carrier(collector, search_node, source), document.root)


def _search_fields(carrier: Carrier, names: Sequence[str]) -> None:
    """Charts that a kustomization renders, and the tags that it sets for objects that are not in these files."""
    if any(is_ccm_image(pod.image) for pod in carrier.collector.pods):
        names = [name for name in names if name != _IMAGES]
    if not any(name in carrier.source.text for name in names):
        return
    for document in documents(carrier.source.text):
        if not isinstance(document, BadYaml) and isinstance(document.root, Mapping):
            for node in filter(None, map(document.root.get, names)):
                generic.search_tree(carrier, node)
