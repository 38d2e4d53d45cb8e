"""The parts of a rule file: its description, its cases, and the check itself.

A rule file has a docstring with fixed headings, ``META``, ``BAD`` and ``GOOD`` cases, and ``check``. The docstring is the
rule's page, the cases are its tests, and `ccmcheck.rules.registry` has its line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Problem, Severity
    from ccmcheck.carriers.base import RunContext


class Meta(NamedTuple):
    """A rule's description.

    Attributes:
        name: Its name, ``duration-bad``.
        title: What it finds, as a noun phrase that a search engine would find: ``An invalid duration``.
        severity: The severity of its findings, unless a problem has its own.
        claims: The kinds of reader errors (`ccmcheck.base.model.Stop`) that this rule, and no other, reports.
        per_release: False where the result is the same for every release, so that it runs once.
        kinds: The kinds of objects that it is about (`ccmcheck.carriers.kinds.LINTED_KINDS`); empty for a rule about a
            cloud.conf.
        needs: Inputs without which it reports nothing, for ``-v``: ``the CCM's pod``, ``the node count`` …
        since: The first version of ccmcheck with it.
    """

    name: str
    title: str
    severity: Severity
    claims: tuple[str, ...] = ()
    per_release: bool = True
    kinds: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    since: str = "0.1"


class Case(NamedTuple):
    """One example of a rule: a test, and part of its page.

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
        shown: False where the case is a test only and stays off the page.
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
    shown: bool = True

    @property
    def run(self) -> RunContext:
        """The rest of its run, including the nearest cloud.conf."""
        from ccmcheck.carriers.base import NearbyConf, RunContext

        run_context = self.run_context or RunContext()
        return (
            run_context._replace(confs={"": (NearbyConf("cloud.conf", "cloud.conf", self.conf),)})
            if self.conf
            else run_context
        )


class Check(Protocol):
    """A rule's check: a generator of problems with one file or object at one release."""

    def __call__(self, view: Any, /) -> Iterator[Problem]:  # noqa: ANN401 - a CloudConf, a Manifest or a ServiceView, as META.kinds says
        """Yield the problems."""
        ...


class Rule(Protocol):
    """The shape of a rule file's module."""

    __doc__: str | None
    META: Meta
    BAD: tuple[Case, ...]
    GOOD: tuple[Case, ...]

    @property
    def check(self) -> Check:
        """Yield the rule's problems with one cloud.conf or, where ``META.kinds`` names any, one object."""
        ...
