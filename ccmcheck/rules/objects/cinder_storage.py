"""A StorageClass, a volume or a claim of Cinder that does not do what it says."""

from functools import partial

from ccmcheck.rules._support.storage_faults import first_fault

check = partial(first_fault, rule="cinder-storage")
