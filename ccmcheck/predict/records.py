"""What a prediction is made of: plain records, no logic beyond their own shape."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

Json = dict[str, object]
"""The body of a request, or a part of one."""

EXTERNAL_NETWORK = "00000000-0000-4000-8000-00000000e001"
"""Stands for the external network that the CCM finds, where that is unknown."""
MEMBER_CIDR = "the member subnet's CIDR"
"""Stands for the CIDR of the members' subnet where that is unknown."""


class Outcome(Enum):
    """What becomes of a Service."""

    ACCEPTED = "accepted"
    """Octavia takes every request."""
    REFUSED = "refused"
    """Octavia, or Neutron, refuses one of the requests."""
    ERROR = "error"
    """The CCM ends with an error of its own before, or instead of, a request."""
    FAILS = "fails"
    """Octavia takes the requests, and the load balancer ends in ERROR."""
    NOTHING = "nothing"
    """The CCM asks for nothing: it does not run, or the Service is not its own."""
    UNKNOWN = "unknown"
    """Too little is known, or this release is not predicted."""


class Request(NamedTuple):
    """One request that changes something; the CCM's look-ups between them are left out.

    Attributes:
        method: ``POST``, ``PUT`` or ``DELETE``.
        path: Its path at the API; placeholders of new objects are in braces: ``{loadbalancer}``, ``{listener 0}``,
            ``{pool 0}``, ``{monitor 0}`` (counted by the ports of the Service), ``{vip port}``, ``{security group}``.
        body: Its JSON; None without one.
        api: ``octavia`` or ``neutron``.
    """

    method: str
    path: str
    body: Json | None = None
    api: str = "octavia"

    def as_dict(self) -> Json:
        """The same as plain data."""
        return {"api": self.api, "method": self.method, "path": self.path, "body": self.body}


class PortPlan(NamedTuple):
    """What one port of the Service becomes.

    Attributes:
        port: The port that clients connect to.
        protocol: The Service port's protocol.
        node_port: The port on the nodes; 0 where there is none.
        listener: The listener's protocol.
        pool: The pool's protocol.
        method: The pool's algorithm.
        monitor: The monitor as it is sent; None without one.
        monitor_port: The port on the nodes that it asks.
        http_path: The path that an HTTP monitor asks for; empty for other types.
    """

    port: int
    protocol: str
    node_port: int
    listener: str
    pool: str
    method: str
    monitor: Json | None = None
    monitor_port: int = 0
    http_path: str = ""

    @property
    def monitor_type(self) -> str:
        """The monitor's type; empty without one."""
        return "" if self.monitor is None else str(self.monitor["type"])


class SecurityGroupRule(NamedTuple):
    """One rule of the Service's security group.

    Attributes:
        protocol: As it is sent.
        port: The port on the nodes.
        remote: The addresses let in.
        ethertype: ``IPv4`` or ``IPv6``.
        why: Its purpose.
    """

    protocol: str
    port: int
    remote: str
    ethertype: str
    why: str


class Floating(NamedTuple):
    """The floating IP.

    Attributes:
        wanted: Whether the Service gets one.
        network: Its network; empty where none is known or found.
        subnet: Its subnet's ID; empty where none is set.
        subnet_name: How the subnet is looked for by its name: a name, a glob, ``~`` and a regular expression.
        subnet_tags: How it is looked for by its tags.
        address: The address asked for; empty for any.
        source: Where the network comes from, in words.
        why: Why there is none, where there is none.
    """

    wanted: bool
    network: str = ""
    subnet: str = ""
    subnet_name: str = ""
    subnet_tags: str = ""
    address: str = ""
    source: str = ""
    why: str = ""


class Published(NamedTuple):
    """One entry of the Service's ``status.loadBalancer.ingress``.

    Attributes:
        ip: The address, or what it will be in words; empty where a hostname is published.
        hostname: The hostname; empty where an IP is published.
        ip_mode: ``VIP`` or ``Proxy``; empty where the release sets none.
    """

    ip: str = ""
    hostname: str = ""
    ip_mode: str = ""


class Event(NamedTuple):
    """An event on the Service.

    Attributes:
        kind: ``Normal`` or ``Warning``.
        reason: ``SyncLoadBalancerFailed`` …
        message: Its text.
        by_ccm: Whether the CCM's own code writes it, not the service controller around it.
        at: How many requests are sent before it.
    """

    kind: str
    reason: str
    message: str
    by_ccm: bool = True
    at: int = 0


class Ignored(NamedTuple):
    """Something that has no effect.

    Attributes:
        what: An annotation, a key or a field.
        why: Why not, in words.
    """

    what: str
    why: str


OPEN = "open"
"""Among the numbers of an answer the keys, annotations and fields that decide it and that a template fills in later."""


class Answer(NamedTuple):
    """One verdict.

    Attributes:
        name: Its stable name: ``traffic-local``, ``client-address`` …
        good: True for a good outcome, False for a bad one; None where it is neither, or unknown.
        text: The answer in a line.
        mechanism: Why.
        evidence: Where that can be read or was measured.
        numbers: The figures in ``text``, for programs.
    """

    name: str
    good: bool | None
    text: str
    mechanism: str = ""
    evidence: str = ""
    numbers: Mapping[str, object] = {}


class ServiceFinding(NamedTuple):
    """A finding about the Service or the configuration.

    Attributes:
        severity: How bad it is.
        about: The annotation, field or key.
        text: What is wrong, one sentence.
        help: What to do; may be empty.
        path: Where in the Service it is; empty for what is elsewhere.
    """

    severity: Severity
    about: str
    text: str
    help: str = ""
    path: tuple[str | int, ...] = ()


MEASURED = "octavia 19.0.0, run"
READ = "openstack/octavia octavia/api/v2, read"
NEUTRON_READ = "openstack/neutron neutron/db/securitygroups_db.py _validate_ethertype_and_protocol, read"
FLOATING_READ = "openstack/neutron-lib neutron_lib/api/definitions/l3.py; openstack/neutron neutron/db/l3_db.py, read"
"""Where what Octavia takes is known from."""


class Refusal(NamedTuple):
    """Why a request is refused.

    Attributes:
        status: The HTTP status; 0 for a check inside the CCM's own client.
        field: The field of the request, ``listeners[1].default_pool.healthmonitor.delay``.
        why: In words.
        evidence: Where it was measured or read.
        at: Which of the requests it is, from 0.
        by: Who refuses it: ``Octavia``, ``Neutron``.
    """

    status: int
    field: str
    why: str
    evidence: str
    at: int = 0
    by: str = "Octavia"

    @property
    def said(self) -> str:
        """Why, after the field's own name where the words begin with its value."""
        return self.why if self.why[:1].isalpha() else f"{self.field.rpartition('.')[2]}: {self.why}"


class Prediction(NamedTuple):
    """What the CCM does with one Service.

    Attributes:
        service: ``namespace/name``.
        release: The CCM's release.
        outcome: What becomes of it.
        error: The error that ends the reconcile, in the CCM's words as far as it words it; empty without one.
        why: Why it is refused, fails, or nothing is asked; empty otherwise.
        requests: Every request that changes something, in order, as if none were refused; see ``sent``.
        plans: What the ports become.
        name: The load balancer's name.
        floating: The floating IP.
        rules: The rules of the Service's security group; None where the CCM makes no group.
        published: The Service's status afterwards.
        written: The annotations that the CCM writes to the Service.
        events: What is written to the Service as events, in order.
        ignored: What has no effect.
        assumed: What is not known, and what is assumed instead.
        refusals: What is refused.
        tolerated: Further refusals, which the CCM only logs.
        answers: The verdicts.
        findings: What to fix.
        policy: ``externalTrafficPolicy``.
        provider: The provider asked for; empty where the cloud decides.
        nodes: How many nodes become members; None when unknown.
        monitor_source: What decides whether there are monitors, in words.
        members: The members' addresses with their nodes, in words, a few for all; empty where the nodes are unknown.
    """

    service: str
    release: str
    outcome: Outcome
    error: str = ""
    why: str = ""
    requests: tuple[Request, ...] = ()
    plans: tuple[PortPlan, ...] = ()
    name: str = ""
    floating: Floating = Floating(False)
    rules: tuple[SecurityGroupRule, ...] | None = None
    published: tuple[Published, ...] = ()
    written: Mapping[str, str] = {}
    events: tuple[Event, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    assumed: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    answers: tuple[Answer, ...] = ()
    findings: tuple[ServiceFinding, ...] = ()
    policy: str = ""
    provider: str = ""
    nodes: int | None = None
    monitor_source: str = ""
    tolerated: tuple[Refusal, ...] = ()
    members: tuple[str, ...] = ()

    @property
    def request(self) -> Json | None:
        """The body of POST /v2/lbaas/loadbalancers; None where none is sent."""
        for request in self.requests:
            if request.method == "POST" and request.path.endswith("/lbaas/loadbalancers"):
                return request.body
        return None

    @property
    def sent(self) -> tuple[Request, ...]:
        """The requests up to the one that OpenStack refuses, where it refuses one, or that fails."""
        if self.outcome in (Outcome.REFUSED, Outcome.FAILS) and self.refusals:
            return self.requests[: self.refusals[0].at + 1]
        return self.requests

    @property
    def lacks(self) -> str:
        """What a new load balancer is there without, as Neutron refuses it; empty where Octavia refuses the whole."""
        if self.outcome is not Outcome.REFUSED or self.refusals[0].by == "Octavia":
            return ""
        what = "a floating IP" if self.refusals[0].field.startswith("floatingip") else "its security group's rules"
        return f"without {what}, and the Service's status has no address"

    @property
    def proxy(self) -> str:
        """The PROXY protocol of its pools; empty for none."""
        return next((plan.pool for plan in self.plans if plan.pool.startswith("PROXY")), "")

    def answer(self, name: str) -> Answer | None:
        """One verdict by its name; None where it was not judged."""
        return next((answer for answer in self.answers if answer.name == name), None)
