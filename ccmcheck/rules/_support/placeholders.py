"""The problem with a placeholder that was never filled in: the same words in a cloud.conf and in a Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.rules._support import spelling
from ccmcheck.rules.views.manifest import Manifest

RENDER = "Render the file before it is used; lint a template with `--template`."
_LONGEST = 60


def never_filled_in(left: str, reader: str) -> str:
    """The label for a placeholder.

    Args:
        left: As `spelling.placeholder` finds it; empty where it must not be shown.
        reader: Who reads it, ``the CCM``.
    """
    named = f"`{left if len(left) <= _LONGEST else left[:_LONGEST] + '…'}`" if left else ""
    if spelling.is_mask(left):
        return f"{named} is a mask, not a value; {reader} reads it literally"
    return f"{named or 'this placeholder'} was never filled in; {reader} reads it literally"


def severity_in(path: str, severity: Severity) -> Severity:
    """How bad a placeholder is: in a document it says what readers put in their own copy."""
    return Severity.INFO if is_document(path) else severity


def are_for_readers(path: str, *, is_named: bool) -> bool:
    """Whether no placeholder is reported: in a document that was found in a folder.

    Args:
        path: The file.
        is_named: Whether the user named it.
    """
    return not is_named and is_document(path)


def in_service(manifest: Manifest, place: Span, left: str, reader: str = "the CCM") -> Problems:
    """The problem with a placeholder in a Service, which takes the place of any other about the same value.

    Args:
        manifest: The Service; in a template something fills the placeholder in later.
        place: Where the value is.
        left: As `spelling.placeholder` finds it.
        reader: Who reads it.
    """
    if manifest.final and not are_for_readers(manifest.path, is_named=manifest.is_named):
        label = never_filled_in(left, reader)
        # tools may fill in what is only found in a folder
        severity = severity_in(manifest.path, Severity.ERROR if manifest.is_named else Severity.WARNING)
        yield Problem(place, label, "", "Write the value itself.", severity=severity)
