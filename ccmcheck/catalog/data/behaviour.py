"""What the CCM does, or fails to do, in some releases only, by tag.

The unit is a release tag, because fixes are backported: a stretch runs from its first tag up to, but not including, the
first tag of the same line that behaves otherwise. A branch tip is after all tags of its branch.

Sources: kubernetes/cloud-provider-openstack at the tags named, and its issues.
"""

from __future__ import annotations

FIRST_PREDICTED = "1.14"
"""The first branch whose requests were read: in older ones their names and most of their fields differ."""

STRETCHES: dict[str, tuple[tuple[str, str], ...]] = {
    # loadbalancer.go ensureLoadBalancerDeleted: the error of GetLoadbalancerByID is compared with another one than it gives
    # (#1913, backported in #1917 and #1918)
    "deletion-needs-balancer": (("v1.23.0", "v1.23.2"), ("v1.24.0", "v1.24.2")),
    # vendored service controller, nodes with spec.unschedulable are left out (kubernetes#90823, Kubernetes 1.19)
    "cordoned-nodes-leave": (("", "v1.19.0"),),
    # openstack.go nodeAddresses: AccessIPv4 and AccessIPv6 become InternalIPs whatever their network is (#1041, #1053)
    "internal-network-not-alone": (("", "v1.18.1"),),
    # openstack.go LoadBalancer(): options equal to their zero value mean "not supported"; void once there are defaults
    "load-balancers-need-a-key": (("", "v1.18.0"),),
    # b9b924ff2 (#1720): externalTrafficPolicy Local is supported, by an HTTP monitor on the health check node port
    "supports-local": (("v1.23.0", ""),),
    # ... with any provider, until #2000 leaves ovn out
    "local-monitor-is-http-on-ovn": (("v1.23.0", "v1.26.0"),),
    # #1749: a node change wipes the members' monitor_port
    "monitor-port-lost": (("v1.23.0", "v1.23.1"),),
    # loadbalancer.go: the Octavia path returns before the code of manage-security-groups (checked for every tag)
    "managed-groups-do-nothing": (("v1.19.0", "v1.24.0"),),
    # the monitors of Local Services ask the health check node port, and #1984 brings its rule
    "managed-groups-without-check-port": (("v1.23.0", "v1.26.0"),),
    # #2291: rules let the member subnet in, but ovn keeps the clients' addresses
    "managed-groups-shut-ovn-clients-out": (("", "v1.28.0"),),
    # #2699: on a node change the source ranges of ovn are empty and all NodePort rules are removed; fixed in bf312687f,
    # never on the branches 1.28 and 1.29
    "managed-groups-emptied-by-node-changes": (("v1.28.0", "v1.30.2"), ("v1.31.0", "v1.31.2")),
    # loadbalancer.go createLoadBalancerStatus(): IPs carry ipMode Proxy where proxy-protocol is on
    "sets-ip-mode": (("v1.30.0", ""),),
    # vendored service controller with KEP-3458: nodes that are not ready stay in the load balancer
    "keeps-unready-nodes": (("v1.27.0", ""),),
    # the same for Local Services: k8s.io/cloud-provider v0.25.0 to v0.25.2 and v0.26.0 have no ready predicate among
    # etpLocalNodePredicates (kubernetes#109706, #121094); v0.25.3 does not have etpLocalNodePredicates at all
    "local-keeps-unready-nodes": (("v1.25.0", "v1.25.3"), ("v1.26.0", "")),
    # --feature-gates=StableLoadBalancerNodeSet=false brings the ready predicate back; for Local from cloud-provider v0.28.4 on
    "gate-drops-unready-nodes": (("v1.27.0", "v1.30.0"),),
    "gate-drops-unready-local-nodes": (("v1.28.2", "v1.30.0"),),
    # openstack_loadbalancer.go GetLoadBalancerName(): the cluster's name is in it; before, the Service's UID alone
    "names-by-cluster": (("v1.14.0", ""),),
    # openstack_loadbalancer.go ensureSecurityGroup: rules are made together with the group, never afterwards (#724)
    "managed-groups-keep-first-ports": (("", "v1.19.0"),),
    # openstack_loadbalancer.go createLoadBalancer: VipSubnetID is read before the error (#1055, #1162)
    "failed-create-crashes": (("v1.18.0", "v1.18.2"),),
    # the rights that it needs: see ccm_rights.py
    "patches-status": (("v1.16.0", ""),),
    "patches-services": (("v1.23.0", ""),),
    "deletes-nodes": (("", ""),),
    # loadbalancer_rename.go (#2552): load balancers made under another --cluster-name are found and renamed
    "renames-load-balancers": (("v1.29.1", ""),),
    # ---- what is asked of Octavia: pkg/openstack/loadbalancer.go, before 1.21 openstack_loadbalancer.go, read at every tag
    # legacy-free code with a serviceConfig; before it EnsureLoadBalancer does everything, one member at a time
    "service-config": (("v1.19.0", ""),),
    # createFullyPopulatedOctaviaLoadBalancer: listeners, pools, members and monitors inside the first request
    "creates-in-one-call": (("v1.21.0", ""),),
    # gophercloud looks for a 0 in the monitors inside that request, too; since 2.0 pools.CreateOpts.Monitor is an interface,
    # which it does not look into
    "checks-monitors-inside": (("v1.21.0", "v1.31.0"),),
    # the parts of that request: only pools have names at first, PROTOCOL_PORT_pool
    "names-parts-of-one-call": (("v1.25.0", ""),),
    # ... and its monitors are named after the port, not its place; the next reconcile renames them where it looks at names
    "names-monitors-by-port": (("v1.25.0", "v1.26.4"), ("v1.27.0", "v1.27.3"), ("v1.28.0", "v1.28.1")),
    # parts that are made one by one have names (in 1.14 to 1.18, too)
    "names-single-parts": (("", "v1.19.0"), ("v1.23.0", "")),
    # a stray parenthesis in fmt.Sprintf("monitor_%d_%s)")
    "monitor-name-has-parenthesis": (("", "v1.19.0"), ("v1.23.0", "v1.24.0")),
    # tags on load balancers and listeners, and load balancers shared by Services (#1703)
    "tags-and-shares": (("v1.23.0", ""),),
    "internal-services-cannot-share": (("v1.27.0", ""),),
    # listener timeouts are always sent / sent where the API has them; before, only where an annotation gives them
    "timeouts-always": (("v1.19.0", "v1.19.1"),),
    "timeouts-by-api": (("v1.19.1", ""),),
    # IsOctaviaFeatureSupported leaves ovn out: source ranges, flavours, timeouts, availability zones
    "knows-ovn": (("v1.22.0", ""),),
    "flavors": (("v1.19.0", ""),),
    "availability-zones": (("v1.20.0", ""),),
    "source-ranges-by-api": (("v1.17.0", ""),),
    # before 1.19 source ranges that Octavia cannot enforce are an error unless groups are managed
    "source-ranges-or-error": (("", "v1.19.0"),),
    # ovn: enforced by the managed group; the listener never has them
    "source-ranges-in-ovn-groups": (("v1.28.0", ""),),
    "tls-references": (("v1.21.0", ""),),
    "container-stores": (("v1.25.0", ""),),
    # the last but one part must be containers or secrets; brought to 1.26 and 1.27 after their last tags
    "tls-reference-has-a-kind": (("v1.26.5", "v1.27.0"), ("v1.27.4", "v1.28.0"), ("v1.28.2", "")),
    # internal-lb = true cannot be overridden
    "internal-is-enforced": (("v1.19.0", ""),),
    "ipv6-is-internal": (("v1.25.0", "v1.29.1"),),
    "ipv6-takes-load-balancer-ip": (("v1.29.1", ""),),
    "ipv6-skips-floating-ip": (("v1.29.1", ""),),
    # spec.ipFamilies decides on the address of members, and on the default source range
    "ip-families": (("v1.25.0", ""),),
    # member-subnet-id; getSubnetID, getNetworkID: annotation, class, cloud.conf, an empty annotation counts as none
    "member-subnets": (("v1.25.0", ""),),
    # floating-subnet and floating-subnet-tags match by pattern, and exist in cloud.conf and classes
    "floating-subnet-patterns": (("v1.21.0", ""),),
    # an external Service without a floating network is an error
    "external-needs-network": (("", "v1.19.0"),),
    # an empty annotation floating-network-id, and no network found: the key of cloud.conf after all
    "network-of-config-last": (("v1.21.0", "v1.28.0"),),
    # a member with an empty subnet_id / left out
    "sends-empty-member-subnet": (("", "v1.27.0"),),
    # NodePort 0 (allocateLoadBalancerNodePorts: false): no member; before, gophercloud misses ProtocolPort
    "skips-port-zero": (("v1.26.0", ""),),
    # monitors of Local Services: GET /healthz 200; before, HTTP with Octavia's own defaults
    "monitor-has-path": (("v1.25.0", ""),),
    # UDP pools get an HTTP monitor only where the API has it
    "asks-for-http-on-udp": (("v1.26.0", ""),),
    # popListener() puts the last listener in the place of the one that it takes out
    "moves-last-listener": (("", "v1.24.0"),),
    # ... before the pool is looked for by the listener that was in that place
    "mixes-listeners-up": (("v1.23.0", "v1.23.3"),),
    # existing monitors follow changed timers / are recreated when their type changes
    "updates-monitors": (("v1.24.0", ""),),
    "recreates-monitors-of-local": (("v1.23.0", ""),),
    "recreates-monitors": (("v1.26.0", ""),),
    "deletes-monitors": (("v1.18.0", ""),),
    # pkg/util/openstack/loadbalancer.go waitLoadbalancerDeleteSteps: 24 tries instead of 12 (9c801053e, #3072)
    "waits-longer-for-deletion": (("v1.36.0", ""),),
    # a Service's floating IP goes with it, whoever created it; later the description must name the CCM
    "deletes-any-floating-ip": (("", "v1.18.0"),),
    # cascade-delete = false: members and pools of all listeners go before the first listener; later each with its listener
    "deletes-members-and-pools": (("v1.19.0", "v1.20.0"),),
    # UpdateOpts with the name and max_retries_down
    "renames-monitors": (("v1.26.4", "v1.27.0"), ("v1.27.3", "v1.28.0"), ("v1.28.1", "")),
    # updateOctaviaLoadBalancer calls ensureOctaviaHealthMonitor (#2370), so that a node change corrects monitors, too
    "node-changes-sync-monitors": (("v1.26.4", "v1.27.0"), ("v1.27.3", "v1.28.0"), ("v1.28.1", "")),
    # subnets.Get of an empty ID lists all subnets, and what is read of that is nil: manage-security-groups with network-id
    # and without a subnet ends the process at the second reconcile; up to 1.24 only after a restart (run at 1.26.0, 1.31.2,
    # 1.35.0, 1.36.0)
    "managed-groups-need-a-subnet": (("v1.25.0", ""),),
    # checkServiceUpdate calls makeSvcConf, so that a node change reads what a reconcile reads
    "node-updates-read-all": (("v1.30.2", "v1.31.0"), ("v1.31.2", "")),
    # ... and the node selectors; before, a node change makes all nodes members
    "node-updates-select-nodes": (("v1.28.3", "v1.29.0"), ("v1.29.1", "v1.30.0"), ("v1.30.1", "")),
    # manage-security-groups has an effect on Octavia's load balancers: the complement of managed-groups-do-nothing
    "sync-manages-groups": (("", "v1.19.0"), ("v1.24.0", "")),
    "monitor-annotation": (("v1.18.0", ""),),
    "monitor-timer-annotations": (("v1.24.0", ""),),
    # pools of the wrong protocol are recreated
    "recreates-pools": (("v1.22.0", ""),),
    # a changed lb-method reaches existing pools
    "updates-pool-method": (("v1.32.0", ""),),
    # the annotation lb-method: declared in 1.32.0, read (svcConf.poolLbMethod) only from here on, and on the branches
    # 1.32 and 1.33 after their last tags
    "reads-method-annotation": (("v1.32.2", "v1.33.0"), ("v1.33.2", "")),
    # members compare by name, too, and by monitor_port
    "compares-member-names": (("v1.24.5", "v1.25.0"), ("v1.25.1", "")),
    "compares-monitor-ports": (("v1.23.0", ""),),
    # a load balancer that ends in ERROR is deleted and recreated
    "deletes-failed": (("v1.28.2", ""),),
    # a load balancer that another cluster name made is renamed
    "renames": (("v1.29.1", ""),),
    # the error of a renaming that fails names its cause
    "renaming-says-why": (("v1.33.0", ""),),
    "node-selectors": (("v1.28.3", "v1.29.0"), ("v1.29.1", "v1.30.0"), ("v1.30.1", "")),
    # the server's ID comes from spec.providerID by a pattern; before, what follows the last slash
    "parses-provider-id": (("v1.28.0", ""),),
    # getSubnetIDForLB takes the region for the server: it looks at the ports of all servers, or at none
    "takes-region-for-server": (("v1.28.0", "v1.28.3"), ("v1.29.0", "v1.29.1"), ("v1.30.0", "v1.30.1")),
    # the annotation load-balancer-source-ranges: split at commas and spaces, empty parts left out
    "source-ranges-split-at-spaces": (("v1.32.0", ""),),
    # annotations: an unknown bool ends the reconcile; v1 and v2 of the PROXY protocol
    "bad-bool-is-an-error": (("", "v1.23.0"),),
    "proxy-versions": (("v1.31.0", ""),),
    # an integer that cannot be read: no warning, and the timeout is left out
    "bad-integer-is-silent": (("", "v1.19.0"),),
    # events of the CCM's own, besides those of the service controller
    "writes-events": (("v1.28.2", ""),),
    # annotations that are written back
    "writes-id": (("v1.23.0", ""),),
    # ... as soon as there is a load balancer; before, once it is reached by its address
    "writes-id-at-once": (("v1.29.1", ""),),
    "writes-address": (("v1.25.4", "v1.26.0"), ("v1.26.1", "")),
    # the Service's status
    "hostname-annotation": (("v1.25.0", ""),),
    "ingress-hostname": (("v1.21.0", ""),),
    # createLoadBalancerStatus() takes the address from a list that is still empty: index out of range
    "ingress-hostname-panics": (("v1.25.0", "v1.25.2"),),
    # manage-security-groups: the rule for the check port; protocols in capitals; IPv6; old groups deleted when off
    "groups-open-check-port": (("v1.26.0", ""),),
    "groups-in-capitals": (("v1.26.0", "v1.28.0"),),
    "groups-know-ipv6": (("v1.25.0", ""),),
    "groups-of-cloud-conf-subnet": (("", "v1.25.0"),),
    "groups-deleted-when-off": (("v1.28.0", ""),),
    "groups-on-member-ports": (("v1.28.2", ""),),
    "groups-tag-ports": (("", "v1.28.2"),),
    "groups-tag-first": (("v1.28.0", "v1.28.2"),),
    # enabled = false: EnsureLoadBalancer answers ImplementedElsewhere / load balancers are not supported at all
    "disabled-answers": (("v1.24.0", "v1.27.0"),),
    "neutron-lbaas": (("", "v1.26.0"),),
    # lb-version other than v2: unsupported / the process ends
    "bad-lb-version-ends": (("v1.32.0", ""),),
    # checkOpenStackOpts: create-monitor with a timer at 0 ends the process
    "zero-timers-end": (("", "v1.18.0"),),
    # openstack.go ReadConfig: configFromEnv, before the file
    "reads-environment": (("", "v1.17.0"),),
    # pkg/util/openstack/loadbalancer_serial.go: members are made without monitor_port, at every tag so far
    "serial-members-have-no-monitor-port": (("v1.28.0", ""),),
    # UDP and SCTP Services (with Octavia)
    "other-than-tcp": (("v1.17.0", ""),),
    # ---- what only an upgrade tells of; the code was read at every tag
    # openstack.go NewOpenStackClient: InsecureSkipVerify is set only where there is a ca-file (the key is of 1.16)
    "insecure-needs-ca-file": (("", "v1.18.0"),),
    # 46cab81a3 (#884): the fixed addresses of a server's ports come first, then access addresses, then the rest
    "lists-port-addresses-first": (("v1.18.0", ""),),
    # 7f1127e54 (#619) to 938ab71d4 (#1102): a class without a floating network makes its Services internal, and with a class
    # the annotation openstack-internal-load-balancer is not read
    "classes-make-internal": (("v1.15.0", "v1.19.0"),),
    # 530234031 (#1150): timeouts of all listeners, existing ones as well
    "sends-timeouts": (("v1.19.0", ""),),
    # 938ab71d4 (#1102) to 9e668d943 (#1375): floating-subnet-id of cloud.conf before the annotation floating-subnet
    "floating-subnet-id-first": (("v1.19.0", "v1.21.0"),),
    # vendored service controller: ServiceNodeExclusion is off by default in Kubernetes 1.18, on in 1.19
    "knows-exclude-label": (("v1.19.0", ""),),
    # ... LegacyNodeRoleBehavior is on by default up to 1.20, and gone from the controller of v0.21
    "leaves-masters-out": (("", "v1.21.0"),),
    # ... v0.34 nodeIncludedPredicate: the label's value is read by strconv.ParseBool
    "exclude-label-has-value": (("v1.34.0", ""),),
    # ... v0.23: nodes with the taint ToBeDeletedByClusterAutoscaler
    "leaves-autoscaled-nodes-out": (("v1.23.0", ""),),
    # ... v0.32 needsUpdate: log lines instead of events
    "changes-are-events": (("", "v1.32.0"),),
    # pkg/openstack/metrics (#1178), before openstack_metrics.go with the subsystem openstack
    "short-metric-names": (("v1.20.0", ""),),
    # 8843da4b8 (#1402) srvInstanceType: the flavour's name, looked up by ID
    "labels-flavor-names": (("v1.20.2", ""),),
    # ensureLoadBalancerDeleted: waitLoadbalancerDeleted after a cascading deletion, too (d667c0d8d, #1396)
    "waits-for-deletion": (("v1.21.0", ""),),
    # k8s.io/cloud-provider v0.21 options.go: NewDynamicClientBuilder, which asks for tokens of service accounts
    "asks-for-tokens": (("v1.21.0", ""),),
    # 197604cb3 (#1648): other states than ACTIVE are an error; 23c82d3de (#2037): ERROR is none any more
    "deletes-active-only": (("v1.23.0", "v1.26.0"),),
    # k8s.io/cloud-provider v0.24 node_controller.go: PreferNodeIP
    "node-ip-decides": (("v1.24.0", ""),),
    # lbaas.opts.SubnetID = loadbalancer.VipSubnetID: the process keeps the first load balancer's subnet
    "keeps-first-subnet": (("", "v1.25.0"),),
    # f526c49c6 (#1963) getSubnetID, getNetworkID: the class counts for internal Services as well
    "classes-of-internal-services": (("v1.25.0", ""),),
    # d014b8772 (#2022) GetFloatingNetworkID
    "floating-network-has-ipv4": (("v1.25.4", ""),),
    # 4828146e3 (#2150); in 1.26 from v1.26.2 on
    "atomic-routes": (("v1.25.5", "v1.26.0"), ("v1.26.2", "")),
    # 822a1de72 (#2492)
    "routes-without-address-pairs": (("v1.29.0", ""),),
    # 5eec1e72d (#2133); OS_V1_INSTANCES is read up to v1.31.4 (b28f670ab, #2692)
    "instances-v2": (("v1.27.0", ""),),
    # a7c2d10b1 (#2168) ensureFloatingIP
    "takes-floating-ip-of-internal": (("v1.27.0", ""),),
    "only-owner-has-floating-ip": (("v1.27.0", ""),),
    # 35ce5a0c5 (#2235) waitLoadbalancerActiveSteps: 23 tries instead of 19
    "waits-longer-for-active": (("v1.28.0", ""),),
    # b0429dcc8 (#2306) nodeAddresses: subports of trunks
    "lists-trunk-subports": (("v1.28.0", ""),),
    # 318b4c135 (#2287) getRulesToCreateAndDelete
    "removes-foreign-rules": (("v1.28.0", ""),),
    # 16c269ae7 (#2706) openstack.go LoadBalancer(): klog.Fatalf where a client cannot be made
    "ends-without-endpoint": (("v1.32.0", ""),),
}
"""For each behaviour its stretches of releases: first tag (empty: from the beginning), first tag without it (empty: still)."""

KUBERNETES: dict[str, tuple[int, int]] = {
    # KEP-1860: LoadBalancerIPMode is on by default
    "ip-mode": (1, 30),
    # kubernetes.io "Cloud Controller Manager": external providers are alpha in 1.6; before it there is no other provider
    "external-provider": (1, 6),
    # CHANGELOG-1.26, kubernetes/kubernetes#67782: the code of the in-tree OpenStack provider is gone
    "no-in-tree-openstack": (1, 26),
    # KEP-1669: ProxyTerminatingEndpoints is on by default
    "terminating-endpoints": (1, 26),
    # kubernetes/kubernetes#97081, pkg/proxy/ipvs/proxier.go v1.24.0: pods of a node without local endpoints reach a Local
    # Service's address through those of other nodes; hostNetwork pods do not (#93456)
    "ipvs-reaches-other-nodes": (1, 24),
    # kubernetes/kubernetes#130162: kube-apiserver knows neither --cloud-provider nor --cloud-config
    "apiserver-without-cloud-flags": (1, 33),
    # RelaxedServiceNameValidation is on by default (KEP-5311): a Service's name may begin with a digit
    "relaxed-service-names": (1, 36),
    # StrictIPCIDRValidation is on by default (KEP-4858): no leading zeros, no bits beyond a CIDR's prefix
    "strict-addresses": (1, 36),
    # fields of a Service that there were before (kubernetes_service.FORMER_FIELDS): k8s.io/api core/v1 types.go v0.19.0 to
    # v0.22.0, k8s.io/apimachinery meta/v1 types.go v0.24.0 and v0.25.0; the first was in 1.7.0-alpha.0 and not in 1.8.0-alpha.0
    "no-public-ips": (1, 8),
    "no-ip-family": (1, 20),
    "no-topology-keys": (1, 22),
    "no-cluster-name": (1, 25),
}
"""What Kubernetes itself brings, by version."""
