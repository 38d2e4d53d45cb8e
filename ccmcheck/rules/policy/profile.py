"""A setting that deviates from a profile.

What it does: compares every cloud.conf with the profiles given by `--profile` or in the configuration:
built-in ones such as `scs-ovn` or `gardener`, and a site's own files.

Why: a site decides once what its load balancers need, and every cluster's file is checked against it. The finding has the
reason of the requirement and its source.

What the CCM does: it uses the value in the finding. A requirement is checked against the effective value, so a default of the release
meets or violates it like a line of the file. Template expressions, and keys that the release does not know, are
not checked.

Notation: an INI file in the notation of configobj's configspecs. Before the first section `title`, `extends` (built-in
names, or files relative to this one), `severity` (error, warning, info), `source` and `note`; in `[cloud]` facts of the
cloud, which rules and `predict` use; in each section of cloud.conf one check per key. `[[severity]]`, `[[reason]]` and
`[[source]]` inside a section apply to single keys, also to inherited ones.

Checks: `equals(v)`, `option(a, b)`, `not(a, b)`, `duration(min=3s, max=15s)`, `integer(min=1, max=5)`, `like(https://*)`,
`one-of-tags(a, b)`, `present`, `absent`, and `absent(v)` to forbid one value. `usual` and `recommended` only
state what is common or advised; `any` removes the requirement of an extended profile. All but the last may have `since=1.26`,
`until=1.25` and `when="lb-provider=ovn"`; `default=5s` is the value that a fix writes where several are valid.

Releases: all; a requirement may be limited to some, as in `equals(true, since=1.26)`

Fix: writes the value where the profile allows only one or has a `default`, and deletes what must be absent; it never
writes a secret.

Fix safety: unsafe because the CCM's behaviour changes; safe where the deleted line has no effect. `ccmcheck
fix --profile NAME` applies all of them, because they were requested by that name.

Source: the profile; `ccmcheck explain profile:NAME` shows it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity, Span
from ccmcheck.base.profile import Condition, Requirement
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import fold
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import is_merged
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.policy.profiles.evaluation import Evaluation

META = Meta("profile", "A setting that deviates from a profile", Severity.WARNING, needs=("a profile",))


def _asks(*requirements: Requirement) -> RunContext:
    return RunContext(requirements=requirements)


_MONITOR = Requirement(
    "site", "LoadBalancer", "create-monitor", "equals", ("true",), since="1.26", reason="so it is decided"
)
_DELAY = Requirement("site", "LoadBalancer", "monitor-delay", "duration", low="3s", high="15s", severity=Severity.ERROR)
_PROVIDER = Requirement("site", "LoadBalancer", "lb-provider", "option", ("amphora", "ovn"))
_OCTAVIA = Requirement("site", "LoadBalancer", "use-octavia", "absent")
_METHOD = Requirement(
    "site",
    "LoadBalancer",
    "lb-method",
    "equals",
    ("SOURCE_IP_PORT",),
    when=(Condition("LoadBalancer", "lb-provider", "ovn"),),
)
_SECRET = Requirement("site", "Global", "password", "equals", ("hunter2",))
_REGION = Requirement("site", "Global", "region", "present")
_CLASS = Requirement("site", "LoadBalancerClass", "floating-network-id", "present")

BAD = (
    Case(
        "# the profile has create-monitor = equals(true, since=1.26)\n[LoadBalancer]\nlb-provider = ovn\n",
        run_context=_asks(_MONITOR),
        at=(2, 1),
        fixed="# the profile has create-monitor = equals(true, since=1.26)\n[LoadBalancer]\nlb-provider = ovn\n"
        "create-monitor = true\n",
        unsafe=True,
    ),
    Case(
        "# the profile has monitor-delay = duration(min=3s, max=15s)\n[LoadBalancer]\nmonitor-delay = 60s\n",
        run_context=_asks(_DELAY),
        at=(3, 17),
        severity=Severity.ERROR,
    ),
    Case(
        "[LoadBalancer]\nuse-octavia = true\n", run_context=_asks(_OCTAVIA), at=(2, 1), fixed="[LoadBalancer]\n", unsafe=False, release="1.36"
    ),
    Case(
        "[LoadBalancer]\nuse-octavia = true\n", run_context=_asks(_OCTAVIA), at=(2, 1), fixed="[LoadBalancer]\n", unsafe=False, shown=False,
        release="1.25",
    ),
    Case("[LoadBalancer]\nuse-octavia=0\n", run_context=_asks(_OCTAVIA), at=(2, 1), fixed="[LoadBalancer]\n", unsafe=True, release="1.25"),
    Case("[LoadBalancer]\nlb-provider = haproxy\n", run_context=_asks(_PROVIDER), at=(2, 15), shown=False),
    Case(
        "[Global]\nregion = one\n",
        run_context=_asks(_MONITOR),
        at=(1, 1),
        fixed="[Global]\nregion = one\n\n[LoadBalancer]\ncreate-monitor = true\n",
        unsafe=True,
        shown=False,
    ),
    Case(
        "[LoadBalancer]\nmonitor-delay=1m\n",
        run_context=_asks(_DELAY._replace(default="5s")),
        at=(2, 15),
        fixed="[LoadBalancer]\nmonitor-delay=5s\n",
        unsafe=True,
        severity=Severity.ERROR,
        shown=False,
    ),
    Case(
        "[LoadBalancer]\nlb-provider=ovn\nlb-method=ROUND_ROBIN\n",
        run_context=_asks(_METHOD),
        at=(3, 11),
        fixed="[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
        unsafe=True,
        shown=False,
    ),
    Case("[Global]\npassword = other\n", run_context=_asks(_SECRET), at=(2, 12), shown=False),
    Case("[Global]\nauth-url = x\n", run_context=_asks(_REGION), at=(1, 1), shown=False),
    Case('[LoadBalancerClass "a"]\nfloating-subnet-id = x\n', run_context=_asks(_CLASS), at=(1, 1), shown=False),
)  # fmt: skip
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor = yes\n", run_context=_asks(_MONITOR)),
    Case("[LoadBalancer]\nlb-provider=ovn\n", run_context=_asks(_MONITOR), release="1.25"),
    Case("[LoadBalancer]\ncreate-monitor = ${MONITOR}\n", run_context=_asks(_MONITOR), template=True),
    Case("[LoadBalancer]\n${MORE}\n", run_context=_asks(_MONITOR), template=True),
    Case("[LoadBalancer]\n", run_context=_asks(_PROVIDER, _DELAY)),
    Case("[LoadBalancer]\nlb-provider=amphora\n", run_context=_asks(_METHOD)),
    Case(
        "[Global]\nregion=one\n[BlockStorage]\nbs-version=v3\n",
        run_context=_asks(_MONITOR),
        consumers=("cinder-csi-plugin",),
    ),
    Case('[LoadBalancerClass "a"]\nfloating-network-id = x\n', run_context=_asks(_CLASS), shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Check every requirement."""
    if not conf.for_ccm or not conf.sections:
        return
    from ccmcheck.policy.profiles.evaluation import Status, evaluate

    for requirement in conf.run_context.requirements:
        for evaluation in evaluate(requirement, conf):
            if evaluation.status is Status.VIOLATED and not (
                _is_missing(evaluation) and _may_be_elsewhere(conf, evaluation)
            ):
                yield _problem(conf, evaluation)


def _is_missing(evaluation: Evaluation) -> bool:
    return not evaluation.items


def _may_be_elsewhere(conf: CloudConf, evaluation: Evaluation) -> bool:
    """Whether a missing key may be in another file: the values of a chart are merged."""
    return is_merged(conf) and not conf.sections_named(evaluation.requirement.section)


def _problem(conf: CloudConf, evaluation: Evaluation) -> Problem:
    from ccmcheck.policy.profiles.description import expected_values, rationale

    requirement = evaluation.requirement
    if requirement.check == "absent":
        items = evaluation.items
        span, *others = [item.entry.key_span for item in items]
        label = (
            f"the profile {requirement.profile} requires {expected_values(requirement)} here; {_used(conf, evaluation)}"
        )
        notes = tuple(Note(place, "here as well") for place in others)
        return Problem(
            span,
            label,
            rationale(requirement),
            "Delete the line.",
            _deletion(conf, evaluation),
            None,
            requirement.severity,
            notes,
        )
    label = f"the profile {requirement.profile} requires {expected_values(requirement)} for {requirement.key}; {_used(conf, evaluation)}"
    return Problem(
        evaluation.items[0].span if evaluation.items else _home(conf, evaluation),
        label,
        rationale(requirement),
        _advice(evaluation),
        _assignment(conf, evaluation),
        severity=requirement.severity,
    )


def _used(conf: CloudConf, evaluation: Evaluation) -> str:
    from ccmcheck.policy.profiles.description import shown_value

    if evaluation.uses is None:
        return f"CCM {conf.release.name} ignores it"
    if evaluation.items:
        return f"the CCM uses {conf.quote(evaluation.items[-1])}" if evaluation.uses else "it is empty"
    return (
        f"the CCM uses `{shown_value(evaluation.requirement, evaluation.uses)}`, its default"
        if evaluation.uses
        else "it has no default"
    )


def _home(conf: CloudConf, evaluation: Evaluation) -> Span:
    """Where a missing key belongs: its section, else the file's first."""
    name = fold(evaluation.requirement.section)
    sections = [one for one in conf.sections if fold(one.name) == name and one.subsection == evaluation.subsection]
    return (sections or conf.sections)[0].span


def _advice(evaluation: Evaluation) -> str:
    from ccmcheck.policy.profiles.description import expected_values, shown_value
    from ccmcheck.policy.profiles.evaluation import prescribed_value

    requirement = evaluation.requirement
    choice = prescribed_value(requirement)
    if choice is not None:
        return f"Write `{requirement.key} = {shown_value(requirement, choice)}`."
    return (
        f"Write `{requirement.key}` with {expected_values(requirement)}."
        if requirement.check != "present"
        else f"Write `{requirement.key}`."
    )


def _assignment(conf: CloudConf, evaluation: Evaluation) -> Fix | None:
    from ccmcheck.policy.profiles.evaluation import prescribed_value

    requirement = evaluation.requirement
    choice = prescribed_value(requirement)
    spec = (section := conf.schema.section(requirement.section)) and section.key(requirement.key)
    if choice is None or spec is None or spec.secret or spec.type == "list":
        return None
    if evaluation.items:
        edit = fixes.write_value(conf, evaluation.items[0].entry, choice)
    else:
        near = fixes.neighbour(conf, requirement.section, requirement.key, evaluation.subsection)
        added = fixes.add_key(
            conf, requirement.section, requirement.key, choice, subsection=evaluation.subsection, after=near
        )
        if added is None:
            return None
        edit = added
    return fixes.unsafe(conf, f"set {requirement.key} = {choice}", edit)


def _deletion(conf: CloudConf, evaluation: Evaluation) -> Fix | None:
    from ccmcheck.policy.profiles.evaluation import has_no_effect

    edits = [fixes.delete_key(conf, item.entry) for item in evaluation.items]
    return (fixes.safe if has_no_effect(evaluation, conf) else fixes.unsafe)(
        conf, f"unset {evaluation.requirement.key}", *edits
    )
