"""Sections and keys of other programs' files that share a name or a form with cloud.conf.

A program's name says which of its files are meant. Names are folded as `ccmcheck.base.suggest.fold_name` does: lower
case, without hyphens and underscores; a section ``x*`` stands for every name that begins so.

Sources:
* Octavia: etc/octavia.conf and octavia/common/config.py (openstack/octavia 0e6ea11c2).
* OpenStack services: the oslo libraries' option groups (oslo.messaging, oslo.policy, keystonemiddleware), and the sample
  configuration of nova, neutron, cinder, magnum, heat, barbican, kuryr-kubernetes and tempest.
* vSphere: kubernetes/cloud-provider-vsphere pkg/common/config, docs/book/cloud_config.md, and the CSI driver's
  csi-vsphere.conf; k8s.io/legacy-cloud-providers vsphere.
* AWS: kubernetes/cloud-provider-aws pkg/providers/v1/config/config.go. GCE: k8s.io/cloud-provider-gcp
  providers/gce/gce.go. CloudStack: apache/cloudstack-kubernetes-provider cloudstack.go. Photon, Rackspace and oVirt:
  kubernetes v1.9 pkg/cloudprovider/providers. Rackspace: rackspace-spot/cloud-provider-rackspace
  pkg/cloudprovider/providers/openstack/openstack.go and manifests/cloud-config, too. IBM: IBM-Cloud/cloud-provider-ibm ibm/ibm.go.
* Huawei: kubernetes-sigs/cloud-provider-huaweicloud pkg/config/config.go; huaweicloud/huaweicloud-csi-driver, whose [Vpc]
  Flexible Engine and others took over.
* Azure: kubernetes-sigs/cloud-provider-azure pkg/provider/config. Alibaba: kubernetes/cloud-provider-alibaba-cloud
  pkg/config. Nutanix: nutanix-cloud-native/cloud-provider-nutanix.
* Exoscale: exoscale/exoscale-cloud-controller-manager exoscale/config.go. KubeVirt: kubevirt/cloud-provider-kubevirt
  pkg/provider/cloud.go. OCI: oracle/oci-cloud-controller-manager pkg/cloudprovider/providers/oci/config.
* Encrypted files: ansible-vault's documentation; getsops/sops README; C2SP age.md; RFC 9580; AGWA/git-crypt
  util.cpp and commands.cpp.
* cloud-init: its documentation's module reference.
* Samba smb.conf(5), pip's configuration guide, fio(1), ceph.conf (doc/rados/configuration), php-fpm.conf, my.cnf,
  systemd.network(5), systemd.service(5), setup.cfg (setuptools), git-config(1).
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class Program(NamedTuple):
    """A program with a file of sections and keys.

    Attributes:
        name: The file, as a message says it.
        sections: The sections that cloud.conf does not have; one that ends with ``*`` stands for all that begin so.
        keys: The keys that the CCM does not read.
        global_keys: Sets of keys of ``[Global]``, each of which shows the program, whatever else the text has.
        hosts: Hosts of ``auth-url`` that show it likewise; their subdomains do as well.
        sole_sections: Sections that show it likewise.
    """

    name: str
    sections: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    global_keys: tuple[frozenset[str], ...] = ()
    hosts: tuple[str, ...] = ()
    sole_sections: frozenset[str] = frozenset()


def _names(text: str) -> frozenset[str]:
    return frozenset(text.replace("-", "").replace("_", "").casefold().split())


PROGRAMS: tuple[Program, ...] = (
    Program(
        "Octavia's own octavia.conf",
        _names("""
            api_settings service_auth health_manager controller_worker house_keeping haproxy_amphora amphora_agent
            driver_agent task_flow keepalived_vrrp quotas jobboard
        """),
        _names("""
            bind_host bind_port api_handler enabled_provider_drivers default_provider_driver lb_network_name
            max_retries retry_interval port_detach_timeout amp_image_tag amp_flavor_id amp_boot_network_list
            amp_secgroup_list amp_ssh_key_name loadbalancer_topology heartbeat_key controller_ip_port_list
            event_stream_topic octavia_plugins network_driver compute_driver amphora_driver
        """),
    ),
    Program(
        "an OpenStack service's configuration",
        _names("""
            DEFAULT oslo_* keystone_authtoken keystone keystone_auth database api_database placement
            placement_database service_user neutron nova cinder glance glance_store heat octavia barbican
            ironic swift trust trustee_auth certificates cors healthcheck audit ml2 ml2_* securitygroup ovs ovn
            linux_bridge vxlan agent agents vnc spice libvirt scheduler filter_scheduler api wsgi profiler
            cache conductor quota privsep os_vif_* vif_plug_* octavia_defaults neutron_defaults cni_daemon
            nova_metadata service_available network-feature-enabled load_balancer identity_feature_enabled
            docker_registry docker kubernetes_client magnum_client heat_client cinder_client glance_client
            neutron_client nova_client octavia_client keystone_auth fernet_tokens credential eventlet_server
        """),
        _names("""
            transport_url www_authenticate_uri auth_uri memcached_servers auth_type auth_plugin auth_strategy
            auth_host auth_port auth_protocol admin_user admin_password admin_tenant_name service_token_roles_required
            project_domain_name project_domain_id rabbit_host rabbit_hosts rabbit_userid rabbit_password rabbit_port
            rpc_backend connection lock_path log_dir log_file use_syslog use_stderr core_plugin service_plugins
            policy_file paste_config api_paste_config
        """),
    ),
    Program(
        "the configuration of vSphere's cloud provider",
        _names(
            "VirtualCenter Workspace Disk Network Labels Nodes NSXT VirtualMachine Snapshot TopologyCategory NetPermissions"
        ),
        _names("""
            insecure-flag datacenter datacenters datastore default-datastore resourcepool-path working-dir vm-uuid vm-name
            soap-roundtrip-count thumbprint public-network scsicontrollertype server vcenter-ip user port cluster-id
            cluster-distribution ipPoolName ipPoolID lbServiceId tier1GatewayPath tcpAppProfileName udpAppProfileName
            snatDisabled routerPath internal-network-subnet-cidr external-network-subnet-cidr
            internal-vm-network-name external-vm-network-name topology-categories
        """),
    ),
    Program(
        "the configuration of AWS's cloud provider",
        _names("ServiceOverride"),
        _names("""
            zone vpc routetableid rolearn kubernetesclustertag kubernetesclusterid disablesecuritygroupingress
            disablestrictzonecheck elbsecuritygroup nodeipfamilies clusterserviceloadbalancerhealthprobemode
            clusterservicesharedloadbalancerhealthprobeport sourceofhostname signingregion signingmethod
        """),
    ),
    Program(
        "the configuration of GCE's cloud provider",
        frozenset(),
        _names("""
            token-url token-body project-id network-project-id network-name subnetwork-name secondary-range-name
            node-tags node-instance-prefix multizone regional local-zone api-endpoint container-api-endpoint
            alpha-features stack-type
        """),
    ),
    Program(
        "the configuration of CloudStack's cloud provider",
        frozenset(),
        _names("api-url api-key secret-key project-id zone ssl-no-verify"),
    ),
    Program(
        "the configuration of Rackspace's cloud provider",
        keys=_names("api-key"),
        # it has the sections and keys of the CCM that it comes from; a user name with an API key logs in to Rackspace only,
        # whose OpenStack clouds have their Keystones on other hosts
        global_keys=(_names("auth-url username api-key"),),
        hosts=("identity.api.rackspacecloud.com",),
    ),
    Program(
        # cloud-provider-openstack before 1.16: pkg/flexvolume, cluster/images/flex-volume-driver/cinder.conf.default
        "the configuration of the Cinder FlexVolume driver",
        sole_sections=_names("RBD"),
    ),
    Program(
        "the configuration of Huawei Cloud's cloud provider",
        keys=_names("access-key secret-key project-id idle-timeout security-group-id vpc-id ak sk"),
        global_keys=(_names("access-key secret-key"),),
        sole_sections=_names("Vpc"),
    ),
    Program(
        # Hypernetes' network provider, later harmonystack and Stackube's: [Global] has the CCM's login
        "the configuration of KubeStack",
        keys=_names("ext-net-id plugin-name integration-bridge"),
        sole_sections=_names("Plugin"),
    ),
    Program(
        "the configuration of IBM Cloud's cloud provider",
        _names("kubernetes provider load-balancer-deployment"),
        _names("""
            config-file cluster-default-provider calico-datastore account-id accountid clusterid vlan-ip-config-map
            g2credentials g2vpcname g2workerserviceaccountid iks-private-endpoint-hostname
        """),
    ),
    Program(
        "the configuration of oVirt's cloud provider",
        _names("connection filters"),
        _names("uri vms"),
    ),
    Program(
        "the configuration of Photon's cloud provider",
        frozenset(),
        _names("target ignoreCertificate overrideIP vmID authentication"),
    ),
    Program(
        "Samba's smb.conf",
        _names("homes printers print$ netlogon profiles"),
        _names("workgroup interfaces security browseable writable path"),
    ),
    Program(
        "pip's configuration",
        _names("install freeze"),
        _names("index-url extra-index-url trusted-host find-links timeout"),
    ),
    Program(
        "a job file of fio",
        frozenset(),
        _names("ioengine iodepth rw bs direct runtime time_based numjobs group_reporting size filename randrepeat"),
    ),
    Program(
        "Ceph's ceph.conf",
        _names("mon osd mgr mds client mon.* osd.* client.*"),
        _names("fsid mon_host mon_initial_members auth_cluster_required auth_service_required auth_client_required"),
    ),
    Program("php-fpm's configuration", _names("www"), _names("pid error_log include daemonize pm listen")),
    Program(
        "MySQL's configuration", _names("mysqld client mysql mysqldump galera"), _names("datadir socket bind-address")
    ),
    Program(
        "a unit or network file of systemd",
        _names("Unit Service Install Socket Timer Match Address DHCP DHCPv4 Link NetDev"),
        _names("Description ExecStart ExecStartPre WantedBy Gateway Destination"),
    ),
    Program(
        "a setup.cfg",
        _names("options options.* tool:* flake8 mypy bdist_wheel aliases testenv tox"),
        _names("long_description classifiers install_requires packages zip_safe"),
    ),
    Program(
        "git's configuration", _names("core remote branch submodule merge push"), _names("repositoryformatversion bare")
    ),
)
"""The programs in the order in which a draw is decided."""

GENERIC_KEYS: frozenset[str] = _names("""
    region username password cloud token enabled keyring endpoint user-id domain-id domain-name subnet-id network-id
    availability-zone flavor-id ca-file cert-file key-file key-id request-timeout node-selector secret-name
    secret-namespace kubeconfig-path trust-id
""")
"""Keys of cloud.conf that many other programs have, too: they prove nothing outside their section."""

WEAK_KEYS: frozenset[str] = _names("""
    user port server zone timeout path size target uri connection project-id project-domain-id project-domain-name
    security interfaces include listen pid rw bs direct subnet-id authentication datacenter description
""")
"""Keys of other programs that prove little, because people write them into a cloud.conf as well."""

ENCRYPTED_BY = "a text encrypted by "
"""How a text is called that is unknown as a whole."""

ENCRYPTED: dict[str, str] = {
    "$ANSIBLE_VAULT;": "Ansible Vault",
    "ENC[": "SOPS",
    "-----BEGIN AGE ENCRYPTED FILE-----": "age",
    "age-encryption.org/v1": "age",
    "-----BEGIN PGP MESSAGE-----": "PGP",
    "\0GITCRYPT\0": "git-crypt",
}
"""Beginnings of encrypted texts, and what encrypted them."""

JSON_KEYS: dict[str, str] = {
    "aadClientId": "the configuration of Azure's cloud provider",
    "aadClientSecret": "the configuration of Azure's cloud provider",
    "tenantId": "the configuration of Azure's cloud provider",
    "subscriptionId": "the configuration of Azure's cloud provider",
    "resourceGroup": "the configuration of Azure's cloud provider",
    "useManagedIdentityExtension": "the configuration of Azure's cloud provider",
    "AzurePublicCloud": "the configuration of Azure's cloud provider",
    "prismCentral": "the configuration of Nutanix's cloud provider",
    "accessKeyID": "the configuration of Alibaba's cloud provider",
    "accessKeySecret": "the configuration of Alibaba's cloud provider",
    "vswitchid": "the configuration of Alibaba's cloud provider",
    "kubernetesVersion": "another program's configuration",
}
"""Keys of the JSON files that other cloud providers read."""

YAML_KEYS: dict[str, str] = {
    "vcenter": "the configuration of vSphere's cloud provider",
    "instances": "another cloud provider's configuration",
    "tenantId": "the configuration of Azure's cloud provider",
    "subscriptionId": "the configuration of Azure's cloud provider",
    "aadClientId": "the configuration of Azure's cloud provider",
    "kubeconfig": "the configuration of KubeVirt's cloud provider",
    "useInstancePrincipals": "the configuration of OCI's cloud provider",
    "compartment": "the configuration of OCI's cloud provider",
    "apiKey": "the configuration of Exoscale's cloud provider",
    "apiSecret": "the configuration of Exoscale's cloud provider",
    "runcmd": "cloud-init's data",
    "bootcmd": "cloud-init's data",
    "write_files": "cloud-init's data",
    "packages": "cloud-init's data",
    "users": "cloud-init's data",
    "ssh_authorized_keys": "cloud-init's data",
    "coreos": "cloud-init's data",
    "rancher": "cloud-init's data",
    "datasource_list": "cloud-init's data",
}
"""Keys at the start of a line of the YAML files that other programs keep under the same names."""
