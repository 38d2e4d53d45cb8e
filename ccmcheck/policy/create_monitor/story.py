"""The story of create-monitor: its history, what others set, the arguments, the draft's options; data with sources.

The texts are in ``data/*.toml``, each file with how it was read. Whether an argument applies to a cluster, and what it
comes to there, is worked out by `ccmcheck.review.create_monitor`.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_tables, rows
from ccmcheck.base.records import NamedTuple

UPSTREAM, SET, OPTION, UNSET, ADVICE, PAST = "upstream", "set", "option", "unset", "advice", "past"


class HistoryStep(NamedTuple):
    """One step of the history.

    Attributes:
        when: ``2020-03``, ``2022-03-13``; a release where only that is known.
        who: ``upstream`` or ``SCS``.
        what: What happened.
        effect: Its effect on the value: ``on``, ``off`` or ``open``.
        source: Where that can be read.
        why: The reason given, or what it meant for the value; may be empty.
        is_said: Whether the page says the same as a risk or an argument.
        is_today: Whether it is what SCS has today.
    """

    when: str
    who: str
    what: str
    effect: str
    source: str
    why: str = ""
    is_said: bool = False
    is_today: bool = False

    @property
    def is_main(self) -> bool:
        """Whether it is what SCS has today, or moved the value and nothing else of the page says so."""
        return self.is_today or (self.effect != "open" and bool(self.why) and not self.is_said)


class Setter(NamedTuple):
    """What one project sets.

    Attributes:
        name: Who.
        kind: What the row says: ``UPSTREAM``, ``SET`` …; the file explains them.
        repository: On GitHub, ``owner/name``.
        path: The file in it.
        commit: The commit that set it, or the one it was read at where its history is not known.
        date: Of that commit: ``2022-01-12``, or the month alone.
        value: True, False, or None where it is left out, and so false.
        timers: ``15s/10s/3``: delay, timeout, max-retries; empty where they are left to the CCM.
        tag: The release, or branch, in which a project that is maintained has it today; else empty.
        line: The line there; for what is left out the code that would write it.
        note: What else is to be known; may be empty.
        installs: The CCM's release that it installs; empty where that is not asked.
        installs_from: Where that stands.
    """

    name: str
    kind: str
    repository: str
    path: str
    commit: str
    date: str
    value: bool | None = None
    timers: str = ""
    tag: str = ""
    line: int = 0
    note: str = ""
    installs: str = ""
    installs_from: str = ""

    @property
    def source(self) -> str:
        """File and line at a tag, or file, commit and date."""
        where = f"{self.repository} {self.path}"
        return f"{where}:{self.line} ({self.tag})" if self.tag else f"{where} ({self.commit}, {self.date})"

    @property
    def url(self) -> str:
        """The same as a link."""
        line = f"#L{self.line}" if self.line else ""
        return f"https://github.com/{self.repository}/blob/{self.tag or self.commit}/{self.path}{line}"


class Count(NamedTuple):
    """How the projects that deploy clusters decided.

    Attributes:
        set_on: They write ``true`` into every cloud.conf.
        option_on: Their own option has the default ``true``.
        unset: They leave it to the CCM, and so off.
        all: All of them.
    """

    set_on: int
    option_on: int
    unset: int
    all: int


class Reason(NamedTuple):
    """One argument, or one risk.

    Attributes:
        name: Its stable name.
        text: What it is, one sentence.
        source: Where it can be read or was measured.
        always: Whether it applies to everybody.
        driver: The driver that it concerns; empty for all.
        policy: The externalTrafficPolicy that it concerns; empty for both.
        behaviour: The behaviour of the CCM that it is about; empty for none.
        row: The row of the matrix that it is about; empty for none.
    """

    name: str
    text: str
    source: str
    always: bool = False
    driver: str = ""
    policy: str = ""
    behaviour: str = ""
    row: str = ""


class StoryLink(NamedTuple):
    """A page to read on."""

    title: str
    url: str


class DraftOption(NamedTuple):
    """One option of the draft standard for externalTrafficPolicy Local.

    Attributes:
        number: 1 to 5.
        title: What it is, in a few words.
        consequence: What it means for Services.
        needs: Its preconditions.
        rollback: The way back.
        is_new: Whether load balancers are created anew, because their provider changes.
    """

    number: int
    title: str
    consequence: str
    needs: str
    rollback: str
    is_new: bool = False


class RecommendedSetting(NamedTuple):
    """The option that is recommended for a setting; a judgement."""

    name: str
    option: int
    why: str


STEPS = rows(read_tables(__file__, "data/history.toml")["step"], HistoryStep)
"""Oldest first."""

SETTERS = rows(read_tables(__file__, "data/setters.toml")["setter"], Setter)
"""In the order of a table for people, one row for each project."""

_REASONS = read_tables(__file__, "data/reasons.toml")
ANSWER: tuple[str, ...] = tuple(_REASONS["answer"])
"""To the question why create-monitor is opt-in."""

WOULD_CHANGE: tuple[str, ...] = tuple(_REASONS["would-change"])
"""What would change the answer."""

FOR, RISKS, INSTEAD = (rows(_REASONS[name], Reason) for name in ("for", "risk", "instead"))
"""For monitors; what can break or costs, the worst first; what else would do, or help."""

LINKS = rows(_REASONS["link"], StoryLink)

_OPTIONS = read_tables(__file__, "data/options.toml")
DRAFT: str = _OPTIONS["draft"]
SCRIPTS: str = _OPTIONS["scripts"]
"""The revision of the draft that has conformance scripts; later ones have none."""

OPTIONS = rows(_OPTIONS["option"], DraftOption)
SETTINGS = rows(_OPTIONS["setting"], RecommendedSetting)


def counted(setters: tuple[Setter, ...] = SETTERS) -> Count:
    """Count the projects that deploy clusters: each organisation once, without documentation and what is gone."""
    kinds = [
        setter.kind for setter in setters if setter.kind == UNSET or (setter.value and setter.kind in (SET, OPTION))
    ]
    return Count(kinds.count(SET), kinds.count(OPTION), kinds.count(UNSET), len(kinds))
