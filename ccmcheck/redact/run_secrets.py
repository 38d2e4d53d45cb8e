"""Secrets of a run, not of one text: the values of variables and arguments with secret names, and of a cluster's CCM.

They are hidden in every output of the run, under whatever key they end up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from ccmcheck.base.model import HiddenWords, Span

_SECRETS: ContextVar[frozenset[str]] = ContextVar("secrets of the run", default=frozenset())

_AROUND = " \t\r\n\"'"


def run_secrets() -> frozenset[str]:
    """The values that must not be shown in this run."""
    return _SECRETS.get()


def joined(some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """All of two sets; one of them itself where the other is empty, so that what is known of it need not be redone."""
    return some | others if some and others else some or others


def hide_variables(variables: Mapping[str, str]) -> None:
    """Hide the values of variables with secret names from now on, in this context and what it starts.

    Args:
        variables: All variables: of ``--var``, ``--env-file`` and the configuration, or arguments by their keys.
    """
    from ccmcheck.redact.names import is_secret_name
    from ccmcheck.redact.values import is_harmless

    _hide(frozenset(value for name, value in variables.items() if is_secret_name(name) and not is_harmless(value)))


def hide(values: Iterable[str]) -> None:
    """Hide credentials from now on, in this context and what it starts.

    Args:
        values: Those of a kubeconfig or a clouds.yaml; those that are empty or harmless are left out.
    """
    _hide(told_apart(values))


def hide_those_of(texts: Iterable[str]) -> None:
    """Hide the secrets of some cloud.confs in whatever else this run shows: in another object, in a log.

    Args:
        texts: The cloud.confs.
    """
    _hide(secrets_of_texts(texts))


def secrets_of_texts(texts: Iterable[str]) -> HiddenWords:
    """The secrets of some cloud.confs that may be looked for in other texts; see `distinct_secrets`."""
    from ccmcheck.redact.secrets import secret_spans

    return HiddenWords(value for text in texts for value in distinct_secrets(text, secret_spans(text)))


def distinct_secrets(text: str, spans: Iterable[Span]) -> HiddenWords:
    """The secrets of a cloud.conf that may be looked for in other texts.

    Args:
        text: The cloud.conf.
        spans: Where its secrets are. Those of a few characters are left out: they would hide half of every message.
    """
    from ccmcheck.redact.secrets import defaults

    raw = {text[slice(*span)].strip(_AROUND) for span in spans}
    return told_apart(raw.union(*map(defaults, raw)))


def told_apart(secrets: Iterable[str]) -> HiddenWords:
    """The secrets of some that may be looked for in other texts: few characters may stand there by chance."""
    from ccmcheck.redact.matcher import LONG_ENOUGH
    from ccmcheck.redact.values import is_harmless

    return HiddenWords(value for value in secrets if len(value) >= LONG_ENOUGH and not is_harmless(value))


@contextmanager
def hiding(secrets: frozenset[str]) -> Iterator[None]:
    """Hide some more secrets in all that is said in the block: those of the cloud.confs near the file it is about."""
    token = _SECRETS.set(joined(_SECRETS.get(), secrets))
    try:
        yield
    finally:
        _SECRETS.reset(token)


def _hide(values: frozenset[str]) -> None:
    if values:
        _SECRETS.set(_SECRETS.get() | values)
