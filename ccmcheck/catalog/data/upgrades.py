"""What an upgrade of the CCM changes, in words: what a key's fate means, and behaviour that no key shows.

Sources: kubernetes/cloud-provider-openstack at the tags named in `ccmcheck.catalog.data.behaviour`, read with
``git grep`` at every tag; where a row says more than those, its own source stands behind it.
"""

from __future__ import annotations

from ccmcheck.catalog.data_types import BehaviourChange

KEYS: dict[tuple[str, str, str], str] = {
    # openstack.go and loadbalancer.go v1.26.0: the key and all code of Neutron LBaaS are gone (1117fa29c)
    ("vanishes", "LoadBalancer", "use-octavia"): "Delete the line: Octavia is all there is.",
    # a field without a tag, legal until 1.27 by chance
    ("vanishes", "LoadBalancer", "nodesecuritygroupids"): "Delete the line: it was never meant to be set.",
    # client.go v1.20.0: the fields of AuthOpts get tags, and with them hyphens
    ("vanishes", "Global", "trusteeid"): "Write `trustee-id`, or the CCM logs in without the trust.",
    ("vanishes", "Global", "trusteepassword"): "Write `trustee-password`, or the CCM logs in without it.",
    ("vanishes", "Global", "tlsinsecure"): (
        "Write `tls-insecure`, or better `ca-file`: certificates are checked from then on."
    ),
    ("vanishes", "BlockStorage", ""): (
        "Only the CCM stops reading it; the Cinder CSI driver reads the same section of its own file."
    ),
    ("comes to life", "LoadBalancer", "enabled"): (
        "With `false` the CCM leaves every load balancer alone. Delete the line to keep what is now."
    ),
    ("comes to life", "Global", "tls-insecure"): (
        "Certificates are not checked from then on. Delete the line, and name the authority with `ca-file`."
    ),
    ("comes to life", "Global", "os-endpoint-type"): (
        "Make sure that the CCM reaches these endpoints; any word but public, internal or admin ends it since v1.32.0."
    ),
    ("comes to life", "LoadBalancer", "monitor-max-retries-down"): (
        "Existing monitors change, too: so many failed checks take a node out. Octavia went by 3 before."
    ),
    ("comes to life", "LoadBalancer", "provider-requires-serial-api-calls"): (
        "One call for each object from then on; members get no monitor port, so not with monitors and Local Services."
    ),
    ("comes to life", "LoadBalancer", "node-selector"): (
        "Only nodes with these labels stay members. Compare them with `kubectl get nodes --show-labels`."
    ),
    ("comes to life", "LoadBalancer", "max-shared-lb"): "It limits how many Services share one load balancer.",
    ("comes to life", "", ""): "Make sure that it is meant, or delete the line to keep what is now.",
    # openstack.go v1.18.0 (ae0546ac4): defaults are set before reading
    ("default", "LoadBalancer", "use-octavia"): (
        "Load balancers of Neutron LBaaS are not taken over. `use-octavia = false` keeps them up to 1.25."
    ),
    ("default", "LoadBalancer", "lb-provider"): (
        "`lb-provider =` leaves the choice to the cloud, as before; or name the provider that you have."
    ),
    ("default", "Networking", "public-network-name"): (
        "`public-network-name = public` keeps its addresses the nodes' ExternalIPs."
    ),
    ("value", "Networking", "public-network-name"): "Repeat the key, one name a line; a comma is part of a name.",
    ("value", "Networking", "internal-network-name"): "Repeat the key, one name a line; a comma is part of a name.",
}
"""What to do, by kind of change, section and key; an empty key means all of a section, two empty strings all of a kind."""

SAME_EFFECT: frozenset[tuple[str, str]] = frozenset(
    {
        # openstack_loadbalancer.go up to 1.17: an empty lb-method is ROUND_ROBIN at the pool's creation
        ("LoadBalancer", "lb-method"),
        # no code of the CCM reads [BlockStorage]
        ("BlockStorage", "bs-version"),
        ("BlockStorage", "trust-device-path"),
        ("BlockStorage", "ignore-volume-az"),
    }
)
"""Keys whose change of default, or of life, changes nothing that the CCM does."""

CONCERNS: dict[tuple[str, str], tuple[str, ...]] = {
    ("LoadBalancer", "monitor-delay"): ("monitor",),
    ("LoadBalancer", "monitor-timeout"): ("monitor",),
    ("LoadBalancer", "monitor-max-retries"): ("monitor",),
}
"""Where the change of a default matters, as `ccmcheck.review.upgrade.conditions` names it; everywhere else."""

PINS: dict[tuple[str, str], tuple[str, bool]] = {
    # an empty value is not sent, but logged as an unsupported provider since v1.20.1, and v1.20.0 ends at it
    ("LoadBalancer", "lb-provider"): ("", False),
    ("LoadBalancer", "use-octavia"): ("false", True),
    ("Networking", "public-network-name"): ("public", True),
}
"""What to write so that an earlier default stays in effect, and whether that has no other effect."""

RENAMED: dict[tuple[str, str], str] = {
    # pkg/client/client.go v1.20.0: the fields get tags; the values mean the same
    ("Global", "tlsinsecure"): "tls-insecure",
    ("Global", "trusteeid"): "trustee-id",
    ("Global", "trusteepassword"): "trustee-password",
}
"""Keys that are spelled otherwise after they vanish."""

WITHOUT: dict[tuple[str, str], object] = {
    # openstack.go v1.26.0: Octavia is all there is
    ("LoadBalancer", "use-octavia"): True,
}
"""The value that a release without a key uses, where that is not the last default of the key."""

FLAGS_GONE: dict[str, tuple[str, str]] = {
    # k8s.io/cloud-provider v0.24 options: no more InsecureServing
    "port": ("v1.24.0", "Delete it; --secure-port is the CCM's only port."),
    "address": ("v1.24.0", "Delete it; --bind-address is where the CCM listens."),
    # k8s.io/component-base v0.26 logs/klogflags: only --v and --vmodule are left (KEP-2845)
    **dict.fromkeys(
        (
            "add-dir-header", "alsologtostderr", "log-backtrace-at", "log-dir", "log-file", "log-file-max-size",
            "logtostderr", "one-output", "skip-headers", "skip-log-headers", "stderrthreshold",
        ),
        ("v1.26.0", "Delete it; the CCM logs to standard error."),
    ),
}  # fmt: skip
"""Flags of the CCM's command line that a release does not know any more, and what to do; it ends at an unknown flag."""

MANY_MEMBERS = 800
"""How many members one request can hold at most, roughly: 114688 bytes, Octavia 14.0.0 and newer, measured."""

BEHAVIOUR_CHANGES: tuple[BehaviourChange, ...] = (
    BehaviourChange(
        "keeps-unready-nodes",
        ("without-monitor", "cluster"),
        "warning",
        "nodes that are not ready stay in the load balancers (KEP-3458), and without monitors nothing takes a dead node"
        " out",
        "Set create-monitor = true; `ccmcheck explain create-monitor` weighs it. In 1.27 to 1.29 the CCM's"
        " --feature-gates=StableLoadBalancerNodeSet=false restores the old behaviour (for Local Services from 1.28.2 on).",
        source="k8s.io/cloud-provider v0.27 controllers/service/controller.go; KEP-3458, Risk 2",
    ),
    BehaviourChange(
        "local-keeps-unready-nodes",
        ("without-monitor", "local"),
        "warning",
        "nodes that are not ready stay in the load balancers of Services with externalTrafficPolicy Local, and without"
        " monitors nothing takes a dead node out",
        "Set create-monitor = true; `ccmcheck explain create-monitor` weighs it. In 1.28.2 to 1.29 the CCM's"
        " --feature-gates=StableLoadBalancerNodeSet=false restores the old behaviour.",
        "nodes that are not ready leave the load balancers of Services with externalTrafficPolicy Local again",
        source="k8s.io/cloud-provider controllers/service/controller.go v0.25.0 to v0.28.4; kubernetes/kubernetes#109706, #121094",
    ),
    BehaviourChange(
        "managed-groups-do-nothing",
        ("groups", "octavia"),
        "error",
        "manage-security-groups does nothing with Octavia",
        "Open the NodePorts by other means.",
        "manage-security-groups works again: a group for each Service is made and put on the nodes' ports",
        "Take away what opened the NodePorts by other means, if you like.",
    ),
    BehaviourChange(
        "managed-groups-shut-ovn-clients-out",
        ("groups", "ovn"),
        "error",
        "the rules of manage-security-groups let no client of an ovn load balancer in",
        "Let clients in to the node ports by a group of your own.",
        "with ovn, the rules of manage-security-groups let the clients in: loadBalancerSourceRanges, or everybody",
        "Check that each Service's loadBalancerSourceRanges say what you want.",
    ),
    BehaviourChange(
        "managed-groups-emptied-by-node-changes",
        ("groups", "ovn"),
        "error",
        "with ovn, every change of nodes removes all rules of manage-security-groups until the Service changes",
        "Choose v1.30.2, v1.31.2, v1.32.0 or newer; 1.28 and 1.29 were never fixed.",
        "a change of nodes leaves the rules of manage-security-groups alone",
    ),
    BehaviourChange(
        "managed-groups-without-check-port",
        ("groups", "monitor", "local", "not ovn"),
        "error",
        "the rules of manage-security-groups leave the health check node port of Local Services shut, so that monitors"
        " find every node down",
        "Open that port by other means.",
        "the rules of manage-security-groups let monitors in to the health check node port of Local Services",
        "Nothing; a rule of your own for it may go.",
    ),
    BehaviourChange(
        "groups-deleted-when-off",
        ("groups set to false",),
        "info",
        "the security groups that an earlier manage-security-groups = true made are deleted",
        "Make sure that something else opens the NodePorts.",
    ),
    BehaviourChange(
        "source-ranges-in-ovn-groups",
        ("groups", "ovn", "source ranges"),
        "info",
        "with ovn, loadBalancerSourceRanges are enforced, by the security group; before, they were ignored",
        "Check that they name every client.",
    ),
    BehaviourChange(
        "supports-local",
        ("monitor", "local", "octavia"),
        "info",
        "the monitors of Local Services ask each node's health check node port by HTTP: nodes without a pod leave the"
        " rotation, and the existing monitors are recreated",
        "Let the load balancers in to that port.",
    ),
    BehaviourChange(
        "monitor-port-lost",
        ("monitor", "local"),
        "error",
        "a node change wipes the members' monitor port: every node of a Local Service counts as down",
        "Choose v1.23.1 or newer.",
        source="kubernetes/cloud-provider-openstack#1749",
    ),
    BehaviourChange(
        "local-monitor-is-http-on-ovn",
        ("monitor", "local", "ovn"),
        "error",
        "Local Services ask ovn for an HTTP monitor, which it refuses, again and again",
        "Choose v1.26.0 or newer.",
        "Local Services get a TCP monitor from ovn",
    ),
    BehaviourChange(
        "monitor-has-path",
        ("monitor", "local", "not ovn"),
        "info",
        "new monitors of Local Services ask for /healthz; existing ones keep `/`, because no release changes the path",
        "Nothing with kube-proxy, which answers at both; else delete the monitors, and the CCM recreates them.",
        source="kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaHealthMonitor: UpdateOpts has no URLPath at any tag",
    ),
    BehaviourChange(
        "asks-for-http-on-udp",
        ("monitor", "local", "not ovn", "udp"),
        "info",
        "UDP ports of Local Services get an HTTP monitor where the Octavia API is 2.16 or newer, else UDP-CONNECT",
        "With an older Octavia: nodes without a pod may stay in.",
    ),
    BehaviourChange(
        "serial-members-have-no-monitor-port",
        ("serial", "monitor", "local", "not ovn"),
        "error",
        "with provider-requires-serial-api-calls the members of Local Services get no monitor port: every check fails",
        'Put the annotation loadbalancer.openstack.org/enable-health-monitor: "false" on them.',
        source="kubernetes/cloud-provider-openstack pkg/util/openstack/loadbalancer_serial.go, v1.28.0 to v1.36.0",
    ),
    BehaviourChange(
        "updates-monitors",
        ("monitor",),
        "info",
        "existing monitors take on the timers of the file; before, only new ones did",
        "Compare with `openstack loadbalancer healthmonitor list` what that changes.",
    ),
    BehaviourChange(
        "deletes-monitors",
        ("without-monitor",),
        "info",
        "existing monitors are deleted where create-monitor is false",
        "Set create-monitor = true to keep them.",
    ),
    BehaviourChange(
        "updates-pool-method",
        ("method is set",),
        "info",
        "a changed lb-method reaches existing pools; before, only new ones",
        "Pools made under another method change at the first reconcile.",
    ),
    BehaviourChange(
        "creates-in-one-call",
        ("many members",),
        "warning",
        "a new load balancer is one request with all its members, and Octavia 14.0.0 and newer take 114688 bytes at most",
        "Above about 800 members (ports × nodes): provider-requires-serial-api-calls (since v1.28.0), or node-selector.",
        source="Octavia API max_json_body_size, measured",
    ),
    BehaviourChange(
        "waits-longer-for-deletion",
        ("always",),
        "info",
        "a load balancer's deletion is waited for up to 326 s, before 32 s: fewer fail, and other Services wait meanwhile",
        "Where that matters, let the CCM work on more Services at a time: --concurrent-service-syncs.",
        source="kubernetes/cloud-provider-openstack pkg/util/openstack/loadbalancer.go: 24 tries instead of 12, pauses of 1 s × 1.2ⁿ",
    ),
    BehaviourChange(
        "sets-ip-mode",
        ("ingress hostname",),
        "info",
        "the CCM sets ipMode: Proxy where proxy-protocol is on, which enable-ingress-hostname hides",
        "With Kubernetes 1.30 or newer, delete enable-ingress-hostname.",
        source="KEP-1860; kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go createLoadBalancerStatus",
    ),
    BehaviourChange(
        "sets-ip-mode",
        ("proxy protocol", "no ingress hostname"),
        "info",
        "the Service's status says ipMode: Proxy: with Kubernetes 1.30 or newer, pods reach its address through the load"
        " balancer, no more straight",
        "The pods behind it see the PROXY header then, as from outside.",
        source="KEP-1860; kubernetes/cloud-provider-openstack pkg/openstack/loadbalancer.go createLoadBalancerStatus",
    ),
    BehaviourChange(
        "ingress-hostname-panics",
        ("ingress hostname",),
        "error",
        "enable-ingress-hostname makes the CCM panic at the first Service with proxy-protocol",
        "Choose v1.25.2 or newer.",
    ),
    BehaviourChange(
        "internal-is-enforced",
        ("internal", "asks to be external"),
        "warning",
        'internal-lb = true cannot be overridden by the annotation openstack-internal-load-balancer: "false"',
        'Delete internal-lb, and annotate each internal Service with "true".',
    ),
    BehaviourChange(
        "external-needs-network",
        ("no floating network",),
        "info",
        "",
        "",
        "where no external network is found, a Service gets its internal address instead of an error",
        "Set floating-network-id.",
    ),
    BehaviourChange(
        "knows-ovn",
        ("ovn",),
        "info",
        "flavours, timeouts, availability zones and source ranges are left out of what is asked of ovn",
        "Nothing; ovn knows none of them.",
    ),
    BehaviourChange(
        "neutron-lbaas",
        ("not octavia",),
        "error",
        "",
        "",
        "Neutron LBaaS is gone: every load balancer is asked of Octavia, which does not know those that are there",
        "Move to Octavia first: recreate the Services, or plan for new addresses.",
        ends_level="error",
    ),
    BehaviourChange(
        "disabled-answers",
        ("disabled",),
        "info",
        "",
        "",
        "a Service that is deleted while enabled is false keeps its load balancer",
        "Delete such load balancers by hand.",
        ends_level="warning",
    ),
    BehaviourChange(
        "load-balancers-need-a-key",
        ("no balancer keys",),
        "info",
        "",
        "",
        "load balancers are supported without any key in [LoadBalancer]: waiting Services get one",
        "",
    ),
    BehaviourChange(
        "reads-environment",
        ("no login",),
        "info",
        "",
        "",
        "the variables OS_AUTH_URL, OS_USERNAME … are no more read: the file has no auth-url of its own",
        "Write the login into the file.",
        ends_level="error",
        source="kubernetes/cloud-provider-openstack pkg/openstack/openstack.go ReadConfig up to v1.16.0",
    ),
    BehaviourChange(
        "ipv6-is-internal",
        ("ipv6",),
        "info",
        "Services whose first family is IPv6 are internal",
        "",
        "Services whose first family is IPv6 are no more made internal",
        "",
    ),
    BehaviourChange(
        "internal-services-cannot-share",
        ("internal shares",),
        "error",
        "internal Services cannot share a load balancer: attaching another one fails",
        "Give each internal Service its own load balancer.",
    ),
    BehaviourChange(
        "mixes-listeners-up",
        ("several ports",),
        "warning",
        "an update of a Service with several ports may change the wrong listener's pool",
        "Choose v1.23.3 or newer.",
    ),
    BehaviourChange(
        "takes-region-for-server",
        ("no subnet",),
        "warning",
        "without subnet-id no subnet is found for the VIP where the nodes' providerID names a region",
        "Choose v1.28.3, v1.29.1, v1.30.1 or newer, or set subnet-id.",
    ),
    BehaviourChange(
        "tls-reference-has-a-kind",
        ("tls reference without a kind",),
        "error",
        "default-tls-container-ref must end in containers/ID or secrets/ID, or every Service fails",
        "Write the whole reference.",
    ),
    BehaviourChange(
        "deletes-failed",
        ("always",),
        "info",
        "a new load balancer that ends in ERROR is deleted and recreated, with a new ID",
        "",
    ),
    BehaviourChange(
        "renames-load-balancers",
        ("always",),
        "info",
        "load balancers that an earlier --cluster-name made are found and renamed",
        "",
    ),
)
"""Behaviour that comes or goes with a release, whom it concerns, and what to do."""
