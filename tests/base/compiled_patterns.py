"""Prints the patterns that the package makes while it runs, beside those that its modules declare, as JSON."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from contextvars import Context
from typing import Any

COMMANDS = (
    "lint -v .", "lint --profile scs --profile gardener --release=1.20 --release=1.36 .", "fix --unsafe --diff .", "list -v .",
    "predict -vv .", "upgrade --from 1.20 .", "review good .", "read --reader cinder-csi-plugin@master cloud.conf",
    "show --profile scs cloud.conf", "explain create-monitor .", "explain duration-bad",
)  # fmt: skip


def main() -> None:
    """Run commands in the current folder, and note what is compiled for the package."""
    compile_pattern = re._compile  # type: ignore[attr-defined]
    seen: dict[tuple[str, int], None] = {}

    def noted(pattern: Any, flags: Any) -> Any:
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename == re.__file__:
            frame = frame.f_back
        if "/ccmcheck/" in frame.f_code.co_filename and isinstance(pattern, str):
            seen[pattern, int(flags)] = None
        return compile_pattern(pattern, flags)

    re._compile = noted  # type: ignore[attr-defined]
    from ccmcheck.cli.main import run

    for line in COMMANDS:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            Context().run(run, line.split())
    print(json.dumps(list(seen)))


if __name__ == "__main__":
    main()
