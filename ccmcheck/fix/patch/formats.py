"""The formats by their names, and what a change of a file is in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.fix.patch import clusterclass, git, json_patch, kustomize, merge, strategic
from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain, changes
from ccmcheck.fix.patch.secrecy import holds_secret, masked
from ccmcheck.fix.patch.yaml_text import write
from ccmcheck.redact import masked_heading

MASKED = masked_heading("patch")
"""The first line of a masked patch."""

_NOT_IN_A_NAME = lazy_regex(r"[^A-Za-z0-9.-]+")


class Format(NamedTuple):
    """How the patches of one format are made and written.

    Attributes:
        make: Turns the change of one object into a patch.
        join: Makes one document of all patches of a run; None where each object has its own.
        suffix: How the name of a file ends; the whole name where all patches are one document.
        notes: Notes for applying it.
        ends_lines: See `ccmcheck.fix.patch.objects.changes`; whether its tool does.
        heading: A comment above all patches.
    """

    make: Callable[[ObjectChange], Plain]
    suffix: str
    join: Callable[[Sequence[Plain]], Plain] | None = None
    notes: Callable[[ObjectChange], list[str]] = lambda _: []
    ends_lines: bool = True
    heading: str = ""


GIT = "git"
OF_OBJECTS = {
    "json": Format(json_patch.make, ".json", notes=json_patch.notes),
    "merge": Format(merge.make, ".json"),
    "strategic": Format(strategic.make, ".yaml"),
    "kustomize": Format(
        kustomize.make, "kustomization.yaml", kustomize.join, ends_lines=False, heading=kustomize.HEADING
    ),
    "clusterclass": Format(clusterclass.make, "clusterclass-patches.yaml", clusterclass.join, clusterclass.notes),
}


class Patch(NamedTuple):
    """One patch.

    Attributes:
        subject: What it is for: ``Secret kube-system/cloud-config``, or the file of a git difference.
        name: The name of its file, without what the format adds.
        body: Its data; the text of a git difference.
        masked: The same with every secret masked.
        secret: Whether it holds one.
        notes: Notes for applying it, a sentence each.
    """

    subject: str
    name: str
    body: Plain
    masked: Plain
    secret: bool
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Patch of {self.subject}>"  # the body may hold secrets


class PatchRefusal(NamedTuple):
    """A change that gets no patch."""

    message: str
    hint: str = ""


def patches(format_name: str, path: str, before: str, after: str) -> tuple[list[Patch], list[PatchRefusal]]:
    """What a change of a file is in a format.

    Args:
        format_name: ``git``, or one of `OF_OBJECTS`.
        path: The file.
        before: Its text before.
        after: Its text after.

    Returns:
        The patches, and what cannot be patched.
    """
    if before == after:
        return [], []
    if format_name == GIT:
        diff = git.make(path, before, after)
        return [Patch(path, path, diff.text, diff.masked, diff.text != diff.masked)], []
    try:
        found_changes, others = changes(path, before, after, ends_lines=OF_OBJECTS[format_name].ends_lines)
    except CannotPatch as error:
        return [], [PatchRefusal(error.message, error.hint)]
    made: list[Patch] = []
    refused = [PatchRefusal(message, "Use --patch git for it.") for message in others]
    for change in found_changes:
        try:
            made.append(_made(OF_OBJECTS[format_name], change))
        except CannotPatch as error:
            refused.append(PatchRefusal(error.message, error.hint))
    if not found_changes and not others:
        refused.append(PatchRefusal(f"the change of {path} is none to its objects", "Use --patch git."))
    return made, refused


def _made(form: Format, change: ObjectChange) -> Patch:
    if not change.before.named_as(change.after):
        raise CannotPatch(
            f"{change.before.subject} would get another name, which no patch can give it", "Use --patch git."
        )
    body = form.make(change)
    return Patch(
        change.before.subject,
        "-".join(part for part in (change.before.kind, change.before.namespace, change.before.name) if part).lower(),
        body,
        masked(body),
        holds_secret(body),
        tuple(form.notes(change)),
    )


def text_of(format_name: str, made: Sequence[Patch], *, with_secrets: bool) -> str:
    """Patches as one text, secrets masked unless they are asked for.

    Args:
        format_name: See `patches`.
        made: The patches; at least one.
        with_secrets: Whether to write them whole.
    """
    hidden = not with_secrets and any(patch.secret for patch in made)
    bodies = [patch.masked if hidden else patch.body for patch in made]
    return (MASKED if hidden else "") + _written(format_name, bodies)


def files_of(format_name: str, made: Sequence[Patch]) -> dict[str, str]:
    """Patches as files by their names, secrets and all.

    Args:
        format_name: See `patches`.
        made: The patches.
    """
    if not made:
        return {}
    form = OF_OBJECTS.get(format_name)
    if form is not None and form.join is not None:
        return {form.suffix: _written(format_name, [patch.body for patch in made])}
    found: dict[str, str] = {}
    suffix = ".patch" if form is None else form.suffix
    for patch in made:
        stem = name = _NOT_IN_A_NAME.sub("-", patch.name).strip("-.") or "patch"
        number = 1
        while name + suffix in found:
            number += 1
            name = f"{stem}-{number}"
        found[name + suffix] = _written(format_name, [patch.body])
    return found


def _written(format_name: str, bodies: Sequence[Plain]) -> str:
    if format_name == GIT:
        return "".join(str(body) for body in bodies)
    form = OF_OBJECTS[format_name]
    if form.join is not None:
        return form.heading + write(form.join(bodies))
    if form.suffix == ".yaml":
        return "---\n".join(write(body) for body in bodies)
    from ccmcheck.report.records import dumped_lines

    return "".join(map(dumped_lines, bodies))
