"""How Ctrl-C ends the process: at once, or by an exception that somebody reports."""

from __future__ import annotations

import signal


def end_on_interrupt() -> None:
    """Let Ctrl-C end the process at once, unless whoever started it ignores Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_on_interrupt() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, after `end_on_interrupt`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
