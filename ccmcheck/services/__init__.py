"""What a rule about Services sees: one Service as it is written, the configuration near it, and what both come to."""

from ccmcheck.services.configured import options_at
from ccmcheck.services.view import ServiceView
from ccmcheck.services.written import Annotation

__all__ = ["Annotation", "ServiceView", "options_at"]
