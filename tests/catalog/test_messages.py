"""The table of messages: its rows are whole, every message of the sources is in it, and lines lead to their cause."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from ccmcheck import catalog
from ccmcheck.catalog.messages import LONGEST_LINE, _wordings, explained, messages
from ccmcheck.rules import GROUP_OF

RECORDED = Path(__file__).with_name("recorded_messages.txt")
FOREIGN = Path(__file__).with_name("foreign_lines.txt")
CAUSES = Path(__file__).with_name("lines_and_causes.txt")
ALIKE = Path(__file__).with_name("lines_alike.txt")
OURS = re.compile(
    r"\b(?:the CCM|OpenStack|Octavia|Neutron|Cinder|Nova|Keystone|Barbican|cloud\.conf|auth-url|catalogue|amphora|"
    r"lb-provider|floating IP|in \[\w+\]|Magnum|Manila|has no kubeconfig|is not in the image|parameters of a StorageClass)",
    re.IGNORECASE,
)
"""What no cause of another program's line names."""
HTTP = "Expected HTTP response code [200 201 202] when accessing [POST https://api/v2.0/lbaas/loadbalancers/1f], but got {} instead: {}"
CALLERS = 'openstack-cloud-controller-manager: cloud-provider: leaderelection.go: round_trippers.go: see --bind-address: octavia-worker: haproxy: curl: (7) octavia: node "w": volume: /apis/: create route: mounting: manila: machine: helm: kubeadm: role: heat: itemNotFound: clouds.yaml: DaemonSet: runtime create failed: kubespray: nodes are available: '
"""Words of every context in which a wording counts."""
FAILED = "Error syncing load balancer: failed to ensure load balancer: "
WITHOUT_MEANING = frozenset({
    "%s: %s", "poolID", "v1", "unreachable", "Feature %d not recognized", "Synced", "Skipping %q",
    "error extracting subnets from pages: %v",
    "node informer is not yet initialized", "couldn't get key for object %#v: %v", "DeletingLoadBalancer",
    "DeletedLoadBalancer", "service status returned by EnsureLoadBalancer is nil",
    "EnsuredLoadBalancer", "UnAvailableLoadBalancer", "UpdatedLoadBalancer", "%q is disabled",
    "Unable to retrieve service %v from store: %v", "Discarding node label %s with kubernetes namespace",
    "Discarding node label %s that is already present", "kubernetes client is nil", "no cloud provider provided",
    "Error starting %q",
    "invalid resource key: %s", "DeleteVolume Volume ID must be provided",
    "Snapshot name must be provided in CreateSnapshot request", "VolumeID must be provided in CreateSnapshot request",
    "Error to convert time to timestamp: %v", "Snapshot ID must be provided in DeleteSnapshot request",
    "GetCapacity is not yet implemented", "Volume ID not provided", "Volume %s not found", "Capacity range not provided",
    "Volume not found", "Driver name not configured", "Driver is missing version",
    "Error in making file %v", "Could not remove mount target %q: %v", "[NodeUnpublishVolume] Target Path must be provided",
    "[NodeUnpublishVolume] volumeID must be provided", "Volume Id not provided", "Staging target not provided",
    "NodeUnstageVolume Staging Target Path must be provided", "Volume path not provided",
    "failed to check whether volumePath exists: %v", "target: %s not found", "failed to get stats by path: %v",
    "Failed to remove %s, error: %v", "Failed to listen: %v", "invalid endpoint: %v", "[ID:%d] GRPC error: %v",
    "error fetching %s: %v", "failed to stat() %q: %v", "error seeking to end of %s: %v",
    "newSize is empty, skipping the block device rescan", "flavor name/id not found",
    "loadbalancer %s does not exist", "status of volume %s is %s",
    "calling DiskIsAttached with empty instanceid: %s %s", "could not parse %s", "Could not parse %s",
})  # fmt: skip
"""Messages of normal work, of faults of the program itself, and wordings that say nothing without what they name."""


def test_rows_are_whole() -> None:
    wordings = [text for message in messages() for text in message.texts]
    assert len(set(wordings)) == len(wordings) > 350
    for message in messages():
        assert message.source, message
        assert message.means.endswith("."), message.texts
        assert message.remedy.endswith((".", "`.")), message.texts
        assert set(message.rules) <= GROUP_OF.keys(), message.rules
        for about in message.about:
            section, dot, key = about.partition(".")
            if dot and section in catalog.all_sections():
                assert catalog.history(section, key) is not None, about


def test_every_wording_leads_to_its_row() -> None:
    for message in messages():
        for text in message.texts:
            said = text.replace("%s", "x").replace("%v", "x").replace("%q", '"x"').replace("%d", "3")
            known = explained(f"E0101 12:00:00.1 1 file.go:1] {CALLERS}{said}")
            assert message.means in [row.means for row in known], text


@pytest.mark.parametrize("line", RECORDED.read_text(encoding="utf-8").splitlines())
def test_messages_of_the_sources_are_known(line: str) -> None:
    place, _, text = line.partition("\t")
    assert bool(explained(CALLERS + text)) != (text in WITHOUT_MEANING), place


@pytest.mark.parametrize(
    ("line", "about"),
    [
        (FAILED + "error getting server ID from the node: ProviderID \"rke2://a\" didn't match expected format \"openstack://region/InstanceID\"", "spec.providerID"),
        ("Error syncing load balancer: Resource not found", "LoadBalancer.use-octavia"),
        (FAILED + HTTP.format(404, '{"NeutronError": {"message": "External network a is not reachable from subnet b.  Therefore, cannot associate Port c with a Floating IP."}}'), "LoadBalancer.floating-network-id"),
        ('{"msg":"failed: \\"Provider \'amphora\' is not enabled.\\""}', "LoadBalancer.lb-provider"),
        (FAILED + "failed to get load balancer 1f: " + HTTP.format(404, "{}"), "loadbalancer.openstack.org/load-balancer-id"),
        (FAILED + "failed to get load balancer 1f: " + HTTP.format(503, "busy"), "quotas"),
        ("could not init cloud provider: POST /identity/v3/auth/tokens was answered 503: try later", "quotas"),
        (FAILED + "failed to get load balancer 1f: GET /v2.0/lbaas/loadbalancers/1f was answered 404: none", "loadbalancer.openstack.org/load-balancer-id"),
        ('failed calling webhook "a.b": failed to call webhook: Post "https://a.b.svc:443/": no endpoints', "ValidatingWebhookConfiguration"),
        ("services \"web\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no", "ValidatingAdmissionPolicy"),
        ('F1 main.go:71] Cloud provider could not be initialized: unknown cloud provider "openstak"', "--cloud-provider"),
        (FAILED + HTTP.format(409, "Quota exceeded for resources: ['port']."), "quotas"),
        (FAILED + HTTP.format(400, "Validation failure: The request delay value 2 should be larger than 3 for UDP-CONNECT health monitor type."), "LoadBalancer.monitor-delay"),
        ('F0101 main.go:71] Cloud provider could not be initialized: could not init cloud provider "openstack": Authentication failed', "Global.username"),
        ('F0101 main.go:71] Cloud provider could not be initialized: Post "https://k:5000/v3/auth/tokens": x509: certificate signed by unknown authority', "Global.ca-file"),
        ("Post https://k/v3/auth/tokens: dial tcp: lookup k on 10.0.0.10:53: no such host", "Global.auth-url"),
        ("can't store data at section \"LoadBalancer\", variable \"floating-subnet-id\"", "unknown keys"),
        ('services "web" is forbidden: User "system:serviceaccount:kube-system:cloud-controller-manager" cannot patch resource "services/status" in API group "" in the namespace "shop"', "ClusterRole"),
        ('err="leases.coordination.k8s.io "cloud-controller-manager" is forb … r-manager" cannot get resource "leases" in API group "coordination.k8s.io"', "ClusterRole"),
        ("failed to find kubelet node IP from cloud provider", "Networking.internal-network-name"),
        ('error getting server ID from the node: ProviderID "openstack://w1" didn\'t match expected format "openstack:///InstanceID"', "--provider-id"),
        ("Error updating load balancer with new hosts map[w1:{}]: failed to find object", "--cluster-name"),
        ('failed to parse node IP "10.0.0.5,fd00::5": dual-stack not supported in this configuration', "--feature-gates"),
        ('failed to parse node IP "10.0.0.5,fd00::5" for node "worker-1"', "--node-ip"),
        ("0/3 nodes are available: 3 node(s) had untolerated taint {CriticalAddonsOnly: true}.", "tolerations"),
        ("k8s.io/cloud-provider-openstack/pkg/openstack.(*LbaasV2).ensureAndUpdateOctaviaSecurityGroup(0xc0)", "LoadBalancer.manage-security-groups"),
        ('Post "https://k:5000/v3/auth/tokens": dial tcp: lookup k on 10.96.0.10:53: read udp 10.0.0.7:43210->10.96.0.10:53: i/o timeout', "dnsPolicy"),
        ("error fetching http://169.254.169.254/openstack/latest/meta_data.json: dial tcp 169.254.169.254:80: connect: connection refused", "Metadata.search-order"),
        ("error checking if node w1 exists: failed to find object", "spec.providerID"),
        ("dial tcp 10.10.106.33:8089: getsockopt: no route to host", "Global.auth-url"),
        ('Liveness probe failed: Get "https://10.0.0.5:10258/healthz": dial tcp 10.0.0.5:10258: connect: connection refused', "--bind-address"),
        ("NodeHealthy: Waiting for a Node with spec.providerID openstack:///5e1f to exist", "spec.providerID"),
        ('pods "openstack-cloud-controller-manager-" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)', "Namespace"),
        ('MountVolume.SetUp failed for volume "cloud-config-volume" : secret "cloud-config" not found', "volumes"),
        ('MountVolume.SetUp failed for volume "pvc-1" : rpc error: code = Internal desc = failed to find device for the volumeID: "5e1f" within the alloted time', "volumeMounts"),
        ('AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = [ControllerPublishVolume] failed to attach volume: volume "5e1f" failed to be attached within the allotted time', "VolumeAttachment"),
        ('failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = CreateVolume failed with error Bad request with: [POST https://c/v3/volumes], error message: {"badRequest": {"code": 400, "message": "Availability zone \'az1\' is invalid."}}', "BlockStorage.ignore-volume-az"),
        ('unable to load configmap based request-header-client-ca-file: configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:kube-system:a" cannot get resource "configmaps" in API group "" in the namespace "kube-system"', "RoleBinding"),
        ("error running controllers: invalid CIDR[0]: <nil> (invalid CIDR address: )", "--configure-cloud-routes"),
        ("failed to read config: 12:14: expected EOL, EOF, or comment", "cloud.conf"),
        ("0/3 nodes are available: 3 node(s) had volume node affinity conflict.", "PersistentVolume"),
        ('could not init cloud provider "openstack": Post "https://k:5000/v3/auth/tokens": EOF', "Global.auth-url"),
        ('Error: unknown command "v=2" for "openstack-cloud-controller-manager"', "args"),
        ("Unable to authenticate the request due to an error: [invalid bearer token, Token has been invalidated]", "ServiceAccount"),
        ('Post "https://k:5000/v3/auth/tokens": proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused', "NO_PROXY"),
        ('[POST https://o/v2.0/lbaas/listeners], but got 400 instead: {"faultstring": "Amphora provider does not support SOURCE_IP_PORT algorithm."}', "LoadBalancer.lb-method"),
        ("Error syncing load balancer: failed to ensure load balancer: the listener port 443 already exists", "loadbalancer.openstack.org/load-balancer-id"),
        ('Resource not found: [GET https://n:9696/v2.0/lbaas/loadbalancers?name=kube_service_k_d_w], error message: {"code": "404"}', "LoadBalancer.use-octavia"),
        ("octavia: Port security must be enabled on the VIP network.", "LoadBalancer.member-subnet-id"),
        ("octavia: This provider doesn't support mixing IPv4 and IPv6 addresses for its VIP and members in UDP load balancers.", "loadbalancer.openstack.org/subnet-id"),
        ("| operating_status    | OFFLINE                              |", "operating_status"),
        ('{"pools": [{"name": "a", "operating_status": "ERROR", "provisioning_status": "ACTIVE"}]} loadbalancer', "LoadBalancer.manage-security-groups"),
        ("openstack loadbalancer member list shows NO_MONITOR", "LoadBalancer.create-monitor"),
        ("load balancer is stuck in PENDING_UPDATE", "provisioning_status"),
        ("octavia-worker: Amphora compute instance failed to become reachable. This either means the compute driver failed to fully boot the instance inside the timeout interval or the instance is not reachable via the lb-mgmt-net.", "provisioning_status"),
        ("octavia ovn: Cannot associate LB 1f to LS neutron-2e because LS row not found in OVN NBDB. Exiting.", "LoadBalancer.lb-provider"),
        ("Router interface for subnet a on router b cannot be deleted, as it is required by one or more routes.", "Route.router-id"),
        ('create route: {"NeutronError": {"message": "Unable to complete operation for 1f. The number of routes exceeds the maximum 30."}}', "Route.router-id"),
        ('openstack: {"NeutronError": {"message": "Invalid input for operation: Cannot specify a floating IP address outside of the network."}}', "spec.loadBalancerIP"),
        ("OpenStackCluster: Invalid input for dns_nameservers. Reason: '8.8.8.8,1.1.1.1' is not a valid nameserver.", "dnsNameservers"),
        ("svclb-traefik-1f pending: 0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports.", "--disable servicelb"),
        ('invalid argument "CSIMigration=false" for "--feature-gates" flag: cannot set feature gate CSIMigration to false, feature is locked to true', "--feature-gates"),
        ("failed to listen on 192.168.0.5:10258: listen tcp 192.168.0.5:10258: bind: cannot assign requested address", "--bind-address"),
        ("error creating lock: endpointsleases lock is removed, migrate to leases", "--leader-elect-resource-lock"),
        ("client rate limiter Wait returned an error: context deadline exceeded", "--kube-api-qps"),
        ("0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available", "resources"),
        ('Service in version "v1" cannot be handled as a Service: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string', "metadata.annotations"),
        ('Error creating: pods "x" is forbidden: no PriorityClass with name system-cluster-critical was found', "priorityClassName"),
        ("request.go:697] Waited for 1.195s due to client-side throttling, not priority and fairness, request: GET:https://10.96.0.1:443/apis/a", "--kube-api-qps"),
        ('Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.template.spec.containers', "metadata.managedFields"),
        ("dial tcp: lookup k on 10.96.0.10:53: write udp 10.6.0.240:32899->10.96.0.10:53: write: operation not permitted", "dnsPolicy"),
    ],
)  # fmt: skip
def test_the_cause_comes_first(line: str, about: str) -> None:
    assert about in explained(line)[0].about


KUBELET = "kubelet[14977]: F0408 11:34:02.992363   14977 kubelet.go:1354] "


@pytest.mark.parametrize(
    ("line", "said", "unsaid"),
    [
        ("E1002 03:00:28.5 1 core.go:92] Failed to start service controller: WARNING: no cloud provider provided, services of type LoadBalancer will fail", "does no harm where a CCM runs", "endpoint"),
        ('failed to run Kubelet: unknown cloud provider "openstack"', "Kubernetes 1.26 and newer have no provider of OpenStack inside", "does not have"),
        ("Failed to start service controller: the cloud provider does not support external load balancers", "no load-balancer endpoint", "no harm"),
        (KUBELET + "Kubelet failed to get node info: failed to get instance ID from cloud provider: instance not found", "The provider inside the kubelet finds no instance", "Kubernetes API"),
        ("atomic-openshift-node[2]: E0118 14:02:02.7 2 kubelet.go:925] Unable to construct api.Node object for kubelet: failed to get external ID from cloud provider: Failed to find object", "finds no instance for the node", "an ID or name in cloud.conf"),
        ('failed to run Kubelet: could not init cloud provider "openstack": Authentication failed', "The provider inside the kubelet stops at start", "The CCM stops"),
        ('F0127 1 controllermanager.go:230] error building controller context: cloud provider could not be initialized: could not init cloud provider "openstack": Post https://k/v3/auth/tokens: x509: certificate signed by unknown authority', "The provider inside kube-controller-manager stops at start", "The CCM stops"),
        ("Failed to Attach Volume: Bad request: Invalid volume: Volume status must be available to reserve, but the status is creating. (HTTP 400)", "still making the volume", "still attached"),
        ('MountVolume.MountDevice failed for volume "v" : rpc error: code = Internal desc = failed to get disk format of disk vdb: executable file not found in $PATH', "has no `blkid`", "that `command` names"),
        ('metadata.name: Invalid value: "worker/6d20": a DNS-1123 subdomain must consist of lower case alphanumeric characters, Unable to register node', "or a slash", "the CCM"),
        ("Failed to CreateOpenStackProvider: No suitable endpoint could be found in the service catalog.", "token without a project", "no tenant"),
        ("E0101 1 node_controller.go:1] error syncing 'w': failed to get node w: forbidden: User \"x\" cannot get", "could not read or write a Node", "the kubelet"),
        ('tokenreviews.authentication.k8s.io is forbidden: User "x" cannot create resource "tokenreviews" in API group "authentication.k8s.io" at the cluster scope', "whose token that is", "leases"),
        ('AttachVolume.Attach failed for volume "v" : multiple results where only one expected', "Two servers", "--cluster-name"),
        ("Failed to GetOpenStackProvider: failed to read and parse /a.pem certificate: error creating pool from /a.pem: data does not contain any valid RSA or ECDSA certificates", "holds no certificate in PEM form", "does not trust"),
    ],
)  # fmt: skip
def test_what_is_said_fits_the_line(line: str, said: str, unsaid: str) -> None:
    cause, *others = explained(line)
    whole = " ".join([cause.means, *(other.means for other in others if other.is_step)])
    assert said in whole
    assert unsaid not in whole


@pytest.mark.parametrize(
    "line",
    ["", "I0101 12:00:00.1 1 leaderelection.go:258] successfully acquired lease kube-system/cloud-controller-manager", "GET /healthz 200", "error: something else went wrong", "x" * 100_000],
)  # fmt: skip
def test_other_lines_are_not_explained(line: str) -> None:
    assert explained(line) == ()


def test_a_line_above_the_first_header_is_told_from_one_below() -> None:
    said = "expected section header"
    above, below = (
        explained(f'could not init cloud provider "openstack": 1:1: {text}')[0].means
        for text in (said, f"{said} or variable declaration")
    )
    assert "above the first" in above
    assert "neither a section header nor" in below


@pytest.mark.parametrize("line", FOREIGN.read_text(encoding="utf-8").splitlines())
def test_lines_of_other_programs_get_no_cause_of_openstack(line: str) -> None:
    """Lines as kubectl, helm, nginx, systemd, etcd, other clouds and others write them: nothing, or what is sure of all."""
    assert not [row for row in explained(line) if OURS.search(row.means)]


@pytest.mark.parametrize(
    ("line", "source", "unsaid"),
    [
        ("2026/11/28 10:00:00 [error] 29#29: *1 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.1", "nginx", "auth-url"),
        ("upstream timed out (110: Operation timed out) while reading response header from upstream, client: 10.0.0.1", "nginx", "auth-url"),
        ("mysqld: connect() failed (111: Connection refused)", "the operating system", "auth-url"),
        ("ERROR oslo.messaging._drivers.impl_rabbit [-] AMQP server on 10.0.0.1:5672 is unreachable: [Errno 111] Connection refused.", "the operating system", "auth-url"),
        ("dial tcp 10.0.0.1:5000: connect: connection refused", "Go's standard library", "targetPort"),
        ('AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = NotFound desc = Instance "i-0123456789" not found', "Kubernetes", "cinder"),
        ('MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = rbd: map failed with error an error', "Kubernetes", "cinder"),
        ('failed to provision volume with StorageClass "gp3": rpc error: code = Internal desc = could not create volume in EC2', "Kubernetes", "cinder"),
    ],
)  # fmt: skip
def test_who_gives_it_and_what_is_not_said(line: str, source: str, unsaid: str) -> None:
    cause = explained(line)[0]
    assert cause.source == source
    assert unsaid not in " ".join([cause.at, cause.means, cause.remedy, *cause.about])


@pytest.mark.parametrize("case", CAUSES.read_text(encoding="utf-8").splitlines())
def test_lines_as_people_meet_them_lead_to_their_cause(case: str) -> None:
    begin, _, line = case.partition("\t")
    assert explained(line)[0].means.startswith(begin)


@pytest.mark.parametrize("line", ALIKE.read_text(encoding="utf-8").splitlines())
def test_lines_that_look_alike_are_not_explained(line: str) -> None:
    assert explained(line) == ()


def test_routes_of_other_clouds_get_no_advice_about_a_router() -> None:
    (row,) = [row for row in messages() if "Could not create route %s %s for node %s: %v" in row.texts]
    assert row.means.index("In OpenStack") < row.means.index("router")
    assert row.remedy.startswith("In OpenStack")


def test_a_long_line_is_searched_up_to_a_limit() -> None:
    assert explained("x" * LONGEST_LINE + "Quota exceeded for resources: port") == ()


def test_a_crafted_line_takes_no_more_time_than_its_length() -> None:
    first, *_ = max((one for one in _wordings() if len(one[1]) > 2), key=lambda one: -len(one[1][0]))[1]
    line = (f"{first} " * LONGEST_LINE)[:LONGEST_LINE]
    started = time.process_time()
    for _ in range(20):
        assert not explained(line)
    assert time.process_time() - started < 1.5
