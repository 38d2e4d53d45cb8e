"""What the CCM finds Octavia to support, by the newest version that its API offers.

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer.go IsOctaviaFeatureSupported.
"""

from __future__ import annotations

from ccmcheck.catalog.octavia import api_has, api_version
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.requests.notes import Notes


class Features:
    """What the CCM finds Octavia to support.

    Args:
        cloud: What is known of it; an unknown version counts as the newest, and is noted.
        ovn: Whether the CCM leaves ovn out.
        notes: Takes the assumption.
    """

    def __init__(self, cloud: CloudState, ovn: bool, notes: Notes) -> None:
        self.api = cloud.api or api_version(cloud.facts.octavia_release)
        self.ovn = ovn
        if self.api is None:
            least = "with every feature that the CCM uses (2.16, Ussuri)"
            notes.assume(
                f"the releases of Octavia and ovn-octavia-provider are not given: ones {least} and without the known "
                "defects are assumed"
                if ovn and not cloud.ovn_release
                else f"Octavia's release is not given: one {least} is assumed"
            )

    def available(self, feature: str) -> bool:
        """Whether its API has a feature; a name in ``ccmcheck.catalog.data.octavia.API_FEATURES``."""
        return api_has(feature, self.api) is not False

    def supports(self, feature: str) -> bool:
        """The same for what ovn never has."""
        return not self.ovn and self.available(feature)
