"""What the page on create-monitor is made of: plain records, no logic beyond their own shape.

::

    QuestionPage
    ├── recommendation: Recommendation    what cloud.conf should say, and why
    ├── services: ServiceCase             one for each Service: rows tried, timers, what it should say itself
    │   ├── tried: RowTrial               every row of the matrix, and why it does not match
    │   └── now, then: Prediction         before and after the recommendation; None where nothing can be predicted
    ├── figures: Figure                   the numbers of this cluster, now and then
    ├── scripts: ScriptCase               the draft's conformance scripts, now and then
    ├── motion: MotionRow, shares: Shares the first screen: `ccmcheck.review.create_monitor.motion`
    ├── options: OptionCase               the draft's five options, for this configuration
    └── arguments, risks, instead: PageArgument

The history, what others set, and links are the same for everybody: `ccmcheck.policy.create_monitor.story`.

Every text may be shown: nothing in them comes from a secret.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor.story import RecommendedSetting
from ccmcheck.predict.records import Prediction
from ccmcheck.predict.verdicts.redispatch import Share

ASKED = "What are the reasons for setting create-monitor being opt-in?"
"""The open question of the SCS draft standard on the behaviour of KaaS load balancers."""


class RowTrial(NamedTuple):
    """One row of the decision matrix, tried for one Service.

    Attributes:
        row: Its name, ``M13``.
        matches: None where that depends on what is not known.
        why: Why it does not match, or what is not known; the row's own reason where it matches.
    """

    row: str
    matches: bool | None
    why: str


class ServiceCase(NamedTuple):
    """One Service.

    Attributes:
        service: ``namespace/name``; a stand-in's name where no Service is given.
        path: Its file; empty for a stand-in.
        line: Its line there, from 1; 0 where that is not known.
        stand_in: Whether it is assumed for its policy, because no Service is given.
        policy: Its externalTrafficPolicy.
        ports: Its ports, ``TCP/80``.
        row: The row that decides, ``M13``; None where too little is known.
        advice: What the row says: ``true``, ``false``, ``either`` …
        via: Where the row says so: ``cloud.conf``, the annotation; empty for nowhere.
        why: The row's reason.
        actions: What to do besides.
        cautions: What the row's value does not do for this Service, or breaks; measured or read.
        source: Where the row's reason can be read.
        tried: All rows in the order in which they are tried, up to the one that decides.
        needs: What is not known, and could bring an earlier row to match.
        timers: The name of its set of timers; None where none is chosen.
        timers_why: Why that set, or what is needed to choose one.
        annotations: What its annotations should say, beside what they say already; None for one to delete.
        now: What the CCM makes of it with the files as they are.
        then: The same with what is recommended.
    """

    service: str
    path: str
    line: int
    stand_in: bool
    policy: str
    ports: tuple[str, ...]
    row: str | None
    advice: str | None
    via: str
    why: str
    actions: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    source: str = ""
    tried: tuple[RowTrial, ...] = ()
    needs: tuple[str, ...] = ()
    timers: str | None = None
    timers_why: str = ""
    annotations: dict[str, str | None] = {}  # noqa: RUF012 - never changed
    now: Prediction | None = None
    then: Prediction | None = None


class Recommendation(NamedTuple):
    """What cloud.conf should say.

    Attributes:
        value: ``create-monitor``; None where too little is known.
        now: What it is now; None where it is known after rendering only.
        given: Whether cloud.conf writes it.
        why: Why, one sentence.
        rows: The rows that decide, in the matrix's order.
        config: The keys of [LoadBalancer] to write, with their values, ``create-monitor`` first; further ones only
            where they do not hold already.
        timers: The name of the set of timers; empty where none is chosen.
        timers_why: Why that set, or what is needed to choose one.
        needs: What is not known and would be needed, as options of the command line.
    """

    value: bool | None
    now: bool | None
    given: bool
    why: str
    rows: tuple[str, ...] = ()
    config: dict[str, str] = {}  # noqa: RUF012 - never changed
    timers: str = ""
    timers_why: str = ""
    needs: tuple[str, ...] = ()


class Figure(NamedTuple):
    """One number of this cluster.

    Attributes:
        name: Its stable name: ``monitors``, ``probes``, ``dead-node``, ``podless-node``, ``wrong-node``, ``quota``.
        label: What it is, in words.
        now: With the files as they are; where Services differ what holds for most of them, or the worst.
        then: With what is recommended.
        better: True where it gets better, False where it gets worse, None where it is neither or unknown.
        numbers: The same for programs.
    """

    name: str
    label: str
    now: str
    then: str
    better: bool | None = None
    numbers: dict[str, object] = {}  # noqa: RUF012 - never changed


class ScriptCase(NamedTuple):
    """One of the draft's conformance scripts.

    Attributes:
        name: ``default`` or ``special``.
        policy: Its Service's externalTrafficPolicy.
        now: Whether it passes with the files as they are; None where that is not known.
        then: The same with what is recommended.
        now_text: The outcome in words.
        then_text: The same.
    """

    name: str
    policy: str
    now: bool | None
    then: bool | None
    now_text: str
    then_text: str


class PageArgument(NamedTuple):
    """One argument, or one risk.

    Attributes:
        name: Its stable name.
        text: What it is, one sentence.
        here: What it comes to in this cluster; empty where that is not known.
        source: Where it can be read or was measured.
        applies: Whether it applies to this configuration and these Services; None where that is not known.
    """

    name: str
    text: str
    here: str
    source: str
    applies: bool | None = None


class MotionRow(NamedTuple):
    """One row of the first screen.

    Attributes:
        label: What it is.
        now: With the files as they are.
        then: With the motion.
    """

    label: str
    now: str
    then: str


class Shares(NamedTuple):
    """What becomes of first connections to a Local Service.

    Attributes:
        label: Whose: the Service, or the example; with monitors.
        at_once: Answered without a wait.
        waiting: Answered after a wait.
        closed: Closed, or lost.
    """

    label: str
    at_once: Share
    waiting: Share
    closed: Share


class OptionCase(NamedTuple):
    """One of the draft's options, for this configuration.

    Attributes:
        number: 1 to 5.
        title: What it is.
        consequence: What it means for these Services.
        needs: Its preconditions.
        rollout: What changes, and how long that takes.
        rollback: The way back.
    """

    number: int
    title: str
    consequence: str
    needs: str
    rollout: str
    rollback: str


class QuestionPage(NamedTuple):
    """The page.

    Attributes:
        config: The cloud.conf: the file and the route in it; empty where the defaults stand in.
        release: The CCM's release.
        source: Why that release: ``--release``, ``assumed: the newest`` …
        stop: Why the CCM does not run with the file; empty where it does.
        provider: lb-provider; empty where the cloud decides.
        nodes: How many nodes; None where that is not known.
        recommendation: What cloud.conf should say.
        services: The Services.
        notes: What is to be known of the input: what was skipped, what stands in.
        figures: The numbers of this cluster.
        scripts: The conformance scripts.
        arguments: For ``true``.
        risks: What can break, or costs, with ``true``, the worst first.
        instead: What else would do, or help.
        motion: The first screen's rows.
        first_connections: First connections of a Local Service, off and on.
        options: The draft's options.
        setting: The setting that this configuration is in, with the option recommended for it.
        tenants: A TCP Service of each policy that a tenant may create, beside the Services given.
        assumed: What the predictions assume, where the files say nothing.
    """

    config: str
    release: str
    source: str
    stop: str
    provider: str
    nodes: int | None
    recommendation: Recommendation
    services: tuple[ServiceCase, ...]
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]
    scripts: tuple[ScriptCase, ...]
    arguments: tuple[PageArgument, ...]
    risks: tuple[PageArgument, ...]
    instead: tuple[PageArgument, ...]
    motion: tuple[MotionRow, ...]
    first_connections: tuple[Shares, ...]
    options: tuple[OptionCase, ...]
    setting: RecommendedSetting
    tenants: tuple[ServiceCase, ...]
    assumed: tuple[str, ...]
