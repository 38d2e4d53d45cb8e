"""The parts of the Cinder CSI driver that disagree whether there are zones."""

from ccmcheck.rules._support.storage_faults import check

__all__ = ["check"]
