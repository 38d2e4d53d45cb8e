"""Source ranges that are not enforced."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog import octavia
from ccmcheck.rules._support.source_ranges import source_ranges
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the provider, the managed security groups and the Octavia release."""
    if not service.is_ours or service.behaviours["source-ranges-or-error"]:
        return
    ranges = source_ranges(service)
    if not ranges.restricts:
        return
    if service.driver.is_special and service.behaviours["knows-ovn"]:
        managed = service.config("manage-security-groups")
        in_groups = service.behaviours["source-ranges-in-ovn-groups"]
        if (in_groups and managed is not False) or not isinstance(managed, bool):
            return
        label = "not enforced: ovn has no access lists, and the CCM manages no security groups"
        help_text = (
            "Write `manage-security-groups = true` in cloud.conf."
            if in_groups
            else "Use amphora, a newer CCM with `manage-security-groups = true`, or your own security group."
        )
    elif (
        service.driver.has_amphorae
        and octavia.at_least(service.run_context.facts.octavia_release, _ENFORCED_SINCE) is False
    ):
        label = "not enforced: this Octavia has no access lists"
        help_text = "Upgrade Octavia, or restrict access to the nodes with your own security group."
    else:
        return
    where = "an event" if service.behaviours["writes-events"] else "the log"
    yield Problem(ranges.span, label, f"Every address has access; the CCM only reports it in {where}.", help_text)


_ENFORCED_SINCE = octavia.first_with("allowed-cidrs")
