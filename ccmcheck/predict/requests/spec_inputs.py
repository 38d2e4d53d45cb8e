"""What the load balancer spec of one Service is derived from, handed on as one."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.annotations import Annotations
from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.requests.notes import Notes


class SpecInputs(NamedTuple):
    """One Service and what is known around it.

    Attributes:
        options: The configuration.
        service: The Service.
        annotations: Its annotations, as the release reads them.
        cloud: What is known around it.
        notes: Takes what has no effect, events and assumptions.
    """

    options: Options
    service: Service
    annotations: Annotations
    cloud: CloudState
    notes: Notes

    @property
    def behaviours(self) -> Behaviours:
        """The release's behaviours."""
        return self.annotations.behaviours
