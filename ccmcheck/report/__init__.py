"""The output formats: a name, and the small class that writes it.

A reporter only reads: it turns a finished `LintResult` into pieces of text. It prints nothing, and the exit code is
decided elsewhere, the same for every format. A format's module is imported when it is chosen, so that no run pays for
json who reads text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import WrongUse

if TYPE_CHECKING:
    from ccmcheck.report.base import Reporter

REPORTERS: dict[str, str] = dict(read_table(__file__, "reporters.tsv"))
"""From the name of a format to where its class is."""


def reporter(name: str) -> type[Reporter]:
    """Load the class of one format.

    Args:
        name: A key of ``REPORTERS``.

    Returns:
        The class.

    Raises:
        WrongUse: There is no format of that name.
    """
    place = REPORTERS.get(name)
    if place is None:
        from ccmcheck.base.suggest import hint

        message = f'There is no format "{name}"; there are {", ".join(REPORTERS)}.'
        raise WrongUse(message, hint(name, REPORTERS))
    module, _, class_name = place.partition(":")
    return cast("type[Reporter]", getattr(import_module(module), class_name))
