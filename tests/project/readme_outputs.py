"""Writes the outputs of the examples into the README and the guides: ``python tests/project/readme_outputs.py``; read them then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from test_readme import FENCE, PAGES, ROOT, TIME, steps


def filled(block: str, folder: Path) -> str:
    """One block with what its commands print now."""
    shutil.copytree(ROOT / "samples", folder / "samples")
    shim = folder / "bin" / "ccmcheck"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ccmcheck "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    environment = {
        "PATH": f"{shim.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "COLUMNS": "120",
        "PYTHONPATH": str(ROOT),
    }
    lines: list[str] = []
    for step in steps(block):
        command = step.command.split("\n")
        lines += [f"$ {command[0]}", *(f"> {line}" for line in command[1:])]
        done = subprocess.run(
            ["bash", "-c", step.command], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if "internal error" in done.stderr:
            sys.exit(f"{step.command}\n{done.stderr}The pages are left as they were.")
        printed = TIME.sub("0.02 s", done.stdout + done.stderr).strip("\n")
        if printed:
            lines += [line.rstrip() for line in printed.split("\n")]
    return "```console\n" + "\n".join(lines) + "\n```"


def main() -> None:
    texts = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in reversed(list(FENCE.finditer(text))):
            with tempfile.TemporaryDirectory() as folder:
                text = text[: match.start()] + filled(match.group(1), Path(folder)) + text[match.end() :]
        texts[page] = text
    for page, text in texts.items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
