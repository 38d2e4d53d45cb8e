"""The floating IP's requests, and what the Service's status says afterwards.

Source: cloud-provider-openstack ensureFloatingIP (getServiceAddress before 1.27), createLoadBalancerStatus.

Which subnet names ``floating-subnet`` matches: a glob, or a regular expression after ``~``; ``!`` turns it round.

Source: cloud-provider-openstack loadbalancer_subnet_match.go subnetNameMatcher (since 1.21),
gopkg.in/godo.v2/glob Globexp.

What Go's regexp package refuses, in its words; RE2 knows no look-around, back-references or possessive repetition.

Source: Go 1.26 regexp/syntax/parse.go, compared pattern by pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.errors import quote as quoted
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.annotations import Annotations, CcmCrash, CcmError
from ccmcheck.predict.inputs.cloud_state import Balancer, FloatingIP, Subnet
from ccmcheck.predict.records import Json, Published, Request
from ccmcheck.predict.requests.load_balancer_spec import named
from ccmcheck.predict.requests.reconcile_state import ReconcileState

_NAMED = lazy_regex(r"\(\?P?<(?:[A-Za-z0-9_]++>)?")
_FLAGS = lazy_regex(r"\(\?[imsU]*+(?:-[imsU]++)?[:)]")
_REPEAT = lazy_regex(r"(?:[*+?]|\{(\d+)(?:(,)(\d*+))?\})\??")
_ESCAPE = lazy_regex(
    r"\\(?:[abfnrtvAzBCdDsSwW]|[0-7][0-7]{1,2}|0|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,8}\}|[pP](?:\{\^?\w+\}|\w)|[^\w\u0080-\U0010ffff])"
)
_POSIX = lazy_regex(r"\[:\^?(\w*):\]")
_CLASSES = frozenset(
    ("alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
     "xdigit")
)  # fmt: skip
_MOST_REPEATS = 1000
_SETS = "dDsSwWpP"
"""Escapes of several characters, which no range begins with."""


class _BadPatternError(Exception):
    pass


def fault(pattern: str) -> str:
    """Why Go does not compile a pattern; empty where it does, or is not known to refuse it."""
    try:
        _walk(pattern)
    except _BadPatternError as error:
        return str(error)
    return ""


def _walk(pattern: str) -> None:
    at, depth = 0, 0
    operand = False  # whether there is something to repeat
    repeated = -1  # where the last repetition begins, directly before this place
    while at < len(pattern):
        char, begins = pattern[at], at
        repetition = _REPEAT.match(pattern, at)
        if repetition is not None:
            _check_repetition(pattern, repetition, operand=operand, repeated=repeated)
            repeated, at = begins if repeated < 0 else repeated, repetition.end()
            continue
        repeated, operand = -1, True
        if char == "(":
            at, opened = _group(pattern, at)
            depth += opened
            operand = False
        elif char == ")":
            if not depth:
                raise _BadPatternError(f"unexpected ): `{pattern}`")
            depth -= 1
            at += 1
        elif char == "[":
            at = _class(pattern, at)
        elif char == "\\":
            at = _escape(pattern, at)
        else:
            operand = char != "|"
            at += 1
    if depth:
        raise _BadPatternError(f"missing closing ): `{pattern}`")


def _check_repetition(pattern: str, match: re.Match[str], *, operand: bool, repeated: int) -> None:
    text = match[0]
    if not operand:
        raise _BadPatternError(f"missing argument to repetition operator: `{text}`")
    if repeated >= 0:
        raise _BadPatternError(f"invalid nested repetition operator: `{pattern[repeated : match.end()]}`")
    least, comma, most = match[1], match[2], match[3]
    if least is None:
        return
    numbers = [least, *([most] if most else [])]
    if any(len(number) > 4 or int(number) > _MOST_REPEATS for number in numbers) or (
        comma and most and int(most) < int(least)
    ):
        raise _BadPatternError(f"invalid repeat count: `{text.removesuffix('?')}`")


def _group(pattern: str, at: int) -> tuple[int, int]:
    """The place behind what opens a group, and how many it opens."""
    if not pattern.startswith("(?", at):
        return at + 1, 1
    named = _NAMED.match(pattern, at)
    if named is not None:
        if not named[0].endswith(">"):
            end = pattern.find(">", at)
            whole = pattern[at:] if end < 0 else pattern[at : end + 1]
            wrong = pattern[at:] if end < 0 else whole
            closes = pattern.find(")", at)
            if end < 0 and closes >= 0 and pattern[at + 3] in "=!":
                wrong = pattern[at : closes + 1]
            raise _BadPatternError(f"invalid named capture: `{wrong}`")
        return named.end(), 1
    flags = _FLAGS.match(pattern, at)
    if flags is None:
        known = re.match(r"\(\?[imsU-]*+.?", pattern[at:])
        raise _BadPatternError(f"invalid or unsupported Perl syntax: `{known[0] if known else '(?'}`")
    return flags.end(), int(flags[0].endswith(":"))


def _class(pattern: str, begins: int) -> int:
    """The place behind a character class."""
    at = begins + 1 + pattern.startswith("^", begins + 1)
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        posix = _POSIX.match(pattern, at)
        if posix is not None:
            if posix[1] not in _CLASSES:
                raise _BadPatternError(f"invalid character class range: `{posix[0]}`")
            at = posix.end()
            continue
        low, end = _one(pattern, at)
        is_range = pattern.startswith("-", end) and not pattern.startswith("-]", end) and end + 1 < len(pattern)
        if is_range and len(low) == 1:
            high, after = _one(pattern, end + 1)
            if len(high) == 1 and high < low:
                raise _BadPatternError(f"invalid character class range: `{pattern[at:after]}`")
            end = after
        at = end
    if at >= len(pattern):
        raise _BadPatternError(f"missing closing ]: `{pattern[begins:]}`")
    return at + 1


def _one(pattern: str, at: int) -> tuple[str, int]:
    """A character of a class, longer where it is a set, and the place behind it."""
    if pattern[at] != "\\":
        return pattern[at], at + 1
    end = _escape(pattern, at)
    text = pattern[at + 1 : end]
    return text if len(text) == 1 and text not in _SETS and not text.isalnum() else text + " ", end


def _escape(pattern: str, at: int) -> int:
    """The place behind an escape."""
    if at + 1 == len(pattern):
        raise _BadPatternError("trailing backslash at end of expression: ``")
    if pattern[at + 1] == "Q":
        end = pattern.find("\\E", at)
        return len(pattern) if end < 0 else end + 2
    match = _ESCAPE.match(pattern, at)
    if match is None:
        length = 4 if pattern[at + 1] == "x" else 2
        raise _BadPatternError(f"invalid escape sequence: `{pattern[at : at + length]}`")
    return match.end()


MOST_CHOICES = 2
"""Repetitions and groups with alternatives of a pattern: two are tried in some 3 million ways on the longest name."""
MOST_CHARACTERS = 255
"""Of a pattern that is tried; it stands for a name."""
LONGEST_NAME = 255
"""Characters of a subnet's name in Neutron."""
_TOKEN = lazy_regex(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\)(?:[*+?]|\{\d)?|[(|*+?]|\{(?=\d)", re.DOTALL)
_ESCAPED = frozenset("\\$^+.()=!|")
_SHORT = 3
_NO_SLASH = "[^/]*"
_FOLDERS = r"(?:[.{}\w\-\ ]+\/)*"


class NamePattern:
    """Tells the names that a pattern matches.

    Args:
        pattern: The pattern; empty for any name.

    Raises:
        CcmError: It is no regular expression.
        CcmCrash: It is no glob.
    """

    def __init__(self, pattern: str) -> None:
        self._negated = pattern.startswith("!")
        pattern = pattern.removeprefix("!")
        if pattern.startswith("~"):
            self._expression = pattern[1:]
            if why := fault(self._expression):
                reason = _without_parts(why, self._expression)
                raise CcmError(
                    f"invalid subnet regexp pattern {quoted(self._expression)}: error parsing regexp: {reason}"
                )
            self._is_quick = is_quick(self._expression)
        else:
            self._expression = glob_expression(pattern) if pattern else ""
            if why := fault(self._expression):
                raise CcmCrash(f"regexp: Compile(…): error parsing regexp: {why.partition(': ')[0]}: …")
            choices = pattern.replace("**", "*").count("*") + pattern.count("{")
            self._is_quick = len(pattern) <= MOST_CHARACTERS and choices <= MOST_CHOICES
        self._is_any = not pattern and not self._negated

    def first_of(self, subnets: Sequence[Subnet]) -> Subnet | Literal[False] | None:
        """The first of some subnets whose name it matches.

        Returns:
            None where there is none, and False where that is unknown: Go finds out in linear time, Python may not.
        """
        if self._is_any:
            return subnets[0] if subnets else None
        if not self._is_quick or any(len(subnet.name) > LONGEST_NAME for subnet in subnets):
            return False
        try:
            compiled = re.compile(self._expression)
        except (re.error, OverflowError, RecursionError):
            return False  # in a notation that only Go has
        for subnet in subnets:
            found = compiled.search(subnet.name)
            if ((found[0] if found is not None else "") == subnet.name) != self._negated:
                return subnet
        return None


def is_quick(expression: str) -> bool:
    """Whether Python's regular expressions find out soon whether a name matches: few ways lead to a match."""
    if len(expression) > MOST_CHARACTERS:
        return False
    choices, groups = 0, [False]
    for token in _TOKEN.finditer(expression):
        text = token[0]
        if text == "(":
            groups.append(False)
        elif text == "|":
            choices += len(groups) > 1 and not groups[-1]
            groups[-1] = True
        elif text[0] == ")":
            groups = groups[:-1] or [False]
            if len(text) > 1:
                return False
        elif text[0] in "*+?{":
            choices += 1
    return choices <= MOST_CHOICES


def _without_parts(why: str, expression: str) -> str:
    """A reason without a long part of the pattern: a secret that was written there is masked only as a whole."""
    kind, _, part = why.partition(": ")
    text = part.strip("`")
    return why if len(text) <= _SHORT or text == expression else f"{kind}: …"


def glob_expression(pattern: str) -> str:
    """The regular expression that stands for a glob.

    Args:
        pattern: The glob; ``{a,b}`` is a choice, and what is in ``[]`` is left as it is.
    """
    parts = ["^"]
    at, in_group = 0, False
    while at < len(pattern):
        char, length = pattern[at], 1
        if char in _ESCAPED:
            parts.append(f"\\{char}")
        elif char == "/":
            parts.append("/")
            if pattern.startswith("/**/", at):
                parts.append(_FOLDERS)
                length = 4
            elif pattern.endswith("/**") and at + _SHORT == len(pattern):
                parts.append(".*")
                length = 3
        elif char == "?":
            parts.append(".")
        elif char == "{" and pattern.startswith("{{", at):
            parts.append("\\{")
            length = 2
        elif char == "{":
            in_group = True
            parts.append("(")
        elif char == "}":
            parts.append(")" if in_group else "}")
            in_group = False
        elif char == ",":
            parts.append("|" if in_group else "\\,")
        elif char == "*" and pattern.startswith("**/", at):
            parts.append(_FOLDERS)
            length = 3
        elif char == "*":
            parts.append(_NO_SLASH)
        else:
            parts.append(char)
        at += length
    return "".join((*parts, "$"))


FLOATING_SUBNET = "00000000-0000-4000-8000-00000000f001"
"""Stands for the first subnet that matches, where the floating network's subnets are unknown."""

VIP = "the VIP"
FLOATING_IP = "the floating IP"
_OURS = "Floating IP for Kubernetes external service"


def is_made_by_ccm(floating_ip: FloatingIP) -> bool:
    """Whether the CCM takes a floating IP for its own, by its description."""
    return _OURS in floating_ip.description


def ensure_address(state: ReconcileState, before: Balancer | None) -> str:
    """Work out the floating IP's requests.

    Args:
        state: Takes the requests.
        before: The load balancer that was there; None for a new one.

    Returns:
        The address that is published, or a description of it.

    Raises:
        CcmError: The CCM ends here.
    """
    spec, behaviours, cloud, service = state.spec, state.behaviours, state.cloud, state.service
    vip = (before.address if before is not None else cloud.vip) or VIP
    is_v6 = ranges.family(vip) == 6 or (vip == VIP and spec.family == 6)
    if is_v6 and behaviours["ipv6-skips-floating-ip"]:
        state.notes.warn(
            "LoadBalancerFloatingIPSkipped",
            f"Floating IP not supported for IPv6 Service {service.title}. Using IPv6 address instead {vip}.",
        )
        return vip
    port = before.port if before is not None else spec.vip_port or "{vip port}"
    attached = cloud.floating_ip or next(
        (floating_ip for floating_ip in (cloud.floating_ips or {}).values() if floating_ip.port == port), None
    )
    if spec.internal and (state.owner or not behaviours["internal-services-cannot-share"]):
        if attached is not None and behaviours["internal-services-cannot-share"]:
            annotations = Annotations(service.annotations, behaviours)
            ours = is_made_by_ccm(attached) and not annotations.switch("keep-floatingip", False)
            if ours:
                _send(state, "DELETE", f"floatingips/{attached.id}")
            else:
                _send(state, "PUT", f"floatingips/{attached.id}", {"floatingip": {}})
        # up to 1.18 a floating IP is published, whoever put it there
        return vip if attached is None or behaviours["service-config"] else attached.address
    if attached is not None:
        return attached.address
    if not state.owner and behaviours["internal-services-cannot-share"]:
        raise CcmError(
            f"cannot attach a floating IP to a load balancer for a shared Service {service.title}, only owner Service "
            "can do that"
        )
    if service.address:
        existing = _existing(state, port)
        if existing:
            return existing
    return _create(state, port) or vip


def _existing(state: ReconcileState, port: str) -> str:
    """Attach the floating IP that the Service asks for; empty where there is none yet."""
    address = state.service.address
    floating_ips = state.cloud.floating_ips
    if not ranges.family(address):
        return ""  # Neutron lists none of that address, and refuses to make one
    if floating_ips is None:
        state.notes.assume(f"whether floating IP {address} exists and is free is not known: that is assumed")
        _send(state, "PUT", f"floatingips/{{floating ip {address}}}", {"floatingip": {"port_id": port}})
        return address
    floating_ip = floating_ips.get(address)
    if floating_ip is None:
        return ""
    if floating_ip.port:
        raise CcmError(f"floating IP {address} is not available")
    _send(state, "PUT", f"floatingips/{floating_ip.id}", {"floatingip": {"port_id": port}})
    return address


def _create(state: ReconcileState, port: str) -> str:
    """Ask for a new floating IP; empty where no network is known."""
    spec, behaviours, service = state.spec, state.behaviours, state.service
    floating = spec.floating
    if not floating.network:
        if behaviours["writes-events"]:
            state.notes.warn(
                "LoadBalancerForcedInternal",
                f"Floating network configuration not provided for Service {service.title}, forcing to ensure an "
                "internal load balancer service",
            )
        return ""
    body: Json = {
        "floating_network_id": floating.network,
        "port_id": port,
        "description": f"{_OURS} {service.title} from cluster {state.cloud.cluster_name}",
    }
    subnet = floating.subnet
    if (floating.subnet_name or floating.subnet_tags) and not (
        service.address and behaviours["floating-subnet-patterns"]
    ):
        subnet = _first_matching(state) or subnet
    if subnet:
        body["subnet_id"] = subnet
    if service.address:
        body["floating_ip_address"] = service.address
    _send(state, "POST", "floatingips", {"floatingip": body})
    return service.address or state.cloud.new_address or FLOATING_IP


def _first_matching(state: ReconcileState) -> str:
    """The first subnet of the floating network that matches; empty for none, where the release goes on then."""
    floating = state.spec.floating
    name, tags = floating.subnet_name, floating.subnet_tags
    if not state.behaviours["floating-subnet-patterns"]:
        return _named(state, name)
    subnets = state.cloud.floating_subnets
    pattern = NamePattern(name)
    tagged = [subnet for subnet in subnets or () if _has_tags(subnet, tags)]
    found = pattern.first_of(tagged)
    if subnets is None or (tagged and found is False):
        how = " and ".join(part for part in (f"name {name}" if name else "", f"tags {tags}" if tags else "") if part)
        state.notes.assume(f"the floating IP's subnet is looked for by its {how}; {FLOATING_SUBNET} is assumed")
        return FLOATING_SUBNET
    if not tagged:
        raise CcmError(f"could not find subnets for network {floating.network}")
    if found:
        return found.id
    criteria = (f", pattern: {quoted(name)}" if name else "") + (
        f"{'' if name else ', '}tags: {quoted(tags)}" if tags else ""
    )
    raise CcmError(f"no subnet matching {criteria} found for network {floating.network}")


def _named(state: ReconcileState, name: str) -> str:
    """The one subnet of a name, up to 1.20."""
    ids = named(state.cloud, name)
    if ids is None:
        state.notes.assume(f"the floating IP's subnet is looked for by its name {name}; {FLOATING_SUBNET} is assumed")
        return FLOATING_SUBNET
    if len(ids) == 1:
        return ids[0]
    if state.behaviours["service-config"]:
        return ""
    why = "find multiple subnets with name" if ids else "could not find subnet"
    raise CcmError(f"failed to find floatingip subnet: {why} {name}")


def _has_tags(subnet: Subnet, tag_filter: str) -> bool:
    """Whether Neutron lists a subnet: ``&`` asks for tags or not-tags-any, without it for tags-any or not-tags."""
    if not tag_filter:
        return True
    negated = tag_filter.startswith("!")
    tag_filter = tag_filter.removeprefix("!")
    every = tag_filter.startswith("&")
    tags = [tag for tag in re.split(r"[\s,]+", tag_filter.removeprefix("&")) if tag]
    matches = [tag in subnet.tags for tag in tags]
    if not matches:
        return True
    if negated:
        return not any(matches) if every else not all(matches)
    return all(matches) if every else any(matches)


def publish(state: ReconcileState, address: str) -> tuple[Published, ...]:
    """What the Service's status says.

    Raises:
        CcmError: The CCM crashes here.
    """
    behaviours, options = state.behaviours, state.options
    annotations = Annotations(state.service.annotations, behaviours)
    if behaviours["hostname-annotation"] and annotations.text("hostname"):
        return (Published(hostname=annotations.text("hostname")),)
    if state.spec.proxy and options.enable_ingress_hostname:
        if behaviours["ingress-hostname-panics"]:
            raise CcmCrash("runtime error: index out of range [0] with length 0")
        return (Published(hostname=f"{address}.{options.ingress_hostname_suffix}"),)
    mode = ""
    if behaviours["sets-ip-mode"]:
        mode = "Proxy" if state.spec.proxy else "VIP"
    return (Published(ip=address, ip_mode=mode),)


def _send(state: ReconcileState, method: str, path: str, body: Json | None = None) -> None:
    state.requests.append(Request(method, f"/v2.0/{path}", body, "neutron"))
