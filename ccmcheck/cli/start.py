"""The first lines of the installed command: from here on Ctrl-C ends it without a traceback.

What follows takes its time to load. Until there is somebody who says that the command was interrupted, and after that,
the signal ends the process at once, as it does with programs in C.
"""

from __future__ import annotations

from typing import NoReturn

from ccmcheck.base.interrupts import end_on_interrupt

end_on_interrupt()


def program() -> NoReturn:
    """The installed command; its version is told without click, which takes twice as long to load as Python."""
    import sys

    if sys.argv[1:] == ["--version"]:
        import os
        from contextlib import suppress

        from ccmcheck import __version__

        with suppress(OSError):  # the command line says what is wrong
            os.write(1, f"ccmcheck {__version__}{os.linesep}".encode())
            sys.exit()
    from ccmcheck.cli.own_modules import find_own_modules_first

    find_own_modules_first()
    from ccmcheck.base.lazy_regex import late_patterns

    with late_patterns():
        import locale  # noqa: F401 - click's translations load it

        import click  # noqa: F401 - the modules that it loads have a dozen patterns, of which a run needs none
    from ccmcheck.cli.main import program as run

    run()


def plugin() -> NoReturn:
    """``kubectl ccmcheck``: the commands about a running cluster, under the name by which kubectl finds a plug-in."""
    import sys

    sys.argv[1:1] = ["cluster"]
    program()
