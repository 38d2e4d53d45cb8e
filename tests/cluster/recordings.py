"""Recorded HTTP exchanges of ``ccmcheck cluster`` with real servers: their files, and what may be in them.

A recording is ``recorded/NAME.jsonl``: a line with the files and commands of the run, then a line for each exchange, in their
order. ``recorded/NAME.txt`` is what the commands print. Credentials, UIDs and addresses of servers are replaced before
anything is written, also inside base64.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

AT = Path(__file__).resolve().parent / "recorded"

KUBE, CLOUD = "kube", "cloud"
URL = "http://{}.recorded"
"""Stands for the URL of a server."""

CANARY = "canary-"
"""What every credential of a recording begins with."""


class Exchange(NamedTuple):
    """One request and its answer.

    Attributes:
        server: `KUBE` or `CLOUD`.
        method: ``GET`` and the like.
        path: The path of the URL.
        query: Its query, sorted.
        sent: The request's body as JSON; None without one.
        status: The answer's status.
        headers: Those of the answer that ccmcheck reads.
        body: The answer's JSON, or its text.
    """

    server: str
    method: str
    path: str
    query: str
    sent: Any
    status: int
    headers: dict[str, str]
    body: Any


class Request(NamedTuple):
    """Requests to a load balancer, one after another, with one answer.

    Attributes:
        protocol: ``tcp`` or ``udp``.
        address: Its address.
        port: The port there.
        answer: What the pod said; empty where nobody answered.
        times: How many they were.
    """

    protocol: str
    address: str
    port: int
    answer: str
    times: int = 1


class Recording(NamedTuple):
    """A run.

    Attributes:
        name: The file's.
        files: What is in the folder that the commands run in, by path.
        commands: Their arguments after ``ccmcheck cluster``.
        exchanges: What they asked, in order.
        time: When its first command began, in seconds since 1970.
        traffic: What became of each request to a load balancer: protocol, address, port and answer.
    """

    name: str
    files: dict[str, str]
    commands: tuple[tuple[str, ...], ...]
    exchanges: tuple[Exchange, ...]
    time: int
    traffic: tuple[Request, ...] = ()

    @property
    def path(self) -> Path:
        """Its file."""
        return AT / f"{self.name}.jsonl"

    @property
    def printed(self) -> Path:
        """The file with what its commands print."""
        return AT / f"{self.name}.txt"

    def save(self) -> int:
        """Write it; its size in bytes."""
        head = {"time": self.time, "files": self.files, "commands": self.commands, "traffic": self.traffic}
        lines = [{key: value for key, value in head.items() if value or key != "traffic"}, *self.exchanges]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        AT.mkdir(exist_ok=True)
        self.path.write_text(text, encoding="utf-8")
        return len(text)


def load(name: str) -> Recording:
    """Read a recording."""
    with (AT / f"{name}.jsonl").open(encoding="utf-8") as file:
        head, *exchanges = map(json.loads, file)
    commands = tuple(map(tuple, head["commands"]))
    traffic = tuple(Request(*one) for one in head.get("traffic", ()))
    return Recording(name, head["files"], commands, tuple(Exchange(*one) for one in exchanges), head["time"], traffic)


def names() -> list[str]:
    """All recordings."""
    return sorted(path.stem for path in AT.glob("*.jsonl"))


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with other texts, keys among them; a text in base64 is changed inside."""
    if isinstance(value, dict):
        return {change(key): mapped(child, change) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [mapped(child, change) for child in value]
    if not isinstance(value, str):
        return value
    inside = decoded(value)
    if inside is not None:
        return base64.b64encode(mapped(inside, change).encode()).decode()
    if value.startswith("{") and (parsed := _json(value)) is not None:  # last-applied-configuration
        return json.dumps(mapped(parsed, change), separators=(",", ":"))
    return change(value)


def decoded(text: str) -> str | None:
    """The text that a long text in base64 stands for; None where it is none."""
    if len(text) < 24 or len(text) % 4:
        return None
    try:
        found = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return found if found.isprintable() or "\n" in found else None


def texts(value: Any) -> Iterator[str]:
    """All texts of JSON, keys among them, those in base64 as both."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield key
            yield from texts(child)
            if isinstance(child, str):
                yield f"{key} = {child}"
    elif isinstance(value, list | tuple):
        for child in value:
            yield from texts(child)
    elif isinstance(value, str):
        yield value
        inside = decoded(value)
        if inside is not None:
            yield from texts(inside)
        elif value.startswith("{") and (parsed := _json(value)) is not None:
            yield from texts(parsed)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


_TIME = re.compile(r"\b20\d\d-[01]\d-[0-3]\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?")
_CREDENTIALS = (
    re.compile(r"\bey[JK][\w-]{8,}\.[\w-]+\.[\w-]*"),  # a JWT
    re.compile(r"-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)"),
    re.compile(r"(?i)\b(?:bearer|basic)\s+(?!canary-)[\w.~+/-]{8,}"),
    re.compile(r"(?i)(?:password|secret|token|api[-_]?key)\"?\s*[=:]\s*\"?(?!canary-|\"|\s|null|\{|$)[^\s\",}]+"),
    re.compile(r"(?i)\w+://[^/\s@:]+:(?!canary-)[^/\s@]+@"),
    re.compile(r"\b(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"),  # a random UID
    re.compile(r"\b(?:[0-9a-f]{32}|[0-9a-f]{40,})\b"),
    re.compile(r"https?://(?:127\.0\.0\.1|localhost|\[::1\])"),
)
_HARMLESS = re.compile(r"(?i)(?:secretName|secretNamespace|serviceAccountToken|automountServiceAccountToken)\s*=")
"""Names of Secrets, which are no secrets."""


def credentials(value: Any) -> list[str]:
    """What of some JSON looks like a credential, or like an address or UID of one machine."""
    found = []
    for text in dict.fromkeys(texts(value)):
        if not _HARMLESS.match(text):
            found += [one[0] for pattern in _CREDENTIALS for one in pattern.finditer(text)]
    return found


_MEASURED = (  # how long the steps of conformance took
    (re.compile(r"(?m)^([✓✗] .*) \(\d+ s\)$"), r"\1 (1 s)"),
    (re.compile(r"(?m)^( {4}[a-z-]+ +?) {1,3}\d+\.\d s"), r"\1   0.1 s"),
    (re.compile(r"\(median [\d.]+ m?s, (longest|95 % within) [\d.]+ m?s\)"), r"(median 1 ms, \1 2 ms)"),
    (re.compile(r"\bafter \d+ requests?\b"), "after 1 request"),
    (re.compile(r"(?m)^(\d+ passed.*, in )\d+ s$"), r"\g<1>1 s"),
)


def volatile(text: str) -> str:
    """A text without what is another one in every run: times and random names."""
    text = _TIME.sub("TIME", text)
    text = re.sub(r"(\bobjects?,\s)\d+(?:\.\d+)? m?s(?=,\sjudged)", r"\g<1>0.02 s", text)
    text = re.sub(r'"seconds": [\d.]+', '"seconds": 0.02', text)
    for pattern, shown in _MEASURED:
        text = pattern.sub(shown, text)
    return re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:PORT", text)


def times(value: Any) -> list[str]:
    """All times of some JSON, in order."""
    return _TIME.findall(json.dumps(value, sort_keys=True))


def later(value: Any, seconds: float, known: Mapping[str, str] | None = None) -> Any:
    """JSON whose times are so much later: what is judged by its age is judged as on the day of the recording.

    Args:
        value: The JSON.
        seconds: How much later.
        known: What stands for single times, such as those that a command has sent.
    """

    def moved(found: re.Match[str]) -> str:
        if known and found[0] in known:
            return known[found[0]]
        time = datetime.strptime(found[0][:19].replace(" ", "T"), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
        return (time + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S") + found[0][19:]

    return mapped(value, lambda text: _TIME.sub(moved, text))


def filled(value: Any, urls: dict[str, str]) -> Any:
    """JSON or a text in which servers have their URLs of this run."""

    def change(text: str) -> str:
        for server, url in urls.items():
            text = text.replace(URL.format(server), url)
        return text

    return mapped(value, change)


def said(commands: Sequence[Sequence[str]], results: Sequence[tuple[int, str, str]]) -> str:
    """What commands printed, as a file."""
    parts = []
    for command, (code, out, err) in zip(commands, results, strict=True):
        parts.append(f"$ ccmcheck cluster {' '.join(command)}\n{out}{err}[exit code {code}]\n")
    return volatile("\n".join(parts))
