"""``python -m ccmcheck``."""

import ccmcheck.cli.start  # noqa: F401 - first of all: how Ctrl-C ends what follows
from ccmcheck.cli.main import main

main()
