"""UUIDs as OpenStack writes them, and as its APIs accept them."""

from ccmcheck.base.lazy_regex import lazy_regex

UUID = lazy_regex(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
"""With its hyphens, as every service of OpenStack prints one."""

UUID_LIKE = lazy_regex(r"(?:urn:uuid:)?\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?")
"""What oslo.utils' ``is_uuid_like`` accepts, by which Octavia's API checks the IDs of a request."""
