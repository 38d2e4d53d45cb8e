"""A workload of the CCM or the Cinder CSI driver that its namespace, or the system of its nodes, does not let start."""

from functools import partial

from ccmcheck.rules._support.storage_faults import first_fault

check = partial(first_fault, rule="pod-security")
