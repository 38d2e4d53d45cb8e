"""A name or another value instead of an ID.

What it does: finds values of `*-id` keys that cannot be an OpenStack ID: names, CIDRs, whitespace.

Why: the CCM starts and only looks the object up for the first Service; then every Service fails with 404 or 400.

What the CCM does: it passes the value unchanged to Neutron, Octavia or Keystone. Networks, subnets, routers and flavors have UUIDs;
application credentials and trusts have 32 hexadecimal digits; the ID of the first domain is `default`, its name is `Default`.

Releases: all

Fix: by hand: `openstack network show NAME -f value -c id`, and the same for `subnet`, `router` and `loadbalancer flavor`.

Source: cloud-provider-openstack docs/openstack-cloud-controller-manager/using-openstack-cloud-controller-manager.md, all
releases; SovereignCloudStack/k8s-cluster-api-provider#584
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.uuids import UUID
from ccmcheck.policy.examples import is_page
from ccmcheck.rules._support import spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("id-not-uuid", "A name instead of an ID", Severity.WARNING)

BAD = (
    Case("[LoadBalancer]\nfloating-network-id = public\n", at=(2, 23)),
    Case("[LoadBalancer]\nsubnet-id=10.0.0.0/24\n", at=(2, 11)),
    Case('[LoadBalancerClass "dmz"]\nsubnet-id=" "\n', at=(2, 11)),
    Case("[Global]\ndomain-id=Default\n", at=(2, 11)),
    Case("[Route]\nrouter-id=0f1b6c1e2d3a4b5c8d7e6f5a4b3c2d1e\n", at=(2, 11), shown=False),
    Case("[Global]\napplication-credential-id=my-cluster\n", at=(2, 27), shown=False),
    Case("[Global]\ntenant-id=my project\n", at=(2, 11), shown=False),
    Case("[LoadBalancer]\nsubnet-id=SUBNET_ID\n", at=(2, 11), shown=False),
    Case(
        "[LoadBalancer]\nsubnet-id=SUBNET_ID\nlb-provider={{ x }}\n",
        at=(2, 11),
        template=True,
        named=False,
        shown=False,
    ),
    Case("[LoadBalancer]\nfloating-network-id=public\n", at=(2, 21), path="README.md", shown=False),
    Case(
        "[Global]\nauth-url=https://k\npassword=p\n[LoadBalancer]\nfloating-network-id=EXT-NET\nsubnet-id=LAN-1\n",
        at=(5, 21),
        times=2,
        named=False,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nsubnet-id = 0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e\n"),
    Case("[Global]\ndomain-id=default\ntenant-id=0f1b6c1e2d3a4b5c8d7e6f5a4b3c2d1e\nuser-id=u-svc\n"),
    Case("[LoadBalancer]\nsubnet-id=\n"),
    Case("[LoadBalancer]\nfloating-network-id=${NETWORK}\n", template=True),
    Case("[LoadBalancer]\nmember-subnet-id=nodes\n", release="1.24"),
    Case("[LoadBalancer]\nsubnet-id=<subnet id>\n", shown=False),
    Case("[LoadBalancer]\nsubnet-id='0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e'\n", shown=False),
    Case("[LoadBalancer]\nsubnet-id=x\nsubnet-id=0F1B6C1E-2d3a-4b5c-8d7e-6f5a4b3c2d1e\n", shown=False),
    Case("[LoadBalancer]\nsubnet-id=SUBNET_ID\nfloating-network-id=YOUR-NETWORK-ID\n", path="README.md", shown=False),
    Case("[LoadBalancer]\nsubnet-id=SUBNET-ID-HERE\nfloating-network-id=xxx\n", shown=False),
    Case("[Global]\napplication-credential-id=**REDACTED**\n", shown=False),
    Case('[BlockStorage]\nnode-id=x\n[KeyManager]\nkey-id="x"\n', shown=False),
)

_HEX = lazy_regex(r"[0-9a-f]{32}", re.IGNORECASE)
_CIDR = lazy_regex(r"[0-9a-f.:]+/\d{1,3}", re.IGNORECASE)
_NETWORK_SECTIONS = frozenset(("LoadBalancer", "LoadBalancerClass", "Route"))
_GENERATED = frozenset(("application-credential-id", "trust-id"))
_NO_ID = lazy_regex(r"[\s/@,:]")
_KIND = {"flavor-id": "flavor", "router-id": "router"}


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at every known ``*-id`` key."""
    for item in conf.items:
        spec = item[2]
        if spec is None or spec.name[-3:] != "-id":
            continue
        value = item.entry.value
        if not value or UUID.fullmatch(value) or item.opaque:
            continue
        in_network = spec.section in _NETWORK_SECTIONS
        if not in_network and (_HEX.fullmatch(value) or not _is_wrong(spec.name, value)):
            continue
        if (
            spelling.is_reported_as_misspelt(value)
            or conf.last(spec.section, spec.name, item.section.subsection) != item
        ):
            continue
        stands_for_value = spelling.stands_for_id(value) or spelling.is_name_of_variable(value) or value == spec.name
        if stands_for_value and is_page(conf.path):
            continue
        kind = _KIND.get(spec.name, "subnet" if "subnet" in spec.name else "network")
        yield Problem(
            item.span,
            _label(value, in_network=in_network),
            "Every Service that uses it fails; the CCM does not check it at start."
            if in_network
            else f"Keystone has no such ID, so {conf.reader} cannot log in.",
            f"Write the {kind}'s UUID: `openstack {'loadbalancer ' * (kind == 'flavor')}{kind} show NAME -f value -c id` prints it."
            if in_network
            else "Write the ID, or use the key that takes a name.",
        )


def _is_wrong(name: str, value: str) -> bool:
    """Whether Keystone never generates such an ID: project, user and domain IDs may come from another system."""
    if name in _GENERATED:
        return True
    return _NO_ID.search(value) is not None or (name.endswith("domain-id") and value == "Default")


def _label(value: str, *, in_network: bool) -> str:
    if not value.strip():
        return "whitespace is sent as the ID"
    if _CIDR.fullmatch(value):
        return "a CIDR, not an ID"
    if in_network and _HEX.fullmatch(value):
        return "a UUID without hyphens is not accepted here"
    return "not an ID, probably a name"
