"""Counts how often anything but the text at hand is asked for: another file, a chart, what the files around start.

What a run keeps for the next one (`ccmcheck.lint.kept_results`) is only what was judged without that.
"""

from __future__ import annotations


class _Consulted:
    """The count of this process; who asks for something adds to it.

    Attributes:
        times: How often.
    """

    times = 0


consulted = _Consulted()
