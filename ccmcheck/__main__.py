"""``python -m ccmcheck``."""

from ccmcheck.cli.main import main

main()
