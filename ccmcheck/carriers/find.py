"""From one file's text to every cloud.conf in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import has_one
from ccmcheck.carriers.base import FILE, CarriedConf, CcmPod, NodeLabels, RunContext, SharingService
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.collector import Collector, FindOptions
from ccmcheck.carriers.embedded.languages import language_of
from ccmcheck.carriers.kinds import search_node
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.prefilter import mentions_cloud_conf, worth_reading
from ccmcheck.carriers.source_text import SourceText, substituted
from ccmcheck.catalog.data.deployments import CCM, CCM_REPOSITORY, KUBERNETES_SETTINGS
from ccmcheck.catalog.data.upstream_manifests import BRANCH
from ccmcheck.catalog.signs.forms import has_defines, is_difference, is_ini, is_profile, sets_kubernetes
from ccmcheck.catalog.signs.paths import DOCUMENTS, GO_TEMPLATE, HCL, YAML_NAMES, is_named_cloud_conf, is_template
from ccmcheck.catalog.signs.scorer import Recognition, recognise
from ccmcheck.catalog.signs.table import KnownBy
from ccmcheck.kustomize.builds import EVERY, WHOLE
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import Mapping, Sequence, TemplateMark, YamlDocument, documents
from ccmcheck.yamlio import marks as template_marks

_DEFAULTS = FindOptions()
_CONF = "cloud.conf"
_SWITCHES = ("metallb", "kube_vip_services_enabled", "--disable-cloud-controller")
"""Words of what switches other controllers of load balancers on."""
_CLASSES = lazy_regex(r"\bkind[\"']?[ \t]*+[:=][ \t]*+[\"']?StorageClass\b|\bkubernetes_storage_class")
"""What makes a StorageClass in a command, a document or Terraform."""
_WIDE = ("\udcff\udcfe", "\udcfe\udcff")
"""The byte order marks of UTF-16, as bytes that are not UTF-8 are decoded."""
_INI_NAMES = (".conf", ".cfg", ".ini", ".config")
_PROFILE = Recognition(taken=False, program="a profile of ccmcheck", because="it is a profile of ccmcheck")


class FileContents(NamedTuple):
    """What one file holds.

    Attributes:
        carried: Its cloud.confs, in the order of the search.
        pods: The CCM's workloads in it, and the charts that install it.
        pods_by_subject: The first of them of each object.
        broken: The parts that could not be read, where that matters.
        kinds: The kinds of all objects, in the order of the search.
        objects: The objects that rules of their own are about, see `ccmcheck.carriers.kinds.LINTED_KINDS`.
        run_context: What other files' rules need of it.
        sharing_services: The Services that name what other Services may name too.
        not_taken: The texts that look like a cloud.conf by their names or sections and are none, each with the reason
            in its ``recognition``.
        answers: What rules worked out of the whole of it, for all its objects.
        named: Whether the user named the file; False for one that was found in a folder.
    """

    carried: list[CarriedConf]
    pods: list[CcmPod]
    broken: list[Failure]
    kinds: tuple[str, ...]
    objects: list[KubernetesObject]
    run_context: RunContext
    sharing_services: list[SharingService]
    not_taken: list[CarriedConf]
    pods_by_subject: dict[str, CcmPod]
    answers: dict[object, Any]
    named: bool = True

    @property
    def why_none(self) -> str:
        """Why a file without a cloud.conf has none, as the end of a sentence; empty where nothing looks like one."""
        return why_none(self.not_taken)


def why_none(not_taken: Iterable[CarriedConf]) -> str:
    """Why texts that look like a cloud.conf are none, as the end of a sentence: ``: it is cloud-init's data``."""
    reasons = dict.fromkeys(conf.recognition.reason for conf in not_taken if conf.recognition is not None)
    return f": {next(iter(reasons))}" if len(reasons) == 1 else ""


def find(path: str, text: str, options: FindOptions = _DEFAULTS) -> FileContents:
    """Find every cloud.conf of a file, however deep it lies.

    Args:
        path: The file as the user named it; its name shows whether it is a template.
        text: Its decoded text.
        options: How it is searched.

    Returns:
        The cloud.confs, objects and unreadable parts. Nothing is raised for what the file holds.
    """
    collector = Collector(path, options)
    source, marks = _file_source(path, text, options)
    carrier = Carrier(collector, search_node, source)
    language = language_of(path, text)
    says_nothing = is_difference(text) or (path.lower().endswith(".log") and not options.explicit)
    if options.is_bundle:
        from ccmcheck.carriers.built import search_build

        search_build(collector, search_node, text)
    elif WHOLE in options.built or says_nothing:
        pass
    elif language:
        from ccmcheck.carriers.other_languages import search_file

        search_file(carrier, language)
    elif path.lower().endswith(YAML_NAMES) and has_defines(text):
        _search_defines(carrier)
    elif is_ini(_behind_first_tag(text, marks)) or not _search_documents(carrier, marks):
        recognition = _recognise_file(path, text, options)
        if recognition is not None:
            _collect_file(carrier, marks, recognition)
    if "`" in text and marks and not (language or says_nothing):
        from ccmcheck.carriers.embedded import go_templates

        carrier._replace(kind=GO_TEMPLATE).search_embedded(go_templates.raw_strings(text, marks))
    if (language == HCL or CCM in source.text or CCM_REPOSITORY in source.text) and not says_nothing:
        from ccmcheck.carriers.release_texts import find_in_text

        find_in_text(carrier, language)
    if not (language in DOCUMENTS or says_nothing or options.is_bundle or options.built):
        _collect_settings(collector, source)
    if any(word in text for word in _SWITCHES) and not says_nothing:
        from ccmcheck.carriers.other_controllers import find_settings

        find_settings(carrier)
    if language in DOCUMENTS:
        collector.forget_context()  # an example says nothing about the files beside it
    if not collector.storage_classes and _CLASSES.search(text):
        collector.storage_classes.append(NodeLabels(path, (("", ""),)))
    if options.is_bundle:
        from ccmcheck.carriers.built import place_in_files

        place_in_files(collector, text)
    if options.explicit and text.startswith(_WIDE) and not collector.carried:
        collector.fail(
            source, 0, "this is UTF-16, which neither Kubernetes nor the CCM reads", "Save the file as UTF-8."
        )
    collector.settle_annotations()
    if collector.not_taken and collector.pods:
        from ccmcheck.carriers.mounted import Mounted

        collector.carried += Mounted(collector.pods).take(collector.not_taken)
    return FileContents(
        collector.carried,
        collector.pods,
        collector.broken,
        tuple(collector.kinds),
        collector.objects,
        collector.run_context,
        collector.sharing_services,
        collector.not_taken,
        {pod.subject: pod for pod in reversed(collector.pods)},
        {},
        options.explicit,
    )


def _collect_settings(collector: Collector, source: SourceText) -> None:
    """Collect a file that may set flags or feature gates of Kubernetes, or has upstream's URLs, in any form."""
    if sets_kubernetes(source.written) or has_one(source.written, BRANCH):
        for document in documents("{}"):
            if not isinstance(document, BadYaml) and isinstance(document.root, Mapping):
                item = KubernetesObject(collector.path, source, document.root, KUBERNETES_SETTINGS, "", "", ())
                collector.objects.append(item)


def _behind_first_tag(text: str, marks: list[TemplateMark]) -> str:
    """The text, without a tag of several lines that it begins with: a raw string in it may look like anything."""
    if not marks or text[: marks[0].span.start].strip():
        return text
    _, end = marks[0].span
    return text[end:] if "\n" in text[marks[0].span.start : end] else text


def _search_defines(carrier: Carrier) -> None:
    """Search the templates that a YAML file defines, and the documents beside them."""
    from ccmcheck.carriers.embedded import go_templates

    text = carrier.source.text
    spans = [Span(definition.start, definition.end) for definition in go_templates.definitions(text)]
    carrier._replace(kind=GO_TEMPLATE).search_embedded(go_templates.find(text))
    source = carrier.source.mask_marks([TemplateMark(span, "control") for span in spans])
    marks = [mark for mark in template_marks.find(source.text) if mark.span not in spans]
    _search_documents(carrier._replace(source=source._replace(final=False)), marks)


def _file_source(path: str, text: str, options: FindOptions) -> tuple[SourceText, list[TemplateMark]]:
    """The file's text with the variables that the user set, and the marks that remain in it."""
    final = not (is_template(path, options.named) if options.template is None else options.template)
    source = SourceText(Stack(text), text, final=final)
    if not options.variables:
        return source, template_marks.find(text)
    replaced = substituted(text, options.variables)
    if replaced is None:
        return source, template_marks.find(text)
    layer, remaining = replaced
    stack = source.stack.push(layer)
    return source._replace(stack=stack, written=layer.text, final=final or not remaining), remaining


def _recognise_file(path: str, text: str, options: FindOptions) -> Recognition | None:
    """Whether a text that holds no object is a cloud.conf: by its content, or by its name and the user's choice.

    Args:
        path: See `find`.
        text: See `find`.
        options: See `find`.

    Returns:
        The answer; None for a text that nothing calls a cloud.conf.
    """
    named = is_named_cloud_conf(path)
    ini = is_ini(text)
    if ini and not named and is_profile(text):
        return _PROFILE if options.explicit else None
    meant = options.explicit and worth_reading(path) and not path.lower().endswith(YAML_NAMES)
    if not meant and not named:
        if not (ini or path.lower().endswith(_INI_NAMES)):
            return None
        recognition = recognise(text)
        return recognition if recognition.taken or recognition.signs else None
    if not text.strip():
        if options.explicit:
            return Recognition(taken=True, because="the user names it")
        return (
            Recognition(taken=True, because="it is called so")
            if path.replace(os.sep, "/").rpartition("/")[2] == _CONF
            else None
        )
    return recognise(text, KnownBy.USER if options.explicit else KnownBy.FILE)


def _collect_file(carrier: Carrier, marks: list[TemplateMark], recognition: Recognition) -> None:
    """Collect the file as a cloud.conf, or as one that only looks like it.

    In a file that its name or the user calls a template, that has conditions or loops, or that the templates of its
    chart read, anything may change; in another one that is found in a folder, its marks. One that is named is literal.
    """
    source = carrier.source
    template = carrier.collector.options.template
    if template is None:
        template = (
            not source.final
            or any(not mark.prints for mark in marks)
            or (bool(marks) and _is_read_by_chart(carrier.collector))
        )
    explicit = carrier.collector.options.explicit
    if marks and (template or (carrier.collector.options.template is None and not explicit)):
        source = source.mask_marks(marks)
    source = source._replace(final=not template, literal=explicit and not template)
    carrier._replace(kind=FILE, source=source).collect(recognition=recognition)


def _is_read_by_chart(collector: Collector) -> bool:
    """Whether the templates of a Helm chart read a file of the chart, which may replace what they like in it."""
    name = collector.path.replace("\\", "/").rpartition("/")[2]
    texts = collector.options.chart_templates(collector.path) or ()
    return any(".Files." in text and (name in text or ".Files.Glob" in text) for text in texts)


def _search_documents(carrier: Carrier, marks: list[TemplateMark]) -> bool:
    """Search a file's YAML documents; False where it has no mapping or list in it, so that it is no YAML file."""
    collector, unmasked = carrier.collector, carrier.source
    if _is_all_built(carrier, marks):
        collector.document = max(collector.options.built)
        return _is_taken(collector)
    source = unmasked
    if marks and collector.options.template is not False:
        source = unmasked.mask_marks(marks)
    if "}" in source.text and "}#" in source.text:  # a comment to YAML, which would leave the value empty
        source = source.mask_references()
    parsed = list(documents(source.text))
    if marks and source is unmasked and any(isinstance(document, BadYaml) for document in parsed):
        source = unmasked.mask_marks(marks)
        parsed = list(documents(source.text))
    if any(isinstance(document, BadYaml) for document in parsed):
        masked = source.mask_references(tokens=True)
        if masked is not source:
            source = masked
            parsed = list(documents(source.text))
    carrier = carrier._replace(source=source)
    structured = False
    broken: BadYaml | None = None
    for number, document in enumerate(parsed):
        collector.document = number
        if number in collector.options.built:
            structured = True
        elif isinstance(document, BadYaml):
            broken = broken or document
        elif isinstance(document.root, (Mapping, Sequence)):
            structured = True
            search_node(carrier, document.root)
    if broken is not None:
        if not structured:
            recognition = _recognise_file(collector.path, unmasked.text, collector.options)
            if recognition is not None and recognition.taken:
                return False
        before = len(collector.carried)
        carrier._replace(kind=FILE).search_unparsed(parsed)
        structured = structured or len(collector.carried) > before
        if _is_worth_reporting(carrier, marks, parsed):
            collector.fail(source, broken.offset, f"not YAML: {broken.message}")
    return structured and _is_taken(collector)


def _is_taken(collector: Collector) -> bool:
    """Whether a YAML file is one of interest, no clouds.yaml or the like where a cloud.conf should be."""
    return bool(collector.carried or collector.kinds) or not is_named_cloud_conf(collector.path)


def _is_all_built(carrier: Carrier, marks: list[TemplateMark]) -> bool:
    """Whether kustomizations build every document of a file, which they read as it is."""
    options, text = carrier.collector.options, carrier.source.stack.text
    return EVERY in options.built and not (marks or options.variables or "{{" in text or "}#" in text)


def _is_worth_reporting(carrier: Carrier, marks: list[TemplateMark], parsed: list[YamlDocument | BadYaml]) -> bool:
    """Whether a document that is not YAML is worth reporting.

    A template is seldom YAML before it is rendered, and a text of another kind never is.
    """
    source = carrier.source
    if marks or not source.final:
        return False
    name = carrier.collector.path.lower()
    if not name.endswith(YAML_NAMES) and len(parsed) == 1:
        return False
    if "LoadBalancer" in source.text and any(f"kind: Service{end}" in source.text for end in "\r\n"):
        return True
    return mentions_cloud_conf(source.text.encode("utf-8", "surrogatepass"))
