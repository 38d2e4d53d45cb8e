"""The values of a chart that several files set: each release with all of them, laid over one another as its tool does.

Argo CD's ``valueFiles``, Flux's ``valuesFrom``, helmfile, k3s' HelmChartConfig, charts that wrap the CCM's with a file
for each environment, and the variables of Ansible's groups. Nothing is rendered: a link that is not there, or cannot be
read, is said, and then more values may be set than are known.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import folder_of, upward
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.generators import KnownFiles, parameters_of, substituted_tree
from ccmcheck.carriers.prefilter import CHART_FILE, GROUP_FILE, GROUPS
from ccmcheck.catalog.data.ccm_chart import DRIVER_CHARTS
from ccmcheck.catalog.data.notations import KUBESPRAY
from ccmcheck.catalog.signs.paths import is_apart
from ccmcheck.catalog.signs.releases import is_ccm_chart
from ccmcheck.kustomize.files import Files, ResourceDocument, flattened, joined
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, at, copied, made, plain, read_within, text_at
from ccmcheck.layers.value_layers import laid_over, put_at, put_in_front

_FOLDERS = ("env", "envs", "environments", "values")
_ENVIRONMENTS = lazy_regex(r"(?:(?:envs?|environments|values)/[^/]+|values[-._][^/]+|[^/]+[-._]values)\.ya?ml\Z")
"""The files of a chart's folder that are laid over its values.yaml, one for each environment."""
_REMOTE = "://"
_BOOLS = {"true": True, "false": False}
_SET_BY = ("valueFiles", "parameters")
"""Where an Application names values outside of its own texts."""
_CONTENT = "valuesContent"
_MOST_NEAR = 50
"""Files of a folder that are searched for an object with values."""
_A_VALUE = 20
"""Steps of a build that a value of a release counts as: it is laid over others, written and searched."""
_A_STEP = 20_000
"""Code points that are searched for a name in a step."""
_MOST_RELEASES = 200
"""Releases of one file."""
_OF_KUBESPRAY = lazy_regex(
    rf"{KUBESPRAY.prefix}|(?m:^(?:external_cloud_provider|cloud_provider|kube_version|cinder_\w+)[ \t]*:)"
)
"""Variables that say what those of the CCM's cloud.conf come to."""


class ChartRelease(NamedTuple):
    """An object with all the values that are laid over one another for it.

    Attributes:
        tree: The object; without a kind, variables.
        number: The document of the root that it is made of; -1 for none.
        lacks: Whether a link is not there to read.
    """

    tree: Map
    number: int = -1
    lacks: bool = False


def releases_in(root: str, files: Files, known: KnownFiles) -> list[ChartRelease]:
    """The releases that a file names, each with its values.

    Args:
        root: The file.
        files: Reads it and others; notes what is used.
        known: The files that there are.
    """
    if (here := GROUP_FILE.search(root)) is not None:
        return list(islice(_of_groups(root, here["inventory"], files, known), _MOST_RELEASES))
    found: list[ChartRelease] = []
    find = _near(root, files, known)
    for document in files.documents(root) or ():
        for release in islice(_in_document(root, document.tree, files, known, find), _MOST_RELEASES - len(found)):
            files.work.step(_A_VALUE * _size(release.tree))
            found.append(release._replace(number=document.number))
            files.use(root, document.number)
    return found


def _size(tree: Tree) -> int:
    """How many values there are in a tree."""
    count, pending = 0, [tree]
    while pending:
        one = pending.pop()
        count += 1
        pending += one.values() if isinstance(one, Map) else one if isinstance(one, List) else ()
    return count


def _in_document(
    root: str, tree: Tree | None, files: Files, known: KnownFiles, find: Callable[[str, str], Map | None]
) -> Iterator[ChartRelease]:
    if not isinstance(tree, Map):
        return
    if root.endswith(CHART_FILE):
        yield from _of_umbrella(root, tree, files, known)
        return
    if isinstance(tree.get("releases"), List):
        parts = [one.tree for one in files.documents(root) or ()]  # helmfile reads them one after another
        environments = [part["environments"] for part in parts if isinstance(part, Map) and "environments" in part]
        yield from _of_helmfile(root, tree, environments, files)
        return
    for obj in flattened(tree):
        kind = text_at(obj, "kind")
        if kind == "HelmRelease" and at(obj, "spec", "valuesFrom") is not None:
            yield with_values_from(obj, find)
        elif kind == "Application":
            yield from _of_application(root, obj, files)
        elif kind == "HelmChartConfig":
            yield from _of_chart_config(obj, find)
        elif kind == "ApplicationSet":
            for application in _applications(obj, files, known):
                yield from _of_application(root, application, files, is_made=True)


def with_values_from(obj: Map, find: Callable[[str, str], Map | None]) -> ChartRelease:
    """A HelmRelease of Flux with the values of the objects that it names: these first, its own over them.

    Args:
        obj: The HelmRelease.
        find: Gives a ConfigMap or Secret by its kind and name.
    """
    layers: list[Tree] = []
    lacks = False
    references = at(obj, "spec", "valuesFrom")
    for reference in references if isinstance(references, List) else ():
        held = find(text_at(reference, "kind"), text_at(reference, "name"))
        values = _held(held, text_at(reference, "valuesKey") or "values.yaml") if held is not None else None
        target = text_at(reference, "targetPath")
        if values is None:
            lacks = lacks or text_at(reference, "optional") != "true"
        elif target:
            aimed = Map(values.place)
            put_at(aimed, target, values)
            layers.append(aimed)
        else:
            inner = read_within(values)
            lacks = lacks or not isinstance(inner, Map)
            layers.append(inner)
    own = at(obj, "spec", "values")
    merged = laid_over([*layers, *([own] if own is not None else ())], obj.place)
    return _release(obj, ("spec",), "values", merged, lacks=lacks, without=("valuesFrom",))


def _of_chart_config(obj: Map, find: Callable[[str, str], Map | None]) -> Iterator[ChartRelease]:
    """A HelmChart of k3s or RKE2, over its values those of the HelmChartConfig of its name (docs.k3s.io/helm)."""
    chart = find("HelmChart", text_at(obj, "metadata", "name"))
    if chart is None or text_at(chart, "metadata", "namespace") != text_at(obj, "metadata", "namespace"):
        return
    texts = [text for one in (chart, obj) if isinstance(text := at(one, "spec", _CONTENT), Leaf)]
    layers = [read_within(text) for text in texts]
    lacks = not all(isinstance(layer, Map) for layer in layers)
    merged = laid_over(layers, chart.place)
    yield _release(chart, ("spec",), _CONTENT, merged, lacks=lacks, without=())


def _held(held: Map, key: str) -> Leaf | None:
    """The text that a ConfigMap or Secret has under a key."""
    for field in ("stringData", "data"):
        value = at(held, field, key)
        if not isinstance(value, Leaf) or value.unknown or value.text.startswith("ENC["):
            continue
        if field == "stringData" or text_at(held, "kind") != "Secret":
            return value
        try:
            text = base64.b64decode(value.text, validate=True).decode()
        except (binascii.Error, ValueError):
            return None
        return made(text, value.place)
    return None


def _near(root: str, files: Files, known: KnownFiles) -> Callable[[str, str], Map | None]:
    """Finds an object by its kind and name in a file, or in those of its folder."""
    folder = folder_of(root)
    beside = islice((path for path in known.in_folder(folder) if path.endswith((".yaml", ".yml"))), _MOST_NEAR)
    paths = list(dict.fromkeys((root, *beside)))
    indexed: dict[str, dict[tuple[str, str], tuple[int, Map]]] = {}

    def find(kind: str, name: str) -> Map | None:
        for path in paths:
            text = files.text(path) if name else None
            files.work.step(1 + len(text or "") // _A_STEP)
            if text is None or name not in text:
                continue
            if path not in indexed:
                indexed[path] = _by_name(files.documents(path) or ())
            number, held = indexed[path].get((kind, name), (0, None))
            if held is not None:
                files.use(path, number)
                return held
        return None

    return find


def _by_name(documents: Iterable[ResourceDocument]) -> dict[tuple[str, str], tuple[int, Map]]:
    """The objects in documents by their kinds and names, the first of each, with its document."""
    found: dict[tuple[str, str], tuple[int, Map]] = {}
    for document in documents:
        for one in flattened(document.tree) if document.tree is not None else ():
            found.setdefault((text_at(one, "kind"), text_at(one, "metadata", "name")), (document.number, one))
    return found


def _of_application(root: str, obj: Map, files: Files, *, is_made: bool = False) -> Iterator[ChartRelease]:
    """An Application of Argo CD: the chart's own values, the files in their order, then the values within it.

    One of an ApplicationSet is a cluster's own, also where all its values are written out.
    """
    sources = at(obj, "spec", "sources")
    listed = enumerate(sources) if isinstance(sources, List) else ((None, at(obj, "spec", "source")),)
    for number, source in listed:
        helm = at(source, "helm")
        if (
            not isinstance(source, Map)
            or not isinstance(helm, Map)
            or (helm.keys().isdisjoint(_SET_BY) and not is_made)
        ):
            continue
        folder = text_at(source, "path")
        dependency = _dependency(_first(root, f"{folder}/{CHART_FILE}", files), files) if folder else None
        if dependency is None and not is_ccm_chart(text_at(source, "chart") or folder):
            continue
        layers: list[Tree] = []
        lacks = False
        if dependency is not None:
            layers += _file(joined(dependency.folder, "values.yaml"), files) or ()
        names = helm.get("valueFiles")
        for name in names if isinstance(names, List) else ():
            values = _file(_of_source(root, name.text if isinstance(name, Leaf) else "", folder, files), files)
            lacks = lacks or (values is None and text_at(helm, "ignoreMissingValueFiles") != "true")
            layers += values or ()
        inline = helm.get("values")
        if "valuesObject" in helm:  # `values` beside it is ignored: argo-cd pkg/apis/application/v1alpha1 ValuesYAML
            layers.append(helm["valuesObject"])
        elif isinstance(inline, Leaf):
            layers.append(read_within(inline))
        merged = laid_over(layers, helm.place)
        set_each(merged, helm.get("parameters"))
        lacks = lacks or "fileParameters" in helm
        if dependency is not None:
            left_out = _left_out_of(dependency.chart, merged)
            yield ChartRelease(_without(merged, {dependency.key, *left_out}))
            if dependency.key in left_out:
                continue
        yield _release(
            _with_source(obj, number, dependency),
            ("spec", "source", "helm"),
            "valuesObject",
            dependency.values_in(merged) if dependency is not None else merged,
            lacks=lacks,
            without=("values", *_SET_BY),
        )


def set_each(values: Map, settings: Tree | None) -> None:
    """Set the values that a list of names and values sets one by one, as ``--set`` reads them: ``"true"`` is a bool.

    What Argo CD, vals or Terraform puts in is unknown.

    Args:
        values: The values so far.
        settings: The list.
    """
    own = Map(values.place)
    for one in settings if isinstance(settings, List) else ():
        value = at(one, "value")
        if isinstance(value, Leaf) and text_at(one, "name"):
            typed = value.clone()
            is_text = at(one, "forceString") is not None or text_at(one, "type") == "string"
            typed.value = value.value if is_text else _BOOLS.get(value.text, value.value)
            typed.raw = "" if typed.value is not value.value else value.raw
            typed.unknown = value.unknown or "$" in value.text
            put_at(own, text_at(one, "name"), typed)
    put_in_front(values, own)


def _with_source(obj: Map, number: int | None, dependency: Dependency | None) -> Map:
    """The Application with one source, that of the CCM's chart."""
    new = copied(obj)
    spec = new["spec"] if isinstance(new, Map) else None
    if not isinstance(new, Map) or not isinstance(spec, Map):
        return obj
    sources = spec.pop("sources", None)
    if isinstance(sources, List) and number is not None:
        spec["source"] = sources[number]
    source = spec.get("source")
    if dependency is not None and isinstance(source, Map):
        source.pop("path", None)
        source.put("chart", dependency.name)
        source["targetRevision"] = dependency.version
    return new


def _of_source(root: str, name: str, folder: str, files: Files) -> str:
    """The path of a file of values: below the chart, the repository, or the source that ``$NAME/`` refers to."""
    if _REMOTE in name or not name:
        return ""
    if name.startswith("$"):
        return _first(root, name.partition("/")[2], files)
    if name.startswith("/"):
        return _first(root, name[1:], files)
    return _first(root, f"{folder}/{name}" if folder else name, files)


def _first(root: str, path: str, files: Files) -> str:
    """A path from the top of a repository, which nobody knows here: the first of the folders upward that has it."""
    found = (joined(folder, path) for folder in upward(folder_of(root)))
    return next((one for one in found if files.text(one) is not None), "")


def _file(path: str, files: Files) -> list[Tree] | None:
    """The values of a file; None where it cannot be read."""
    documents = files.documents(path) if path else None
    if documents is None:
        return None
    files.use(path)
    return [document.tree for document in documents if document.tree is not None]


class Dependency(NamedTuple):
    """The CCM's chart, or that of the Cinder CSI driver, as a part of another one.

    Attributes:
        chart: That chart.
        folder: The folder of that chart.
        name: The name of the CCM's chart.
        version: Its version.
        key: The field of the values that are its own.
    """

    chart: Map
    folder: str
    name: Leaf
    version: Leaf
    key: str

    def values_in(self, values: Map) -> Map:
        """Its own values."""
        own = values.get(self.key)
        return own if isinstance(own, Map) else Map(values.place)


def _dependency(path: str, files: Files, is_meant: Callable[[str], bool] = is_ccm_chart) -> Dependency | None:
    for document in (files.documents(path) if path else None) or ():
        chart = document.tree
        for one in _dependencies_of(chart):
            name, version = at(one, "name"), at(one, "version")
            if isinstance(chart, Map) and isinstance(name, Leaf) and isinstance(version, Leaf) and is_meant(name.text):
                return Dependency(chart, folder_of(path), name, version, _key_of(one))
    return None


def _dependencies_of(chart: Tree | None) -> Sequence[Tree]:
    listed = at(chart, "dependencies")
    return listed if isinstance(listed, List) else ()


def _key_of(dependency: Tree) -> str:
    return text_at(dependency, "alias") or text_at(dependency, "name")


def _left_out_of(chart: Tree, values: Map) -> set[str]:
    """The fields of a chart's dependencies that are not, or perhaps not, rendered: conditions decide, else tags.

    See helm/helm v3.19.5 pkg/chartutil/dependencies.go, processDependencyConditions and processDependencyTags.
    """
    found: set[str] = set()
    for one in _dependencies_of(chart):
        tags = at(one, "tags")
        paths = [path.strip().split(".") for path in text_at(one, "condition").split(",")]
        paths_of_tags = [
            ("tags", tag.text) for tag in (tags if isinstance(tags, List) else ()) if isinstance(tag, Leaf)
        ]
        deciding = _switches(values, paths)[:1] or _switches(values, paths_of_tags)
        if deciding and not any(switch.value is True for switch in deciding):
            found.add(_key_of(one))
    return found


def _switches(values: Map, paths: Iterable[Sequence[str]]) -> list[Leaf]:
    leaves = (at(values, *path) for path in paths)
    return [leaf for leaf in leaves if isinstance(leaf, Leaf) and (leaf.unknown or isinstance(leaf.value, bool))]


def _without(values: Map, fields: set[str]) -> Map:
    others = Map(values.place)
    for name, value in values.items():
        if name not in fields:
            others.put(name, value, values.names.get(name))
    return others


def _of_umbrella(root: str, chart: Map, files: Files, known: KnownFiles) -> Iterator[ChartRelease]:
    """A chart that wraps others: its values, and over them the file of each environment."""
    driver = _dependency(root, files, DRIVER_CHARTS.__contains__)
    parts = [one for one in (_dependency(root, files), driver) if one is not None]
    folder = folder_of(root)
    prefix = f"{folder}/" if folder else ""
    folders = (folder, *(prefix + name for name in _FOLDERS))
    files_below = [path for one in folders for path in known.in_folder(one)]
    below = [path for path in files_below if _ENVIRONMENTS.fullmatch(path[len(prefix) :])]
    own_path = f"{prefix}values.yaml"
    own = _file(own_path, files) or ()
    if not below and driver is None and not _left_out_of(chart, laid_over(own, chart.place)):
        return
    seen: set[str] = set()
    for path in below or (own_path,):
        merged = laid_over([*own, *(_file(path, files) or ())], chart.place)
        left_out = _left_out_of(chart, merged)
        others = _without(merged, {*left_out, *(one.key for one in parts)})
        if (values := repr(plain(others))) not in seen:
            seen.add(values)
            yield ChartRelease(others)
        for one in parts:
            if one.key not in left_out:
                name = made(path.rpartition("/")[2].partition(".")[0], one.name.place)
                lacks = one is not driver or bool(below)
                yield made_release("Chart", name, one.name, one.version, one.values_in(merged), lacks=lacks)


def _of_helmfile(root: str, tree: Map, environments: Sequence[Tree], files: Files) -> Iterator[ChartRelease]:
    """The releases of a helmfile, once for each of its environments."""
    releases = tree["releases"]
    ours = [one for one in (releases if isinstance(releases, List) else ()) if is_ccm_chart(text_at(one, "chart"))]
    names = dict.fromkeys(name for one in environments if isinstance(one, Map) for name in one)
    for environment in names or ("default",):
        for release in ours:
            here = substituted_tree(release, {"Environment.Name": made(environment, release.place)})
            if isinstance(here, Map):
                yield _of_helmfile_release(root, here, files, environment if names else "")


def _of_helmfile_release(root: str, release: Map, files: Files, environment: str) -> ChartRelease:
    layers: list[Tree] = []
    lacks = False
    for field in ("values", "secrets"):
        listed = release.get(field)
        for one in listed if isinstance(listed, List) else ():
            is_path = isinstance(one, Leaf)
            values = _file(joined(folder_of(root), one.text), files) if isinstance(one, Leaf) else [one]
            lacks = lacks or (is_path and values is None)
            layers += values or ()
    merged = laid_over(layers, release.place)
    set_each(merged, release.get("set"))
    name, version = text_at(release, "name"), release.get("version")
    place = release.place
    made_tree = made_release(
        "Helmfile",
        made(f"{name} ({environment})" if environment else name, place),
        made(text_at(release, "chart"), place),
        version if isinstance(version, Leaf) else made("", place),
        merged,
        lacks=lacks,
    )
    namespace = release.get("namespace")
    metadata, spec = made_tree.tree["metadata"], made_tree.tree["spec"]
    if isinstance(spec, Map):
        spec.put("releaseName", made(name, place))
    if isinstance(namespace, Leaf) and isinstance(metadata, Map):
        metadata.put("namespace", namespace)
    return made_tree._replace(lacks=lacks)


def _of_groups(root: str, inventory: str, files: Files, known: KnownFiles) -> Iterator[ChartRelease]:
    """The variables of an inventory, file by file: a role's defaults, then those of all hosts, then the cluster's.

    A role sees no other one's defaults, and a sample of an inventory says nothing about the roles beside it.
    """
    folder = f"{inventory}group_vars"
    own = sorted(
        (match["group"] != GROUPS[0], path)
        for one in (folder, *(f"{folder}/{name}" for name in GROUPS))
        for path in known.in_folder(one)
        if (match := GROUP_FILE.search(path)) is not None
    )
    ours = [path for _, path in own if KUBESPRAY.prefix in (files.text(path) or "")]
    if not ours or ours[0] != root:  # which stands for all of them
        return
    defaults = [
        [path]
        for top, path in known.role_defaults
        if inventory.startswith(top) and not is_apart(inventory[len(top) :])
        if KUBESPRAY.prefix in (files.text(path) or "")
    ]
    whole = [path for _, path in own if _OF_KUBESPRAY.search(files.text(path) or "")]
    for below in defaults or ([[]] if len(whole) > 1 else []):
        layers = [tree for path in (*below, *whole) for tree in _file(path, files) or ()]
        yield ChartRelease(laid_over(layers, layers[0].place, deep=False))


def made_release(kind: str, name: Leaf, chart: Leaf, version: Leaf, values: Map, *, lacks: bool = True) -> ChartRelease:
    """An object for what is none: a chart, or a release of helmfile or Terraform.

    Args:
        kind: What is called its kind.
        name: Its name.
        chart: The chart's name.
        version: The chart's version.
        values: All its values that are known.
        lacks: Whether there may be more.
    """
    tree, metadata, spec = Map(values.place), Map(values.place), Map(values.place)
    tree.put("kind", made(kind, values.place))
    metadata.put("name", name)
    tree.put("metadata", metadata)
    spec.put("chart", chart)
    spec.put("version", version)
    spec.put("values", values)
    if lacks:
        spec.put("valuesFrom", made("", values.place))
    tree.put("spec", spec)
    return ChartRelease(tree)


def _release(
    obj: Map, path: tuple[str, ...], field: str, values: Map, *, lacks: bool, without: tuple[str, ...]
) -> ChartRelease:
    """An object with all values in one field, and a sign where there may be more."""
    new = copied(obj)
    inner = at(new, *path)
    if isinstance(new, Map) and isinstance(inner, Map):
        for name in without:
            inner.pop(name, None)
        inner[field] = values
        if lacks:
            inner["valueFiles" if field == "valuesObject" else "valuesFrom"] = made("", values.place)
        return ChartRelease(new, lacks=lacks)
    return ChartRelease(obj, lacks=True)


def _applications(obj: Map, files: Files, known: KnownFiles) -> Iterator[Map]:
    """The Applications that an ApplicationSet makes, as far as its generators are known here."""
    template = at(obj, "spec", "template")
    for parameters in parameters_of(at(obj, "spec", "generators"), files, known):
        application = substituted_tree(template, parameters) if isinstance(template, Map) else None
        if isinstance(application, Map):
            application.put("kind", made("Application", application.place))
            yield application
