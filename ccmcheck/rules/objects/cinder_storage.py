"""A StorageClass, a volume or a claim of Cinder that does not do what it says."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.rules._support.storage_faults import first_fault
from ccmcheck.rules.views.manifest import Manifest


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look for the faults of this rule in the table."""
    return first_fault(manifest, "cinder-storage")
