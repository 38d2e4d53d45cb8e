"""The recorded warnings of the real API server: one line a configuration, compressed."""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Any

from admission_generate import CONFIGURATIONS
from admission_ours import rendered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from admission_generate import Configuration

RECORDED = Path(__file__).resolve().parent / "recorded" / "warnings.jsonl.xz"
SEED, NUMBER = 20_261_122, 600
"""Of the Services that are recorded."""

Json = dict[str, Any]


def digest(configuration: Configuration) -> str:
    """Tells the policies of a configuration from others."""
    return hashlib.sha256(rendered(configuration).encode()).hexdigest()


def write(warnings: dict[str, list[list[str]]]) -> None:
    """Record the warnings of all Services by the configuration's name."""
    lines = [
        json.dumps({"name": one.name, "policies": digest(one), "warnings": warnings[one.name]}, ensure_ascii=False)
        for one in CONFIGURATIONS
    ]
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode(), preset=9))


def read() -> Iterator[Json]:
    """What was recorded."""
    for line in lzma.decompress(RECORDED.read_bytes()).decode().splitlines():
        yield json.loads(line)
