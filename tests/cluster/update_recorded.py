"""Writes what recorded runs print now: ``python tests/cluster/update_recorded.py``; read the difference then.

The recordings themselves are made at real servers: ``python tests/truth/run.py kube --record``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from recordings import load, names
from replay import replay


def main() -> int:
    """Replay all recordings; 1 where a command asks for something that was not recorded."""
    wrong = 0
    for name in names():
        with tempfile.TemporaryDirectory() as folder:
            recording = load(name)
            replayed = replay(recording, Path(folder))
        for line in (*replayed.unexpected, *replayed.missing):
            print(f"{name}: not as recorded: {line}")
            wrong = 1
        recording.printed.write_text(replayed.printed, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
