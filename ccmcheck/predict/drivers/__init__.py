"""Octavia's drivers, one file each: what a driver accepts, how it checks members, and whose address they see.

A driver's file has one record, ``DRIVER``; `PROVIDERS` in `ccmcheck.catalog.data.octavia` says which provider names it
serves. What no public source says stays None in the record, which every verdict reads as unknown.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ccmcheck.catalog.data.octavia import DEFAULT_PROVIDER, PROVIDERS
from ccmcheck.predict.drivers.record import Driver

USUAL_PROVIDERS = (DEFAULT_PROVIDER, "ovn")
"""The providers that are judged where only rendering gives lb-provider."""


@cache
def driver_of(provider: str | None) -> Driver:
    """The driver behind a provider's name; Octavia's default where none is asked for.

    Args:
        provider: The value of lb-provider, or what Octavia lists; None where that is not known.
    """
    name = "unknown" if provider is None else PROVIDERS.get(provider or DEFAULT_PROVIDER, "unknown")
    driver: Driver = import_module(f"{__name__}.{name}").DRIVER
    return driver._replace(is_named=False) if provider is None else driver
