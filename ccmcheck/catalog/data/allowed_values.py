"""The words that a key accepts, by release, where gcfg itself takes any word.

Sources: kubernetes/cloud-provider-openstack pkg/openstack/openstack.go (supportedLBProvider, supportedContainerStore,
LoadBalancer()), pkg/util/metadata/metadata.go (CheckMetadataSearchOrder), pkg/client/client.go at the branch of each
release; gophercloud endpoint_location.go (availability words); Octavia API reference and octavia 19.0.0
octavia/common/constants.py (algorithms).
"""

from __future__ import annotations

from ccmcheck.catalog.data.octavia import ALGORITHMS

WORDS: dict[tuple[str, str], tuple[tuple[str, tuple[str, ...]], ...]] = {
    # Before 1.20 the provider is not compared with anything.
    ("LoadBalancer", "lb-provider"): (
        ("1.20", ("amphora", "octavia")),
        ("1.22", ("amphora", "octavia", "ovn")),
        ("1.32", ("amphora", "octavia", "ovn", "f5")),
        ("1.34", ("amphora", "amphorav2", "octavia", "ovn", "f5")),
    ),
    # The Octavia API judges, not the CCM; whether the provider takes a word of the API is another matter.
    ("LoadBalancer", "lb-method"): (("1.9", ALGORITHMS),),
    ("LoadBalancer", "lb-version"): (("1.9", ("v2",)),),
    ("LoadBalancer", "container-store"): (("1.25", ("barbican", "external")),),
    ("Metadata", "search-order"): (("1.9", ("configDrive", "metadataService")),),
    ("Global", "os-endpoint-type"): (("1.21", ("public", "internal", "admin")),),
    ("Global", "tls-insecure"): (("1.9", ("true",)),),
    ("Global", "tlsinsecure"): (("1.9", ("true",)),),
}
"""For each key the words accepted from a release on; no words before the first."""

FATAL_SINCE: dict[tuple[str, str], str] = {
    # Up to 1.31 a log line and no load balancers at all.
    ("LoadBalancer", "lb-version"): "1.32",
    ("Metadata", "search-order"): "1.9",
    # The load balancer client of another word cannot be built, which ends the process since then.
    ("Global", "os-endpoint-type"): "1.32",
}
"""From which release on a word that is not accepted ends the process at start."""

MOST_ELEMENTS: dict[tuple[str, str], int] = {("Metadata", "search-order"): 2}
"""How many comma-separated elements a key accepts; others are one word."""
