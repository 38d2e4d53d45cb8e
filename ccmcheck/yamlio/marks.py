"""Template marks in a text.

Files that carry a cloud.conf are often templates: clusterctl's ``${VAR:=default}``, Helm's and Jinja's ``{{ … }}``,
Terraform's ``%{ if … }``, several in one file. YAML and gcfg can read such a file only once the marks are covered by
ordinary characters, see `mask`.
"""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.yamlio.cover import mask

__all__ = ["Mark", "find", "mask"]


class Mark(NamedTuple):
    """One template mark.

    Attributes:
        span: From its first brace or sign to its last.
        kind: ``variable`` (``${VAR}`` and its forms), ``shell`` (``$VAR``), ``escape`` (``$${…}``, prints ``${…}``),
            ``braces`` (``{{ … }}`` that prints something), ``control`` (conditions, loops, assignments), ``comment``.
        name: The variable's name where the mark is just that; else empty.
        default: What stands in the place of a variable that is not set; None without one.
    """

    span: Span
    kind: str
    name: str = ""
    default: str | None = None

    @property
    def prints(self) -> bool:
        """Whether something stands in its place after rendering, as far as one can tell from the mark alone."""
        return self.kind not in ("control", "comment")


_SIGNS = ("${", "{{", "{%", "{#", "%{")


def find(text: str, *, shell: bool = False) -> list[Mark]:
    """Find all template marks.

    Args:
        text: Any text.
        shell: Whether ``$VAR`` without braces is a mark too, as in Heat templates and shell heredocs.

    Returns:
        The marks in the order of the text; they do not overlap. A mark that is not closed is none.
    """
    erb = "<%" in text
    dollar = shell and "$" in text
    if not erb and not dollar and ("{" not in text or not any(sign in text for sign in _SIGNS)):
        return []
    from ccmcheck.yamlio.mark_reader import read  # its patterns cost more than most texts do, and most have no marks

    return read(text, shell=dollar, erb=erb)
