"""The parts of the Cinder CSI driver that disagree whether there are zones."""

from functools import partial

from ccmcheck.rules._support.storage_faults import first_fault

check = partial(first_fault, rule="csi-topology")
