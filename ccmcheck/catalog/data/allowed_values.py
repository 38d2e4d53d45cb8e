"""The words that a key accepts, by release, where gcfg itself takes any word.

Sources: kubernetes/cloud-provider-openstack pkg/openstack/openstack.go (supportedLBProvider, supportedContainerStore,
LoadBalancer()), pkg/util/metadata/metadata.go (CheckMetadataSearchOrder), pkg/client/client.go at the branch of each
release; gophercloud endpoint_location.go (availability words); Octavia API reference and octavia 19.0.0
octavia/common/constants.py (algorithms).
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.catalog.data.octavia import ALGORITHMS

WORDS: dict[tuple[str, str], tuple[tuple[str, tuple[str, ...]], ...]] = {
    # The Octavia API judges, not the CCM; whether the provider takes a word of the API is another matter.
    ("LoadBalancer", "lb-method"): (("1.9", ALGORITHMS),),
}
for _section, _key, _since, *_words in read_table(__file__, "allowed_words.tsv"):
    WORDS[_section, _key] = (*WORDS.get((_section, _key), ()), (_since, tuple(_words)))
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
