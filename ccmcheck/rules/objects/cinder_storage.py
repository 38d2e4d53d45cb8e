"""A StorageClass, a volume or a claim of Cinder that does not do what it says."""

from ccmcheck.rules._support.storage_faults import check

__all__ = ["check"]
