"""The first lines of the installed command: from here on Ctrl-C ends it without a traceback.

What follows takes its time to load. Until there is somebody who says that the command was interrupted, and after that,
the signal ends the process at once, as it does with programs in C.
"""

from __future__ import annotations

import signal
from typing import NoReturn


def end_on_interrupt() -> None:
    """Let Ctrl-C end the process at once, unless whoever started it ignores Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_on_interrupt() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, after `end_on_interrupt`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


end_on_interrupt()


def program() -> NoReturn:
    """The installed command."""
    from ccmcheck.cli.main import program as run

    run()
