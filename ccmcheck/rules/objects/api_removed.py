"""An API that the version of Kubernetes, or a sidecar of the Cinder CSI driver, does not have any more, or not yet."""

from functools import partial

from ccmcheck.rules._support.storage_faults import first_fault

check = partial(first_fault, rule="api-removed")
