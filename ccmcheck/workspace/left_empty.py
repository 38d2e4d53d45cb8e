"""Secrets whose cloud.conf is left empty: an error, unless another text of the run fills it.

That is an object that writes Secrets, a kustomization, a patch or a command which names the Secret. Only where there is
an empty one, all files are read for it, as texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import CarriedConf

_KEY = rb"loud(?:[._-]?conf(?:ig)?|[._-]?provider)(?:\.conf)?[\"']?[ \t]*+:[ \t]*+"
_EMPTY = lazy_regex(_KEY + rb"(?:\"\"|'')")
_FULL = lazy_regex(_KEY + rb"(?!\"\"|''|[#\s])")
_WRITER = lazy_regex(
    rb"kind[\"']?[ \t]*+:[ \t]*+[\"']?(?!Secret\b)(?:[A-Za-z]*Secret[A-Za-z]*+|OnePasswordItem|Kustomization)\b"
    rb"|replicator\.v1\.mittwald\.de/|reflector\.v1\.k8s\.emberstack\.com/reflects|avp\.kubernetes\.io/"
)
"""An object that writes Secrets, or an annotation by which a controller fills the object that has it."""
_COMMANDS = (b"secret ", b"secret/", b"secrets/", b"generic ")


def may_be_left_empty(data: bytes) -> bool:
    """Whether a file may hold a Secret with an empty cloud.conf."""
    return _EMPTY.search(data) is not None


def names_of_empty(carried: Iterable[CarriedConf]) -> set[str]:
    """The names of the objects whose cloud.conf is empty."""
    return {_name(conf) for conf in carried if _is_empty(conf)}


def filled(names: Iterable[str], texts: Iterable[bytes]) -> frozenset[str]:
    """Which empty Secrets something fills.

    Args:
        names: Their names.
        texts: All files of the run.
    """
    left = {name: name.encode() for name in names}
    for text in texts if left else ():
        here = {name: word for name, word in left.items() if word in text}
        for document in text.split(b"\n---") if here else ():
            for name in [name for name, word in here.items() if word in document and _writes(word, document)]:
                left.pop(name, None)
    return frozenset(names).difference(left)


def without_filled(carried: Iterable[CarriedConf], names: Collection[str]) -> list[CarriedConf]:
    """The cloud.confs without the empty ones that something fills.

    Args:
        carried: The cloud.confs.
        names: The objects that something fills.
    """
    return [conf for conf in carried if not (_is_empty(conf) and _name(conf) in names)]


def _writes(name: bytes, document: bytes) -> bool:
    is_written = _WRITER.search(document) is not None or _FULL.search(document) is not None
    return is_written or any(command + name in document for command in _COMMANDS)


def _is_empty(conf: CarriedConf) -> bool:
    return not conf.text and bool(conf.subject)


def _name(conf: CarriedConf) -> str:
    return conf.subject.rpartition("/")[2].rpartition(" ")[2]
