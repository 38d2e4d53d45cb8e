"""The signs by which a text is known for an OpenStack cloud.conf or for another program's file: names and patterns.

The CCM's own sections and keys are in the catalogue; here is what they weigh. Names are separated by blanks and compared
as `ccmcheck.base.suggest.fold_name` does: without case, hyphens and underscores.

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
* FlexVolume: cloud-provider-openstack before 1.16, pkg/flexvolume, cluster/images/flex-volume-driver/cinder.conf.default.
* Huawei: kubernetes-sigs/cloud-provider-huaweicloud pkg/config/config.go; huaweicloud/huaweicloud-csi-driver, whose [Vpc]
  Flexible Engine and others took over. EdgeCenter: Edge-Center/edgecenter-ccm README.md. KubeStack: Hypernetes' network
  provider, later harmonystack and Stackube's.
* Azure: kubernetes-sigs/cloud-provider-azure pkg/provider/config. Alibaba: kubernetes/cloud-provider-alibaba-cloud
  pkg/config. Nutanix: nutanix-cloud-native/cloud-provider-nutanix.
* Exoscale: exoscale/exoscale-cloud-controller-manager exoscale/config.go. KubeVirt: kubevirt/cloud-provider-kubevirt
  pkg/provider/cloud.go. OCI: oracle/oci-cloud-controller-manager pkg/cloudprovider/providers/oci/config.
* Encrypted files: ansible-vault's documentation; getsops/sops README; C2SP age.md; RFC 9580; AGWA/git-crypt
  util.cpp and commands.cpp.
* cloud-init: its documentation's module reference. TOML: toml.io v1.0.0, arrays and inline tables.
* Samba smb.conf(5), pip's configuration guide, fio(1), ceph.conf (doc/rados/configuration), php-fpm.conf, my.cnf,
  systemd.network(5), systemd.service(5), setup.cfg (setuptools), git-config(1).
* What is said of how people write: mistakes in public repositories, see tests/wild/README.md.
"""

from __future__ import annotations

from enum import Enum

from ccmcheck.base.records import NamedTuple


class KnownBy(Enum):
    """What calls a text a cloud.conf before anybody looks into it."""

    NOTHING = "nothing, it was found in a folder"
    FILE = "its file's name"
    OBJECT = "the key of an object that holds it"
    USER = "the user, who names it"


NAMED = (KnownBy.FILE, KnownBy.OBJECT, KnownBy.USER)

LEAST: dict[KnownBy, int] = {KnownBy.NOTHING: 2, KnownBy.FILE: 1, KnownBy.OBJECT: -1, KnownBy.USER: -1}
"""The weight that makes a text a cloud.conf; in a folder, beside a key that only the CCM has."""

ALONE: dict[KnownBy, int] = {KnownBy.FILE: 2, KnownBy.OBJECT: 1, KnownBy.USER: 1}
"""The weight of one sign that is enough whatever else a text has, but for another program's signs."""

DECISIVE = 10_000
"""The weight of what decides whatever else a text has."""
FORMAT = 5_000
"""The weight of another form of what the CCM needs: more than every doubt."""
WEAK = 1
"""The weight of what people write into a cloud.conf as well."""


class Sign(NamedTuple):
    """One sign.

    Attributes:
        names: The names, separated by blanks; empty where the catalogue has them.
        weight: How much it weighs for the program whose it is, or for a cloud.conf; below 0 against it.
        example: A text that has it, where the names show none.
        says: What it is called in an answer, where its names are not.
        form: What is looked for, see `_signs`; ``format`` by its name in `ccmcheck.catalog.foreign_format`.
        known_by: Where it counts.
    """

    names: str
    weight: int = 2
    example: str = ""
    says: str = ""
    form: str = ""
    known_by: tuple[KnownBy, ...] = NAMED


OWN_KEY = Sign("", 2, "[LoadBalancer]\nlb-provider = ovn\n")
"""A key that no other program has, or that is almost it, in its section."""
MISPLACED_KEY = Sign("", 1, "[Global]\nlb-provider = ovn\n")
"""The same in another section or none, with a hyphen, as other programs seldom write it."""
GENERIC_KEY = Sign(
    """
    region username password cloud token enabled keyring endpoint user-id domain-id domain-name subnet-id network-id
    availability-zone flavor-id ca-file cert-file key-file key-id request-timeout node-selector secret-name
    secret-namespace kubeconfig-path trust-id tenant-id router-id
    """,
    1,
    "[Global]\nregion = R\n",
)
"""A key of cloud.conf that many other programs have, too: it proves nothing outside its section."""
OWN_SECTION = Sign("LoadBalancer LoadBalancerClass BlockStorage", 1, "[BlockStorage]\n")
"""A section that few other programs have."""
SECTION = Sign("", 0, "[Global]\n")
"""Any other section of cloud.conf, or one that is almost it: a name that proves nothing, and is something."""
UNKNOWN_KEY = Sign("", -1, "[Global]\ncolour = red\n", "unknown key")
UNKNOWN_SECTION = Sign("", -1, "[colours]\n", "unknown section")
NO_INI = Sign("", -1, "[Global]\nlb1 host=192.0.2.1\n", "other line")
TOML = Sign("", -2, '[Global]\nhosts = ["a"]\n', "TOML value")

_CONTENT = (KnownBy.OBJECT, KnownBy.USER)
CLOUD_CONF: tuple[Sign, ...] = (
    *(Sign(name, FORMAT, form="format") for name in ("a clouds.yaml", "the chart's values")),
    *(Sign(name, FORMAT, form="format", known_by=_CONTENT) for name in ("an openrc file", "a Kubernetes manifest")),
    *(Sign(name, FORMAT, form="format", known_by=(KnownBy.OBJECT,)) for name in ("PEM", "YAML", "JSON")),
    Sign("an encoded cloud.conf", FORMAT, "W0dsb2JhbF0KYXV0aC11cmw9eAo=\n", form="encoded"),
    Sign("a template of the whole", FORMAT, "${CLOUD_CONF}\n", form="marks"),
)
"""Other forms of what the CCM needs, in the place of a cloud.conf."""

ENCRYPTED_BY = "a text encrypted by "
"""How a text is called that is unknown as a whole."""
SEALED = f"{ENCRYPTED_BY}Sealed Secrets"


_FORMS: dict[str, tuple[str, int]] = {
    **{form: (form, DECISIVE) for form in ("login", "host", "json", "yaml", "begins")},
    "sole": ("section", DECISIVE),
    "section": ("section", 2),
    "key": ("key", 2),
    "weak": ("key", WEAK),
}


def _signs(**named: str) -> tuple[Sign, ...]:
    """The signs of a program.

    Args:
        named: Names by what they are: ``section``, where one that ends with ``*`` stands for all that begin so, and
            ``sole``, which decides alone; ``key``, below a section of cloud.conf or of nobody, and ``weak``, which
            people write into a cloud.conf, too; ``login``, keys of [Global] that decide together; ``host`` of auth-url
            and its subdomains; ``json`` and ``yaml``, keys of such texts; ``begins``, what a text begins with, by line.
    """
    return tuple([Sign(names, _FORMS[form][1], "", "", _FORMS[form][0]) for form, names in named.items()])


PROGRAMS: dict[str, tuple[Sign, ...]] = {
    f"{ENCRYPTED_BY}Ansible Vault": _signs(begins="$ANSIBLE_VAULT;"),
    f"{ENCRYPTED_BY}SOPS": _signs(begins="ENC[", json="sops"),
    f"{ENCRYPTED_BY}age": _signs(begins="-----BEGIN AGE ENCRYPTED FILE-----\nage-encryption.org/v1"),
    f"{ENCRYPTED_BY}PGP": _signs(begins="-----BEGIN PGP MESSAGE-----"),
    f"{ENCRYPTED_BY}git-crypt": _signs(begins="\0GITCRYPT\0"),
    "Octavia's own octavia.conf": _signs(
        section="""
            api_settings service_auth health_manager controller_worker house_keeping haproxy_amphora
            amphora_agent driver_agent task_flow keepalived_vrrp quotas jobboard
        """,
        key="""
            bind_host bind_port api_handler enabled_provider_drivers default_provider_driver lb_network_name
            max_retries retry_interval port_detach_timeout amp_image_tag amp_flavor_id amp_boot_network_list
            amp_secgroup_list amp_ssh_key_name loadbalancer_topology heartbeat_key controller_ip_port_list
            event_stream_topic octavia_plugins network_driver compute_driver amphora_driver
        """,
    ),
    "an OpenStack service's configuration": _signs(
        section="""
            DEFAULT oslo_* keystone_authtoken keystone keystone_auth database api_database placement
            placement_database service_user neutron nova glance glance_store heat octavia barbican ironic
            swift trust trustee_auth certificates cors healthcheck audit ml2 ml2_* securitygroup ovs ovn
            linux_bridge vxlan agent agents vnc spice libvirt scheduler filter_scheduler api wsgi profiler
            cache conductor quota privsep os_vif_* vif_plug_* octavia_defaults neutron_defaults cni_daemon
            nova_metadata service_available network-feature-enabled identity_feature_enabled docker_registry
            docker kubernetes_client magnum_client heat_client cinder_client glance_client neutron_client
            nova_client octavia_client keystone_auth fernet_tokens credential eventlet_server
        """,
        key="""
            transport_url www_authenticate_uri auth_uri memcached_servers auth_type auth_plugin
            auth_strategy auth_host auth_port auth_protocol admin_user admin_password admin_tenant_name
            service_token_roles_required rabbit_host rabbit_hosts rabbit_userid rabbit_password rabbit_port
            rpc_backend lock_path log_dir log_file use_syslog use_stderr core_plugin service_plugins
            policy_file paste_config api_paste_config
        """,
        weak="project_domain_name project_domain_id connection",
    ),
    "the configuration of vSphere's cloud provider": _signs(
        section="""
            VirtualCenter Workspace Disk Network Labels Nodes NSXT VirtualMachine Snapshot TopologyCategory
            NetPermissions
        """,
        key="""
            insecure-flag datacenters datastore default-datastore resourcepool-path working-dir vm-uuid
            vm-name soap-roundtrip-count thumbprint public-network scsicontrollertype vcenter-ip cluster-id
            cluster-distribution ipPoolName ipPoolID lbServiceId tier1GatewayPath tcpAppProfileName
            udpAppProfileName snatDisabled routerPath internal-network-subnet-cidr
            external-network-subnet-cidr internal-vm-network-name external-vm-network-name
            topology-categories
        """,
        weak="datacenter server user port",
        yaml="vcenter",
    ),
    "the configuration of AWS's cloud provider": _signs(
        section="ServiceOverride",
        key="""
            vpc routetableid rolearn kubernetesclustertag kubernetesclusterid disablesecuritygroupingress
            disablestrictzonecheck elbsecuritygroup nodeipfamilies clusterserviceloadbalancerhealthprobemode
            clusterservicesharedloadbalancerhealthprobeport sourceofhostname signingregion signingmethod
        """,
        weak="zone",
    ),
    "the configuration of GCE's cloud provider": _signs(
        key="""
            token-url token-body network-project-id network-name subnetwork-name secondary-range-name
            node-tags node-instance-prefix multizone regional local-zone api-endpoint container-api-endpoint
            alpha-features stack-type
        """,
        weak="project-id",
    ),
    "the configuration of CloudStack's cloud provider": _signs(
        key="api-url api-key secret-key ssl-no-verify",
        weak="project-id zone",
    ),
    # it has the CCM's sections and keys; a user name with an API key logs in to Rackspace only, whose OpenStack clouds have
    # their Keystones on other hosts
    "the configuration of Rackspace's cloud provider": _signs(
        key="api-key",
        login="auth-url username api-key",
        host="identity.api.rackspacecloud.com",
    ),
    "the configuration of the Cinder FlexVolume driver": _signs(sole="RBD"),
    "the configuration of Huawei Cloud's cloud provider": _signs(
        key="access-key secret-key idle-timeout security-group-id vpc-id ak sk",
        weak="project-id",
        login="access-key secret-key",
        sole="Vpc",
    ),
    "the configuration of EdgeCenter's cloud provider": _signs(sole="Edgecenter"),
    "the configuration of KubeStack": _signs(key="ext-net-id plugin-name integration-bridge", sole="Plugin"),
    "the configuration of IBM Cloud's cloud provider": _signs(
        section="kubernetes provider load-balancer-deployment",
        key="""
            config-file cluster-default-provider calico-datastore account-id accountid clusterid
            vlan-ip-config-map g2credentials g2vpcname g2workerserviceaccountid
            iks-private-endpoint-hostname
        """,
    ),
    "the configuration of oVirt's cloud provider": _signs(section="connection filters", key="vms", weak="uri"),
    "the configuration of Photon's cloud provider": _signs(
        key="ignoreCertificate overrideIP vmID",
        weak="target authentication",
    ),
    "Samba's smb.conf": _signs(
        section="homes printers print$ netlogon profiles",
        key="workgroup browseable writable",
        weak="interfaces security path",
    ),
    "pip's configuration": _signs(
        section="install freeze",
        key="index-url extra-index-url trusted-host find-links",
        weak="timeout",
    ),
    "a job file of fio": _signs(
        key="ioengine iodepth runtime time_based numjobs group_reporting filename randrepeat",
        weak="rw bs direct size",
    ),
    "Ceph's ceph.conf": _signs(
        section="mon osd mgr mds client mon.* osd.* client.*",
        key="fsid mon_host mon_initial_members auth_cluster_required auth_service_required auth_client_required",
    ),
    "php-fpm's configuration": _signs(section="www", key="error_log daemonize pm", weak="pid include listen"),
    "MySQL's configuration": _signs(section="mysqld client mysql mysqldump galera", key="datadir socket bind-address"),
    "a unit or network file of systemd": _signs(
        section="Unit Service Install Socket Timer Match Address DHCP DHCPv4 Link NetDev",
        key="ExecStart ExecStartPre WantedBy Gateway Destination",
        weak="Description",
    ),
    "a setup.cfg": _signs(
        section="options options.* tool:* flake8 mypy bdist_wheel aliases testenv tox",
        key="long_description classifiers install_requires packages zip_safe",
    ),
    "git's configuration": _signs(
        section="core remote branch submodule merge push",
        key="repositoryformatversion bare",
    ),
    "the configuration of Azure's cloud provider": _signs(
        json="""
            aadClientId aadClientSecret tenantId subscriptionId resourceGroup useManagedIdentityExtension
            AzurePublicCloud
        """,
        yaml="tenantId subscriptionId aadClientId",
    ),
    "the configuration of Nutanix's cloud provider": _signs(json="prismCentral"),
    "the configuration of Alibaba's cloud provider": _signs(json="accessKeyID accessKeySecret vswitchid"),
    "the configuration of KubeVirt's cloud provider": _signs(yaml="kubeconfig"),
    "the configuration of OCI's cloud provider": _signs(yaml="useInstancePrincipals compartment"),
    "the configuration of Exoscale's cloud provider": _signs(yaml="apiKey apiSecret"),
    "another cloud provider's configuration": _signs(yaml="instances"),
    "another program's configuration": _signs(json="kubernetesVersion"),
    "cloud-init's data": _signs(
        begins="#cloud-config",
        yaml="runcmd bootcmd write_files packages users ssh_authorized_keys coreos rancher datasource_list",
    ),
}
"""The programs in the order in which a draw is decided. JSON, YAML and beginnings count only without a key of the CCM's."""
