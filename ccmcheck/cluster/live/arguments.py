"""The command line of the CCM in a workload: its flags with their effective values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.core import NamedTuple, Opaque, ccm_flags, cluster_names, images, lazy_regex

_VARIABLE = lazy_regex(r"\$\((\w+)\)")
_SHORT = {"v": "v"}
"""Flags that klog has with one hyphen, too."""


class CommandLine(NamedTuple):
    """The CCM's container in a workload.

    Attributes:
        container: Its name.
        image: Its image; an `Opaque` where that is known only after rendering.
        release: The release of its tag; empty where the tag gives none.
        flags: The values of the flags that are given, by their names.
        unknown: The flags whose values are known only after rendering.
        is_whole: Whether all arguments are known; else a flag that is not among them may be given.
    """

    container: str
    image: str
    release: str
    flags: Mapping[str, str]
    unknown: frozenset[str]
    is_whole: bool


def command_line(workload: object) -> CommandLine | None:
    """The CCM's command line in a workload.

    Args:
        workload: The object as plain data; texts with a template mark as `Opaque`.

    Returns:
        It; None where no container runs the CCM.
    """
    spec = mapping(mapping(workload).get("spec"))
    if mapping(workload).get("kind") != "Pod":
        spec = mapping(mapping(spec.get("template")).get("spec"))
    for container in mappings(spec.get("containers")):
        image = container.get("image")
        words = [word for name in ("command", "args") for word in _words(container.get(name))]
        if not isinstance(image, str) or not (images.is_ccm_image(image) or _starts_ccm(words)):
            continue
        environment = {text(entry.get("name")): entry.get("value") for entry in mappings(container.get("env"))}
        flags, unknown, is_whole = _flags([_expanded(word, environment) for word in words])
        release = "" if isinstance(image, Opaque) else images.release_of(image)
        return CommandLine(text(container.get("name")), image, release, flags, unknown, is_whole)
    return None


def _words(value: object) -> list[str]:
    return [word if isinstance(word, str) else Opaque("") for word in value] if isinstance(value, list) else []


def _starts_ccm(words: Sequence[str]) -> bool:
    return bool(words) and words[0].rpartition("/")[2] == cluster_names.PROGRAM and " " not in words[0]


def _expanded(word: str, environment: Mapping[str, object]) -> str:
    """An argument with the container's environment put in; what comes from elsewhere stays."""
    if isinstance(word, Opaque):
        return word
    is_open = False

    def value(match: object) -> str:
        nonlocal is_open
        name = match[1]  # type: ignore[index]  # a match of the pattern
        found = environment.get(name)
        is_open = is_open or isinstance(found, Opaque) or (name in environment and not isinstance(found, str))
        return found if isinstance(found, str) else f"$({name})"

    expanded = _VARIABLE.sub(value, word)
    return Opaque(expanded) if is_open else expanded


def _flags(words: Sequence[str]) -> tuple[dict[str, str], frozenset[str], bool]:
    """The flags among the arguments, those with unknown values, and whether all arguments are known."""
    given: dict[str, str] = {}
    unknown: set[str] = set()
    is_whole = True
    for name, value in _pairs(words):
        if not name:
            is_whole = False
        elif isinstance(value, Opaque):
            unknown.add(name)
        elif name in ccm_flags.LISTS and name in given:
            given[name] = f"{given[name]},{value}"
        else:
            given[name] = value
    return {name: value for name, value in given.items() if name not in unknown}, frozenset(unknown), is_whole


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and values; an empty name for an argument that may hold any flag."""
    waiting = ""
    for word in _split(words):
        if waiting:
            name, waiting = waiting, ""
            yield name, word
            continue
        written, equals, value = word.partition("=")
        name = written.lstrip("-").replace("_", "-")
        is_flag = written.startswith("--") or (written.startswith("-") and name in _SHORT)
        if isinstance(word, Opaque) and not (is_flag and equals and name.replace("-", "").isalnum()):
            yield "", ""
        elif is_flag and equals:
            yield name, Opaque(value) if isinstance(word, Opaque) else value
        elif is_flag and name in ccm_flags.SWITCHES:
            yield name, "true"
        elif is_flag:
            waiting = name
    if waiting:
        yield waiting, ""


def _split(words: Sequence[str]) -> Iterator[str]:
    """The arguments; those of a shell's command line, too."""
    for word in words:
        if cluster_names.PROGRAM in word and " " in word and not isinstance(word, Opaque):
            yield from word.split()
        else:
            yield word
