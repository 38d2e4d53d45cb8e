"""``ccmcheck --version --verbose``: the facts that a bug report needs."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import __version__


def facts() -> str:
    """The version, the releases of the CCM that it knows, and what it runs on; one a line."""
    width = max(len(name) for name, _ in _facts())
    return f"ccmcheck {__version__}\n" + "".join(f"  {name:{width}}  {value}\n" for name, value in _facts())


def _facts() -> Iterator[tuple[str, str]]:
    import os
    import platform
    import sys
    from importlib import metadata

    import ccmcheck
    from ccmcheck import catalog
    from ccmcheck.catalog.data.releases import AS_OF, BRANCHES, LAST_PATCH

    branches = [branch for branch in BRANCHES if branch != "master"]
    tags = sum(last + 1 for last in LAST_PATCH.values())
    newest = catalog.newest()
    yield "CCM releases", f"{branches[0]} to {newest} and master: {len(branches)} minor releases, {tags} tags"
    yield "newest tag", f"v{newest}.{LAST_PATCH[newest.branch]}"
    yield "catalog date", AS_OF
    yield "Python", f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    yield "platform", platform.platform()
    yield "installed in", os.path.dirname(ccmcheck.__file__)
    yield "encoding", f"{sys.stdout.encoding} (stdout), {sys.getfilesystemencoding()} (file names)"
    try:
        names = [_name_of(line) for line in metadata.requires("ccmcheck") or [] if "extra ==" not in line]
        yield "libraries", ", ".join(f"{name} {metadata.version(name)}" for name in names)
    except metadata.PackageNotFoundError:
        yield "libraries", "unknown: ccmcheck runs from its source and is not installed"


def _name_of(requirement: str) -> str:
    """``click`` of ``click>=8.1``."""
    import re

    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
