"""The command line: one file a command; the only room that imports click, prints, or exits."""

import gc

# Modules make a hundred thousand objects that live to the end; looking through them again and again while they load
# costs more than loading a command does. Set before anything else is imported.
gc.set_threshold(100_000, 20, 50)
