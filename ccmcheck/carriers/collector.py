"""What the search of one file collects, and how the file is searched.

Who reads the cloud.confs of a file that no object's name tells of; see `ccmcheck.catalog.signs.readers`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from os.path import normpath
from typing import Any

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers import base
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.signs import readers
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.catalog.signs.texts import LOWER, PATH, UNKNOWN, WHOLE, Weighed, weigh
from ccmcheck.kustomize.builds import NO_BUILDS, NO_BUNDLES, Builds, Bundles
from ccmcheck.layers.encoded import UNPACKED_LIMIT
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import YamlNode

_HEADING = lazy_regex(r"\n#{2,6}[ \t]")
_MARKDOWN = (".md", ".mdx", ".markdown")
_VOLUME = lazy_regex(
    r"(?:secret|configMap)[\"']?[ \t]*+:\s*+[\"']?(secretName|name)[\"']?[ \t]*+:[ \t]*+[\"']?([\w.-]++)"
)
"""A volume of a Secret or a ConfigMap, with the object's name as its first field."""
_KINDS = {"secretName": "Secret", "name": "ConfigMap"}


class FileReaders:
    """The programs that a file tells of as the readers of its cloud.confs, where the CCM is not among them.

    Args:
        text: The whole file.
        path: Its name; Markdown has sections.

    Attributes:
        of_file: What the file as a whole tells, also of the CCM.
    """

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self.of_file = readers.reader_by_file(text, path, is_page=is_document(path))
        tells = any(sign.weight > 1 for sign in (*self.of_file.signs, *self.of_file.against))
        self._has_sections = path.endswith(_MARKDOWN) and not tells
        self._in_section: dict[int, Weighed] = {}

    def reader_of(self, subject: str, stack: Stack) -> Weighed:
        """The reader of a cloud.conf of the file, with what tells of it; unknown where it may be the CCM.

        Args:
            subject: The object, ``Secret kube-system/cloud-config``; empty for a file, which no name tells of. An
                object in a folder of the driver's is often the one that the CCM reads as well.
            stack: The way from the file to its cloud.conf.
        """
        for answer in (self.of_file, self._of_section(stack) if self._has_sections else UNKNOWN):
            if answer.value not in ("", readers.CCM_READER):
                return answer
        answer = self._mounting if subject else self._of_folder
        if not answer.value or weigh(readers.OF_CONF, {WHOLE: stack.inner}).value:
            return UNKNOWN
        kind, _, name = subject.partition(" ")
        return answer if not subject or (kind, name.rpartition("/")[2]) in self._volumes else UNKNOWN

    @cached_property
    def _headings(self) -> list[int]:
        return [0, *(match.start() for match in _HEADING.finditer(self._text)), len(self._text)]

    def _of_section(self, stack: Stack) -> Weighed:
        offset = stack.outward(Span(0, 0)).start
        number = min(bisect_right(self._headings, offset), len(self._headings) - 1)
        if number not in self._in_section:
            section = self._text[self._headings[number - 1] : self._headings[number]]
            self._in_section[number] = weigh(readers.OF_SECTION, {WHOLE: section, LOWER: section.lower()})
        return self._in_section[number]

    @cached_property
    def _of_folder(self) -> Weighed:
        if "csi" not in self._path.lower():  # as most: there may be many thousands
            return UNKNOWN
        return _driver(weigh(readers.OF_FOLDER, {PATH: self._path, WHOLE: self._text}))

    @cached_property
    def _mounting(self) -> Weighed:
        if CINDER_CSI not in self._text:
            return UNKNOWN
        return _driver(weigh(readers.OF_MOUNTING, {WHOLE: self._text}))

    @cached_property
    def _volumes(self) -> frozenset[tuple[str, str]]:
        return frozenset((_KINDS[volume[1]], volume[2]) for volume in _VOLUME.finditer(self._text))


def _driver(answer: Weighed) -> Weighed:
    return answer if answer.value != readers.CCM_READER else UNKNOWN


_MOST_REPEATED = 256 * 1024
"""Code points of anchors' texts that are looked at again for their aliases; people repeat a thousandth of it."""
_SHORT = 512
"""Code points of an anchor's text that cost about what its alias does."""


def _no_chart(_path: str) -> None:
    """No chart is known."""


class FindOptions(NamedTuple):
    """How a file is searched.

    Attributes:
        variables: Values for template variables; with any given, ``${NAME:=default}`` counts as set too.
        explicit: True when the user named the file itself.
        named: What the user named; folders above it and its own name do not make a file below it a template.
        max_unpacked: Bytes that the compressed texts of a file may unpack to, all together.
        max_depth: How many texts within texts are opened.
        chart_templates: Gives the templates of the chart that a values file belongs to; None where there is no chart.
        template: True when nothing in the file is final, False when all of it is; None to decide by name and content.
        built: The documents of the file that kustomizations build, which are judged as built; -1 for the whole file,
            and -2 beside their numbers where they are all.
        is_bundle: Whether the text is that of a build, see `ccmcheck.kustomize.bundle`.
        bundles: The builds of the run, some of which need not be built again.
        patches: The documents that are patches of Services which are not there to read.
    """

    variables: Mapping[str, str] = {}
    explicit: bool = False
    named: Sequence[str] = ()
    max_unpacked: int = UNPACKED_LIMIT
    max_depth: int = 8
    template: bool | None = None
    chart_templates: Callable[[str], Sequence[str] | None] = _no_chart
    built: frozenset[int] = frozenset()
    is_bundle: bool = False
    bundles: Bundles = NO_BUNDLES
    patches: frozenset[int] = frozenset()


def options_with_builds(options: FindOptions, path: str, builds: Builds) -> FindOptions:
    """How a file is searched, without what is judged as kustomizations build it.

    Args:
        options: How files are searched.
        path: The file.
        builds: What kustomizations build.
    """
    if builds is NO_BUILDS:
        return options
    return options._replace(
        built=builds.documents_of(path),
        is_bundle=path in builds.bundles,
        bundles=builds.bundles,
        patches=builds.patches.get(normpath(path), frozenset()),
    )


class Collector:
    """Collects what one file holds; carriers append to its lists.

    Args:
        path: The file as the user named it.
        options: How it is searched.

    Attributes:
        carried: The cloud.confs, in the order of the search.
        not_taken: The texts that look like a cloud.conf by their names or sections, and are none.
        pods: The CCM's workloads, and the charts that install it.
        image_tags: The tags that a kustomization sets for the CCM's image.
        document: Which YAML document of the file is being searched, from 0.
        broken: What could not be read.
        objects: The objects that rules of their own are about, in the order of the search.
        kinds: The kinds of all objects, in the order of the search.
        clusters: Cluster API's OpenStackClusters.
        resource_sets: Cluster API's ClusterResourceSets.
        switches: Settings of the Sovereign Cloud Stack's scripts.
        sharing_services: The Services that name what other Services may name too.
        annotations: Annotations of the CCM without their Service, each object with the places of their names.
        annotated: Where the names of annotations of whole Services are that something else becomes.
        controllers: Other controllers of load balancers, and their configuration.
        drivers: The Cinder CSI driver's workloads.
        node_labels: The labels of Nodes.
        storage_classes: The names of StorageClasses with their provisioners.
        namespaces: The names of Namespaces with the Pod Security Standard that they enforce.
        bindings: Roles with the accounts that have them.
        unpacked: Bytes that compressed texts unpacked to so far.
        templates_read: Code points of a chart's templates that were searched for its maps so far.
    """

    def __init__(self, path: str, options: FindOptions) -> None:
        self.path = path
        self.options = options
        self.carried: list[base.CarriedConf] = []
        self.not_taken: list[base.CarriedConf] = []
        self.pods: list[base.CcmPod] = []
        self.image_tags: list[base.CcmPod] = []
        self.document = 0
        self._lines: LineIndex | None = None
        self._readers: FileReaders | None = None
        self.broken: list[Failure] = []
        self.objects: list[KubernetesObject] = []
        self.clusters: list[base.CapiCluster] = []
        self.resource_sets: list[base.ResourceSet] = []
        self.switches: list[base.ScsSwitches] = []
        self.sharing_services: list[base.SharingService] = []
        self.annotations: list[tuple[frozenset[int], KubernetesObject]] = []
        self.annotated: set[int] = set()
        self.controllers: list[base.OtherController] = []
        self.drivers: list[base.CcmPod] = []
        self.node_labels: list[base.NodeLabels] = []
        self.storage_classes: list[base.NodeLabels] = []
        self.namespaces: list[base.NodeLabels] = []
        self.bindings: list[base.NodeLabels] = []
        self.kinds: dict[str, None] = {}
        self.unpacked = 0
        self.templates_read = 0
        self._repeated = 0
        self._used: set[YamlNode] = set()

    @property
    def run_context(self) -> base.RunContext:
        """What other files' rules need of this file."""
        collected: dict[str, Any] = {name: tuple(getattr(self, name)) for name in base.BY_FILE}
        return base.RunContext(**collected) if any(collected.values()) else base.EMPTY_RUN

    def readers_of(self, source: SourceText, subject: str) -> tuple[str, ...]:
        """Who reads a cloud.conf of the file, where its text or its path says so; empty where that is unknown."""
        if self._readers is None:
            self._readers = FileReaders(source.stack.text, self.path)
        reader = self._readers.reader_of(subject, source.stack).value
        return (reader,) if reader else ()

    def settle_annotations(self) -> None:
        """Add the annotations that no whole Service has to the objects, once the file is searched."""
        for places, obj in self.annotations:
            if places.isdisjoint(self.annotated):
                self.annotated |= places
                self.objects.append(obj)
        self.annotations.clear()

    def forget_context(self) -> None:
        """Drop what other files' rules would need of this file, but for the releases that its own texts are for."""
        shown = [pod for pod in (*self.pods, *self.image_tags) if pod.release]
        for name in (*base.BY_FILE, "sharing_services"):
            getattr(self, name).clear()
        self.image_tags += [
            pod._replace(
                namespace="", cloud_config="", mounts=(), cluster_name="", flags=(), choices=(), is_example=True
            )
            for pod in shown
        ]

    def may_use(self, source: SourceText, node: YamlNode) -> bool:
        """Whether to look at what a node holds: a small file may have thousands of aliases of a large text.

        Where that comes to too much, it is recorded as a part that is not read.

        Args:
            source: The text that the node is in.
            node: A node; nothing is counted for one that no alias refers to.
        """
        if not node.shared:
            return True
        start, end = node.content
        length = end - start
        if length <= _SHORT:
            return True
        if node not in self._used:
            self._used.add(node)
            return True
        was_too_much = self._repeated > _MOST_REPEATED
        self._repeated += length
        if self._repeated <= _MOST_REPEATED:
            return True
        if was_too_much:
            return False
        message = (
            f"aliases repeat more than {_MOST_REPEATED // 1024} KiB of text, and the rest of them is not looked at"
        )
        self.fail(source, start, message, "Write the text where it is used, or split the file.")
        return False

    def fail(self, source: SourceText, offset: int, message: str, hint: str = "") -> None:
        """Record a part of the file that cannot be read.

        Args:
            source: The text that it is in.
            offset: Where in that text.
            message: What is wrong.
            hint: What to do next.
        """
        line, column = self.position(source, offset)
        self.broken.append(Failure(self.path, message, hint, line, column))

    def position(self, source: SourceText, offset: int) -> tuple[int, int]:
        """The line and the column in the file of a place in one of its texts, both from 1."""
        if self._lines is None:
            self._lines = LineIndex(source.stack.text)
        return self._lines.position(source.stack.outward(Span(offset, offset)).start)
