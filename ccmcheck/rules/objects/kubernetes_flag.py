"""Flags and feature gates of Kubernetes' own programs at which their version ends, or that make no sense beside a CCM."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Note, Problem, Problems, Severity, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import has_one
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.kubernetes_flags import FLAGS, GATES, ComponentFlag
from ccmcheck.catalog.signs.forms import GATES_IN
from ccmcheck.rules._support.machines import version_around
from ccmcheck.rules.views.manifest import Manifest

_PROGRAMS = {"let": "kubelet", "controller": "kube-controller-manager", "api": "kube-apiserver"}
_PROVIDER = "cloud-provider"
_NAMES = "|".join(sorted({row.flag for row in FLAGS} | {_PROVIDER}))
_WORDS = (
    r"(?m)(?P<skip>(?<!\S)(?:#|//)[^\n]*+|\bsystemctl[^\n]*+)"
    r"|(?:(?:\{[%{]|%\{)[-~+]?|^)[ \t]*+(?P<branch>if|elif|elsif|else|end|endif|fi)\b(?![ \t]*:)"
    r"|(?P<apart>^---|^[ \t]*+(?:-[ \t]++)?[\"']?apiVersion\b(?![^\n]*kube(?:let|adm))"
    r"|^[ \t]*+(?:(?:sudo|exec|nohup)[ \t]++)*+(?:/(?:[\w.-]++/)++(?!kube|hyper)\w|(?:docker|podman|nerdctl|ctr)[ \t])"
    r"|(?<=[\w-]-)(?:controller-manager(?<!kube-controller-manager)|csi-plugin\b)|\bimage[\"']?:(?![^\n]{0,300}(?:kube|hyper)))"
    r"|(?i:(?<![-\w./])(?:(?:/[\w.-]+)*/bin/|(?<![a-z][ ])|(?=[\w-]++(?:[ \t]++[-\\$\"']|[ \t]*+[=:])))kube(?P<program>let(?![-./]|ectl)|let(?=-arg)"
    r"|[-_]?controller|[-_]?api|_kubeadm_(?:controller|api)|[-_]?scheduler|[-_]?proxy|_feature_gates))"
    r"|\b(?P<part>api|controller)(?:Server|Manager)(?:ExtraArgs)?[\"']?:|\bhyperkube[\"', \n-]+(?P<hyper>kubelet|controller-manager|apiserver)"
    rf"|(?P<form>--|(?<=[\s\"',{{\[]))(?P<flag>{_NAMES})[\"']?(?:[ \t]*[=:][ \t]*|[ \t]+(?![-\s])|,?\s+[\"']?value[\"']?:[ \t]*)"
    r"[\"']?(?P<value>[^\s\"'\\;}\]]*)"
)
_FLAGS = lazy_regex(_WORDS)
_FLAGS_AND_GATES = lazy_regex(
    rf"{_WORDS}|\b(?P<gate>{'|'.join(GATES)})[\"']?[ \t]*[:=][ \t]*[\"']?(?P<on>true|false)\b"
)
"""A comment, a turn of a condition, what begins with another program, a program of Kubernetes by one of its names, a flag, and a gate."""

_Gates = dict[str, tuple[str, Span | None]]


class _Flag(NamedTuple):
    """One flag: its program, its value, its place, which of branches that exclude each other has it, and whether one has."""

    program: str
    name: str
    value: str
    span: Span
    branch: int
    may_be_out: bool


def check(manifest: Manifest) -> Problems:
    """Read the file once, and compare what it sets with what the version has."""
    flags, gates = _read(manifest)
    if not flags and not gates:
        return
    version = version_around(manifest)
    minor = minor_of(version)
    beside = {(one.program, f"{one.name}={one.value}", one.branch) for one in flags}
    yield from _gates(gates, version, minor)
    for row in FLAGS:
        if (minor is None and (row.since or not row.is_info)) or (
            row.flag == _PROVIDER and "xtraArgs" in manifest.text
        ):
            continue  # kubeadm's arguments for the provider have rules of their own
        if minor is not None and (minor < _minor(row.since, 0) or minor >= _minor(row.before, minor + 1)):
            continue
        flag = next((one for one in flags if _is(row, one) and _holds(row, one.branch, beside, gates)), None)
        if flag is not None:
            label, is_info = row.label.format(version.lstrip("v")), row.is_info or flag.may_be_out
            yield Problem(flag.span, label, row.detail, row.do, severity=Severity.INFO if is_info else None)


def _minor(version: str, default: int) -> int:
    found = minor_of(version)
    return default if found is None else found


def _is(row: ComponentFlag, flag: _Flag) -> bool:
    return flag[:2] == (row.program, row.flag) and (
        not row.value or lazy_regex(row.value).fullmatch(flag.value) is not None
    )


def _holds(row: ComponentFlag, branch: int, beside: set[tuple[str, str, int]], gates: _Gates) -> bool:
    """Whether what else must be set for a row is, in the same branch, and the gate that permits the flag is not on."""
    is_met = not row.beside or (row.program, row.beside, branch) in beside
    return is_met and not (row.gate and gates.get(row.gate, ("",))[0] == "true")


def _gates(gates: _Gates, version: str, minor: int | None) -> Problems:
    """The feature gates that the version has no more, and those that it does not let change, one problem for all."""
    ending = [
        (name, span)
        for name, (value, span) in gates.items()
        if span is not None
        and any(known in ("", value) and minor is not None and minor >= since for known, since in GATES[name])
    ]
    if ending:
        (_, place), *others = ending
        names = ", ".join(f"`{name}`" for name, _ in ending)
        later = ", ".join(
            f"`{name}` in 1.{gone}"
            for name in gates
            for value, gone in GATES[name]
            if not value and gone > (minor or 0)
        )
        yield Problem(
            place,
            f"Kubernetes {version.lstrip('v')} does not take this value of the feature gate{'s' * bool(others)} {names}, and ends",
            "The gate was removed, or cannot be changed any more: kubelet, kube-controller-manager and the others say "
            "`unrecognized feature gate` or `feature is locked` and do not start.",
            f"Delete it: the feature is always on, or gone.{f' Later versions end at others: {later}.' if later else ''}",
            notes=tuple(Note(span, "this one too") for _, span in others),
        )


def _read(manifest: Manifest) -> tuple[list[_Flag], _Gates]:
    """The flags of the file by their programs, and its feature gates: the first place of each, if no condition has it."""
    flags: list[_Flag] = []
    gates: _Gates = {}
    branch = depth = 0
    text = manifest.text
    first = program = "kubelet" if "kubelet" in manifest.path.rpartition("/")[2] else ""
    has_lists = "xtraArgs" in text or "-arg:" in text or "extra_args" in text
    for match in (_FLAGS_AND_GATES if has_one(text, GATES_IN) else _FLAGS).finditer(text):
        kind = match.lastgroup
        if kind == "branch":
            branch += match[kind].startswith("el")
            depth = max(0, depth + (match[kind] == "if") - match[kind].startswith(("end", "fi")))
        elif kind == "apart":
            program = first if match[0] == "---" else ""
        elif kind in ("program", "part", "hyper"):
            word = match[kind].lower().lstrip("-_").removeprefix("kubeadm_").removeprefix("kube")
            program = next((name for start, name in _PROGRAMS.items() if word.startswith(start)), "kube")
        elif kind == "on" and program:
            gates.setdefault(match["gate"], (match["on"], None if depth else Span(*match.span("gate"))))
        elif (
            kind == "value" and program and (match["form"] or has_lists) and not manifest.is_opaque(Span(*match.span()))
        ):
            place = Span(*match.span("flag"))
            flags.append(_Flag(program, match["flag"], match["value"], place, branch, depth > 0))
    return flags, gates
