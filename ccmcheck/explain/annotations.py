"""Pages of the Service annotations, from the catalogue."""

from __future__ import annotations

from ccmcheck.catalog.data_types import Annotation
from ccmcheck.catalog.key_effects import CHANGED_LATER
from ccmcheck.catalog.stretches import lifetime
from ccmcheck.explain.page import Page


def annotation_page(annotation: Annotation) -> Page:
    """The page of one annotation: what it overrides, how it is read, what becomes of a bad value."""
    span = lifetime(annotation.stretches)
    since = span.first_tag or span.since
    releases = f"{since} to {span.until}" if span.until else f"{since} and newer"
    facts = [("type", annotation.type), ("releases", releases)]
    if span.missing_in_tags:
        facts.append(("not in", ", ".join(span.missing_in_tags)))
    if annotation.overrides:
        facts.append(("overrides", annotation.overrides))
    short = annotation.name.rpartition("/")[2]
    names = (f"{short} of a Service", short, *annotation.keys)
    facts.append(("changed later", next((CHANGED_LATER[name] for name in names if name in CHANGED_LATER), "")))
    facts += [("without it", annotation.default), ("read", annotation.parse), ("source", annotation.ref)]
    paragraphs = []
    if annotation.on_unparsable:
        lines = [f"{releases}: {what}" for releases, what in annotation.on_unparsable]
        paragraphs.append(("A value that cannot be read", "\n".join(lines)))
    if annotation.conflicts:
        paragraphs.append(("Does not go together with", "\n".join(annotation.conflicts)))
    if annotation.notes:
        paragraphs.append(("Notes", annotation.notes))
    see = tuple(f"LoadBalancer.{key}" for key in annotation.keys)
    shown = tuple((label, value) for label, value in facts if value)
    return Page("annotation", annotation.name, "Annotation of a Service", shown, tuple(paragraphs), see=see)
