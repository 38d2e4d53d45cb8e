"""File names as the CI formats want them: forward slashes, relative to the repository, percent-encoded in URIs."""

from __future__ import annotations

import os


def relative(path: str, root: str) -> str:
    """A path as a CI system knows it.

    Args:
        path: As the user named it.
        root: The folder that the CI system starts from, absolute; empty to change nothing but the slashes and ``./``.

    Returns:
        The path relative to ``root`` where it lies below it, with forward slashes.
    """
    if root and os.path.isabs(path):
        below = os.path.relpath(path, root)
        if below != os.pardir and not below.startswith(os.pardir + os.sep):
            path = below
    path = path.replace(os.sep, "/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def in_repository(path: str, root: str, repository: str) -> str:
    """A path as a code host knows it: relative to the repository's root, also where ccmcheck runs in a folder below it.

    Args:
        path: As the user named it.
        root: The folder that ccmcheck runs in, absolute.
        repository: The repository's root, absolute; empty where there is none.
    """
    if root and repository and not path.startswith("<"):
        path = os.path.normpath(os.path.join(root, path))
        return relative(path, repository)
    return relative(path, root)


def uri(path: str, root: str) -> str:
    """The same as a URI reference (RFC 3986): percent-encoded, ``file:`` where the path is absolute."""
    from urllib.parse import quote

    shown = relative(path, root)
    # a drive is a part of the path; a colon elsewhere would look like a scheme
    drive, rest = os.path.splitdrive(shown)
    encoded = quote(rest.encode("utf-8", "surrogateescape"), safe="/")
    if os.path.isabs(shown):
        return f"file:///{drive}{encoded}" if drive else f"file://{encoded}"
    return quote(drive) + encoded
