"""What a kubeconfig may make us do: run programs, read files, skip the checks of TLS, use a proxy.

The words are those of kuberc's credentialPluginPolicy. A kubeconfig out of a Secret was written by whoever can write
that Secret, so by default nothing of this is done for it.
"""

from __future__ import annotations

from ccmcheck.cluster.core import NamedTuple

ALLOW_ALL, DENY_ALL, ALLOWLIST = "AllowAll", "DenyAll", "Allowlist"


class Trust(NamedTuple):
    """What is allowed.

    Attributes:
        policy: ``AllowAll``: what kubectl does; ``Allowlist``: the listed exec plug-ins alone; ``DenyAll``: nothing.
        plugins: The exec plug-ins of ``Allowlist``: a name or path, then a pattern for each argument.
        seconds: How long a plug-in may take.
    """

    policy: str = DENY_ALL
    plugins: tuple[tuple[str, ...], ...] = ()
    seconds: float = 30.0

    @property
    def is_full(self) -> bool:
        """Whether everything is allowed, as for the user's own kubeconfig."""
        return self.policy == ALLOW_ALL
