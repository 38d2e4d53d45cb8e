"""Turns a rule's case into the view that the rule checks, and applies its fixes."""

from __future__ import annotations

from collections.abc import Sequence

from rule_cases import Case

from ccmcheck import catalog
from ccmcheck.base.edits import apply
from ccmcheck.base.model import Problem
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import CarriedConf, RunContext
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.signs.scorer import recognise
from ccmcheck.catalog.signs.table import KnownBy
from ccmcheck.conf.reading import KINDS
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import parse
from ccmcheck.layers.stack import Stack
from ccmcheck.rules import rule
from ccmcheck.rules.registry import (
    CHART_VALUES_OF,
    ENTRIES,
    KUBESPRAY_VARIABLES,
    MAGNUM,
    SETTINGS,
    TERRAFORM_CLUSTERS,
    TERRAFORM_RULES,
)
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import cover, marks

OF_TOOLS = (*TERRAFORM_RULES, *TERRAFORM_CLUSTERS, *KUBESPRAY_VARIABLES, *CHART_VALUES_OF, *MAGNUM, *SETTINGS)
"""Kinds of what is no object, whose places are in a text of our own."""
CHART_KEYS = ("cloudConfig:", "cloudConfigContents:")


def conf_of(case: Case) -> CloudConf:
    release = catalog.release(case.release) if case.release else catalog.newest()
    if case.text.startswith(CHART_KEYS):
        (rendered,) = find("templates/v.yaml" if case.template else "values.yaml", case.text).carried
        return CloudConf.read(rendered, release, run_context=case.run_context or RunContext(), is_assumed=case.assumed)
    found = marks.find(case.text) if case.template or not case.named else []
    masked = cover.mask(case.text, found) if found else case.text
    recognition = recognise(case.text, KnownBy.USER)
    carried = CarriedConf(
        carrier=case.carrier,
        subject=case.subject,
        route="",
        stack=Stack(case.text),
        text=case.text,
        marks=tuple(mark.span for mark in found),
        final=not case.template,
        siblings=case.siblings,
        consumers=case.consumers,
        dialect=case.dialect,
        path=case.path,
        recognition=recognition if case.explicit else recognition._replace(taken=True),
        named=case.named,
    )
    is_of_driver = case.consumers == (CINDER_CSI,)
    return CloudConf.read(
        carried,
        release,
        CINDER_CSI if is_of_driver else "ccm",
        run_context=case.run_context or RunContext(),
        document=parse(masked),
        is_assumed=case.assumed,
    )


def in_case(conf: CloudConf, problem: Problem) -> Problem:
    """A problem with places in the text of the case."""
    stack = conf.carried.stack
    if not stack.layers:
        return problem
    fix = problem.fix
    if fix is not None:
        fix = fix._replace(edits=tuple(stack.put(fix.edits)))
    return problem._replace(span=stack.outward(problem.span), fix=fix)


def problems_of(name: str, case: Case) -> list[Problem]:
    """A rule's problems with a case: one cloud.conf, or the objects of a manifest that the rule is about."""
    module, kinds = rule(name), ENTRIES[name].kinds
    if not kinds:
        conf = conf_of(case)
        return [in_case(conf, problem) for problem in module.check(conf)]
    return [
        problem._replace(span=manifest.object.source.stack.outward(problem.span))
        if manifest.kind in OF_TOOLS
        else problem
        for manifest in manifests_of(case)
        if manifest.kind in kinds
        for problem in module.check(seen_of(manifest))
    ]


def manifests_of(case: Case) -> list[Manifest]:
    """The objects of a case's manifest, whose workloads are part of the run."""
    path = case.subject or ("case.yaml.tmpl" if case.template else "case.yaml")
    release = catalog.release(case.release) if case.release else catalog.newest()
    found = find(path, case.text, FindOptions(explicit=case.named))
    run_context = case.run.joined((found.run_context,))
    return [Manifest(one, release, run_context, found) for one in found.objects]


def text_of(manifest: Manifest) -> str:
    """An object as it is written."""
    return manifest.text[slice(*manifest.node.content)]


def seen_of(manifest: Manifest) -> Manifest | ServiceView:
    """The view that a rule about a kind of object checks."""
    return ServiceView(manifest) if manifest.kind == "Service" else manifest


def fixed_text(text: str, problems: Sequence[Problem]) -> str:
    return apply(text, [edit for problem in problems if problem.fix is not None for edit in problem.fix.edits])


def codes() -> tuple[str, ...]:
    return KINDS
