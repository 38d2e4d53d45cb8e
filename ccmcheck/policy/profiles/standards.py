"""The names of the built-in profiles, and the record of several merged profiles; importing it reads no profile."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.base.profile import Requirement

BUILT_IN = (
    "upstream", "recommended", "scs", "scs-capi-provider", "scs-ovn", "scs-csp-helper", "scs-cluster-stacks",
    "openshift", "metakube", "kops", "gardener", "kubespray", "magnum",
)  # fmt: skip
"""The profiles that ccmcheck brings, in the order in which they are listed."""

ENDING = ".ini"


class Standards(NamedTuple):
    """The requirements and facts of several profiles, merged.

    Attributes:
        names: Their names.
        requirements: Of all of them; what two of them share counts once.
        facts: Of the cloud; a later profile wins.
    """

    names: tuple[str, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    facts: ClusterFacts = NO_FACTS


NO_STANDARDS = Standards()


def is_path(name: str) -> bool:
    """Whether a name in a configuration means a file beside it, as far as its looks tell."""
    return name not in BUILT_IN and (os.sep in name or "/" in name or name.endswith(ENDING))
