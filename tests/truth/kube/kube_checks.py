"""Counts what holds in a comparison that makes statements."""

from __future__ import annotations


class Checks:
    """Counts what holds."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def hold(self, name: str, holds: bool, seen: object = "") -> None:
        """Count one statement, and print what was seen where it does not hold."""
        if holds:
            self.passed += 1
            print(f"ok      {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAILED  {name}: {str(seen)[:3000]}", flush=True)
