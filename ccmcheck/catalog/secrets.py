"""Which keys of cloud.conf hold a secret."""

from __future__ import annotations

SECRET_KEYS = frozenset(
    (
        "password",
        "token",
        "application-credential-secret",
        "trustee-password",
        "trusteepassword",  # the spelling of 1.16 to 1.19
        "trust-id",  # with the trustee's login it gives the trustor's roles
    )
)
"""The fields of AuthOpts that Keystone takes as proof (cloud-provider-openstack pkg/client/client.go)."""
