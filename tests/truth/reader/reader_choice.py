"""Chooses the inputs whose answers are recorded: few, short, and each shows something that no other does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import generate
import reader_words as words
from reader_oracle import Answer

SEED = 1
CANDIDATES = 30_000
LONGEST = 120  # bytes

# what was once read differently, and what no chance would find
BY_HAND = (
    b"",
    b"[Global]\nuse-clouds\nregion = r\nregion\n",
    b"[Global]\nuse-clouds = yes\ntrust-id = \x80",
    b"[LoadBalancer]\nmonitor-delay = 5\n[Global]\nuse-clouds\n",
    b"[Global]\nuse-clouds\ncloud = c\nclouds-file = /nowhere\n",
    b"[Global]\nuse-clouds\ncloud = c\n[LoadBalancer]\nlb-provider = x\n",
    b"[Global]\nsecret-name = n\nsecret-namespace = n\nx\n",
    b"[LoadBalancer]\nlb-provider = ovn\n",
    b"[LoadBalancer]\nlb-provider =\n",
    b"[LoadBalancer]\nlbclasses\n",
    b"[LoadBalancer]\nlbclasses = x\n",
    b"[Config]\nx\n",
    b"[config]\nglobal = x\n",
    b"[Config]\nLoadBalancerClass\n",
    b'[Global "a"]\nregion = r\n[Route ";"]\n[x "y"]\nz\n',
    b'[Global "a"]\nregion = r\n[Global]\nregion = s\n',
    b"[LoadBalancerClass]\nsubnet-id = s\n",
    b'[LoadBalancerClass "a"]\nsubnet-id\n[Route]\nrouter-id\n',
    b'[LoadBalancerClass "a"]\nsubnet-id\n[Route]\nrouter-id = "\n',
    b"[LoadBalancer]\nenabled = x\n\x00",
    b"[LoadBalancer]\nenabled = x\n y = \xff",
    b'[Global]\npassword = a\\"b\n',
    b"\xef\xbb\xbf[Global]\n",
    "[Global]\nuſername = u\n[LoadBalancer]\nmonitor-max-retrieſ = 2\n".encode(),
    "[loadbalancer]\nfloating-networ\u212a-id = n\n".encode(),
)  # fmt: skip

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|\d+|U\+.*')
_PLACE = re.compile(r"\d+:\d+: ")

# every release of the CCM is recorded; of the others those between which something changed
RECORDED_OTHERS = frozenset({
    ("cinder-csi-plugin", "v1.17.0"), ("cinder-csi-plugin", "v1.20.0"), ("cinder-csi-plugin", "v1.21.0"),
    ("cinder-csi-plugin", "v1.30.0"), ("cinder-csi-plugin", "v1.31.2"), ("cinder-csi-plugin", "v1.36.0"),
    ("barbican-kms-plugin", "v1.17.0"), ("barbican-kms-plugin", "v1.36.0"),
    ("legacy-in-tree", "v0.20.0"), ("legacy-in-tree", "v0.25.0"),
})  # fmt: skip


def by_type() -> Iterator[bytes]:
    """Every value of the lists, in a key of its type."""
    for text, values in (
        ("[LoadBalancer]\ncreate-monitor = {}\n", words.BOOLS),
        ("[LoadBalancer]\nmonitor-max-retries = {}\n", words.INTEGERS),
        ("[LoadBalancer]\nmax-shared-lb = {}\n", words.INTEGERS),
        ("[LoadBalancer]\nmonitor-delay = {}\n", words.DURATIONS),
        ("[Global]\nos-endpoint-type = {}\n", words.WORDS),
        ('[Global]\nos-endpoint-type = " {} "\n', words.WORDS[:4]),
        ('[LoadBalancer]\nmonitor-max-retries = " {}"\n', words.INTEGERS[:4]),
    ):
        for value in values:
            yield text.format(value).encode()


def candidates() -> list[bytes]:
    """Made inputs, the shortest first; no real file is among what they are made from."""
    made = {data for data in generate.inputs(SEED, CANDIDATES, ()) if len(data) <= LONGEST}
    return sorted(made, key=lambda data: (len(data), data))


def features(data: bytes, answer: Answer, empty: Answer) -> set[tuple[str, ...]]:
    """What an input shows, as one reader reads it.

    Args:
        data: The input.
        answer: To it.
        empty: The same reader's answer to an empty file.
    """
    shape = _QUOTED.sub("…", answer.error)
    found: set[tuple[str, ...]] = {("error", shape)}
    for key, value in answer.values.items():
        if value != empty.values.get(key, ""):
            found.add(("set", key[0], "" if key[1] is None else "x", key[2]))
    for _, subsection, name in answer.ignored:
        found.add(("ignored", str(subsection is None), str(name is None)))
    constructs = (b"\\\n", b"\\\r\n", b'\\"', b"\\\\", b"\\n", b"\\t", b'""', b"\r\n", b"\r", b"#", b";", b'"#', b"\t", b"\xc2\xa0",
                  b"\x0c", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\x85", b"\x7f", b" ]", b"[ ", b'" "')  # fmt: skip
    kind = "syntax" if _PLACE.match(answer.error) else answer.outcome
    found |= {("construct", str(construct), kind) for construct in constructs if construct in data}
    return found


def choose(inputs: Sequence[bytes], shown: Sequence[set[tuple[str, ...]]]) -> list[bytes]:
    """Those that show something new, in the given order."""
    seen: set[tuple[str, ...]] = set()
    chosen = []
    for data, features_of_it in zip(inputs, shown, strict=True):
        if features_of_it - seen:
            seen |= features_of_it
            chosen.append(data)
    return chosen
