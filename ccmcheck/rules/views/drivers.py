"""Octavia's drivers, for rules: those of `ccmcheck.predict.drivers`."""

from __future__ import annotations

from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import Driver

__all__ = ["Driver", "driver_of"]
