"""What the flags of the CCM are where they are not given.

Source: ``openstack-cloud-controller-manager --help`` of v1.31.2 and v1.36.0, which agree: k8s.io/cloud-provider
app/options, k8s.io/component-base and pkg/client of cloud-provider-openstack.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

SERVICE_CONTROLLER = ("service", "service-lb-controller")
"""What ``--controllers`` calls the one that makes load balancers: its alias and, since Kubernetes 1.27, its name.

Source: k8s.io/cloud-provider names/controller_names.go; app/controllermanager.go IsControllerEnabled
"""

_FLAGS = read_table(__file__, "ccm_flags.tsv")

SWITCHES = frozenset([name for name, kind, *_ in _FLAGS if kind == "switch"])
"""Flags that are true where they have no value; the next argument is never theirs."""

DURATIONS = frozenset([name for name, kind, *_ in _FLAGS if kind == "duration"])
"""Flags whose values Go reads as durations."""

LISTS = frozenset([name for name, kind, *_ in _FLAGS if kind == "list"])
"""Flags with values between commas, which add up where the flag comes several times; their order plays no part."""

DEFAULTS: dict[str, str] = {name: value for name, _, *values in _FLAGS for value in values}
"""The value of a flag that is not given; a switch that is not here is false, any other flag empty."""
