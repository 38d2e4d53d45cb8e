"""Template marks in a text.

Files that carry a cloud.conf are often templates: clusterctl's ``${VAR:=default}``, Helm's and Jinja's ``{{ … }}``,
Terraform's ``%{ if … }``, several in one file. YAML and gcfg can read such a file only once the marks are covered by
ordinary characters, see `mask`.
"""

from __future__ import annotations

from ccmcheck.yamlio.cover import mask
from ccmcheck.yamlio.mark import Mark

__all__ = ["Mark", "find", "mask"]


_SIGNS = ("${", "{{", "{%", "{#", "%{")


def find(text: str, *, shell: bool = False) -> list[Mark]:
    """Find all template marks.

    Args:
        text: Any text.
        shell: Whether ``$VAR`` without braces is a mark too, as in Heat templates and shell heredocs.

    Returns:
        The marks in the order of the text; they do not overlap. An unclosed one is not a mark.
    """
    erb = "<%" in text
    dollar = shell and "$" in text
    if not erb and not dollar and ("{" not in text or not any(sign in text for sign in _SIGNS)):
        return []
    from ccmcheck.yamlio.mark_reader import read  # compiling its patterns is slow, and most texts have no marks

    return read(text, shell=dollar, erb=erb)
