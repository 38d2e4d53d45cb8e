"""The examples of the rules' pages as test cases."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ccmcheck.base import cluster_facts, profile
from ccmcheck.base.model import Severity
from ccmcheck.carriers import base, live
from ccmcheck.carriers.base import NearbyConf, RunContext
from ccmcheck.explain.rules import RuleExample, page

NAMES: dict[str, Any] = {
    name: getattr(module, name)
    for module in (cluster_facts, profile, live, base)
    for name in dir(module)
    if name[0].isupper()
} | {"Severity": Severity}
"""What the expression of a `run` block may name."""


class Case(NamedTuple):
    """One example of a rule as a test.

    Attributes:
        text: The cloud.conf; for a rule about objects the manifest, whose pods are part of the run.
        at: Line and column of the one finding, from 1; unused in good cases.
        fixed: The text after the rule's fix; None where there is no automatic fix.
        unsafe: True where the fix is only applied with ``--unsafe``.
        release: The target release of the CCM; the newest when empty.
        severity: Where it differs from the rule's.
        template: True where the text is a template that something renders later.
        carrier: Its carrier, see `ccmcheck.carriers.base.CarriedConf`.
        subject: The object that contains it, ``Secret kube-system/cloud-config``.
        siblings: Other keys of the Secret that contains it.
        run_context: The rest of the run.
        dialect: See `ccmcheck.carriers.base.CarriedConf`.
        consumers: See `ccmcheck.carriers.base.CarriedConf`.
        conf: For a rule about Services, the nearest cloud.conf; unknown when empty.
        times: How many findings of this rule the text has.
        path: The file that it is in, where its name matters.
        explicit: True for a file that the user names, which may be no cloud.conf.
        named: False for a file that was found in a folder.
        assumed: True where nobody knows the release, and the newest stands in for it.
    """

    text: str
    at: tuple[int, int] = (0, 0)
    fixed: str | None = None
    unsafe: bool = False
    release: str = ""
    severity: Severity | None = None
    template: bool = False
    carrier: str = "file"
    subject: str = ""
    siblings: tuple[str, ...] = ()
    run_context: RunContext | None = None
    dialect: str = ""
    consumers: tuple[str, ...] = ()
    conf: str = ""
    times: int = 1
    path: str = ""
    explicit: bool = False
    named: bool = True
    assumed: bool = False

    @property
    def run(self) -> RunContext:
        """The rest of its run, including the nearest cloud.conf."""
        run_context = self.run_context or RunContext()
        if not self.conf:
            return run_context
        return run_context._replace(confs={"": (NearbyConf("cloud.conf", "cloud.conf", self.conf),)})


@cache
def bad(name: str) -> tuple[Case, ...]:
    """The cases that a rule reports."""
    return tuple(_case(example) for example in page(name).examples if example.is_bad)


@cache
def good(name: str) -> tuple[Case, ...]:
    """The cases about which a rule is silent."""
    return tuple(_case(example) for example in page(name).examples if not example.is_bad)


FLAGS = ("unsafe", "template", "explicit", "assumed")
TEXTS = ("release", "carrier", "subject", "dialect", "path")
LISTS = ("siblings", "consumers")
WORDS = {*FLAGS, *TEXTS, *LISTS, "at", "severity", "times", "unnamed", "hidden", "escaped", "same-conf", "same-run"}
PARTS = {"fixed", "conf", "run"}


def _case(example: RuleExample) -> Case:
    words, parts = example.words, example.parts
    assert words.keys() <= WORDS, words
    assert parts.keys() <= PARTS, parts
    fields: dict[str, Any] = {name: name in words for name in FLAGS}
    fields |= {name: words[name] for name in TEXTS if name in words}
    fields |= {name: tuple(words[name].split(",")) for name in LISTS if name in words}
    if "severity" in words:
        fields["severity"] = Severity[words["severity"].upper()]
    if "run" in parts:
        fields["run_context"] = eval(parts["run"], NAMES)  # noqa: S307 - our own pages
    line, _, column = words.get("at", "0:0").partition(":")
    return Case(
        example.text,
        (int(line), int(column)),
        parts.get("fixed"),
        conf=parts.get("conf", ""),
        times=int(words.get("times", "1")),
        named="unnamed" not in words,
        **fields,
    )
