"""Documents: a secret in every carrier, in every odd spelling and escape, with every command, format and verbosity."""

from __future__ import annotations

import base64
import re
import shutil
from functools import cache
from pathlib import Path
from unittest.mock import patch

import canary_product as product
from attack_judge import hits, told

from ccmcheck.lint import first_look

_leaks = cache(product.leaks)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")


def size() -> int:
    """How many there are."""
    return product.size()


def attack(number: int, folder: Path) -> list[str]:
    """Try one; what is wrong with it.

    Args:
        number: Which.
        folder: An empty one.
    """
    made = product.combination(number)
    written = made.escape.write()
    kept = folder / "kept"
    folder = folder / "checkout"
    folder.mkdir()
    (folder / made.carrier).write_bytes(product.file(made.carrier, made.spelling, written))
    (folder / "base").mkdir()
    plain = made.carrier.endswith((".conf", ".tmpl"))
    (folder / "base" / made.carrier).write_text("[LoadBalancer]\n" if plain else "a: b\n", encoding="utf-8")
    words = [f"base/{made.carrier}" if word == "base" else word.replace("FILE", made.carrier) for word in made.command]
    with patch.object(first_look, "WORTH_KEEPING", 1):  # the results of one file, too
        run = told(folder, words, XDG_CACHE_HOME=str(kept))
    shutil.rmtree(folder / "base")
    written_files = sorted(
        path for path in {*folder.glob("out*"), *folder.glob("out/**/*"), *kept.glob("**/*")} if path.is_file()
    )
    printed = run.out + run.err + "".join(path.read_text("utf-8", "replace") for path in written_files)
    leak = product.leak(printed + _decoded(printed), _leaks(written))
    return [*hits(run, words), *([f"{leak!r} of the secret is shown"] if leak else [])]


def described(number: int) -> str:
    """What it is."""
    made = product.combination(number)
    return f"{' '.join(made.command)}: {made.carrier}, {made.spelling!r}, {made.escape.name}"


def _decoded(text: str) -> str:
    """What any base64 in an output holds."""
    found = ""
    for blob in _ENCODED.findall(text):
        try:
            found += base64.b64decode(blob + "=" * (-len(blob) % 4)).decode("latin-1")
        except ValueError:
            continue
    return found
