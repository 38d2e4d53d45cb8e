"""What the JSON outputs have around their records: the shapes that `json_schemas` makes schemas of."""

from __future__ import annotations

from typing import Any, Literal

from json_schemas import Union, fields_of

from ccmcheck.base.facts import FactPlace, State
from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.result import ClusterCheck
from ccmcheck.cli.fix_file import FixNote
from ccmcheck.cluster.conformance.records import DelayComparison, Remains
from ccmcheck.cluster.drift.records import Compared, Lone
from ccmcheck.cluster.fleet.results import Header
from ccmcheck.cluster.fleet.summary import FindingGroup, Shared, Totals
from ccmcheck.cluster.live.snapshot import ClusterIdentity
from ccmcheck.cluster.octavia.orphans import LeftOut, Orphan
from ccmcheck.cluster.preflight.cloud import PreflightCheck
from ccmcheck.conf.effective_report import EffectiveReport
from ccmcheck.conf.read_report import ReadReport
from ccmcheck.explain.page import Example
from ccmcheck.policy.create_monitor.story import HistoryStep, Setter, StoryLink
from ccmcheck.policy.profiles.diff import ProfileDiff
from ccmcheck.predict.advice.suggestion import Suggestion
from ccmcheck.predict.conformance import Script
from ccmcheck.predict.records import (
    Event,
    Floating,
    Ignored,
    Outcome,
    Prediction,
    Refusal,
    Request,
    SecurityGroupRule,
)
from ccmcheck.review.change.records import Review, ServiceFact
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.migration.plan import MigrationPlan
from ccmcheck.workspace.deployment.inventory import FoundConf, FoundService, LookAlike


def of(record: type, *without: str, **more: Any) -> dict[str, Any]:
    """The fields of a record, without some, and with more."""
    fields = {name: shape for name, (shape, _) in fields_of(record).items() if name not in without}
    return {**fields, **more}


def optional(shape: Any) -> Union:
    return Union(shape, type(None))


PLACE = {
    "path": str,
    "line": int,
    "column": int,
    "end_line": int,
    "end_column": int,
    "exact": bool,
    "route": str,
    "inner": {"line": int, "column": int},
}
SNIPPET = optional({"line": int, "text": str, "start": int, "length": int})
TEXTS = {"label": str, "detail": str, "help": str, "error": str}
FINDING = {
    "rule": str,
    "severity": Severity,
    "fatal": bool,
    **PLACE,
    "subject": str,
    **TEXTS,
    "snippet": SNIPPET,
    "fix": optional({"applicability": str, "title": str}),
    "releases": [str],
    "further": [{**PLACE, "label": str, "snippet": SNIPPET}],
    "deployments?": [str],
    "fingerprint": str,
}
FAILURE = {
    "path": str,
    "line": optional(int),
    "column": optional(int),
    "message": str,
    "hint": str,
    "internal": bool,
}
UNREAD = [{"path": str, "message": str, "hint": str}]
COUNTS = ("files", "files_with_cloud_conf", "cloud_confs", "cloud_confs_with_findings")
SUMMARY = {
    **dict.fromkeys(COUNTS, int),
    "findings": {severity.word: int for severity in Severity},
    "rules": dict[str, dict[str, int]],
    "not_shown": [{"rule": str, "findings": int}],
    **dict.fromkeys(("failures", "suppressed", "baselined", "left_out"), int),
    "fixable": {"safe": int, "unsafe": int},
    "releases": [str],
    "release_source": str,
    "carriers": dict[str, int],
    "unjudged": [{"rule": str, "needs": str}],
    "notes": [str],
    "seconds": float,
    "checks?": [ClusterCheck],
}
LINT = {"version": int, "findings": [FINDING], "failures": [FAILURE], "summary": SUMMARY}
FACT = {"state": State, "values": [str], "why": str, "places": [FactPlace]}
REJECTED = [of(FactPlace, why=str)]
CONF = {
    **of(FoundConf, "read_by", "release", "cluster_name", "rejected"),
    "releases": [str],
    "release_source": str,
    "facts": {
        "release": FACT,
        "cluster_name": optional(FACT),
        "reader": FACT,
        "rejected": {"release": REJECTED, "reader": REJECTED},
    },
}
INSTALLATION = {
    "deployment": str,
    "path": str,
    "line": int,
    "object": str,
    "releases": [str],
    "services": [FoundService],
    "facts": {"cloud_conf": FACT, "release": FACT, "cluster_name": FACT, "rejected": {"release": REJECTED}},
}
LIST = {
    "version": int,
    "files": int,
    "cloud_confs": [CONF],
    "installations": [INSTALLATION],
    "services": [FoundService],
    "look_alikes": [LookAlike],
}
READ = {"version": int, "configs": [{**of(ReadReport, "note"), "note?": str}]}
SHOW = {"version": int, "configs": [Union(EffectiveReport, ProfileDiff)]}
VERDICT = {
    "outcome": Outcome,
    "accepted": optional(bool),
    "status": optional(int),
    "field": optional(str),
    "why": str,
    "error": str,
    "refusals": [of(Refusal, "by")],
    "answers": dict[str, Any],
}
CHOICE = {"topic": str, "says": str, "change": str, "source": str}
PREDICTED = {
    "service": str,
    "path": str,
    "line": int,
    "config": str,
    "deployments": [str],
    "release": str,
    "request": optional(dict[str, Any]),
    "requests": [Request],
    "verdict": VERDICT,
    "findings": [{"severity": Severity, "about": str, "text": str, "help": str, "path": [Union(str, int)]}],
    "name": str,
    "policy": str,
    "provider": str,
    "nodes": optional(int),
    "ports": [
        {
            **dict.fromkeys(("port", "node_port"), int),
            **dict.fromkeys(("protocol", "listener", "pool", "lb_algorithm"), str),
            "monitor": optional(dict[str, Any]),
            "monitor_port": optional(int),
        }
    ],
    "floating_ip": Floating,
    "security_group": optional([SecurityGroupRule]),
    "status": [{"ip?": str, "hostname?": str, "ipMode?": str}],
    "annotations": dict[str, str],
    "events": [of(Event, "at")],
    "ignored": [Ignored],
    "assumed": [str],
    "choices": [CHOICE],
    "suggestion": optional(Suggestion),
}
PREDICT = {
    "version": int,
    "services": [PREDICTED],
    "conformance": [{"config": str, "release": str, **of(Script)}],
    "choices": [{"config": str, "release": str, **CHOICE}],
    "notes": [str],
}
PREDICTION_SUMMARY = {
    name: shape
    for name, shape in of(Prediction).items()
    if name in ("release", "outcome", "why", "error", "provider", "policy", "nodes", "monitor_source")
}
REVIEW = {
    "version": int,
    "verdict": str,
    "worst": optional(str),
    "summary": [str],
    **of(Review),
    "questions?": [dict[str, Any]],
}
WALK_FIELDS = ("config", "release", "source", "stop", "provider", "nodes", "recommendation", "services", "notes")
WALK = {"version": int, **{name: shape for name, shape in of(QuestionPage).items() if name in WALK_FIELDS}}
QUESTION = {
    "version": int,
    "question": str,
    "answer": [str],
    **of(QuestionPage),
    "timeline": [HistoryStep],
    "others": [of(Setter, source=str, url=str)],
    "would_change": [str],
    "links": [StoryLink],
    "settings": list[Any],
}
QUESTION_VERDICT = {"outcome": Outcome, "monitors": int, "answers": dict[str, Any]}
PAGE = {
    "kind": str,
    "name": str,
    "title": str,
    "facts": dict[str, str],
    "paragraphs": dict[str, str],
    "examples": [Example],
    "see": [str],
    "tables": [{"caption": str, "rows": [dict[str, str]]}],
}
REQUIREMENT = {
    **dict.fromkeys(("section", "key", "check"), str),
    "values": [str],
    "min": str,
    "max": str,
    "value": optional(str),
    "since": str,
    "until": str,
    "when": [str],
    "severity": optional(str),
    **dict.fromkeys(("wanted", "reason", "source", "profile"), str),
}
PROFILE = {
    **dict.fromkeys(("name", "title"), str),
    "extends": [str],
    **dict.fromkeys(("note", "source", "path"), str),
    "facts": dict[str, Any],
    "wishes": [REQUIREMENT],
}
FIX = {
    "version": int,
    "files": [
        {"path": str, "changed": bool, "fixed": [FixNote], "not_fixed": [FixNote], "kept": [str], "by_hand": [str]}
    ],
    "failures": [{"path": str, "message": str}],
    "summary": {"fixed": int, "kept": int, "by_hand": int, "written": bool},
}
CLUSTER_FIX = {
    "version": int,
    "cluster": ClusterIdentity,
    "objects": [
        {
            "object": str,
            "changed": bool,
            "keys": [str],
            "fixed": [FixNote],
            "not_fixed": [FixNote],
            "refused": [str],
            "notes": [str],
            "written": bool,
        }
    ],
    "restarted": [str],
    "failures": UNREAD,
    "summary": dict.fromkeys(("fixed", "by_hand", "objects", "written"), int),
}
SET = {"version": int, "files": [{"path": str, "changed": bool, "cloud_confs": int}], "written": bool}
SETTING = {"option": str, "value": Any, "path": optional(str), "line": optional(int), "override": optional(str)}
CONFIG = {
    "version": int,
    "files": [{"path": str, "config": optional(str), "extends": [str], "settings": [SETTING]}],
}
DIFF = {
    "version": int,
    "cluster": of(ClusterIdentity, line=str),
    "paths": [str],
    "release": str,
    "verdict": str,
    "drift": bool,
    "partial": bool,
    "compared": [Compared],
    "only_git": [Lone],
    "only_live": [Lone],
    "elsewhere": [Lone],
    "sync": optional(dict[str, Any]),
    "notes": [str],
    "failures": UNREAD,
}
ORPHANS = {
    "version": int,
    "clusters": [of(ClusterIdentity, services=int, name=str)],
    "cluster_name": str,
    "cloud": str,
    "orphans": [Orphan],
    "left_out": [LeftOut],
    "failures": UNREAD,
    "partial": bool,
}
LIVE_DIFFERENCE = dict.fromkeys(("part", "kind", "live", "wanted"), str)
RESYNC = {
    "version": int,
    "cluster": ClusterIdentity,
    "cloud": str,
    "services": [
        {
            "service": str,
            "load_balancer": str,
            "sync_corrects": bool,
            "refused": str,
            "corrected": [LIVE_DIFFERENCE],
            "left": [{**LIVE_DIFFERENCE, "why": str}],
        }
    ],
    "failures": UNREAD,
    "partial": bool,
}
PREFLIGHT = {
    "version": int,
    "deployments": [{"name": str, "credential": str, "checks": [PreflightCheck], "partial": bool}],
}
REPLY = {
    "seconds": float,
    **{f"{name}?": str for name in ("pod", "client", "forwarded", "problem")},
    "status?": int,
}
CASE = {
    "name": str,
    "title": str,
    "verdict": str,
    "required": bool,
    "seconds": float,
    "addresses": [str],
    "failing_step": optional(str),
    "predicted": optional(str),
    "client_predicted": optional(str),
    "delays": optional(DelayComparison),
    "causes": [str],
    "steps": [{"name": str, "ok": optional(bool), "text": str, "seconds": float, "requests": [REPLY]}],
}
CONFORMANCE = {
    "version": int,
    "cluster": str,
    "run": str,
    "image": str,
    "predicted_by": optional(str),
    "started": str,
    "seconds": float,
    "stopped": optional(str),
    "cases": [CASE],
    "remains": optional(Remains),
    "failures": UNREAD,
}
FLEET_HEAD = dict.fromkeys(("name", "source", "context", "key", "server", "read_at"), str)
FLEET_CLUSTER = Union(
    {**FLEET_HEAD, "state": Literal["failed"], "error": {"message": str, "hint": str}},
    {
        **FLEET_HEAD,
        "state": Literal["read", "partial"],
        "uid": str,
        "kubernetes": str,
        "nodes": optional(int),
        "ccms": [dict.fromkeys(("workload", "release", "cluster_name"), str)],
        "configs": [str],
        "restart": Literal["yes", "possible", "no"],
        "counts": {severity.word: int for severity in Severity},
        "fatal": int,
        "findings": [
            {
                "rule": str,
                "severity": Severity,
                "fatal": bool,
                **dict.fromkeys(("label", "help", "made_by"), str),
                "count": int,
                "places": [str],
            }
        ],
        "services": {"all": int, "broken": int},
        "broken": [dict.fromkeys(("service", "why", "basis"), str)],
        "prediction": {"compared": int, "differ": int},
        "differing": [{"service": str, "how": str}],
        "balancers": [[str]],
        "addresses": [[str]],
        "balancer_names": [[str]],
        "project": str,
        "failures": UNREAD,
    },
)
FLEET_TOGETHER = {
    "common": [of(FindingGroup)],
    "across": [of(Shared, "total", clusters=int, names=[str], text=str)],
}
FLEET = {
    "version": int,
    "kind": Literal["fleet"],
    "tool_version": str,
    "fleet": str,
    "notes": [str],
    "complete": bool,
    "summary": Totals,
    **FLEET_TOGETHER,
    "reached_twice": [{"name": str, "is": str}],
    "clusters": [FLEET_CLUSTER],
}
FLEET_NDJSON = Union(
    {
        "type": Literal["header"],
        "version": int,
        "kind": Literal["fleet"],
        "tool": str,
        "tool_version": str,
        **of(Header),
    },
    *({"type": Literal["cluster"], **shape} for shape in FLEET_CLUSTER.shapes),
    {"type": Literal["summary"], "complete": bool, "notes": [str], **of(Totals), **FLEET_TOGETHER},
    {"type": Literal["end"], "shard": str, "clusters": int},
)
SPECIAL = {Finding: FINDING, Request: {"api": str, "method": str, "path": str, "body": Any}}
_REVIEWED = {Prediction: PREDICTION_SUMMARY, ServiceFact: of(ServiceFact, changes=bool)}

NDJSON = Union(
    {"type": Literal["header"], "version": int, "tool": str, "tool_version": str},
    {"type": Literal["finding"], **FINDING},
    {"type": Literal["failure"], **FAILURE},
    {"type": Literal["summary"], **SUMMARY},
)


def _of_releases(shape: dict[str, Any]) -> Union:
    """A document for one release, or for several."""
    return Union(shape, {"version": int, "releases": [shape]})


DOCUMENTS: dict[str, tuple[str, Any, dict[Any, Any]]] = {
    "lint": ("ccmcheck lint and cluster lint", LINT, {}),
    "ndjson": ("each line of ccmcheck lint --format ndjson", NDJSON, {}),
    "list": ("ccmcheck list", LIST, {}),
    "read": ("ccmcheck read", READ, {}),
    "show": ("ccmcheck show", SHOW, {}),
    "predict": ("ccmcheck predict", PREDICT, {}),
    "review": ("ccmcheck review and upgrade", REVIEW, _REVIEWED),
    "question": ("ccmcheck review --question", _of_releases(QUESTION), {Prediction: QUESTION_VERDICT}),
    "walk": ("ccmcheck explain create-monitor", _of_releases(WALK), {Prediction: QUESTION_VERDICT}),
    "migrations": (
        "ccmcheck upgrade from the in-tree provider",
        {"version": int, "migrations": [MigrationPlan]},
        _REVIEWED,
    ),
    "rules": ("ccmcheck rules", {"version": int, "rules": [PAGE]}, {}),
    "explain": ("ccmcheck explain", {"version": int, "pages": [PAGE]}, {}),
    "profiles": ("ccmcheck profiles", {"version": int, "profiles": [PROFILE]}, {}),
    "fix": ("ccmcheck fix", FIX, {}),
    "set": ("ccmcheck set", SET, {}),
    "config": ("ccmcheck config show", CONFIG, {}),
    "cluster-diff": ("ccmcheck cluster diff", DIFF, {}),
    "cluster-fix": ("ccmcheck cluster fix", CLUSTER_FIX, {}),
    "cluster-orphans": ("ccmcheck cluster orphans", ORPHANS, {}),
    "cluster-resync": ("ccmcheck cluster resync", RESYNC, {}),
    "cluster-preflight": ("ccmcheck cluster preflight", PREFLIGHT, {}),
    "cluster-conformance": ("ccmcheck cluster conformance", CONFORMANCE, {}),
    "cluster-fleet": ("ccmcheck cluster fleet and cluster merge", FLEET, {}),
    "cluster-fleet-ndjson": ("each line of ccmcheck cluster fleet --format ndjson", FLEET_NDJSON, {}),
}
