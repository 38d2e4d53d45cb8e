"""A file of another format or another program instead of a cloud.conf."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.foreign_format import encoding_of
from ccmcheck.catalog.signs.scorer import Recognition
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes


def check(conf: CloudConf) -> Problems:
    """Name the format of the text."""
    if conf.carried.recognition is not None and not conf.carried.recognition.taken:
        yield _nothing_of_it(conf, conf.carried.recognition)
        return
    other = conf.foreign_format if conf.document.stops else None
    if other is None or _is_reported_elsewhere(conf):
        return
    line = conf.line_at(other.span.start)
    stop = next((stop for stop in conf.reading.stops if other.whole or line.start <= stop.span.start <= line.end), None)
    fix = None
    if not other.whole and conf.text[line.start : line.end].strip() == "---":
        fix = fixes.safe(conf, "delete the line", fixes.delete_lines(conf.text, line))
    yield Problem(
        other.span,
        f"this is {other.name}, not a cloud.conf" if other.whole else f"this line is {other.name}, not cloud.conf",
        "The CCM expects sections such as `[Global]` with `key = value` lines, and stops here.",
        "Delete the line." if fix is not None else other.advice,
        fix,
        stop,
    )


def _nothing_of_it(conf: CloudConf, recognition: Recognition) -> Problem:
    """The problem with a file that the user named and that has nothing of a cloud.conf."""
    other = conf.foreign_format
    program = recognition.program
    place = recognition.span
    if not program and other is not None and other.whole:
        place, program = other.span, other.name
    if place.start == place.end:
        place = conf.line_at(len(conf.text) - len(conf.text.lstrip()))
    if recognition.is_encrypted:
        return Problem(
            place,
            f"this is {program}, so its content is unknown",
            "No rule looks at the file, and neither `fix` nor `set` changes it.",
            "Decrypt it first: standard input is linted with `ccmcheck lint -`.",
            severity=Severity.INFO,
        )
    return Problem(
        place,
        f"this is {program}, not a cloud.conf" if program else f"this is no cloud.conf: {recognition.reason}",
        "No other rule looks at the file, and neither `fix` nor `set` changes it.",
        "Name the CCM's file; its sections are `[Global]`, `[LoadBalancer]` and the like.",
        severity=Severity.INFO,
    )


def _is_reported_elsewhere(conf: CloudConf) -> bool:
    """Whether a rule about the object that contains the text reports that it is encoded once too often."""
    carrier = conf.carried.carrier
    return (carrier == "Secret" or carrier.startswith("Kubeadm")) and encoding_of(conf.text) is not None
