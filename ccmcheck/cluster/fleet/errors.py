"""Why the credentials of one cluster of a fleet are not used."""

from __future__ import annotations

from ccmcheck.cluster.core import errors


class Unusable(errors.InputError):
    """A kubeconfig that is broken, or asks for something that is not allowed; its texts quote none of its values.

    Args:
        message: What is wrong.
        hint: What to do next.
    """
